// Blocks made by hand and decoded by the equations of EXT_texture_compression_s3tc and ARB_texture_compression_rgtc.
#include "format/compressed.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace mgl::format {
namespace {

using Block = std::vector<u8>;

template <class T>
std::vector<T> decode(Format format, const Block& block, u32 width = 4, u32 height = 4) {
  const u32 texel = formatInfo(decodedFormat(format)).blockBytes;
  std::vector<T> out(width * height * texel, T{0x55});
  EXPECT_TRUE(decodeBlocks(format, {reinterpret_cast<std::byte*>(out.data()), width * texel, 0},
                           {reinterpret_cast<const std::byte*>(block.data()), rowBytes(format, width), 0},
                           {width, height, 1}));
  return out;
}

std::array<u8, 4> texel(const std::vector<u8>& v, u32 i) {
  return {v[i * 4], v[i * 4 + 1], v[i * 4 + 2], v[i * 4 + 3]};
}

using T4 = std::array<u8, 4>;

// c0 = red (0xf800) > c1 = blue (0x001f); codes 0, 1, 2, 3 in the first row.
const Block kFour{0x00, 0xf8, 0x1f, 0x00, 0b11100100, 0, 0, 0};
// c0 = blue <= c1 = red.
const Block kThree{0x1f, 0x00, 0x00, 0xf8, 0b11100100, 0, 0, 0};

TEST(Bc1, FourColours) {
  const auto v = decode<u8>(Format::BC1_RGB, kFour);
  EXPECT_EQ(texel(v, 0), (T4{255, 0, 0, 255}));
  EXPECT_EQ(texel(v, 1), (T4{0, 0, 255, 255}));
  EXPECT_EQ(texel(v, 2), (T4{170, 0, 85, 255}));  // (2 c0 + c1) / 3
  EXPECT_EQ(texel(v, 3), (T4{85, 0, 170, 255}));
  EXPECT_EQ(texel(v, 15), (T4{255, 0, 0, 255}));
}

TEST(Bc1, ThreeColoursAndBlack) {
  const auto opaque = decode<u8>(Format::BC1_RGB, kThree);
  EXPECT_EQ(texel(opaque, 2), (T4{128, 0, 128, 255}));  // (c0 + c1) / 2, 127.5 rounded
  EXPECT_EQ(texel(opaque, 3), (T4{0, 0, 0, 255}));
  const auto alpha = decode<u8>(Format::BC1_SRGB_A, kThree);
  EXPECT_EQ(texel(alpha, 1), (T4{255, 0, 0, 255}));
  EXPECT_EQ(texel(alpha, 3), (T4{0, 0, 0, 0}));
}

TEST(Bc1, EndpointsReplicateBits) {
  // 0x8410: 16, 32, 16 -> 132, 130, 132.
  const auto v = decode<u8>(Format::BC1_RGB, {0x10, 0x84, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(texel(v, 0), (T4{132, 130, 132, 255}));
}

TEST(Bc2, ExplicitAlphaAndNoThreeColourMode) {
  Block b{0xf0, 0x21, 0, 0, 0, 0, 0, 0x80};
  b.insert(b.end(), kThree.begin(), kThree.end());
  const auto v = decode<u8>(Format::BC2_RGBA, b);
  EXPECT_EQ(texel(v, 0), (T4{0, 0, 255, 0}));
  EXPECT_EQ(texel(v, 1), (T4{255, 0, 0, 255}));
  EXPECT_EQ(texel(v, 2), (T4{85, 0, 170, 17}));
  EXPECT_EQ(texel(v, 3), (T4{170, 0, 85, 34}));
  EXPECT_EQ(texel(v, 15)[3], 136);
}

// Codes 0..7 in the first eight texels: 3 bits each, little endian.
constexpr u8 kRamp[3] = {0b10'001'000, 0b1'100'011'0, 0b111'110'10};

TEST(Bc3, EightAlphaValues) {
  Block b{255, 0, kRamp[0], kRamp[1], kRamp[2], 0, 0, 0};
  b.insert(b.end(), kFour.begin(), kFour.end());
  const auto v = decode<u8>(Format::BC3_RGBA, b);
  for (u32 code = 0; code < 8; ++code) {
    // 0: a0, 1: a1, n: ((8-n) a0 + (n-1) a1) / 7
    const f64 expected = code == 0 ? 255.0 : code == 1 ? 0.0 : (8.0 - code) * 255 / 7;
    EXPECT_NEAR(v[code * 4 + 3], expected, 0.5) << code;
  }
  EXPECT_EQ(texel(v, 2)[0], 170);
}

TEST(Bc4, SixValuesAndTheConstants) {
  const auto v = decode<u8>(Format::BC4_R, {10, 110, kRamp[0], kRamp[1], kRamp[2], 0, 0, 0});
  EXPECT_EQ((std::vector<u8>{v.begin(), v.begin() + 8}), (std::vector<u8>{10, 110, 30, 50, 70, 90, 0, 255}));
}

TEST(Bc4, SignedValues) {
  // 100 > -40: eight values, steps of 20.
  const auto v = decode<i8>(Format::BC4_R_SNORM, {100, static_cast<u8>(-40), kRamp[0], kRamp[1], kRamp[2], 0, 0, 0});
  EXPECT_EQ((std::vector<i8>{v.begin(), v.begin() + 8}), (std::vector<i8>{100, -40, 80, 60, 40, 20, 0, -20}));
  const auto w = decode<i8>(Format::BC4_R_SNORM, {0x80, 0x7f, kRamp[0], kRamp[1], kRamp[2], 0, 0, 0});
  EXPECT_EQ(w[0], -127);
  EXPECT_EQ(w[6], -127);
  EXPECT_EQ(w[7], 127);
}

TEST(Bc5, TwoChannels) {
  const auto v = decode<u8>(Format::BC5_RG, {9, 1, 0, 0, 0, 0, 0, 0, 7, 3, 0b00'001'000, 0, 0, 0, 0, 0});
  EXPECT_EQ(v[0], 9);
  EXPECT_EQ(v[1], 7);
  EXPECT_EQ(v[3], 3);
}

TEST(DecodeBlocks, PartialBlocksWriteNothingOutside) {
  std::vector<u8> out(3 * 16, 0x77);
  Block two(kFour);
  two.insert(two.end(), kFour.begin(), kFour.end());
  // 3 x 2 of a 4-wide image, into rows of 16 bytes.
  ASSERT_TRUE(decodeBlocks(Format::BC1_RGB, {reinterpret_cast<std::byte*>(out.data()), 16, 0},
                           {reinterpret_cast<const std::byte*>(two.data()), 8, 0}, {3, 2, 1}));
  EXPECT_EQ(out[8], 170);
  EXPECT_EQ(out[12], 0x77);
  EXPECT_EQ(out[16], 255);
  EXPECT_EQ(out[32], 0x77);
}

TEST(DecodeBlocks, NamesWhatItCannotDo) {
  std::vector<std::byte> memory(64);
  EXPECT_EQ(decodedFormat(Format::BC7_RGBA), Format::None);
  EXPECT_FALSE(decodeBlocks(Format::ASTC_4x4, {memory.data(), 16, 0}, {memory.data(), 16, 0}, {4, 4, 1}));
  EXPECT_FALSE(decodeBlocks(Format::RGBA8, {memory.data(), 16, 0}, {memory.data(), 16, 0}, {4, 4, 1}));
}

}  // namespace
}  // namespace mgl::format
