#include "format/transfer.h"

namespace mgl::format {

u32 componentCount(TransferFormat format) {
  switch (format) {
    case TransferFormat::None:
    case TransferFormat::Count:
      return 0;
    case TransferFormat::Red:
    case TransferFormat::Green:
    case TransferFormat::Blue:
    case TransferFormat::Alpha:
    case TransferFormat::Luminance:
    case TransferFormat::RedInteger:
    case TransferFormat::GreenInteger:
    case TransferFormat::BlueInteger:
    case TransferFormat::AlphaInteger:
    case TransferFormat::Depth:
    case TransferFormat::Stencil:
      return 1;
    case TransferFormat::RG:
    case TransferFormat::LuminanceAlpha:
    case TransferFormat::RGInteger:
    case TransferFormat::DepthStencil:
      return 2;
    case TransferFormat::RGB:
    case TransferFormat::BGR:
    case TransferFormat::RGBInteger:
    case TransferFormat::BGRInteger:
      return 3;
    case TransferFormat::RGBA:
    case TransferFormat::BGRA:
    case TransferFormat::RGBAInteger:
    case TransferFormat::BGRAInteger:
      return 4;
  }
  return 0;
}

bool isInteger(TransferFormat format) {
  return format >= TransferFormat::RedInteger && format <= TransferFormat::BGRAInteger;
}

bool isPacked(TransferType type) { return type >= TransferType::UByte332 && type <= TransferType::Float32UInt248Rev; }

u32 elementBytes(TransferType type) {
  switch (type) {
    case TransferType::None:
    case TransferType::Count:
    case TransferType::Bitmap:
      return 0;
    case TransferType::UByte:
    case TransferType::Byte:
    case TransferType::UByte332:
    case TransferType::UByte233Rev:
      return 1;
    case TransferType::UShort:
    case TransferType::Short:
    case TransferType::HalfFloat:
    case TransferType::UShort565:
    case TransferType::UShort565Rev:
    case TransferType::UShort4444:
    case TransferType::UShort4444Rev:
    case TransferType::UShort5551:
    case TransferType::UShort1555Rev:
      return 2;
    case TransferType::UInt:
    case TransferType::Int:
    case TransferType::Float:
    case TransferType::UInt8888:
    case TransferType::UInt8888Rev:
    case TransferType::UInt1010102:
    case TransferType::UInt2101010Rev:
    case TransferType::UInt248:
    case TransferType::UInt10F11F11FRev:
    case TransferType::UInt5999Rev:
      return 4;
    case TransferType::Float32UInt248Rev:
      return 8;
  }
  return 0;
}

u32 swapUnitBytes(TransferType type) { return type == TransferType::Float32UInt248Rev ? 4 : elementBytes(type); }

bool isLegal(TransferFormat format, TransferType type) {
  if (componentCount(format) == 0 || elementBytes(type) == 0) return false;
  switch (type) {
    case TransferType::UByte332:
    case TransferType::UByte233Rev:
    case TransferType::UShort565:
    case TransferType::UShort565Rev:
      return format == TransferFormat::RGB || format == TransferFormat::RGBInteger;
    case TransferType::UInt10F11F11FRev:
    case TransferType::UInt5999Rev:
      return format == TransferFormat::RGB;
    case TransferType::UShort4444:
    case TransferType::UShort4444Rev:
    case TransferType::UShort5551:
    case TransferType::UShort1555Rev:
    case TransferType::UInt8888:
    case TransferType::UInt8888Rev:
    case TransferType::UInt1010102:
    case TransferType::UInt2101010Rev:
      return format == TransferFormat::RGBA || format == TransferFormat::BGRA ||
             format == TransferFormat::RGBAInteger || format == TransferFormat::BGRAInteger;
    case TransferType::UInt248:
    case TransferType::Float32UInt248Rev:
      return format == TransferFormat::DepthStencil;
    case TransferType::HalfFloat:
    case TransferType::Float:
      return !isInteger(format) && format != TransferFormat::DepthStencil;
    default:
      return format != TransferFormat::DepthStencil;
  }
}

u32 bytesPerPixel(TransferFormat format, TransferType type) {
  if (!isLegal(format, type)) return 0;
  return isPacked(type) ? elementBytes(type) : elementBytes(type) * componentCount(format);
}

TransferLayout transferLayout(const PixelStore& store, TransferFormat format, TransferType type, u32 width, u32 height,
                              u32 depth, bool volume) {
  TransferLayout layout;
  const u64 rowPixels = store.rowLength != 0 ? store.rowLength : width;
  const u64 imageRows = volume && store.imageHeight != 0 ? store.imageHeight : height;
  const u64 skipImages = volume ? store.skipImages : 0;
  const u64 alignment = store.alignment != 0 ? store.alignment : 1;

  // A bitmap row is packed bits: skips of whole bytes land in the offset, the rest (skipPixels % 8) is the reader's.
  const bool bitmap = type == TransferType::Bitmap;
  const u64 pixelBytes = bytesPerPixel(format, type);
  const auto rowSpan = [&](u64 pixels) { return bitmap ? (pixels + 7) / 8 : pixels * pixelBytes; };

  layout.rowStride = alignUp(rowSpan(rowPixels), alignment);
  layout.imageStride = layout.rowStride * imageRows;
  layout.firstPixel = skipImages * layout.imageStride + store.skipRows * layout.rowStride +
                      (bitmap ? store.skipPixels / 8 : store.skipPixels * pixelBytes);
  if (width != 0 && height != 0 && depth != 0) {
    const u64 lastRow = bitmap ? rowSpan(store.skipPixels % 8 + u64{width}) : rowSpan(width);
    layout.totalBytes =
        layout.firstPixel + (depth - 1) * layout.imageStride + (height - 1) * layout.rowStride + lastRow;
  }
  return layout;
}

TransferLayout tightLayout(TransferFormat format, TransferType type, u32 width, u32 height, u32 depth) {
  PixelStore store;
  store.alignment = 1;
  return transferLayout(store, format, type, width, height, depth, true);
}

namespace {

TransferFormat nativeFormat(const FormatInfo& f) {
  const bool integer = f.isInteger();
  switch (f.base) {
    case BaseFormat::Red:
      return integer ? TransferFormat::RedInteger : TransferFormat::Red;
    case BaseFormat::RG:
      return integer ? TransferFormat::RGInteger : TransferFormat::RG;
    case BaseFormat::RGB:
      return integer ? TransferFormat::RGBInteger : TransferFormat::RGB;
    case BaseFormat::RGBA:
      if (f.storage == Storage::U8Bgra) return TransferFormat::BGRA;
      return integer ? TransferFormat::RGBAInteger : TransferFormat::RGBA;
    case BaseFormat::Alpha:
      return TransferFormat::Alpha;
    case BaseFormat::Luminance:
      return TransferFormat::Luminance;
    case BaseFormat::LuminanceAlpha:
      return TransferFormat::LuminanceAlpha;
    case BaseFormat::Intensity:
      return TransferFormat::Red;
    case BaseFormat::Depth:
      return TransferFormat::Depth;
    case BaseFormat::DepthStencil:
      return TransferFormat::DepthStencil;
    case BaseFormat::Stencil:
      return TransferFormat::Stencil;
    case BaseFormat::None:
    case BaseFormat::Count:
      break;
  }
  return TransferFormat::None;
}

TransferType nativeType(Storage storage) {
  switch (storage) {
    case Storage::U8:
    case Storage::U8Bgra:
      return TransferType::UByte;
    case Storage::U16:
      return TransferType::UShort;
    case Storage::U32:
      return TransferType::UInt;
    case Storage::I8:
      return TransferType::Byte;
    case Storage::I16:
      return TransferType::Short;
    case Storage::I32:
      return TransferType::Int;
    case Storage::F16:
      return TransferType::HalfFloat;
    case Storage::F32:
      return TransferType::Float;
    case Storage::P332:
      return TransferType::UByte332;
    case Storage::P565:
      return TransferType::UShort565;
    case Storage::P4444:
      return TransferType::UShort4444;
    case Storage::P5551:
      return TransferType::UShort5551;
    case Storage::P2101010Rev:
      return TransferType::UInt2101010Rev;
    case Storage::P10F11F11FRev:
      return TransferType::UInt10F11F11FRev;
    case Storage::P5999Rev:
      return TransferType::UInt5999Rev;
    case Storage::P248:
      return TransferType::UInt248;
    case Storage::PF32_248Rev:
      return TransferType::Float32UInt248Rev;
    case Storage::None:
    case Storage::Block:
    case Storage::Count:
      break;
  }
  return TransferType::None;
}

}  // namespace

TransferPair nativeTransfer(Format format) {
  const FormatInfo& f = formatInfo(format);
  const TransferPair pair{nativeFormat(f), nativeType(f.storage)};
  return isLegal(pair.format, pair.type) ? pair : TransferPair{};
}

}  // namespace mgl::format
