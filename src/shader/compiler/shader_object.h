// What a CompiledShader holds, for the linker.
#pragma once

#include "shader/compiler/compiler.h"
#include "shader/compiler/interface.h"
#include "shader/compiler/source.h"

namespace mgl::shader {

class ShaderObject final : public CompiledShader {
 public:
  explicit ShaderObject(Stage stage) : CompiledShader(stage) {}

  ShaderInterface interface;
  CodeText code;
  Limits limits;
};

}  // namespace mgl::shader
