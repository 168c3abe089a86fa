// Which texture target a sampler or image type reads.
#pragma once

#include "pipe/enums.h"
#include "shader/archive/uniform_type.h"

namespace mgl::gl {

inline pipe::TextureTarget samplerTarget(shader::UniformType type) {
  using pipe::TextureTarget;
  const shader::UniformTypeInfo& info = shader::uniformTypeInfo(type);
  switch (info.dim) {
    case shader::TextureDim::Dim1: return info.arrayed ? TextureTarget::Tex1DArray : TextureTarget::Tex1D;
    case shader::TextureDim::Dim3: return TextureTarget::Tex3D;
    case shader::TextureDim::Cube: return info.arrayed ? TextureTarget::CubeArray : TextureTarget::Cube;
    case shader::TextureDim::Buffer: return TextureTarget::Buffer;
    case shader::TextureDim::Rect: return TextureTarget::Rectangle;
    default: break;
  }
  if (info.multisample) return info.arrayed ? TextureTarget::Tex2DMultisampleArray : TextureTarget::Tex2DMultisample;
  return info.arrayed ? TextureTarget::Tex2DArray : TextureTarget::Tex2D;
}

}  // namespace mgl::gl
