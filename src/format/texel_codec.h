// Private to src/format: runs of pixels between a layout and full-precision components. Nothing allocates; `n` is at
// most kRun. The callers have checked that the content and the numeric kind fit.
#pragma once

#include "format/pixel_layout.h"

namespace mgl::format {

inline constexpr u32 kRun = 64;

// Missing components read as 0, alpha as 1.
void readFloat(const PixelLayout& layout, const std::byte* src, u32 n, f32 (*out)[4]);
void readInteger(const PixelLayout& layout, const std::byte* src, u32 n, i64 (*out)[4]);
void readDepth(const PixelLayout& layout, const std::byte* src, u32 n, f64* out);
void readStencil(const PixelLayout& layout, const std::byte* src, u32 n, u32* out);

// Values outside the range of a component are clamped to it (8.5); a NaN gives 0 in fixed point.
void writeFloat(const PixelLayout& layout, const f32 (*in)[4], u32 n, std::byte* dst);
void writeInteger(const PixelLayout& layout, const i64 (*in)[4], u32 n, std::byte* dst);
// A combined texel keeps its other half.
void writeDepth(const PixelLayout& layout, const f64* in, u32 n, std::byte* dst);
void writeStencil(const PixelLayout& layout, const u32* in, u32 n, std::byte* dst);

}  // namespace mgl::format
