// Conversions: values from the equations of OpenGL 4.6, 2.3.5; sweeps over every legal combination.
#include "format/convert.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace mgl::format {
namespace {

using TF = TransferFormat;
using TT = TransferType;

constexpr std::byte kGuard{0xa5};

template <class T>
ConstTexels in(const std::vector<T>& v, u64 rowStride = 0) {
  return {reinterpret_cast<const std::byte*>(v.data()), rowStride, 0};
}

template <class T>
MutableTexels out(std::vector<T>& v, u64 rowStride = 0) {
  return {reinterpret_cast<std::byte*>(v.data()), rowStride, 0};
}

template <class D, class S>
std::vector<D> upload(Format format, TF tf, TT tt, const std::vector<S>& src, u32 width, bool swap = false) {
  std::vector<D> dst(width * formatInfo(format).blockBytes / sizeof(D));
  EXPECT_TRUE(unpack(format, out(dst), tf, tt, swap, in(src), {width, 1, 1}));
  return dst;
}

template <class D, class S>
std::vector<D> readBack(Format format, TF tf, TT tt, const std::vector<S>& src, u32 width, bool clamp = false,
                        bool swap = false) {
  std::vector<D> dst(width * bytesPerPixel(tf, tt) / sizeof(D));
  EXPECT_TRUE(pack(tf, tt, swap, out(dst), format, in(src), {width, 1, 1}, clamp));
  return dst;
}

using Floats = std::vector<f32>;
using Bytes8 = std::vector<u8>;
using Shorts = std::vector<u16>;
using Words = std::vector<u32>;

TEST(Unpack, UnormEquation21) {
  EXPECT_EQ(upload<f32>(Format::RGBA32F, TF::RGBA, TT::UByte, Bytes8{0, 51, 128, 255}, 1),
            (Floats{0.0f, 51 / 255.0f, 128 / 255.0f, 1.0f}));
  EXPECT_EQ(upload<f32>(Format::RG32F, TF::RG, TT::UShort, Shorts{65535, 1}, 1), (Floats{1.0f, 1 / 65535.0f}));
  EXPECT_EQ(upload<f32>(Format::R32F, TF::Red, TT::UInt, Words{0xffffffffu}, 1), Floats{1.0f});
}

TEST(Unpack, SnormEquation22ClampsTheLowest) {
  const std::vector<i8> src{-128, -127, 0, 127};
  EXPECT_EQ(upload<f32>(Format::RGBA32F, TF::RGBA, TT::Byte, src, 1), (Floats{-1.0f, -1.0f, 0.0f, 1.0f}));
  const std::vector<i16> shorts{-32768, 32767};
  EXPECT_EQ(upload<f32>(Format::RG32F, TF::RG, TT::Short, shorts, 1), (Floats{-1.0f, 1.0f}));
  const std::vector<i32> ints{INT32_MIN, INT32_MAX};
  EXPECT_EQ(upload<f32>(Format::RG32F, TF::RG, TT::Int, ints, 1), (Floats{-1.0f, 1.0f}));
}

TEST(Unpack, FloatToFixedRoundsAndClamps) {
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::RGBA, TT::Float, Floats{-0.5f, 0.5f, 2.0f, std::nanf("")}, 1),
            (Bytes8{0, 128, 255, 0}));
  const auto snorm = upload<i8>(Format::RGBA8_SNORM, TF::RGBA, TT::Float, Floats{-2.0f, -0.5f, 0.5f, 1.0f}, 1);
  EXPECT_EQ(snorm, (std::vector<i8>{-127, -64, 64, 127}));
}

TEST(Unpack, MissingComponentsAreZeroAndAlphaOne) {
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::Red, TT::UByte, Bytes8{7}, 1), (Bytes8{7, 0, 0, 255}));
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::Green, TT::UByte, Bytes8{7}, 1), (Bytes8{0, 7, 0, 255}));
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::Alpha, TT::UByte, Bytes8{7}, 1), (Bytes8{0, 0, 0, 7}));
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::RGB, TT::UByte, Bytes8{1, 2, 3, 4, 5, 6}, 2),
            (Bytes8{1, 2, 3, 255, 4, 5, 6, 255}));
  EXPECT_EQ(upload<u8>(Format::RGBA8UI, TF::RGBInteger, TT::UByte, Bytes8{1, 2, 3}, 1), (Bytes8{1, 2, 3, 1}));
  EXPECT_EQ(upload<u16>(Format::RGBA16F, TF::RGB, TT::HalfFloat, Shorts{1, 2, 3}, 1), (Shorts{1, 2, 3, 0x3c00}));
  EXPECT_EQ(upload<f32>(Format::RGBA32F, TF::RG, TT::Float, Floats{8, 9}, 1), (Floats{8, 9, 0, 1}));
}

TEST(Unpack, ComponentOrders) {
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::BGRA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), (Bytes8{3, 2, 1, 4}));
  EXPECT_EQ(upload<u8>(Format::RGB8, TF::BGR, TT::UByte, Bytes8{1, 2, 3}, 1), (Bytes8{3, 2, 1}));
  EXPECT_EQ(upload<u8>(Format::BGRA8, TF::RGBA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), (Bytes8{3, 2, 1, 4}));
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::Luminance, TT::UByte, Bytes8{9}, 1), (Bytes8{9, 9, 9, 255}));
  EXPECT_EQ(upload<u8>(Format::RGBA8, TF::LuminanceAlpha, TT::UByte, Bytes8{9, 5}, 1), (Bytes8{9, 9, 9, 5}));
  EXPECT_EQ(upload<u8>(Format::L8, TF::RGBA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), Bytes8{1});
  EXPECT_EQ(upload<u8>(Format::A8, TF::RGBA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), Bytes8{4});
  EXPECT_EQ(upload<u8>(Format::I8, TF::RGBA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), Bytes8{1});
  EXPECT_EQ(upload<u8>(Format::LA8, TF::RGBA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), (Bytes8{1, 4}));
}

// Table 8.6-8.8: the first component is in the high bits, reversed types in the low.
TEST(Unpack, PackedTypes) {
  const auto rgba = [](TF tf, TT tt, auto word, bool swap = false) {
    return upload<f32>(Format::RGBA32F, tf, tt, std::vector<decltype(word)>{word}, 1, swap);
  };
  EXPECT_EQ(rgba(TF::RGB, TT::UByte332, u8{0b111'000'01}), (Floats{1, 0, 1 / 3.0f, 1}));
  EXPECT_EQ(rgba(TF::RGB, TT::UByte233Rev, u8{0b01'000'111}), (Floats{1, 0, 1 / 3.0f, 1}));
  EXPECT_EQ(rgba(TF::RGB, TT::UShort565, u16{0b11111'000001'00000}), (Floats{1, 1 / 63.0f, 0, 1}));
  EXPECT_EQ(rgba(TF::RGB, TT::UShort565Rev, u16{0b00000'000001'11111}), (Floats{1, 1 / 63.0f, 0, 1}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UShort4444, u16{0xf10a}), (Floats{1, 1 / 15.0f, 0, 10 / 15.0f}));
  EXPECT_EQ(rgba(TF::BGRA, TT::UShort4444, u16{0xf10a}), (Floats{0, 1 / 15.0f, 1, 10 / 15.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UShort4444Rev, u16{0xa01f}), (Floats{1, 1 / 15.0f, 0, 10 / 15.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UShort5551, u16{0b11111'00001'00000'1}), (Floats{1, 1 / 31.0f, 0, 1}));
  EXPECT_EQ(rgba(TF::BGRA, TT::UShort1555Rev, u16{0b1'00000'00001'11111}), (Floats{0, 1 / 31.0f, 1, 1}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UInt8888, 0x01020304u), (Floats{1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UInt8888Rev, 0x01020304u), (Floats{4 / 255.0f, 3 / 255.0f, 2 / 255.0f, 1 / 255.0f}));
  EXPECT_EQ(rgba(TF::BGRA, TT::UInt8888Rev, 0x01020304u), (Floats{2 / 255.0f, 3 / 255.0f, 4 / 255.0f, 1 / 255.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UInt8888, 0x01020304u, true), (Floats{4 / 255.0f, 3 / 255.0f, 2 / 255.0f, 1 / 255.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UInt8888Rev, 0x01020304u, true),
            (Floats{1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UInt1010102, 1023u << 22 | 5u << 12 | 2u), (Floats{1, 5 / 1023.0f, 0, 2 / 3.0f}));
  EXPECT_EQ(rgba(TF::RGBA, TT::UInt2101010Rev, 2u << 30 | 5u << 10 | 1023u), (Floats{1, 5 / 1023.0f, 0, 2 / 3.0f}));
  EXPECT_EQ(rgba(TF::RGB, TT::UInt10F11F11FRev, 0x3c0u | 0x3c0u << 11 | 0x1e0u << 22), (Floats{1, 1, 1, 1}));
  EXPECT_EQ(rgba(TF::RGB, TT::UInt5999Rev, 256u | 128u << 9 | 16u << 27), (Floats{1, 0.5f, 0, 1}));
}

TEST(Unpack, SwapBytes) {
  EXPECT_EQ(upload<u16>(Format::R16, TF::Red, TT::UShort, Shorts{0x1234}, 1, true), Shorts{0x3412});
  EXPECT_EQ(upload<u32>(Format::R32UI, TF::RedInteger, TT::UInt, Words{0x12345678}, 1, true), Words{0x78563412});
  EXPECT_EQ(upload<u16>(Format::RGB565, TF::RGB, TT::UShort565, Shorts{0x00f8}, 1, true), Shorts{0xf800});
  EXPECT_EQ(upload<u8>(Format::R8, TF::Red, TT::UByte, Bytes8{0x12}, 1, true), Bytes8{0x12});
  EXPECT_EQ(readBack<u16>(Format::R16, TF::Red, TT::UShort, Shorts{0x1234}, 1, false, true), Shorts{0x3412});
  // Two words, each swapped.
  const u32 half = std::bit_cast<u32>(0.5f);
  EXPECT_EQ(upload<u32>(Format::D32F_S8, TF::DepthStencil, TT::Float32UInt248Rev,
                        Words{__builtin_bswap32(half), __builtin_bswap32(0x42u)}, 1, true),
            (Words{half, 0x42}));
}

// 8.5: integer components clamp to the format's range.
TEST(Unpack, IntegersClamp) {
  EXPECT_EQ(upload<u8>(Format::RG8UI, TF::RGInteger, TT::Int, std::vector<i32>{-5, 300}, 1), (Bytes8{0, 255}));
  EXPECT_EQ(upload<i8>(Format::RG8I, TF::RGInteger, TT::Int, std::vector<i32>{-500, 300}, 1),
            (std::vector<i8>{-128, 127}));
  EXPECT_EQ(upload<i32>(Format::R32I, TF::RedInteger, TT::UInt, Words{0xffffffffu}, 1), std::vector<i32>{INT32_MAX});
  EXPECT_EQ(upload<u32>(Format::RGB10_A2UI, TF::RGBAInteger, TT::UShort, Shorts{1024, 3, 0, 9}, 1),
            Words{1023u | 3u << 10 | 3u << 30});
  EXPECT_EQ(upload<u8>(Format::RGBA8UI, TF::BGRAInteger, TT::UInt8888, Words{0x01020304}, 1), (Bytes8{3, 2, 1, 4}));
}

TEST(Unpack, SrgbIsStoredAsItComes) {
  EXPECT_EQ(upload<u8>(Format::SRGB8_A8, TF::RGBA, TT::UByte, Bytes8{1, 2, 3, 4}, 1), (Bytes8{1, 2, 3, 4}));
  EXPECT_EQ(upload<u8>(Format::SRGB8_A8, TF::RGBA, TT::Float, Floats{0.5f, 0, 1, 0}, 1), (Bytes8{128, 0, 255, 0}));
}

TEST(Unpack, SpareFieldsAreAlphaOne) {
  EXPECT_EQ(upload<u16>(Format::RGB5, TF::RGBA, TT::UByte, Bytes8{255, 0, 0, 0}, 1), Shorts{0b11111'00000'00000'1});
  EXPECT_EQ(upload<u16>(Format::RGB4, TF::RGBA, TT::UByte, Bytes8{0, 255, 0, 0}, 1), Shorts{0x0f0f});
  EXPECT_EQ(upload<u32>(Format::RGB10, TF::RGBA, TT::UByte, Bytes8{255, 0, 0, 0}, 1), Words{3u << 30 | 1023u});
}

TEST(Depth, FixedAndFloat) {
  EXPECT_EQ(upload<u16>(Format::D16, TF::Depth, TT::Float, Floats{0.0f, 0.5f, 1.5f}, 3), (Shorts{0, 32768, 65535}));
  EXPECT_EQ(upload<u32>(Format::D24, TF::Depth, TT::UInt, Words{0xffffffffu, 0}, 2), (Words{0xffffff00u, 0}));
  EXPECT_EQ(upload<u32>(Format::D24_S8, TF::DepthStencil, TT::UInt248, Words{0x123456abu}, 1), Words{0x123456abu});
  EXPECT_EQ(upload<f32>(Format::D32F, TF::Depth, TT::Float, Floats{-1.0f, 0.25f, 7.0f}, 3),
            (Floats{0.0f, 0.25f, 1.0f}));
  EXPECT_EQ(readBack<f32>(Format::D24_S8, TF::Depth, TT::Float, Words{0xffffff17u, 0x00000017u}, 2),
            (Floats{1.0f, 0.0f}));
  EXPECT_EQ(readBack<u8>(Format::D24_S8, TF::Stencil, TT::UByte, Words{0xffffff17u}, 1), Bytes8{0x17});
  EXPECT_EQ(readBack<u32>(Format::D16, TF::DepthStencil, TT::UInt248, Shorts{65535}, 1), Words{0xffffff00u});
}

TEST(Depth, EveryFixed24ValueSurvivesFloat32Memory) {
  Words src;
  for (u32 d = 0; d < 1u << 24; d += 9973) src.push_back(d << 8 | 0x5a);
  src.push_back(0xffffff5au);
  const u32 n = static_cast<u32>(src.size());
  const auto deep = upload<u32>(Format::D32F_S8, TF::DepthStencil, TT::UInt248, src, n);
  EXPECT_EQ(readBack<u32>(Format::D32F_S8, TF::DepthStencil, TT::UInt248, deep, n), src);
}

TEST(Depth, PartialUploadsKeepTheOtherHalf) {
  Words texels{0x12345678u};
  ASSERT_TRUE(unpack(Format::D24_S8, out(texels), TF::Depth, TT::Float, false, in(Floats{1.0f}), {1, 1, 1}));
  EXPECT_EQ(texels[0], 0xffffff78u);
  ASSERT_TRUE(unpack(Format::D24_S8, out(texels), TF::Stencil, TT::UShort, false, in(Shorts{0x1ab}), {1, 1, 1}));
  EXPECT_EQ(texels[0], 0xffffffabu);
  Words deep{std::bit_cast<u32>(0.5f), 0x33};
  ASSERT_TRUE(unpack(Format::D32F_S8, out(deep), TF::Stencil, TT::UByte, false, in(Bytes8{7}), {1, 1, 1}));
  EXPECT_EQ(deep, (Words{std::bit_cast<u32>(0.5f), 7}));
}

TEST(Pack, ReturnedComponents) {
  EXPECT_EQ(readBack<u8>(Format::L8, TF::RGBA, TT::UByte, Bytes8{9}, 1), (Bytes8{9, 0, 0, 255}));
  EXPECT_EQ(readBack<u8>(Format::I8, TF::RGBA, TT::UByte, Bytes8{9}, 1), (Bytes8{9, 0, 0, 255}));
  EXPECT_EQ(readBack<u8>(Format::A8, TF::RGBA, TT::UByte, Bytes8{9}, 1), (Bytes8{0, 0, 0, 9}));
  EXPECT_EQ(readBack<u8>(Format::LA8, TF::RGBA, TT::UByte, Bytes8{9, 4}, 1), (Bytes8{9, 0, 0, 4}));
  EXPECT_EQ(readBack<u8>(Format::RGB8, TF::BGRA, TT::UByte, Bytes8{1, 2, 3}, 1), (Bytes8{3, 2, 1, 255}));
  EXPECT_EQ(readBack<u8>(Format::RGBA8, TF::Blue, TT::UByte, Bytes8{1, 2, 3, 4}, 1), Bytes8{3});
}

TEST(Pack, LuminanceIsTheSum) {
  EXPECT_EQ(readBack<u8>(Format::RGBA8, TF::Luminance, TT::UByte, Bytes8{10, 20, 30, 4}, 1), Bytes8{60});
  EXPECT_EQ(readBack<u8>(Format::RGBA8, TF::Luminance, TT::UByte, Bytes8{200, 200, 30, 4}, 1), Bytes8{255});
  EXPECT_EQ(readBack<u8>(Format::L8, TF::LuminanceAlpha, TT::UByte, Bytes8{10}, 1), (Bytes8{10, 255}));
  EXPECT_EQ(readBack<u8>(Format::A8, TF::Luminance, TT::UByte, Bytes8{10}, 1), Bytes8{0});
}

TEST(Pack, ClampsColorOnDemand) {
  const Floats texel{-1.0f, 0.5f, 3.0f, 1.0f};
  EXPECT_EQ(readBack<f32>(Format::RGBA32F, TF::RGBA, TT::Float, texel, 1, false), texel);
  EXPECT_EQ(readBack<f32>(Format::RGBA32F, TF::RGBA, TT::Float, texel, 1, true), (Floats{0, 0.5f, 1, 1}));
  EXPECT_EQ(readBack<i8>(Format::RGBA32F, TF::RGBA, TT::Byte, texel, 1, false), (std::vector<i8>{-127, 64, 127, 127}));
}

TEST(Pack, IntegersClampToTheType) {
  EXPECT_EQ(readBack<u8>(Format::R32UI, TF::RedInteger, TT::UByte, Words{70000}, 1), Bytes8{255});
  EXPECT_EQ(readBack<u16>(Format::R32I, TF::RedInteger, TT::UShort, std::vector<i32>{-4}, 1), Shorts{0});
}

TEST(ConvertTexels, AsAShaderReads) {
  const auto convert = [](Format d, Format s, Bytes8 src) {
    Bytes8 dst(formatInfo(d).blockBytes);
    EXPECT_TRUE(convertTexels(d, out(dst), s, in(src), {1, 1, 1}));
    return dst;
  };
  EXPECT_EQ(convert(Format::RGBA8, Format::RGB8, {1, 2, 3}), (Bytes8{1, 2, 3, 255}));
  EXPECT_EQ(convert(Format::RGB8, Format::RGBA8, {1, 2, 3, 4}), (Bytes8{1, 2, 3}));
  EXPECT_EQ(convert(Format::RGBA8, Format::L8, {7}), (Bytes8{7, 7, 7, 255}));
  EXPECT_EQ(convert(Format::RGBA8, Format::LA8, {7, 8}), (Bytes8{7, 7, 7, 8}));
  EXPECT_EQ(convert(Format::RGBA8, Format::I8, {7}), (Bytes8{7, 7, 7, 7}));
  EXPECT_EQ(convert(Format::RGBA8, Format::A8, {7}), (Bytes8{0, 0, 0, 7}));
  EXPECT_EQ(convert(Format::BGRA8, Format::RGBA8, {1, 2, 3, 4}), (Bytes8{3, 2, 1, 4}));
  EXPECT_EQ(convert(Format::RGBA8UI, Format::RGB8UI, {1, 2, 3}), (Bytes8{1, 2, 3, 1}));
  EXPECT_EQ(convert(Format::D24_S8, Format::D24, {0, 1, 2, 3}), (Bytes8{0, 1, 2, 3}));
  Bytes8 block(8), copy(8);
  for (u8 i = 0; i < 8; ++i) block[i] = i;
  EXPECT_TRUE(convertTexels(Format::BC1_RGB, out(copy), Format::BC1_SRGB, in(block), {3, 2, 1}));
  EXPECT_EQ(copy, block);
}

TEST(ConvertTexels, RefusesOtherKinds) {
  Bytes8 a(64), b(64);
  EXPECT_FALSE(convertTexels(Format::RGBA8, out(a), Format::RGBA8UI, in(b), {1, 1, 1}));
  EXPECT_FALSE(convertTexels(Format::RGBA8, out(a), Format::D24, in(b), {1, 1, 1}));
  EXPECT_FALSE(convertTexels(Format::S8, out(a), Format::D24, in(b), {1, 1, 1}));
  EXPECT_FALSE(convertTexels(Format::BC1_RGB, out(a), Format::RGBA8, in(b), {1, 1, 1}));
  EXPECT_FALSE(convertTexels(Format::RGBA8, out(a), Format::BC1_RGB, in(b), {1, 1, 1}));
  EXPECT_FALSE(unpack(Format::None, out(a), TF::RGBA, TT::UByte, false, in(b), {1, 1, 1}));
  EXPECT_FALSE(unpack(Format::RGBA8, out(a), TF::RGBA, TT::UShort565, false, in(b), {1, 1, 1}));
  EXPECT_FALSE(unpack(static_cast<Format>(9999), out(a), TF::RGBA, TT::UByte, false, in(b), {1, 1, 1}));
}

TEST(Clears, WriteOneTexel) {
  const std::array<f32, 4> color{1.0f, 0.5f, 0.0f, 0.25f};
  const std::array<i32, 4> ints{-3, 4, 5, 6};
  const std::array<u32, 4> uints{3, 400, 5, 6};
  std::array<u8, 16> t{};
  const auto bytes = [&] { return reinterpret_cast<std::byte*>(t.data()); };
  ASSERT_TRUE(writeClearTexel(Format::RGBA8, color, bytes()));
  EXPECT_EQ((std::array<u8, 4>{t[0], t[1], t[2], t[3]}), (std::array<u8, 4>{255, 128, 0, 64}));
  ASSERT_TRUE(writeClearTexel(Format::BGRA8, color, bytes()));
  EXPECT_EQ(t[2], 255);
  ASSERT_TRUE(writeClearTexel(Format::RGBA8I, ints, bytes()));
  EXPECT_EQ(static_cast<i8>(t[0]), -3);
  ASSERT_TRUE(writeClearTexel(Format::RGBA8UI, uints, bytes()));
  EXPECT_EQ(t[1], 255);
  EXPECT_FALSE(writeClearTexel(Format::RGBA8UI, color, bytes()));
  EXPECT_FALSE(writeClearTexel(Format::RGBA8, uints, bytes()));
  EXPECT_FALSE(writeClearTexel(Format::D24_S8, color, bytes()));
  ASSERT_TRUE(writeClearDepthStencil(Format::D24_S8, 1.0, 0x1ff, bytes()));
  EXPECT_EQ((std::array<u8, 4>{t[0], t[1], t[2], t[3]}), (std::array<u8, 4>{0xff, 0xff, 0xff, 0xff}));
  EXPECT_FALSE(writeClearDepthStencil(Format::RGBA8, 1.0, 0, bytes()));
}

TEST(Strides, RowsImagesAndGuards) {
  // 3 x 2 x 2 RGB bytes with a row stride of 12 and an image stride of 30, into RGBA8 rows of 16.
  std::vector<u8> src(60);
  for (u32 i = 0; i < src.size(); ++i) src[i] = static_cast<u8>(i);
  std::vector<u8> dst(2 * 40, 0xee);
  ASSERT_TRUE(unpack(Format::RGBA8, {reinterpret_cast<std::byte*>(dst.data()), 16, 40}, TF::RGB, TT::UByte, false,
                     {reinterpret_cast<const std::byte*>(src.data()), 12, 30}, {3, 2, 2}));
  for (u32 z = 0; z < 2; ++z)
    for (u32 y = 0; y < 2; ++y) {
      for (u32 x = 0; x < 3; ++x) {
        const u8* t = &dst[z * 40 + y * 16 + x * 4];
        EXPECT_EQ(t[0], z * 30 + y * 12 + x * 3);
        EXPECT_EQ(t[2], z * 30 + y * 12 + x * 3 + 2);
        EXPECT_EQ(t[3], 255);
      }
      EXPECT_EQ(dst[z * 40 + y * 16 + 12], 0xee);
    }
}

// Every pair of a format and a legal transfer pair: stays in bounds, gives the same on every run length, and agrees
// with the way through four full-precision components.
class EveryPair : public ::testing::TestWithParam<u32> {};

TEST_P(EveryPair, StaysInBoundsAndAgreesWithTheLongWay) {
  const auto format = static_cast<Format>(GetParam());
  const FormatInfo& f = formatInfo(format);
  constexpr u32 kWidth = 70;  // more than one run
  std::mt19937 random(GetParam());
  u32 pairs = 0;
  for (u32 tfi = 1; tfi < countOf<TF>(); ++tfi)
    for (u32 tti = 1; tti < countOf<TT>(); ++tti)
      for (bool swap : {false, true}) {
        const auto tf = static_cast<TF>(tfi);
        const auto tt = static_cast<TT>(tti);
        if (!isLegal(tf, tt) || !canTransfer(format, tf, tt)) continue;
        ++pairs;
        SCOPED_TRACE(std::string(f.name) + " tf " + std::to_string(tfi) + " tt " + std::to_string(tti));
        const u32 pixel = bytesPerPixel(tf, tt);
        std::vector<std::byte> client(kWidth * pixel);
        for (auto& b : client) b = static_cast<std::byte>(random());
        std::vector<std::byte> texels(kWidth * f.blockBytes + 16, kGuard);
        ASSERT_TRUE(unpack(format, {texels.data(), 0, 0}, tf, tt, swap, {client.data(), 0, 0}, {kWidth, 1, 1}));
        for (u32 i = 0; i < 16; ++i) ASSERT_EQ(texels[kWidth * f.blockBytes + i], kGuard);
        // Pixel by pixel.
        std::vector<std::byte> single(kWidth * f.blockBytes, kGuard);
        for (u32 x = 0; x < kWidth; ++x)
          ASSERT_TRUE(unpack(format, {single.data() + x * f.blockBytes, 0, 0}, tf, tt, swap,
                             {client.data() + x * pixel, 0, 0}, {1, 1, 1}));
        ASSERT_EQ(std::memcmp(single.data(), texels.data(), single.size()), 0);

        std::vector<std::byte> back(kWidth * pixel + 16, kGuard);
        ASSERT_TRUE(pack(tf, tt, swap, {back.data(), 0, 0}, format, {texels.data(), 0, 0}, {kWidth, 1, 1}, false));
        for (u32 i = 0; i < 16; ++i) ASSERT_EQ(back[kWidth * pixel + i], kGuard);

        // Colour through RGBA32F or RGBA32I in between, where that holds every value of the pair (not 32-bit ones).
        if (!f.isColor() || tt == TT::UInt || tt == TT::Int) continue;
        const Format wide = f.isInteger() ? Format::RGBA32I : Format::RGBA32F;
        std::vector<std::byte> middle(kWidth * 16);
        std::vector<std::byte> longWay(kWidth * f.blockBytes, kGuard);
        ASSERT_TRUE(unpack(wide, {middle.data(), 0, 0}, tf, tt, swap, {client.data(), 0, 0}, {kWidth, 1, 1}));
        ASSERT_TRUE(convertTexels(format, {longWay.data(), 0, 0}, wide, {middle.data(), 0, 0}, {kWidth, 1, 1}));
        // A copy keeps encodings that a conversion normalises: the lowest signed value, NaN payloads, loose exponents.
        const TransferPair native = nativeTransfer(format);
        const bool keeps = f.type == ComponentType::Snorm || f.type == ComponentType::Float;
        if (native.type == tt && keeps) continue;
        ASSERT_EQ(std::memcmp(longWay.data(), texels.data(), longWay.size()), 0);
      }
  EXPECT_GT(pairs, 0u);
}

TEST_P(EveryPair, NativeLayoutIsACopyBothWays) {
  const auto format = static_cast<Format>(GetParam());
  const FormatInfo& f = formatInfo(format);
  const TransferPair native = nativeTransfer(format);
  if (native.format == TF::None || format == Format::D32F || format == Format::D32F_S8)
    return;  // depth clamps, or no such pair
  std::mt19937 random(GetParam());
  std::vector<std::byte> client(33 * f.blockBytes), texels(client.size()), back(client.size());
  for (auto& b : client) b = static_cast<std::byte>(random());
  const Extent e{11, 3, 1};
  const u64 stride = 11 * f.blockBytes;
  ASSERT_TRUE(
      unpack(format, {texels.data(), stride, 0}, native.format, native.type, false, {client.data(), stride, 0}, e));
  EXPECT_EQ(texels, client);
  ASSERT_TRUE(
      pack(native.format, native.type, false, {back.data(), stride, 0}, format, {texels.data(), stride, 0}, e, false));
  EXPECT_EQ(back, client);
}

// Reading as float and writing the floats again loses nothing in a format of at most 24 bits a component.
TEST_P(EveryPair, FloatsHoldEveryTexel) {
  const auto format = static_cast<Format>(GetParam());
  const FormatInfo& f = formatInfo(format);
  if (!f.isColor() || f.isInteger()) return;
  std::mt19937 random(GetParam());
  std::vector<std::byte> texels(64 * f.blockBytes), once(texels.size()), twice(texels.size());
  for (auto& b : texels) b = static_cast<std::byte>(random() & 0x3f);
  std::vector<f32> wide(64 * 4);
  const auto there = [&](const std::vector<std::byte>& from) {
    ASSERT_TRUE(convertTexels(Format::RGBA32F, out(wide), format, {from.data(), 0, 0}, {64, 1, 1}));
  };
  there(texels);
  ASSERT_TRUE(convertTexels(format, {once.data(), 0, 0}, Format::RGBA32F, in(wide), {64, 1, 1}));
  there(once);
  ASSERT_TRUE(convertTexels(format, {twice.data(), 0, 0}, Format::RGBA32F, in(wide), {64, 1, 1}));
  EXPECT_EQ(once, twice);
  if (f.type == ComponentType::Unorm && nativeTransfer(format).format != TF::None) {
    EXPECT_EQ(once, texels);
  }
}

std::string formatName(const ::testing::TestParamInfo<u32>& info) {
  return std::string(formatInfo(static_cast<Format>(info.param)).name);
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryPair, ::testing::Range(indexOf(Format::None) + 1, indexOf(Format::BC1_RGB)),
                         formatName);

}  // namespace
}  // namespace mgl::format
