// Calls of built-in functions on literals, computed here. glslang folds most built-ins but not these, and without their
// values a constant initialiser or an array's size is no constant expression.
#pragma once

#include <string>
#include <string_view>

#include "shader/compiler/lexer.h"

namespace mgl::shader {

// The text with inverse, transpose, matrixCompMult, the hyperbolic functions, and == and != of vectors of booleans and
// of matrices replaced by their values where all operands are numeric literals or constructors with one for each
// component. Line numbers stay.
std::string foldLiterals(std::string_view text);

}  // namespace mgl::shader
