// The format table against OpenGL 4.6, tables 8.12-8.14, and its own invariants.
#include "format/format.h"

#include <gtest/gtest.h>

#include <set>

#include "format/transfer.h"

namespace mgl::format {
namespace {

TEST(FormatTable, EveryRowIsConsistent) {
  std::set<std::string_view> names;
  for (u32 i = 1; i < countOf<Format>(); ++i) {
    const auto format = static_cast<Format>(i);
    const FormatInfo& f = formatInfo(format);
    SCOPED_TRACE(f.name);
    EXPECT_TRUE(isValid(format));
    EXPECT_TRUE(names.insert(f.name).second) << "named twice";
    EXPECT_NE(f.base, BaseFormat::None);
    EXPECT_NE(f.type, ComponentType::None);
    EXPECT_GE(f.components, 1);
    EXPECT_LE(f.components, 4);
    const ChannelBits& b = f.bits;
    const u32 bits = b.red + b.green + b.blue + b.alpha + b.luminance + b.intensity + b.depth + b.stencil + b.shared;
    if (f.compressed) {
      EXPECT_GT(f.blockWidth * f.blockHeight, 1);
    } else {
      EXPECT_EQ(f.blockWidth * f.blockHeight, 1);
      EXPECT_LE(bits, f.blockBytes * 8u);
      // Only spare fields, and the padding of D32F_S8, leave bits unused.
      if (format == Format::D32F_S8)
        EXPECT_EQ(bits, 40u);
      else
        EXPECT_LE(f.blockBytes * 8u - bits, 8u);
    }
    EXPECT_NE(f.isColor(), f.isDepthOrStencil());
    if (f.srgb) {
      EXPECT_NE(linearFormat(format), format);
      EXPECT_EQ(srgbFormat(linearFormat(format)), format);
      EXPECT_EQ(formatInfo(linearFormat(format)).blockBytes, f.blockBytes);
    } else {
      EXPECT_EQ(linearFormat(format), format);
    }
  }
}

TEST(FormatTable, OutOfRangeReadsAsNone) {
  EXPECT_EQ(formatInfo(static_cast<Format>(0xffff)).name, "None");
  EXPECT_EQ(formatInfo(Format::Count).blockBytes, 0);
  EXPECT_FALSE(isValid(Format::None));
  EXPECT_FALSE(isValid(static_cast<Format>(0xffff)));
}

TEST(FormatTable, KnownRows) {
  const FormatInfo& rgb9e5 = formatInfo(Format::RGB9_E5);
  EXPECT_EQ(rgb9e5.bits.red, 9);
  EXPECT_EQ(rgb9e5.bits.shared, 5);
  EXPECT_EQ(rgb9e5.blockBytes, 4);
  const FormatInfo& r11 = formatInfo(Format::R11F_G11F_B10F);
  EXPECT_EQ(r11.bits.red, 11);
  EXPECT_EQ(r11.bits.blue, 10);
  EXPECT_TRUE(r11.isFloat());
  const FormatInfo& a2 = formatInfo(Format::RGB10_A2UI);
  EXPECT_TRUE(a2.isInteger());
  EXPECT_EQ(a2.bits.alpha, 2);
  EXPECT_FALSE(formatInfo(Format::S8).isInteger());
  EXPECT_TRUE(formatInfo(Format::S8).isStencil());
  EXPECT_TRUE(formatInfo(Format::D32F_S8).isDepth());
  EXPECT_EQ(formatInfo(Format::LA8).bits.luminance, 8);
  EXPECT_EQ(formatInfo(Format::I16F).bits.intensity, 16);
}

TEST(FormatSizes, RowsAndBlocks) {
  EXPECT_EQ(rowBytes(Format::RGB8, 5), 15u);
  EXPECT_EQ(rowBytes(Format::BC1_RGB, 1), 8u);
  EXPECT_EQ(rowBytes(Format::BC1_RGB, 5), 16u);
  EXPECT_EQ(imageBytes(Format::BC3_RGBA, 6, 9), 2u * 3u * 16u);
  EXPECT_EQ(imageBytes(Format::ASTC_12x10, 13, 10), 2u * 16u);
  EXPECT_EQ(boxBytes(Format::RGBA32F, 16384, 16384, 64), u64{16} * 16384 * 16384 * 64);
  EXPECT_EQ(rowBytes(Format::R8, 0), 0u);
}

// Formats whose memory is a client layout: the ones that uploads copy.
TEST(NativeTransfer, HasTheTexelsSize) {
  for (u32 i = 1; i < countOf<Format>(); ++i) {
    const auto format = static_cast<Format>(i);
    const TransferPair pair = nativeTransfer(format);
    if (pair.format == TransferFormat::None) continue;
    EXPECT_EQ(bytesPerPixel(pair.format, pair.type), formatInfo(format).blockBytes) << formatInfo(format).name;
  }
  EXPECT_EQ(nativeTransfer(Format::RGBA8).format, TransferFormat::RGBA);
  EXPECT_EQ(nativeTransfer(Format::D24_S8).type, TransferType::UInt248);
  EXPECT_EQ(nativeTransfer(Format::D24).format, TransferFormat::None);
  EXPECT_EQ(nativeTransfer(Format::RGB5).format, TransferFormat::None);
  EXPECT_EQ(nativeTransfer(Format::BC1_RGB).format, TransferFormat::None);
}

}  // namespace
}  // namespace mgl::format
