// The encodings of OpenGL 4.6, 2.3.4.2-2.3.4.4 and 8.5.2, by their defining equations.
#include "format/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mgl::format {
namespace {

constexpr f32 kInf = std::numeric_limits<f32>::infinity();
const f32 kNan = std::numeric_limits<f32>::quiet_NaN();

// (-1)^S * 2^(E-15) * (1 + M/1024), denormals 2^-14 * M/1024.
f64 halfByDefinition(u32 bits) {
  const u32 e = bits >> 10 & 31, m = bits & 1023;
  const f64 sign = bits & 0x8000 ? -1 : 1;
  if (e == 0) return sign * std::ldexp(m / 1024.0, -14);
  return sign * std::ldexp(1 + m / 1024.0, static_cast<int>(e) - 15);
}

TEST(Half, EveryValueDecodesByDefinitionAndRoundTrips) {
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    const f32 value = halfToFloat(static_cast<u16>(bits));
    if ((bits >> 10 & 31) == 31) {
      if (bits & 1023)
        EXPECT_TRUE(std::isnan(value)) << bits;
      else
        EXPECT_EQ(value, bits & 0x8000 ? -kInf : kInf);
      continue;
    }
    ASSERT_EQ(static_cast<f64>(value), halfByDefinition(bits)) << bits;
    ASSERT_EQ(floatToHalf(value), bits) << bits;
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(floatToHalf(1.0f + 1.0f / 2048), 0x3c00);  // tie to even
  EXPECT_EQ(floatToHalf(1.0f + 3.0f / 2048), 0x3c02);  // tie to even, upwards
  EXPECT_EQ(floatToHalf(std::nextafter(1.0f + 1.0f / 2048, 2.0f)), 0x3c01);
  EXPECT_EQ(floatToHalf(std::ldexp(1.0f, -25)), 0);  // half of the smallest: tie to zero
  EXPECT_EQ(floatToHalf(std::ldexp(1.5f, -25)), 1);
  EXPECT_EQ(floatToHalf(65504.0f), 0x7bff);
  EXPECT_EQ(floatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(floatToHalf(65520.0f), 0x7c00);
  EXPECT_EQ(floatToHalf(1e30f), 0x7c00);
  EXPECT_EQ(floatToHalf(-kInf), 0xfc00);
  EXPECT_TRUE(std::isnan(halfToFloat(floatToHalf(kNan))));
  EXPECT_EQ(floatToHalf(-0.0f), 0x8000);
}

template <u32 kMantissa>
f64 unsignedByDefinition(u32 bits) {
  const u32 e = bits >> kMantissa, m = bits & ((1u << kMantissa) - 1);
  const f64 fraction = m / static_cast<f64>(1u << kMantissa);
  return e == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, static_cast<int>(e) - 15);
}

TEST(UnsignedFloats, EveryFiniteValueRoundTrips) {
  for (u32 bits = 0; bits < 31u << 6; ++bits) {
    ASSERT_EQ(static_cast<f64>(uf11ToFloat(bits)), unsignedByDefinition<6>(bits));
    ASSERT_EQ(floatToUf11(uf11ToFloat(bits)), bits);
  }
  for (u32 bits = 0; bits < 31u << 5; ++bits) {
    ASSERT_EQ(static_cast<f64>(uf10ToFloat(bits)), unsignedByDefinition<5>(bits));
    ASSERT_EQ(floatToUf10(uf10ToFloat(bits)), bits);
  }
}

TEST(UnsignedFloats, TheRulesOf2343) {
  EXPECT_EQ(uf11ToFloat(floatToUf11(1e9f)), 65024.0f);
  EXPECT_EQ(uf10ToFloat(floatToUf10(1e9f)), 64512.0f);
  EXPECT_EQ(floatToUf11(-3.0f), 0u);
  EXPECT_EQ(floatToUf11(-kInf), 0u);
  EXPECT_EQ(floatToUf11(kInf), 31u << 6);
  EXPECT_EQ(floatToUf10(kInf), 31u << 5);
  EXPECT_TRUE(std::isnan(uf11ToFloat(floatToUf11(kNan))));
  EXPECT_TRUE(std::isnan(uf10ToFloat(floatToUf10(-kNan))));
}

TEST(SharedExponent, EquationsOf852) {
  const f32 one[3] = {1.0f, 1.0f, 1.0f};
  // floor(log2 1) = 0: exponent 0 + 1 + 15; components floor(1 / 2^(16-15-9) + 0.5) = 256.
  EXPECT_EQ(floatToRgb9e5(one), 256u | 256u << 9 | 256u << 18 | 16u << 27);
  // 511.75 / 512 rounds to 512, so the exponent grows.
  const f32 carry[3] = {511.75f / 512.0f, 0, 0};
  EXPECT_EQ(floatToRgb9e5(carry), 256u | 16u << 27);
  const f32 mixed[3] = {-1.0f, kNan, 1e20f};
  f32 back[3];
  rgb9e5ToFloat(floatToRgb9e5(mixed), back);
  EXPECT_EQ(back[0], 0.0f);
  EXPECT_EQ(back[1], 0.0f);
  EXPECT_EQ(back[2], 511.0f / 512.0f * 65536.0f);
  const f32 zero[3] = {0, 0, 0};
  EXPECT_EQ(floatToRgb9e5(zero), 0u);
}

TEST(SharedExponent, NormalisedWordsRoundTrip) {
  for (u32 e = 1; e < 32; ++e)
    for (u32 m = 256; m < 512; m += 5) {
      const u32 word = m | (511 - m) << 9 | (m / 3) << 18 | e << 27;
      f32 rgb[3];
      rgb9e5ToFloat(word, rgb);
      ASSERT_EQ(floatToRgb9e5(rgb), word);
    }
}

}  // namespace
}  // namespace mgl::format
