#include "format/pixel_layout.h"

#include <algorithm>
#include <iterator>

namespace mgl::format {
namespace {

void setSlots(PixelLayout& l, u8 s0, u8 s1 = 0, u8 s2 = 0, u8 s3 = 0) {
  l.slot[0] = s0, l.slot[1] = s1, l.slot[2] = s2, l.slot[3] = s3;
}

// Widths from the first component on; the first is highest, or lowest for a reversed type.
void setWord(PixelLayout& l, Element element, bool reversed, u8 b0, u8 b1, u8 b2, u8 b3 = 0) {
  l.element = element;
  const u8 bits[4] = {b0, b1, b2, b3};
  std::copy(std::begin(bits), std::end(bits), l.bits);
  const int total = b0 + b1 + b2 + b3;
  int at = reversed ? 0 : total;
  for (int i = 0; i < 4; ++i) {
    if (!reversed) at -= bits[i];
    l.shift[i] = static_cast<u8>(at);
    if (reversed) at += bits[i];
  }
}

}  // namespace

PixelLayout layoutOf(Format format, Reading reading) {
  PixelLayout l;
  const FormatInfo& f = formatInfo(format);
  if (f.compressed || f.base == BaseFormat::None) return l;
  l.count = f.components;
  l.bytes = f.blockBytes;
  l.numeric = f.type == ComponentType::Float                                   ? Numeric::Float
              : f.type == ComponentType::Uint || f.type == ComponentType::Sint ? Numeric::Integer
                                                                               : Numeric::Norm;
  setSlots(l, 0, 1, 2, 3);
  switch (f.base) {
    case BaseFormat::Depth:
      l.content = Content::Depth;
      break;
    case BaseFormat::Stencil:
      l.content = Content::Stencil;
      break;
    case BaseFormat::DepthStencil:
      l.content = Content::DepthStencil;
      break;
    case BaseFormat::Alpha:
      l.content = Content::Color;
      setSlots(l, 3);
      break;
    case BaseFormat::LuminanceAlpha:
      l.content = Content::Color;
      setSlots(l, 0, 3);
      if (reading == Reading::Sampled) l.spread = BaseFormat::Luminance;
      break;
    case BaseFormat::Luminance:
    case BaseFormat::Intensity:
      l.content = Content::Color;
      if (reading == Reading::Sampled) l.spread = f.base;
      break;
    default:
      l.content = Content::Color;
  }
  switch (f.storage) {
    case Storage::U8Bgra:
      l.element = Element::U8;
      setSlots(l, 2, 1, 0, 3);
      break;
    case Storage::U8:
      l.element = Element::U8;
      break;
    case Storage::U16:
      l.element = Element::U16;
      break;
    case Storage::U32:
      l.element = Element::U32;
      break;
    case Storage::I8:
      l.element = Element::I8;
      break;
    case Storage::I16:
      l.element = Element::I16;
      break;
    case Storage::I32:
      l.element = Element::I32;
      break;
    case Storage::F16:
      l.element = Element::F16;
      break;
    case Storage::F32:
      l.element = Element::F32;
      break;
    case Storage::P332:
      setWord(l, Element::Word8, false, 3, 3, 2);
      break;
    case Storage::P565:
      setWord(l, Element::Word16, false, 5, 6, 5);
      break;
    case Storage::P4444:
      setWord(l, Element::Word16, false, 4, 4, 4, 4);
      break;
    case Storage::P5551:
      setWord(l, Element::Word16, false, 5, 5, 5, 1);
      break;
    case Storage::P2101010Rev:
      setWord(l, Element::Word32, true, 10, 10, 10, 2);
      break;
    case Storage::P10F11F11FRev:
      l.element = Element::P10F11F11FRev;
      break;
    case Storage::P5999Rev:
      l.element = Element::P5999Rev;
      break;
    case Storage::P248:
      l.element = Element::P248;
      break;
    case Storage::PF32_248Rev:
      l.element = Element::PF32_248Rev;
      break;
    case Storage::None:
    case Storage::Block:
    case Storage::Count:
      return {};
  }
  // The unused fourth field of RGB4, RGB5 and RGB10 reads as alpha 1 on a host that lends its four-component format.
  if (l.element >= Element::Word8 && l.element <= Element::Word32 && l.count == 3 && l.bits[3] != 0)
    l.spare = ((1u << l.bits[3]) - 1) << l.shift[3];
  return l;
}

PixelLayout layoutOf(TransferFormat format, TransferType type, bool swapBytes) {
  PixelLayout l;
  if (!isLegal(format, type)) return l;
  l.count = static_cast<u8>(componentCount(format));
  l.bytes = static_cast<u8>(bytesPerPixel(format, type));
  l.content = Content::Color;
  l.numeric = isInteger(format) ? Numeric::Integer : Numeric::Norm;
  setSlots(l, 0, 1, 2, 3);
  switch (format) {
    case TransferFormat::Green:
    case TransferFormat::GreenInteger:
      setSlots(l, 1);
      break;
    case TransferFormat::Blue:
    case TransferFormat::BlueInteger:
      setSlots(l, 2);
      break;
    case TransferFormat::Alpha:
    case TransferFormat::AlphaInteger:
      setSlots(l, 3);
      break;
    case TransferFormat::BGR:
    case TransferFormat::BGRA:
    case TransferFormat::BGRInteger:
    case TransferFormat::BGRAInteger:
      setSlots(l, 2, 1, 0, 3);
      break;
    case TransferFormat::LuminanceAlpha:
      setSlots(l, 0, 3);
      [[fallthrough]];
    case TransferFormat::Luminance:
      l.spread = BaseFormat::Luminance;
      l.sumLuminance = true;
      break;
    case TransferFormat::Depth:
      l.content = Content::Depth;
      break;
    case TransferFormat::Stencil:
      l.content = Content::Stencil;
      l.numeric = Numeric::Integer;
      break;
    case TransferFormat::DepthStencil:
      l.content = Content::DepthStencil;
      break;
    default:
      break;
  }
  l.swap = swapBytes && swapUnitBytes(type) > 1;
  switch (type) {
    case TransferType::UByte:
      l.element = Element::U8;
      break;
    case TransferType::Byte:
      l.element = Element::I8;
      break;
    case TransferType::UShort:
      l.element = Element::U16;
      break;
    case TransferType::Short:
      l.element = Element::I16;
      break;
    case TransferType::UInt:
      l.element = Element::U32;
      break;
    case TransferType::Int:
      l.element = Element::I32;
      break;
    case TransferType::HalfFloat:
      l.element = Element::F16;
      if (l.numeric == Numeric::Norm) l.numeric = Numeric::Float;
      break;
    case TransferType::Float:
      l.element = Element::F32;
      if (l.numeric == Numeric::Norm) l.numeric = Numeric::Float;
      break;
    case TransferType::UByte332:
    case TransferType::UByte233Rev:
      setWord(l, Element::Word8, type == TransferType::UByte233Rev, 3, 3, 2);
      break;
    case TransferType::UShort565:
    case TransferType::UShort565Rev:
      setWord(l, Element::Word16, type == TransferType::UShort565Rev, 5, 6, 5);
      break;
    case TransferType::UShort4444:
    case TransferType::UShort4444Rev:
      setWord(l, Element::Word16, type == TransferType::UShort4444Rev, 4, 4, 4, 4);
      break;
    case TransferType::UShort5551:
    case TransferType::UShort1555Rev:
      setWord(l, Element::Word16, type == TransferType::UShort1555Rev, 5, 5, 5, 1);
      break;
    case TransferType::UInt8888:
    case TransferType::UInt8888Rev: {
      // Bytes in memory order, so that the byte paths serve it: reversed once by the type and once by the swap.
      l.element = Element::U8;
      if ((type == TransferType::UInt8888Rev) == swapBytes) std::reverse(std::begin(l.slot), std::end(l.slot));
      l.swap = false;
      break;
    }
    case TransferType::UInt1010102:
    case TransferType::UInt2101010Rev: {
      const bool reversed = type == TransferType::UInt2101010Rev;
      setWord(l, Element::Word32, reversed, 10, 10, 10, 2);
      break;
    }
    case TransferType::UInt248:
      l.element = Element::P248;
      break;
    case TransferType::UInt10F11F11FRev:
      l.element = Element::P10F11F11FRev;
      l.numeric = Numeric::Float;
      break;
    case TransferType::UInt5999Rev:
      l.element = Element::P5999Rev;
      l.numeric = Numeric::Float;
      break;
    case TransferType::Float32UInt248Rev:
      l.element = Element::PF32_248Rev;
      l.numeric = Numeric::Float;
      break;
    case TransferType::None:
    case TransferType::Bitmap:
    case TransferType::Count:
      return {};
  }
  return l;
}

bool sameMemory(const PixelLayout& a, const PixelLayout& b) {
  if (a.element != b.element || a.content != b.content || a.count != b.count || a.bytes != b.bytes) return false;
  if (a.swap || b.swap || a.spare != b.spare) return false;
  if (a.content == Content::Color && (a.numeric != b.numeric || !std::equal(a.slot, a.slot + a.count, b.slot)))
    return false;
  if (a.element >= Element::Word8 && a.element <= Element::Word32)
    return std::equal(a.shift, a.shift + a.count, b.shift) && std::equal(a.bits, a.bits + a.count, b.bits);
  return true;
}

}  // namespace mgl::format
