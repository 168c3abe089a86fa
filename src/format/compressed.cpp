#include "format/compressed.h"

#include <algorithm>
#include <cstring>

namespace mgl::format {
namespace {

constexpr u32 kTexels = 16;  // of a 4 x 4 block

u64 loadBits(const std::byte* p, u32 bytes) {
  u64 v = 0;
  for (u32 i = 0; i < bytes; ++i) v |= static_cast<u64>(p[i]) << (8 * i);
  return v;
}

struct Rgb {
  i32 r, g, b;
};

Rgb expand565(u32 c) {
  const i32 r = c >> 11 & 31, g = c >> 5 & 63, b = c & 31;
  return {r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2};
}

i32 divideRound(i32 v, i32 by) { return (v + by / 2) / by; }

Rgb mix(const Rgb& a, const Rgb& b, i32 wa, i32 wb) {
  const i32 w = wa + wb;
  return {divideRound(a.r * wa + b.r * wb, w), divideRound(a.g * wa + b.g * wb, w),
          divideRound(a.b * wa + b.b * wb, w)};
}

enum class Bc1Mode : u8 { Opaque, Alpha, FourColors };

// Opaque: BC1 without alpha, code 3 of the three-colour mode is opaque black. Alpha: it is transparent black.
// FourColors: BC2 and BC3, where the order of the endpoints has no meaning.
void decodeColors(const std::byte* block, Bc1Mode mode, u8 (*out)[4]) {
  const u32 c0 = static_cast<u32>(loadBits(block, 2)), c1 = static_cast<u32>(loadBits(block + 2, 2));
  const u32 codes = static_cast<u32>(loadBits(block + 4, 4));
  const bool four = mode == Bc1Mode::FourColors || c0 > c1;
  const Rgb a = expand565(c0), b = expand565(c1);
  const Rgb palette[4] = {a, b, four ? mix(a, b, 2, 1) : mix(a, b, 1, 1), four ? mix(a, b, 1, 2) : Rgb{0, 0, 0}};
  for (u32 i = 0; i < kTexels; ++i) {
    const u32 code = codes >> (2 * i) & 3;
    const Rgb& c = palette[code];
    out[i][0] = static_cast<u8>(c.r), out[i][1] = static_cast<u8>(c.g), out[i][2] = static_cast<u8>(c.b);
    out[i][3] = mode == Bc1Mode::Alpha && !four && code == 3 ? 0 : 255;
  }
}

void decodeExplicitAlpha(const std::byte* block, u8 (*out)[4]) {
  const u64 bits = loadBits(block, 8);
  for (u32 i = 0; i < kTexels; ++i) out[i][3] = static_cast<u8>((bits >> (4 * i) & 15) * 17);
}

// The channel of BC3's alpha, BC4 and BC5. lowest and highest are the constants of the six-value mode; T is u8 or i8.
template <class T>
void decodeChannel(const std::byte* block, i32 lowest, i32 highest, T* out, u32 step) {
  // -128 and -127 are both -1; the interpolation counts from -127.
  const i32 e0 = std::max<i32>(static_cast<T>(block[0]), lowest), e1 = std::max<i32>(static_cast<T>(block[1]), lowest);
  const bool eight = static_cast<T>(block[0]) > static_cast<T>(block[1]);
  i32 palette[8] = {e0, e1, 0, 0, 0, 0, lowest, highest};
  const i32 intervals = eight ? 7 : 5;
  for (i32 k = 1; k < intervals; ++k) {
    const i32 sum = e0 * (intervals - k) + e1 * k;
    palette[k + 1] = sum < 0 ? -divideRound(-sum, intervals) : divideRound(sum, intervals);
  }
  const u64 codes = loadBits(block + 2, 6);
  for (u32 i = 0; i < kTexels; ++i) out[i * step] = static_cast<T>(palette[codes >> (3 * i) & 7]);
}

void decodeBlock(Format format, const std::byte* block, std::byte* texels) {
  auto* rgba = reinterpret_cast<u8(*)[4]>(texels);
  auto* unorm = reinterpret_cast<u8*>(texels);
  auto* snorm = reinterpret_cast<i8*>(texels);
  switch (linearFormat(format)) {
    case Format::BC1_RGB:
      return decodeColors(block, Bc1Mode::Opaque, rgba);
    case Format::BC1_RGBA:
      return decodeColors(block, Bc1Mode::Alpha, rgba);
    case Format::BC2_RGBA:
      decodeColors(block + 8, Bc1Mode::FourColors, rgba);
      return decodeExplicitAlpha(block, rgba);
    case Format::BC3_RGBA:
      decodeColors(block + 8, Bc1Mode::FourColors, rgba);
      return decodeChannel<u8>(block, 0, 255, unorm + 3, 4);
    case Format::BC4_R:
      return decodeChannel<u8>(block, 0, 255, unorm, 1);
    case Format::BC4_R_SNORM:
      return decodeChannel<i8>(block, -127, 127, snorm, 1);
    case Format::BC5_RG:
      decodeChannel<u8>(block, 0, 255, unorm, 2);
      return decodeChannel<u8>(block + 8, 0, 255, unorm + 1, 2);
    case Format::BC5_RG_SNORM:
      decodeChannel<i8>(block, -127, 127, snorm, 2);
      return decodeChannel<i8>(block + 8, -127, 127, snorm + 1, 2);
    default:
      return;
  }
}

}  // namespace

Format decodedFormat(Format compressed) {
  switch (compressed) {
    case Format::BC1_RGB:
    case Format::BC1_RGBA:
    case Format::BC2_RGBA:
    case Format::BC3_RGBA:
      return Format::RGBA8;
    case Format::BC1_SRGB:
    case Format::BC1_SRGB_A:
    case Format::BC2_SRGB_A:
    case Format::BC3_SRGB_A:
      return Format::SRGB8_A8;
    case Format::BC4_R:
      return Format::R8;
    case Format::BC4_R_SNORM:
      return Format::R8_SNORM;
    case Format::BC5_RG:
      return Format::RG8;
    case Format::BC5_RG_SNORM:
      return Format::RG8_SNORM;
    default:
      return Format::None;
  }
}

bool decodeBlocks(Format compressed, const MutableTexels& dst, const ConstTexels& src, const Extent& e) {
  const Format decoded = decodedFormat(compressed);
  if (decoded == Format::None) return false;
  const u32 texelBytes = formatInfo(decoded).blockBytes;
  const u32 blockBytes = formatInfo(compressed).blockBytes;
  std::byte texels[kTexels * 4];
  for (u32 z = 0; z < e.depth; ++z)
    for (u32 y = 0; y < e.height; y += 4) {
      const std::byte* block = src.data + z * src.imageStride + y / 4 * src.rowStride;
      std::byte* out = dst.data + z * dst.imageStride + y * dst.rowStride;
      const u32 rows = std::min(4u, e.height - y);
      for (u32 x = 0; x < e.width; x += 4, block += blockBytes) {
        decodeBlock(compressed, block, texels);
        const u32 bytes = std::min(4u, e.width - x) * texelBytes;
        for (u32 r = 0; r < rows; ++r)
          std::memcpy(out + r * dst.rowStride + u64{x} * texelBytes, texels + r * 4 * texelBytes, bytes);
      }
    }
  return true;
}

}  // namespace mgl::format
