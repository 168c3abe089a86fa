// Texels between client layouts and formats, and between formats. Nothing here allocates; every function may run on
// any thread. Compressed formats are refused, except by convertTexels between equal ones (compressed.h has the
// decoders). The memory must hold what the strides and the extent say: the callers have checked it.
#pragma once

#include <span>

#include "format/format.h"
#include "format/transfer.h"

namespace mgl::format {

struct ConstTexels {
  const std::byte* data = nullptr;
  u64 rowStride = 0;
  u64 imageStride = 0;
};

struct MutableTexels {
  std::byte* data = nullptr;
  u64 rowStride = 0;
  u64 imageStride = 0;
};

struct Extent {
  u32 width = 0, height = 1, depth = 1;
};

// True when a transfer in either direction has a meaning: colour with colour (integer with integer only), depth with
// depth, stencil with stencil. A depth-stencil pair may meet a format that has one half only.
bool canTransfer(Format format, TransferFormat transferFormat, TransferType type);

// Client memory to texels (8.4.4, 8.5): components clamp to the format's range, missing ones are 0, alpha 1. A depth
// format takes its half of depth-stencil data; a depth-stencil format keeps the half that the data lacks. sRGB formats
// take the encoded values as they come. False, and nothing written, when !canTransfer.
[[nodiscard]] bool unpack(Format dstFormat, const MutableTexels& dst, TransferFormat format, TransferType type,
                          bool swapBytes, const ConstTexels& src, const Extent& extent);

// Texels to client memory (18.2): luminance texels return L,0,0,1; luminance transfers sum R+G+B. clampColor clamps
// floating-point colour to [0,1] first (CLAMP_READ_COLOR). Halves that the texels lack are written as 0. False, and
// nothing written, when !canTransfer.
[[nodiscard]] bool pack(TransferFormat format, TransferType type, bool swapBytes, const MutableTexels& dst,
                        Format srcFormat, const ConstTexels& src, const Extent& extent, bool clampColor);

// Texels to texels as a shader would read them: L,L,L,1 and I,I,I,I; a luminance or intensity destination takes red.
// Serves hosts that lack a format (RGB8 in RGBA8 with alpha 1, and back). Encoded sRGB values are kept. False, and
// nothing written, between colour, depth and stencil, between integer and other, and for different compressed formats.
[[nodiscard]] bool convertTexels(Format dstFormat, const MutableTexels& dst, Format srcFormat, const ConstTexels& src,
                                 const Extent& extent);

// One texel for fills; `out` holds at least blockBytes. The value clamps as in unpack. False for another kind of
// format.
[[nodiscard]] bool writeClearTexel(Format format, std::span<const f32, 4> rgba, std::byte* out);
[[nodiscard]] bool writeClearTexel(Format format, std::span<const i32, 4> rgba, std::byte* out);
[[nodiscard]] bool writeClearTexel(Format format, std::span<const u32, 4> rgba, std::byte* out);
[[nodiscard]] bool writeClearDepthStencil(Format format, f64 depth, u32 stencil, std::byte* out);

// Fills a box with one texel of `texelBytes` bytes.
void fillTexels(const MutableTexels& dst, const Extent& extent, std::span<const std::byte> texel);

}  // namespace mgl::format
