#include "format/convert.h"

#include <algorithm>
#include <cstring>

#include "format/texel_codec.h"

namespace mgl::format {
namespace {

// How a region is converted, decided once per call.
enum class Path : u8 { None, Copy, Shuffle, Float, Integer, DepthStencil };

bool hasDepth(Content c) { return c == Content::Depth || c == Content::DepthStencil; }
bool hasStencil(Content c) { return c == Content::Stencil || c == Content::DepthStencil; }

bool compatible(const PixelLayout& dst, const PixelLayout& src) {
  if (dst.content == Content::None || src.content == Content::None) return false;
  if (dst.content == Content::Color || src.content == Content::Color)
    return dst.content == src.content && (dst.numeric == Numeric::Integer) == (src.numeric == Numeric::Integer);
  return (hasDepth(dst.content) && hasDepth(src.content)) || (hasStencil(dst.content) && hasStencil(src.content));
}

u32 arrayElementBytes(Element e) {
  switch (e) {
    case Element::U8:
    case Element::I8:
      return 1;
    case Element::U16:
    case Element::I16:
    case Element::F16:
      return 2;
    case Element::U32:
    case Element::I32:
    case Element::F32:
      return 4;
    default:
      return 0;
  }
}

// The bits of component value 1 in an array element.
u32 oneBits(const PixelLayout& l) {
  if (l.numeric == Numeric::Integer) return 1;
  switch (l.element) {
    case Element::U8:
      return 0xff;
    case Element::I8:
      return 0x7f;
    case Element::U16:
      return 0xffff;
    case Element::I16:
      return 0x7fff;
    case Element::U32:
      return 0xffffffffu;
    case Element::I32:
      return 0x7fffffffu;
    case Element::F16:
      return 0x3c00;
    case Element::F32:
      return 0x3f800000u;
    default:
      return 0;
  }
}

// Which source component (or constant) each destination component takes, when they have equal elements.
struct ShuffleMap {
  static constexpr u8 kZero = 4, kOne = 5;
  u8 from[4];
};

bool makeShuffle(const PixelLayout& dst, const PixelLayout& src, ShuffleMap& map) {
  if (dst.element != src.element || dst.numeric != src.numeric || dst.swap || src.swap) return false;
  if (arrayElementBytes(dst.element) == 0) return false;
  if (dst.sumLuminance && src.count > 1) return false;
  u8 bySlot[4] = {ShuffleMap::kZero, ShuffleMap::kZero, ShuffleMap::kZero, ShuffleMap::kOne};
  for (u8 c = 0; c < src.count; ++c) bySlot[src.slot[c]] = c;
  if (src.spread != BaseFormat::None) bySlot[1] = bySlot[2] = bySlot[0];
  if (src.spread == BaseFormat::Intensity) bySlot[3] = bySlot[0];
  if (dst.sumLuminance && src.spread != BaseFormat::None) return false;
  for (u32 c = 0; c < 4; ++c) map.from[c] = c < dst.count ? bySlot[dst.slot[c]] : ShuffleMap::kZero;
  // The sum of a single component is that component, wherever it sits among R, G and B.
  if (dst.sumLuminance) map.from[0] = src.slot[0] < 3 ? 0 : ShuffleMap::kZero;
  return true;
}

template <class T, u32 kDst, u32 kSrc>
void shuffleRow(std::byte* dst, const std::byte* src, u32 n, const ShuffleMap& map, T one) {
  for (u32 i = 0; i < n; ++i) {
    T in[6] = {};
    std::memcpy(in, src + i * kSrc * sizeof(T), kSrc * sizeof(T));
    in[ShuffleMap::kZero] = 0;
    in[ShuffleMap::kOne] = one;
    T out[kDst];
    for (u32 c = 0; c < kDst; ++c) out[c] = in[map.from[c]];
    std::memcpy(dst + i * kDst * sizeof(T), out, sizeof out);
  }
}

using ShuffleFn = void (*)(std::byte*, const std::byte*, u32, const ShuffleMap&, u32);

template <class T, u32 kDst, u32 kSrc>
void shuffleThunk(std::byte* dst, const std::byte* src, u32 n, const ShuffleMap& map, u32 one) {
  shuffleRow<T, kDst, kSrc>(dst, src, n, map, static_cast<T>(one));
}

template <class T>
constexpr ShuffleFn kShuffles[4][4] = {
    {shuffleThunk<T, 1, 1>, shuffleThunk<T, 1, 2>, shuffleThunk<T, 1, 3>, shuffleThunk<T, 1, 4>},
    {shuffleThunk<T, 2, 1>, shuffleThunk<T, 2, 2>, shuffleThunk<T, 2, 3>, shuffleThunk<T, 2, 4>},
    {shuffleThunk<T, 3, 1>, shuffleThunk<T, 3, 2>, shuffleThunk<T, 3, 3>, shuffleThunk<T, 3, 4>},
    {shuffleThunk<T, 4, 1>, shuffleThunk<T, 4, 2>, shuffleThunk<T, 4, 3>, shuffleThunk<T, 4, 4>},
};

// The two pairs that dominate uploads: BGRA or RGBA bytes in the other order, and RGB bytes into RGBA.
bool isByteSwapRB(const PixelLayout& dst, const PixelLayout& src, const ShuffleMap& m) {
  return arrayElementBytes(dst.element) == 1 && dst.count == 4 && src.count == 4 && m.from[0] == 2 && m.from[1] == 1 &&
         m.from[2] == 0 && m.from[3] == 3;
}

void byteSwapRBRow(std::byte* dst, const std::byte* src, u32 n, const ShuffleMap&, u32) {
  for (u32 i = 0; i < n; ++i) {
    u32 v;
    std::memcpy(&v, src + i * 4, 4);
    v = (v & 0xff00ff00u) | (v >> 16 & 0xffu) | (v & 0xffu) << 16;
    std::memcpy(dst + i * 4, &v, 4);
  }
}

bool isByteExpandRGB(const PixelLayout& dst, const PixelLayout& src, const ShuffleMap& m) {
  return arrayElementBytes(dst.element) == 1 && dst.count == 4 && src.count == 3 && m.from[0] == 0 && m.from[1] == 1 &&
         m.from[2] == 2 && m.from[3] == ShuffleMap::kOne;
}

void byteExpandRGBRow(std::byte* dst, const std::byte* src, u32 n, const ShuffleMap&, u32 one) {
  for (u32 i = 0; i < n; ++i) {
    const u32 v = static_cast<u32>(src[i * 3]) | static_cast<u32>(src[i * 3 + 1]) << 8 |
                  static_cast<u32>(src[i * 3 + 2]) << 16 | one << 24;
    std::memcpy(dst + i * 4, &v, 4);
  }
}

ShuffleFn pickShuffle(const PixelLayout& dst, const PixelLayout& src, const ShuffleMap& map) {
  if (isByteSwapRB(dst, src, map)) return byteSwapRBRow;
  if (isByteExpandRGB(dst, src, map)) return byteExpandRGBRow;
  switch (arrayElementBytes(dst.element)) {
    case 1:
      return kShuffles<u8>[dst.count - 1][src.count - 1];
    case 2:
      return kShuffles<u16>[dst.count - 1][src.count - 1];
    default:
      return kShuffles<u32>[dst.count - 1][src.count - 1];
  }
}

template <class F>
void eachRow(const MutableTexels& dst, const ConstTexels& src, const Extent& e, F&& f) {
  for (u32 z = 0; z < e.depth; ++z)
    for (u32 y = 0; y < e.height; ++y)
      f(dst.data + z * dst.imageStride + y * dst.rowStride, src.data + z * src.imageStride + y * src.rowStride);
}

template <class F>
void eachRun(const PixelLayout& d, const MutableTexels& dst, const PixelLayout& s, const ConstTexels& src,
             const Extent& e, F&& f) {
  eachRow(dst, src, e, [&](std::byte* out, const std::byte* in) {
    for (u32 x = 0; x < e.width; x += kRun) {
      const u32 n = std::min(kRun, e.width - x);
      f(out, in, n);
      out += u64{n} * d.bytes;
      in += u64{n} * s.bytes;
    }
  });
}

void copyRows(const MutableTexels& dst, const ConstTexels& src, u64 rowBytesTight, u64 rows, u32 depth) {
  const u64 image = rowBytesTight * rows;
  const bool tightRows = rows <= 1 || (dst.rowStride == rowBytesTight && src.rowStride == rowBytesTight);
  const bool tightImages = depth <= 1 || (dst.imageStride == image && src.imageStride == image);
  if (tightRows && tightImages) {
    std::memcpy(dst.data, src.data, image * depth);
    return;
  }
  for (u32 z = 0; z < depth; ++z)
    for (u64 y = 0; y < rows; ++y)
      std::memcpy(dst.data + z * dst.imageStride + y * dst.rowStride,
                  src.data + z * src.imageStride + y * src.rowStride, rowBytesTight);
}

// clampDepth: what is written is a texel, so that a float depth must be clamped and padding cleared.
Path choosePath(const PixelLayout& d, const PixelLayout& s, bool toFormat, bool clampColor, ShuffleMap& map) {
  if (!compatible(d, s)) return Path::None;
  const bool floatDepth = d.content != Content::Color && d.numeric == Numeric::Float;
  const bool clamps = clampColor && s.numeric == Numeric::Float;
  if (sameMemory(d, s) && !(toFormat && floatDepth) && !clamps) return Path::Copy;
  if (d.content != Content::Color) return Path::DepthStencil;
  if (!clamps && makeShuffle(d, s, map)) return Path::Shuffle;
  return d.numeric == Numeric::Integer ? Path::Integer : Path::Float;
}

void clampRun(f32 (*v)[4], u32 n) {
  for (u32 i = 0; i < n; ++i)
    for (u32 c = 0; c < 4; ++c) v[i][c] = v[i][c] > 0.0f ? std::min(v[i][c], 1.0f) : 0.0f;
}

// toFormat: the destination is a texel (and keeps a half the source lacks), else client memory (such a half is 0).
bool convert(const PixelLayout& d, const MutableTexels& dst, const PixelLayout& s, const ConstTexels& src,
             const Extent& e, bool toFormat, bool clampColor) {
  ShuffleMap map{};
  const Path path = choosePath(d, s, toFormat, clampColor, map);
  if (path == Path::None) return false;
  if (e.width == 0 || e.height == 0 || e.depth == 0) return true;
  switch (path) {
    case Path::None:
      return false;
    case Path::Copy:
      copyRows(dst, src, u64{e.width} * d.bytes, e.height, e.depth);
      return true;
    case Path::Shuffle: {
      const ShuffleFn fn = pickShuffle(d, s, map);
      const u32 one = oneBits(d);
      eachRow(dst, src, e, [&](std::byte* out, const std::byte* in) { fn(out, in, e.width, map, one); });
      return true;
    }
    case Path::Float:
      eachRun(d, dst, s, src, e, [&](std::byte* out, const std::byte* in, u32 n) {
        f32 v[kRun][4];
        readFloat(s, in, n, v);
        if (clampColor) clampRun(v, n);
        writeFloat(d, v, n, out);
      });
      return true;
    case Path::Integer:
      eachRun(d, dst, s, src, e, [&](std::byte* out, const std::byte* in, u32 n) {
        i64 v[kRun][4];
        readInteger(s, in, n, v);
        writeInteger(d, v, n, out);
      });
      return true;
    case Path::DepthStencil: {
      const bool depth = hasDepth(d.content) && hasDepth(s.content);
      const bool stencil = hasStencil(d.content) && hasStencil(s.content);
      eachRun(d, dst, s, src, e, [&](std::byte* out, const std::byte* in, u32 n) {
        // Halves meet in one word: what is not to be kept is cleared first.
        if (!toFormat || (depth && stencil)) std::memset(out, 0, u64{n} * d.bytes);
        if (depth) {
          f64 v[kRun];
          readDepth(s, in, n, v);
          writeDepth(d, v, n, out);
        }
        if (stencil) {
          u32 v[kRun];
          readStencil(s, in, n, v);
          writeStencil(d, v, n, out);
        }
      });
      return true;
    }
  }
  return false;
}

template <class V>
bool writeColor(Format format, const V (&rgba)[1][4], std::byte* out) {
  const PixelLayout l = layoutOf(format, Reading::Sampled);
  if (l.content != Content::Color) return false;
  if constexpr (std::is_same_v<V, f32>) {
    if (l.numeric == Numeric::Integer) return false;
    writeFloat(l, rgba, 1, out);
  } else {
    if (l.numeric != Numeric::Integer) return false;
    writeInteger(l, rgba, 1, out);
  }
  return true;
}

}  // namespace

bool canTransfer(Format format, TransferFormat transferFormat, TransferType type) {
  return compatible(layoutOf(format, Reading::Returned), layoutOf(transferFormat, type, false));
}

bool unpack(Format dstFormat, const MutableTexels& dst, TransferFormat format, TransferType type, bool swapBytes,
            const ConstTexels& src, const Extent& extent) {
  return convert(layoutOf(dstFormat, Reading::Sampled), dst, layoutOf(format, type, swapBytes), src, extent, true,
                 false);
}

bool pack(TransferFormat format, TransferType type, bool swapBytes, const MutableTexels& dst, Format srcFormat,
          const ConstTexels& src, const Extent& extent, bool clampColor) {
  return convert(layoutOf(format, type, swapBytes), dst, layoutOf(srcFormat, Reading::Returned), src, extent, false,
                 clampColor);
}

bool convertTexels(Format dstFormat, const MutableTexels& dst, Format srcFormat, const ConstTexels& src,
                   const Extent& extent) {
  if (formatInfo(dstFormat).compressed && linearFormat(dstFormat) == linearFormat(srcFormat)) {
    if (extent.width != 0 && extent.height != 0 && extent.depth != 0)
      copyRows(dst, src, rowBytes(dstFormat, extent.width), rowCount(dstFormat, extent.height), extent.depth);
    return true;
  }
  return convert(layoutOf(dstFormat, Reading::Sampled), dst, layoutOf(srcFormat, Reading::Sampled), src, extent, true,
                 false);
}

bool writeClearTexel(Format format, std::span<const f32, 4> rgba, std::byte* out) {
  const f32 v[1][4] = {{rgba[0], rgba[1], rgba[2], rgba[3]}};
  return writeColor(format, v, out);
}

bool writeClearTexel(Format format, std::span<const i32, 4> rgba, std::byte* out) {
  const i64 v[1][4] = {{rgba[0], rgba[1], rgba[2], rgba[3]}};
  return writeColor(format, v, out);
}

bool writeClearTexel(Format format, std::span<const u32, 4> rgba, std::byte* out) {
  const i64 v[1][4] = {{rgba[0], rgba[1], rgba[2], rgba[3]}};
  return writeColor(format, v, out);
}

bool writeClearDepthStencil(Format format, f64 depth, u32 stencil, std::byte* out) {
  const PixelLayout l = layoutOf(format, Reading::Sampled);
  if (!hasDepth(l.content) && !hasStencil(l.content)) return false;
  std::memset(out, 0, l.bytes);
  if (hasDepth(l.content)) writeDepth(l, &depth, 1, out);
  if (hasStencil(l.content)) writeStencil(l, &stencil, 1, out);
  return true;
}

void fillTexels(const MutableTexels& dst, const Extent& e, std::span<const std::byte> texel) {
  if (texel.empty()) return;
  for (u32 z = 0; z < e.depth; ++z)
    for (u32 y = 0; y < e.height; ++y) {
      std::byte* out = dst.data + z * dst.imageStride + y * dst.rowStride;
      for (u32 x = 0; x < e.width; ++x, out += texel.size()) std::memcpy(out, texel.data(), texel.size());
    }
}

}  // namespace mgl::format
