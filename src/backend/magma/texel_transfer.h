// Texels between what the pipe carries (client layouts) and what image copies read and write (staging layouts). Pure;
// any thread.
//
// A staging area holds the texels of a box tightly: colour, or the depth part, and after it the stencil part. Depth of
// 24 bits lies in the low bits of a word there, as Vulkan's copies have it; the pipe's D24 has it in the high bits.
#pragma once

#include "backend/magma/convert.h"

namespace mgl::magma {

struct TexelShape {
  format::Format format = format::Format::None;  // the pipe's
  const HostFormat* host = nullptr;
  u32 width = 0, height = 0, depth = 0;
};

// Which parts of a box a transfer touches, and where they lie in its staging area.
struct StagingLayout {
  bool main = false, stencil = false;  // main: colour or depth
  u64 rowBytes = 0, imageBytes = 0;    // of the main part
  u64 stencilOffset = 0, stencilRowBytes = 0, stencilImageBytes = 0;
  u64 bytes = 0;
};
StagingLayout stagingLayout(const TexelShape& shape, const pipe::TexelLayout& layout);

// False when the pair has no meaning for the format: nothing is written.
[[nodiscard]] bool toStaging(const TexelShape& shape, const pipe::TexelLayout& layout, const std::byte* data,
                             const StagingLayout& staging, std::byte* out);
[[nodiscard]] bool fromStaging(const TexelShape& shape, const StagingLayout& staging, const std::byte* in,
                               const pipe::TexelLayout& layout, bool clampColor, std::byte* out);

// Whether texels of the shape's format have a meaning in the layout at all: what the two above answer, tried on one.
bool canStage(TexelShape shape, const pipe::TexelLayout& layout);
bool canUnstage(TexelShape shape, const pipe::TexelLayout& layout, bool clampColor);

// The bytes that a transfer of this box has in client layout.
u64 layoutBytes(const TexelShape& shape, const pipe::TexelLayout& layout);

}  // namespace mgl::magma
