// Pixel transfer: the layouts of client memory and pixel buffers (OpenGL 4.6, 8.4.4), as both sides of the pipe name
// them.
#pragma once

#include "base/types.h"
#include "format/format.h"

namespace mgl::format {

// Table 8.3; dense, values travel on the pipe.
enum class TransferFormat : u8 {
  None = 0,
  Red,
  Green,
  Blue,
  Alpha,
  RG,
  RGB,
  BGR,
  RGBA,
  BGRA,
  Luminance,
  LuminanceAlpha,
  RedInteger,
  GreenInteger,
  BlueInteger,
  AlphaInteger,
  RGInteger,
  RGBInteger,
  BGRInteger,
  RGBAInteger,
  BGRAInteger,
  Depth,
  Stencil,
  DepthStencil,
  Count
};

// Table 8.2 and the packed types of table 8.5; dense, values travel on the pipe.
enum class TransferType : u8 {
  None = 0,
  UByte,
  Byte,
  UShort,
  Short,
  UInt,
  Int,
  HalfFloat,
  Float,
  UByte332,
  UByte233Rev,
  UShort565,
  UShort565Rev,
  UShort4444,
  UShort4444Rev,
  UShort5551,
  UShort1555Rev,
  UInt8888,
  UInt8888Rev,
  UInt1010102,
  UInt2101010Rev,
  UInt248,
  UInt10F11F11FRev,
  UInt5999Rev,
  Float32UInt248Rev,
  Bitmap,  // one bit a pixel; bytesPerPixel is 0: drawn by its own path
  Count
};

// The pixel-store parameters of one direction (table 8.1 and 18.1). The GL state's zero defaults are the members'.
struct PixelStore {
  u32 rowLength = 0;    // 0: the width of the region
  u32 imageHeight = 0;  // 0: its height
  u32 skipPixels = 0;
  u32 skipRows = 0;
  u32 skipImages = 0;
  u32 alignment = 4;  // 1, 2, 4 or 8
  bool swapBytes = false;
  bool lsbFirst = false;
};

// Components of a pixel of this format: 1..4, 2 for DepthStencil, 0 out of range.
u32 componentCount(TransferFormat format);
bool isInteger(TransferFormat format);
bool isPacked(TransferType type);
// Bytes of one component, or of the whole word of a packed type: the element of the alignment rule and of byte swaps.
u32 elementBytes(TransferType type);
// What swapBytes swaps: elementBytes, except 4 for Float32UInt248Rev (two words).
u32 swapUnitBytes(TransferType type);

// True when 8.4.4.2 allows the pair: packed types fix the component count, depth-stencil takes only its two types, and
// integer formats take neither floats nor the float-packed types.
bool isLegal(TransferFormat format, TransferType type);
// Bytes of a pixel; 0 for an illegal pair.
u32 bytesPerPixel(TransferFormat format, TransferType type);

// Where a region lies in memory.
struct TransferLayout {
  u64 firstPixel = 0;   // byte offset of the region's first pixel
  u64 rowStride = 0;    // bytes from a row to the next
  u64 imageStride = 0;  // bytes from an image to the next
  u64 totalBytes = 0;   // one past the last byte read or written; 0 for an empty region
};

// 8.4.4.1. skipImages and imageHeight count only for 3D regions (`volume`: 3D and array targets).
TransferLayout transferLayout(const PixelStore& store, TransferFormat format, TransferType type, u32 width, u32 height,
                              u32 depth, bool volume);
// The layout without padding and skips that the client puts on the pipe.
TransferLayout tightLayout(TransferFormat format, TransferType type, u32 width, u32 height, u32 depth);

// The pair whose client layout is the format's own memory layout, so that transfers are copies; {None, None} when there
// is none (compressed formats, RGB4 and its like).
struct TransferPair {
  TransferFormat format = TransferFormat::None;
  TransferType type = TransferType::None;
};
TransferPair nativeTransfer(Format format);

}  // namespace mgl::format
