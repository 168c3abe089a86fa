#include "format/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mgl::format {
namespace {

// Round-to-nearest-even shift right; shift in 1..31.
constexpr u32 roundShift(u32 value, u32 shift) {
  const u32 half = 1u << (shift - 1);
  const u32 low = value & ((1u << shift) - 1);
  u32 result = value >> shift;
  if (low > half || (low == half && (result & 1))) ++result;
  return result;
}

// Unsigned float with a 5-bit exponent (bias 15) and the given mantissa.
constexpr u32 toUnsignedSmall(f32 value, u32 mantissaBits) {
  const u32 bits = std::bit_cast<u32>(value);
  const u32 inf = 31u << mantissaBits;
  if ((bits & 0x7fffffffu) > 0x7f800000u) return inf | 1;
  if (bits & 0x80000000u) return 0;
  if (bits == 0x7f800000u) return inf;
  const i32 exponent = static_cast<i32>(bits >> 23) - 127 + 15;
  u32 result = 0;
  if (exponent >= 31) return inf - 1;
  if (exponent > 0) {
    result = roundShift((static_cast<u32>(exponent) << 23) | (bits & 0x7fffffu), 23 - mantissaBits);
  } else {
    const i32 shift = 1 - exponent + static_cast<i32>(23 - mantissaBits);
    if (shift < 32) result = roundShift((bits & 0x7fffffu) | 0x800000u, static_cast<u32>(shift));
  }
  return std::min(result, inf - 1);
}

constexpr f32 fromUnsignedSmall(u32 bits, u32 mantissaBits) {
  const u32 exponent = bits >> mantissaBits;
  const u32 mantissa = bits & ((1u << mantissaBits) - 1);
  if (exponent == 31) return std::bit_cast<f32>(0x7f800000u | (mantissa << (23 - mantissaBits)));
  if (exponent == 0) {
    // 2^-14 * mantissa / 2^mantissaBits
    return static_cast<f32>(mantissa) * std::bit_cast<f32>((127u - 14u - mantissaBits) << 23);
  }
  return std::bit_cast<f32>(((exponent + 127 - 15) << 23) | (mantissa << (23 - mantissaBits)));
}

}  // namespace

u16 floatToHalf(f32 value) {
  const u32 bits = std::bit_cast<u32>(value);
  const u32 sign = (bits >> 16) & 0x8000u;
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<u16>(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) return static_cast<u16>(sign | 0x7c00u);  // 2^16 and infinity
  u32 result = 0;
  if (magnitude >= 0x38800000u) {  // 2^-14: normal; rounding may carry into the exponent, up to infinity
    result = roundShift(magnitude - (112u << 23), 13);
  } else {
    const u32 shift = 126u - (magnitude >> 23);
    if (shift < 32) result = roundShift((magnitude & 0x7fffffu) | 0x800000u, shift);
  }
  return static_cast<u16>(sign | result);
}

f32 halfToFloat(u16 bits) {
  const u32 sign = (bits & 0x8000u) << 16;
  const f32 magnitude = fromUnsignedSmall(bits & 0x7fffu, 10);
  return std::bit_cast<f32>(std::bit_cast<u32>(magnitude) | sign);
}

u32 floatToUf11(f32 value) { return toUnsignedSmall(value, 6); }
u32 floatToUf10(f32 value) { return toUnsignedSmall(value, 5); }
f32 uf11ToFloat(u32 bits) { return fromUnsignedSmall(bits & 0x7ffu, 6); }
f32 uf10ToFloat(u32 bits) { return fromUnsignedSmall(bits & 0x3ffu, 5); }

u32 floatToRgb9e5(const f32 rgb[3]) {
  // 8.5.2 with N = 9, B = 15, Emax = 31: sharedexp_max = (2^N - 1) / 2^N * 2^(Emax - B).
  constexpr f32 kMax = 511.0f / 512.0f * 65536.0f;
  f32 c[3];
  for (int i = 0; i < 3; ++i) c[i] = rgb[i] > 0.0f ? std::min(rgb[i], kMax) : 0.0f;  // NaN to 0
  const f32 largest = std::max({c[0], c[1], c[2]});
  const i32 floorLog2 = largest > 0.0f ? std::ilogb(largest) : -16;
  i32 exponent = std::max(-16, floorLog2) + 1 + 15;
  const auto scaled = [](f32 v, i32 e) { return static_cast<u32>(std::floor(std::ldexp(f64{v}, 9 + 15 - e) + 0.5)); };
  if (scaled(largest, exponent) == 512) ++exponent;
  return scaled(c[0], exponent) | scaled(c[1], exponent) << 9 | scaled(c[2], exponent) << 18 |
         static_cast<u32>(exponent) << 27;
}

void rgb9e5ToFloat(u32 bits, f32 rgb[3]) {
  // 2^(exponent - B - N) is a normal float for every exponent.
  const f32 scale = std::bit_cast<f32>(((bits >> 27) + 127 - 15 - 9) << 23);
  rgb[0] = static_cast<f32>(bits & 511) * scale;
  rgb[1] = static_cast<f32>(bits >> 9 & 511) * scale;
  rgb[2] = static_cast<f32>(bits >> 18 & 511) * scale;
}

}  // namespace mgl::format
