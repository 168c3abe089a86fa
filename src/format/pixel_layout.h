// Private to src/format: one description for a format's memory and for a transfer pair, so that every conversion is
// between two of the same kind.
#pragma once

#include "format/transfer.h"

namespace mgl::format {

enum class Element : u8 {
  None,
  U8,
  U16,
  U32,
  I8,
  I16,
  I32,
  F16,
  F32,
  Word8,  // unsigned fields of a word, by shift and bits
  Word16,
  Word32,
  P10F11F11FRev,
  P5999Rev,
  P248,
  PF32_248Rev,
};

// Norm: fixed point in [0,1] or [-1,1]; Integer: unconverted.
enum class Numeric : u8 { Norm, Integer, Float };

enum class Content : u8 { None, Color, Depth, Stencil, DepthStencil };

struct PixelLayout {
  Element element = Element::None;
  Numeric numeric = Numeric::Norm;
  Content content = Content::None;
  u8 count = 0;  // components in memory
  u8 bytes = 0;  // of a pixel
  bool swap = false;
  bool sumLuminance = false;             // writing: the first component is R+G+B (18.2.8), not R
  BaseFormat spread = BaseFormat::None;  // reading: Luminance or Intensity fill the other components
  u8 slot[4] = {};                       // memory component -> R, G, B, A
  u8 shift[4] = {};                      // Word*: of each memory component
  u8 bits[4] = {};
  u32 spare = 0;  // Word*: bits set in every texel written
};

// What a luminance or intensity texel reads as.
enum class Reading : u8 {
  Sampled,   // by a shader: L,L,L,1 and I,I,I,I
  Returned,  // by glGetTexImage and glReadPixels (table 8.12's return values): L,0,0,1 and I,0,0,1
};

// content None for None, compressed and out-of-range values.
PixelLayout layoutOf(Format format, Reading reading);
// content None for an illegal pair.
PixelLayout layoutOf(TransferFormat format, TransferType type, bool swapBytes);

// Equal bytes mean equal pixels.
bool sameMemory(const PixelLayout& a, const PixelLayout& b);

}  // namespace mgl::format
