// A texture object: shape and parameters, no texels. Renderbuffers are textures on the pipe too (gl/framebuffer/renderbuffer.h).
#pragma once

#include "gl/texture/sampler.h"

namespace mgl::gl {

struct Buffer;

// One level of one face, in GL's words: the height of a one-dimensional array's image is its layers.
struct TextureImage {
  pipe::Format format = pipe::Format::None;  // None: not specified
  GLenum internalFormat = GL_NONE;           // as the program asked
  u32 width = 0, height = 0, depth = 0;
  u32 samples = 0;
  bool fixedSampleLocations = true;

  bool isEmpty() const { return width == 0 || height == 0 || depth == 0; }
  friend bool operator==(const TextureImage&, const TextureImage&) = default;
};

struct Texture : Object {
  // Emits CreateTexture: never under an open group.
  Texture(u32 glName, pipe::TextureTarget t, ShareGroup& group);
  // A view (glTextureView): the caller emits CreateTextureView with `viewHandle` and fills the rest.
  Texture(u32 glName, pipe::TextureTarget t, ShareGroup& group, pipe::TextureHandle viewHandle);
  ~Texture() override;

  const std::shared_ptr<client::Session> session;
  const pipe::TextureTarget target;
  pipe::TextureHandle handle;
  bool immutable = false;
  u32 immutableLevels = 0;    // of the store, as asked for: a view may see fewer (viewNumLevels)
  bool storageWhole = false;  // TextureStorage was emitted, else TextureLevel per level
  bool storeFailed = false;   // the server had no memory for some of it: the same shape again is news
  std::array<std::array<TextureImage, pipe::kMaxTextureLevels>, 6> images;  // [face][level]
  i32 baseLevel = 0, maxLevel = 1000;
  std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
  GLenum depthStencilMode = GL_DEPTH_COMPONENT;
  GLenum imageFormatCompatibility = GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE;  // set by what the levels hold
  f32 priority = 1;             // compatibility profile: kept, without effect
  bool generateMipmap = false;  // compatibility profile: levels follow the base level
  SamplerParameters sampler;
  // Texture buffers
  Ref<Buffer> buffer;
  i64 bufferOffset = 0, bufferSize = -1;  // size -1: the whole buffer
  GLenum bufferFormat = GL_R8;
  pipe::Format bufferPipeFormat = pipe::Format::R8;
  // Views; of any immutable texture
  GLenum viewMinLevel = 0, viewNumLevels = 0, viewMinLayer = 0, viewNumLayers = 0;

  u32 faces() const { return target == pipe::TextureTarget::Cube ? 6 : 1; }
  const TextureImage& image(u32 face, i32 level) const { return images[face][static_cast<u32>(level)]; }

  // Completeness (OpenGL 4.6 section 8.17) for these sampler parameters; cached by version inside.
  bool isComplete(const SamplerParameters& effective) const;
  // All faces of the base level alike, square and there (cubes only; others true).
  bool isCubeComplete() const;
  // The base level clamped as the specification says for immutable textures.
  i32 effectiveBase() const;
  i32 effectiveMax() const;
  // The last level that sampling can reach: q of section 8.14.3, given base <= max.
  i32 lastLevel() const;

  // ---- The tracker's: what the server was told
  u64 emittedVersion = 0;  // of SetTextureParameters and SetTextureBuffer

 private:
  u32 shapeBits() const;
  mutable std::atomic<u64> completeness_{0};  // version << 4 | bits of shapeBits()
};

}  // namespace mgl::gl
