// Sampler objects, and the sampler state that every texture has of its own.
#pragma once

#include "gl/object.h"
#include "gl/share_group.h"

namespace mgl::gl {

// GL's sampler parameters as the program gave them; toPipe() is what a backend sees.
struct SamplerParameters {
  GLenum minFilter = GL_NEAREST_MIPMAP_LINEAR, magFilter = GL_LINEAR;
  GLenum wrapS = GL_REPEAT, wrapT = GL_REPEAT, wrapR = GL_REPEAT;
  f32 minLod = -1000, maxLod = 1000, lodBias = 0, maxAnisotropy = 1;
  GLenum compareMode = GL_NONE, compareFunc = GL_LEQUAL;
  std::array<u32, 4> border{};  // bits of the class below
  pipe::BorderClass borderClass = pipe::BorderClass::Float;
  GLenum srgbDecode = GL_DECODE_EXT;
  bool cubeSeamless = false;  // ARB_seamless_cubemap_per_texture

  bool usesMipmaps() const { return minFilter != GL_NEAREST && minFilter != GL_LINEAR; }
  pipe::SamplerState toPipe() const;
  friend bool operator==(const SamplerParameters&, const SamplerParameters&) = default;
};

struct Sampler : Object {
  explicit Sampler(u32 glName) : Object(glName) {}
  SamplerParameters parameters;  // version moves with it
};

}  // namespace mgl::gl
