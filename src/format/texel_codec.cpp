#include "format/texel_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "format/small_float.h"

namespace mgl::format {
namespace {

static_assert(std::endian::native == std::endian::little, "memory layouts are little endian");

constexpr u16 swapped(u16 v) { return static_cast<u16>(v << 8 | v >> 8); }
constexpr u32 swapped(u32 v) { return v << 24 | (v << 8 & 0xff0000u) | (v >> 8 & 0xff00u) | v >> 24; }

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 1, u8, std::conditional_t<sizeof(T) == 2, u16, u32>>;

template <class T>
T load(const std::byte* p, bool swap) {
  BitsOf<T> bits;
  std::memcpy(&bits, p, sizeof bits);
  if constexpr (sizeof(T) > 1)
    if (swap) bits = swapped(bits);
  return std::bit_cast<T>(bits);
}

template <class T>
void store(std::byte* p, T value, bool swap) {
  auto bits = std::bit_cast<BitsOf<T>>(value);
  if constexpr (sizeof(T) > 1)
    if (swap) bits = swapped(bits);
  std::memcpy(p, &bits, sizeof bits);
}

// Half floats have their own type so that one template serves all elements.
enum class Half : u16 {};

template <class F>
void withElementType(Element e, F&& f) {
  switch (e) {
    case Element::U8:
      return f(u8{});
    case Element::U16:
      return f(u16{});
    case Element::U32:
      return f(u32{});
    case Element::I8:
      return f(i8{});
    case Element::I16:
      return f(i16{});
    case Element::I32:
      return f(i32{});
    case Element::F16:
      return f(Half{});
    case Element::F32:
      return f(f32{});
    default:
      return;
  }
}

template <class F>
void withWordType(Element e, F&& f) {
  switch (e) {
    case Element::Word8:
      return f(u8{});
    case Element::Word16:
      return f(u16{});
    case Element::Word32:
      return f(u32{});
    default:
      return;
  }
}

constexpr bool isWord(Element e) { return e >= Element::Word8 && e <= Element::Word32; }

constexpr std::array<f32, 256> makeUnorm8() {
  std::array<f32, 256> t{};
  for (u32 i = 0; i < 256; ++i) t[i] = static_cast<f32>(i) / 255.0f;
  return t;
}
constexpr std::array<f32, 256> kUnorm8 = makeUnorm8();

// Equations 2.1 and 2.2.
template <class T>
f32 elementToFloat(T v) {
  if constexpr (std::is_same_v<T, Half>) {
    return halfToFloat(static_cast<u16>(v));
  } else if constexpr (std::is_same_v<T, f32>) {
    return v;
  } else if constexpr (std::is_same_v<T, u8>) {
    return kUnorm8[v];
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<f32>(std::max(static_cast<f64>(v) / static_cast<f64>(std::numeric_limits<T>::max()), -1.0));
  } else {
    return std::max(static_cast<f32>(v) / static_cast<f32>(std::numeric_limits<T>::max()), -1.0f);
  }
}

template <class V>
V saturate(V v) {
  return v > V{0} ? std::min(v, V{1}) : V{0};  // NaN to 0
}

// Equations 2.3 and 2.4, rounding to nearest.
template <class T>
T floatToElement(f32 v) {
  if constexpr (std::is_same_v<T, Half>) {
    return static_cast<Half>(floatToHalf(v));
  } else if constexpr (std::is_same_v<T, f32>) {
    return v;
  } else {
    using W = std::conditional_t<sizeof(T) == 4, f64, f32>;
    constexpr W kMax = static_cast<W>(std::numeric_limits<T>::max());
    if constexpr (std::is_unsigned_v<T>) {
      return static_cast<T>(saturate(W{v}) * kMax + W{0.5});
    } else {
      if (!(v == v)) return 0;
      const W scaled = std::clamp(W{v}, W{-1}, W{1}) * kMax;
      return static_cast<T>(scaled < 0 ? scaled - W{0.5} : scaled + W{0.5});
    }
  }
}

constexpr u32 fieldMax(u8 bits) { return (1u << bits) - 1; }

template <class V>
void spread(const PixelLayout& l, u32 n, V (*out)[4]) {
  if (l.spread == BaseFormat::None) return;
  for (u32 i = 0; i < n; ++i) {
    out[i][1] = out[i][2] = out[i][0];
    if (l.spread == BaseFormat::Intensity) out[i][3] = out[i][0];
  }
}

template <class V>
void clearRun(const PixelLayout& l, u32 n, V (*out)[4]) {
  if (l.count == 4) return;
  for (u32 i = 0; i < n; ++i) out[i][0] = out[i][1] = out[i][2] = V{0}, out[i][3] = V{1};
}

template <class V>
V component(const PixelLayout& l, const V (&in)[4], u32 c) {
  if (c == 0 && l.sumLuminance) return in[0] + in[1] + in[2];
  return in[l.slot[c]];
}

f64 depthToUnit(f64 v) { return saturate(v); }
u32 unitToFixed(f64 v, f64 max) { return static_cast<u32>(saturate(v) * max + 0.5); }

constexpr f64 kMax24 = 16777215.0;
constexpr f64 kMax32 = 4294967295.0;

}  // namespace

void readFloat(const PixelLayout& l, const std::byte* src, u32 n, f32 (*out)[4]) {
  clearRun(l, n, out);
  if (l.element == Element::P10F11F11FRev) {
    for (u32 i = 0; i < n; ++i, src += l.bytes) {
      const u32 w = load<u32>(src, l.swap);
      out[i][0] = uf11ToFloat(w), out[i][1] = uf11ToFloat(w >> 11), out[i][2] = uf10ToFloat(w >> 22);
    }
  } else if (l.element == Element::P5999Rev) {
    for (u32 i = 0; i < n; ++i, src += l.bytes) rgb9e5ToFloat(load<u32>(src, l.swap), out[i]);
  } else if (isWord(l.element)) {
    withWordType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, src += l.bytes) {
        const u32 w = load<T>(src, l.swap);
        for (u32 c = 0; c < l.count; ++c) {
          const u32 max = fieldMax(l.bits[c]);
          out[i][l.slot[c]] = static_cast<f32>(w >> l.shift[c] & max) / static_cast<f32>(max);
        }
      }
    });
  } else {
    withElementType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, src += l.bytes)
        for (u32 c = 0; c < l.count; ++c) out[i][l.slot[c]] = elementToFloat(load<T>(src + c * sizeof(T), l.swap));
    });
  }
  spread(l, n, out);
}

void writeFloat(const PixelLayout& l, const f32 (*in)[4], u32 n, std::byte* dst) {
  if (l.element == Element::P10F11F11FRev) {
    for (u32 i = 0; i < n; ++i, dst += l.bytes)
      store<u32>(dst, floatToUf11(in[i][0]) | floatToUf11(in[i][1]) << 11 | floatToUf10(in[i][2]) << 22, l.swap);
  } else if (l.element == Element::P5999Rev) {
    for (u32 i = 0; i < n; ++i, dst += l.bytes) store<u32>(dst, floatToRgb9e5(in[i]), l.swap);
  } else if (isWord(l.element)) {
    withWordType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, dst += l.bytes) {
        u32 w = l.spare;
        for (u32 c = 0; c < l.count; ++c) {
          const f32 max = static_cast<f32>(fieldMax(l.bits[c]));
          w |= static_cast<u32>(saturate(component(l, in[i], c)) * max + 0.5f) << l.shift[c];
        }
        store<T>(dst, static_cast<T>(w), l.swap);
      }
    });
  } else {
    withElementType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, dst += l.bytes)
        for (u32 c = 0; c < l.count; ++c)
          store<T>(dst + c * sizeof(T), floatToElement<T>(component(l, in[i], c)), l.swap);
    });
  }
}

void readInteger(const PixelLayout& l, const std::byte* src, u32 n, i64 (*out)[4]) {
  clearRun(l, n, out);
  if (isWord(l.element)) {
    withWordType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, src += l.bytes) {
        const u32 w = load<T>(src, l.swap);
        for (u32 c = 0; c < l.count; ++c) out[i][l.slot[c]] = w >> l.shift[c] & fieldMax(l.bits[c]);
      }
    });
  } else {
    withElementType(l.element, [&]<class T>(T) {
      if constexpr (std::is_integral_v<T>)
        for (u32 i = 0; i < n; ++i, src += l.bytes)
          for (u32 c = 0; c < l.count; ++c) out[i][l.slot[c]] = load<T>(src + c * sizeof(T), l.swap);
    });
  }
  spread(l, n, out);
}

void writeInteger(const PixelLayout& l, const i64 (*in)[4], u32 n, std::byte* dst) {
  if (isWord(l.element)) {
    withWordType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, dst += l.bytes) {
        u32 w = l.spare;
        for (u32 c = 0; c < l.count; ++c)
          w |= static_cast<u32>(std::clamp<i64>(component(l, in[i], c), 0, fieldMax(l.bits[c]))) << l.shift[c];
        store<T>(dst, static_cast<T>(w), l.swap);
      }
    });
  } else {
    withElementType(l.element, [&]<class T>(T) {
      if constexpr (std::is_integral_v<T>) {
        using Limits = std::numeric_limits<T>;
        for (u32 i = 0; i < n; ++i, dst += l.bytes)
          for (u32 c = 0; c < l.count; ++c)
            store<T>(dst + c * sizeof(T),
                     static_cast<T>(std::clamp<i64>(component(l, in[i], c), Limits::min(), Limits::max())), l.swap);
      }
    });
  }
}

void readDepth(const PixelLayout& l, const std::byte* src, u32 n, f64* out) {
  if (l.element == Element::P248) {
    for (u32 i = 0; i < n; ++i, src += l.bytes) out[i] = (load<u32>(src, l.swap) >> 8) / kMax24;
  } else if (l.element == Element::PF32_248Rev) {
    for (u32 i = 0; i < n; ++i, src += l.bytes) out[i] = load<f32>(src, l.swap);
  } else {
    withElementType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, src += l.bytes) {
        const T v = load<T>(src, l.swap);
        if constexpr (std::is_integral_v<T>)
          out[i] = std::max(static_cast<f64>(v) / static_cast<f64>(std::numeric_limits<T>::max()), -1.0);
        else
          out[i] = f64{elementToFloat(v)};
      }
    });
  }
}

void writeDepth(const PixelLayout& l, const f64* in, u32 n, std::byte* dst) {
  if (l.element == Element::P248) {
    for (u32 i = 0; i < n; ++i, dst += l.bytes) {
      const u32 stencil = l.content == Content::DepthStencil ? load<u32>(dst, l.swap) & 0xffu : 0;
      store<u32>(dst, unitToFixed(in[i], kMax24) << 8 | stencil, l.swap);
    }
  } else if (l.element == Element::PF32_248Rev) {
    for (u32 i = 0; i < n; ++i, dst += l.bytes) store<f32>(dst, static_cast<f32>(depthToUnit(in[i])), l.swap);
  } else {
    withElementType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, dst += l.bytes) {
        if constexpr (std::is_integral_v<T>)
          store<T>(dst, static_cast<T>(unitToFixed(in[i], static_cast<f64>(std::numeric_limits<T>::max()))), l.swap);
        else
          store<T>(dst, floatToElement<T>(static_cast<f32>(depthToUnit(in[i]))), l.swap);
      }
    });
  }
}

void readStencil(const PixelLayout& l, const std::byte* src, u32 n, u32* out) {
  if (l.element == Element::P248) {
    for (u32 i = 0; i < n; ++i, src += l.bytes) out[i] = load<u32>(src, l.swap) & 0xffu;
  } else if (l.element == Element::PF32_248Rev) {
    for (u32 i = 0; i < n; ++i, src += l.bytes) out[i] = load<u32>(src + 4, l.swap) & 0xffu;
  } else {
    withElementType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, src += l.bytes) {
        const T v = load<T>(src, l.swap);
        if constexpr (std::is_integral_v<T>) {
          out[i] = static_cast<u32>(v);
        } else {
          const f64 f = f64{elementToFloat(v)};
          out[i] = f == f ? static_cast<u32>(static_cast<i64>(std::clamp(f, -kMax32, kMax32))) : 0;
        }
      }
    });
  }
}

void writeStencil(const PixelLayout& l, const u32* in, u32 n, std::byte* dst) {
  if (l.element == Element::P248) {
    for (u32 i = 0; i < n; ++i, dst += l.bytes)
      store<u32>(dst, (load<u32>(dst, l.swap) & ~0xffu) | (in[i] & 0xffu), l.swap);
  } else if (l.element == Element::PF32_248Rev) {
    for (u32 i = 0; i < n; ++i, dst += l.bytes) store<u32>(dst + 4, in[i] & 0xffu, l.swap);
  } else {
    withElementType(l.element, [&]<class T>(T) {
      for (u32 i = 0; i < n; ++i, dst += l.bytes) {
        if constexpr (std::is_integral_v<T>)
          store<T>(dst, static_cast<T>(in[i]), l.swap);
        else if constexpr (std::is_same_v<T, f32>)
          store<T>(dst, static_cast<f32>(in[i]), l.swap);
        else
          store<T>(dst, static_cast<Half>(floatToHalf(static_cast<f32>(in[i]))), l.swap);
      }
    });
  }
}

}  // namespace mgl::format
