// Clears, blits, copies from framebuffers, and reads of images.
#pragma once

#include "backend/espryt/framebuffer.h"
#include "backend/espryt/readback.h"

namespace mgl::espryt {

// A part of an image to be read.
struct ReadRegion {
  Target source;  // color[0], depth, stencil
  Format named = Format::None;
  u32 x = 0, y = 0, width = 0, height = 0;
};

class Blitter {
 public:
  explicit Blitter(Engine& engine) : engine_(engine) {}
  ~Blitter();

  void clear(HostContext& host, backend::ContextState& context, backend::Framebuffer* framebuffer, const pipe::Clear& clear);
  // Of a multisample image, which takes no upload.
  void clearSamples(HostContext& host, Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel);
  void blit(HostContext& host, backend::ContextState& context, backend::Framebuffer* read, backend::Framebuffer* draw,
            const pipe::Blit& blit);
  void copyToTexture(HostContext& host, backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                     Texture& texture, u32 level, std::array<u32, 3> origin);

  backend::Pending beginReadPixels(HostContext& host, backend::ContextState& context, backend::Framebuffer* source,
                                   const pipe::Rect& rect, const pipe::TexelLayout& layout, bool clampColor);
  void readPixelsToBuffer(HostContext& host, backend::ContextState& context, backend::Framebuffer* source,
                          const pipe::Rect& rect, const pipe::TexelLayout& layout, bool clampColor, Buffer& buffer,
                          u64 offset);
  backend::Pending beginReadTexture(HostContext& host, Texture& texture, u32 level, const pipe::TexelBox& box,
                                    const pipe::TexelLayout& layout);
  void readTextureToBuffer(HostContext& host, Texture& texture, u32 level, const pipe::TexelBox& box,
                           const pipe::TexelLayout& layout, Buffer& buffer, u64 offset);

 private:
  struct Read {
    GLuint buffer = 0;  // 0: nothing could be read
    TexelShape shape;
    ReadParts parts;
  };
  bool region(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
              const pipe::TexelLayout& layout, ReadRegion* out);
  // Reads slices, each bound by `bind`, into a new pixel buffer of the host.
  Read readSlices(HostContext& host, ReadRegion region, u32 depth, const pipe::TexelLayout& layout, Texture* texture,
                  u32 level, u32 firstLayer);
  bool readOne(HostContext& host, ReadRegion& region, const ReadParts& parts, u64 mainAt, u64 stencilAt);
  void toBuffer(HostContext& host, const Read& read, const pipe::TexelLayout& layout, bool clampColor, Buffer& buffer,
                u64 offset);
  // The source, single-sampled: resolved into an image of its own where it has more samples.
  void resolveSamples(HostContext& host, Target* source, GLbitfield mask);
  enum class Part : u8 { Color, Depth, Stencil };
  // The source drawn into a format that the host reads (compressed ones, three components, shared exponents; depth and stencil
  // on most hosts).
  bool decode(HostContext& host, ReadRegion* region, Part part);
  void fixOpaque(HostContext& host, const Target& target, i32 x, i32 y, i32 width, i32 height);
  GLuint decodeProgram(u32 kind, u64* id);

  Engine& engine_;
  HostImage scratchColor_, scratchDepth_, decoded_;
  struct Program {
    GLuint name = 0;
    u64 id = 0;
  };
  std::array<Program, 9> programs_;
  Program nearest_;  // a sampler without filters, which takes no texture for incomplete
  struct EmptyArray {
    u64 contextUid = 0;
    GLuint name = 0;
    u64 id = 0;
  };
  std::vector<EmptyArray> emptyArrays_;
};

}  // namespace mgl::espryt
