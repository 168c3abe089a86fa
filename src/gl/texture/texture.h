// A texture object: shape and parameters, no texels. Renderbuffers are textures on the pipe too (gl/framebuffer/renderbuffer.h).
#pragma once

#include "gl/texture/sampler.h"

namespace mgl::gl {

struct Buffer;

struct TextureImage {  // one level of one face
  pipe::Format format = pipe::Format::None;  // None: not specified
  GLenum internalFormat = GL_NONE;           // as the program asked
  u32 width = 0, height = 0, depth = 0;
  u32 samples = 0;
  bool fixedSampleLocations = true;
};

struct Texture : Object {
  Texture(u32 glName, pipe::TextureTarget t, ShareGroup& group);
  ~Texture() override;

  const std::shared_ptr<client::Session> session;
  const pipe::TextureTarget target;
  pipe::TextureHandle handle;
  bool immutable = false;
  u32 immutableLevels = 0;
  bool storageWhole = false;  // TextureStorage was emitted, else TextureLevel per level
  std::array<std::array<TextureImage, pipe::kMaxTextureLevels>, 6> images;  // [face][level]
  i32 baseLevel = 0, maxLevel = 1000;
  std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
  GLenum depthStencilMode = GL_DEPTH_COMPONENT;
  SamplerParameters sampler;
  // Texture buffers
  Ref<Buffer> buffer;
  i64 bufferOffset = 0, bufferSize = -1;  // size -1: the whole buffer
  GLenum bufferFormat = GL_R8;
  // Views
  GLenum viewMinLevel = 0, viewNumLevels = 0, viewMinLayer = 0, viewNumLayers = 0;

  u32 faces() const { return target == pipe::TextureTarget::Cube ? 6 : 1; }
  const TextureImage& image(u32 face, i32 level) const { return images[face][static_cast<u32>(level)]; }

  // Completeness (OpenGL 4.6 section 8.17) for these sampler parameters; cached by version inside.
  bool isComplete(const SamplerParameters& effective) const;
  // The base level clamped as the specification says for immutable textures.
  i32 effectiveBase() const;
  i32 effectiveMax() const;

  // ---- The tracker's: what the server was told
  u64 emittedVersion = 0;  // of SetTextureParameters and SetTextureBuffer
};

}  // namespace mgl::gl
