// Textures, renderbuffers (textures of the host too) and samplers. A texture of the pipe is one texture of the host: levels
// that are given one by one are given one by one there too, and the host keeps their contents.
#pragma once

#include "backend/espryt/buffer.h"
#include "backend/espryt/texels.h"

namespace mgl::espryt {

// An image of the host, as framebuffers and samplers see it.
struct HostImage {
  HostObject object;  // name 0: none
  GLenum target = 0;
};

class Sampler final : public backend::Sampler {
 public:
  ~Sampler() override;
  Engine* engine = nullptr;
  // One for each class of border colours, filtering and not; made when first used.
  static constexpr u32 kVariants = 2 * countOf<pipe::BorderClass>();
  std::array<GLuint, kVariants> names{};
  std::array<u64, kVariants> ids{};
};

class Texture final : public backend::Texture {
 public:
  ~Texture() override;
  Engine* engine = nullptr;
  HostImage image;
  bool immutable = false;  // the host's store is

  // Parameters as the host has them.
  struct Parameters {
    i32 base = 0, max = 1000;
    std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    GLenum depthStencilMode = GL_DEPTH_COMPONENT;
    bool operator==(const Parameters&) const = default;
  } set;

  // Buffer textures: what the host's texture was made of.
  u64 bufferId = 0, bufferOffsetSet = 0, bufferBytesSet = 0;
  Format bufferFormatSet = Format::None;

  backend::TextureLevelDesc levelDesc(u32 level, u32 face = 0) const;
  // The format that the host holds the first specified level in.
  Format hostFormat() const;
};

class Textures {
 public:
  explicit Textures(Engine& engine) : engine_(engine) {}

  void storage(Texture& texture);
  void level(Texture& texture, u32 face, u32 level);
  void view(Texture& texture);
  void parametersChanged(Texture& texture);
  void subData(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout, Bytes data);
  void subDataFromBuffer(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                         Buffer& buffer, u64 offset);
  void clear(Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel);
  void copy(Texture& src, u32 srcLevel, const pipe::TexelBox& box, Texture& dst, u32 dstLevel, std::array<u32, 3> origin);
  void generateMipmap(Texture& texture, u32 baseLevel, u32 lastLevel);

  // Brings a buffer texture up to its buffer. False: there is nothing to read.
  bool useTexelBuffer(HostContext& context, Texture& texture);
  // The sampler for a unit. nearest: without filters, for formats that OpenGL ES does not filter.
  GLuint sampler(Sampler& sampler, pipe::BorderClass cls, bool nearest, u64* id);

  // A 2D image with one level of undefined contents: surfaces, and room for what is on its way elsewhere.
  HostImage makeImage(HostContext& context, Format format, u32 width, u32 height, u32 samples);

 private:
  void allocateLevel(HostContext& context, Texture& texture, GLenum target, u32 level,
                     const backend::TextureLevelDesc& desc);
  void upload(HostContext& context, Texture& texture, u32 level, const pipe::TexelBox& box, const Upload& upload,
              const HostFormat& host, Format named, bool compressed);
  void applyParameters(HostContext& context, Texture& texture);
  void make(Texture& texture);

  Engine& engine_;
  std::vector<std::byte> scratch_;
};

}  // namespace mgl::espryt
