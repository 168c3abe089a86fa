// Makes the translator's inputs: Vulkan GLSL to SPIR-V 1.3, as the compiler's modules look.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"
#include "shader/archive/archive.h"

namespace mgl::shader::test {

// SPIR-V of one stage; a test failure, and nothing, when it does not compile.
std::vector<u32> compileGlsl(Stage stage, const std::string& source);

}  // namespace mgl::shader::test
