// Client memory layouts: OpenGL 4.6, 8.4.4.1 and the packed types of table 8.5.
#include "format/transfer.h"

#include <gtest/gtest.h>

namespace mgl::format {
namespace {

TEST(Transfer, BytesPerPixel) {
  EXPECT_EQ(bytesPerPixel(TransferFormat::RGB, TransferType::UByte), 3u);
  EXPECT_EQ(bytesPerPixel(TransferFormat::BGRA, TransferType::Float), 16u);
  EXPECT_EQ(bytesPerPixel(TransferFormat::RGB, TransferType::UShort565), 2u);
  EXPECT_EQ(bytesPerPixel(TransferFormat::RGB, TransferType::UInt5999Rev), 4u);
  EXPECT_EQ(bytesPerPixel(TransferFormat::DepthStencil, TransferType::Float32UInt248Rev), 8u);
  EXPECT_EQ(bytesPerPixel(TransferFormat::LuminanceAlpha, TransferType::Short), 4u);
}

TEST(Transfer, PackedTypesFixTheComponents) {
  EXPECT_FALSE(isLegal(TransferFormat::RGBA, TransferType::UShort565));
  EXPECT_FALSE(isLegal(TransferFormat::BGR, TransferType::UByte332));
  EXPECT_FALSE(isLegal(TransferFormat::RGB, TransferType::UInt8888));
  EXPECT_TRUE(isLegal(TransferFormat::BGRAInteger, TransferType::UInt2101010Rev));
  EXPECT_FALSE(isLegal(TransferFormat::RGBInteger, TransferType::UInt10F11F11FRev));
  EXPECT_FALSE(isLegal(TransferFormat::RedInteger, TransferType::Float));
  EXPECT_FALSE(isLegal(TransferFormat::RGInteger, TransferType::HalfFloat));
  EXPECT_FALSE(isLegal(TransferFormat::DepthStencil, TransferType::UInt));
  EXPECT_FALSE(isLegal(TransferFormat::Depth, TransferType::UInt248));
  EXPECT_TRUE(isLegal(TransferFormat::Depth, TransferType::HalfFloat));
  EXPECT_TRUE(isLegal(TransferFormat::Stencil, TransferType::Float));
  EXPECT_FALSE(isLegal(TransferFormat::Stencil, TransferType::Bitmap));
}

TEST(Transfer, OutOfRangeIsIllegal) {
  for (u32 f : {0u, countOf<TransferFormat>(), 255u})
    EXPECT_EQ(bytesPerPixel(static_cast<TransferFormat>(f), TransferType::UByte), 0u);
  for (u32 t : {0u, countOf<TransferType>(), 255u})
    EXPECT_EQ(bytesPerPixel(TransferFormat::RGBA, static_cast<TransferType>(t)), 0u);
}

// The first 5 x 3 texels of GL_RGB bytes: a row of 15 bytes pads to 16.
TEST(PixelStore, AlignmentPadsRows) {
  const TransferLayout l = transferLayout({}, TransferFormat::RGB, TransferType::UByte, 5, 3, 1, false);
  EXPECT_EQ(l.rowStride, 16u);
  EXPECT_EQ(l.imageStride, 48u);
  EXPECT_EQ(l.firstPixel, 0u);
  EXPECT_EQ(l.totalBytes, 2u * 16 + 15);
}

// s >= a: k = n * l elements, no padding.
TEST(PixelStore, ElementsAtLeastTheAlignmentAreNotPadded) {
  PixelStore store;
  store.alignment = 2;
  EXPECT_EQ(transferLayout(store, TransferFormat::RGB, TransferType::Short, 5, 3, 1, false).rowStride, 30u);
  store.alignment = 8;  // a/s * ceil(s*n*l / a) = 4 * ceil(30/8) elements of 2 bytes
  EXPECT_EQ(transferLayout(store, TransferFormat::RGB, TransferType::Short, 5, 3, 1, false).rowStride, 32u);
  EXPECT_EQ(transferLayout(store, TransferFormat::Red, TransferType::Float, 3, 1, 1, false).rowStride, 16u);
}

TEST(PixelStore, RowLengthAndSkips) {
  PixelStore store;
  store.rowLength = 10;
  store.skipPixels = 2;
  store.skipRows = 3;
  store.skipImages = 7;    // counts for volumes only
  store.imageHeight = 20;  // likewise
  const TransferLayout flat = transferLayout(store, TransferFormat::RGB, TransferType::UByte, 4, 2, 1, false);
  EXPECT_EQ(flat.rowStride, 32u);
  EXPECT_EQ(flat.firstPixel, 3u * 32 + 2 * 3);
  EXPECT_EQ(flat.totalBytes, flat.firstPixel + 32 + 12);
  const TransferLayout volume = transferLayout(store, TransferFormat::RGB, TransferType::UByte, 4, 2, 2, true);
  EXPECT_EQ(volume.imageStride, 20u * 32);
  EXPECT_EQ(volume.firstPixel, 7u * 640 + 3 * 32 + 6);
  EXPECT_EQ(volume.totalBytes, volume.firstPixel + 640 + 32 + 12);
}

TEST(PixelStore, ImageHeightDefaultsToTheRegions) {
  const TransferLayout l = transferLayout({}, TransferFormat::RGBA, TransferType::UByte, 4, 5, 3, true);
  EXPECT_EQ(l.imageStride, 5u * 16);
  EXPECT_EQ(l.totalBytes, 3u * 80);
}

TEST(PixelStore, EmptyRegionNeedsNothing) {
  PixelStore store;
  store.skipRows = 9;
  EXPECT_EQ(transferLayout(store, TransferFormat::RGBA, TransferType::UByte, 4, 0, 1, false).totalBytes, 0u);
}

TEST(PixelStore, HugeRegionsDoNotWrap) {
  PixelStore store;
  store.rowLength = 0x7fffffff;
  store.skipRows = 0x7fffffff;
  const TransferLayout l = transferLayout(store, TransferFormat::Red, TransferType::UByte, 1, 1, 1, false);
  EXPECT_EQ(l.firstPixel, u64{0x80000000} * 0x7fffffff);
}

TEST(PixelStore, BitmapRowsArePackedBits) {
  PixelStore store;
  store.alignment = 1;
  store.skipPixels = 11;
  // 4.6 compatibility, 8.4.4.1: k = a * ceil(l / 8a) bytes; here 3 skipped bits of byte 1 and 13 bits more.
  const TransferLayout l = transferLayout(store, TransferFormat::Red, TransferType::Bitmap, 13, 2, 1, false);
  EXPECT_EQ(l.rowStride, 2u);
  EXPECT_EQ(l.firstPixel, 1u);
  EXPECT_EQ(l.totalBytes, 1u + 2 + 2);
  store.alignment = 4;
  EXPECT_EQ(transferLayout(store, TransferFormat::Red, TransferType::Bitmap, 33, 2, 1, false).rowStride, 8u);
}

TEST(PixelStore, TightLayoutHasNoPadding) {
  const TransferLayout l = tightLayout(TransferFormat::RGB, TransferType::UByte, 5, 3, 2);
  EXPECT_EQ(l.rowStride, 15u);
  EXPECT_EQ(l.totalBytes, 90u);
}

}  // namespace
}  // namespace mgl::format
