#include "format/format.h"

#include <array>

namespace mgl::format {
namespace {

constexpr ChannelBits channelBits(BaseFormat base, Storage storage, u8 c0, u8 c1, u8 c2, u8 c3) {
  ChannelBits b{};
  switch (base) {
    case BaseFormat::Red:
    case BaseFormat::RG:
    case BaseFormat::RGB:
    case BaseFormat::RGBA:
      b.red = c0, b.green = c1, b.blue = c2, b.alpha = c3;
      break;
    case BaseFormat::Alpha:
      b.alpha = c0;
      break;
    case BaseFormat::Luminance:
      b.luminance = c0;
      break;
    case BaseFormat::LuminanceAlpha:
      b.luminance = c0, b.alpha = c1;
      break;
    case BaseFormat::Intensity:
      b.intensity = c0;
      break;
    case BaseFormat::Depth:
    case BaseFormat::DepthStencil:
      b.depth = c0, b.stencil = c1;
      break;
    case BaseFormat::Stencil:
      b.stencil = c0;
      break;
    case BaseFormat::None:
    case BaseFormat::Count:
      break;
  }
  if (storage == Storage::P5999Rev) b.shared = 5;
  return b;
}

constexpr u8 componentCount(BaseFormat base) {
  switch (base) {
    case BaseFormat::RG:
    case BaseFormat::LuminanceAlpha:
    case BaseFormat::DepthStencil:
      return 2;
    case BaseFormat::RGB:
      return 3;
    case BaseFormat::RGBA:
      return 4;
    case BaseFormat::None:
    case BaseFormat::Count:
      return 0;
    default:
      return 1;
  }
}

constexpr FormatInfo row(std::string_view name, BaseFormat base, ComponentType type, Storage storage, u8 bw, u8 bh,
                         u8 bytes, u8 c0, u8 c1, u8 c2, u8 c3, bool srgb) {
  return {name,
          base,
          type,
          storage,
          bw,
          bh,
          bytes,
          componentCount(base),
          channelBits(base, storage, c0, c1, c2, c3),
          srgb,
          storage == Storage::Block};
}

constexpr std::array<FormatInfo, countOf<Format>()> kFormats = {{
    {"None", BaseFormat::None, ComponentType::None, Storage::None, 1, 1, 0, 0, {}, false, false},
#define MGL_FORMAT(name, base, type, storage, bytes, c0, c1, c2, c3, srgb) \
  row(#name, BaseFormat::base, ComponentType::type, Storage::storage, 1, 1, bytes, c0, c1, c2, c3, srgb),
#define MGL_BLOCK(name, base, type, bw, bh, bytes, c0, c1, c2, c3, srgb) \
  row(#name, BaseFormat::base, ComponentType::type, Storage::Block, bw, bh, bytes, c0, c1, c2, c3, srgb),
#include "format/format_list.def"
}};

struct Twin {
  Format linear, srgb;
};

constexpr Twin kTwins[] = {
    {Format::RGB8, Format::SRGB8},
    {Format::RGBA8, Format::SRGB8_A8},
    {Format::L8, Format::SL8},
    {Format::LA8, Format::SLA8},
    {Format::BGRA8, Format::BGRA8_SRGB},
    {Format::BC1_RGB, Format::BC1_SRGB},
    {Format::BC1_RGBA, Format::BC1_SRGB_A},
    {Format::BC2_RGBA, Format::BC2_SRGB_A},
    {Format::BC3_RGBA, Format::BC3_SRGB_A},
    {Format::BC7_RGBA, Format::BC7_SRGB_A},
    {Format::ETC2_RGB8, Format::ETC2_SRGB8},
    {Format::ETC2_RGB8_A1, Format::ETC2_SRGB8_A1},
    {Format::ETC2_RGBA8, Format::ETC2_SRGB8_A8},
};

constexpr bool isAstc(Format f) { return f >= Format::ASTC_4x4 && f <= Format::ASTC_12x12_SRGB; }
constexpr u16 kAstcSizes = static_cast<u16>(Format::ASTC_4x4_SRGB) - static_cast<u16>(Format::ASTC_4x4);

}  // namespace

const FormatInfo& formatInfo(Format format) {
  const u32 i = indexOf(format);
  return kFormats[i < kFormats.size() ? i : 0];
}

Format linearFormat(Format format) {
  if (!formatInfo(format).srgb) return format;
  if (isAstc(format)) return static_cast<Format>(static_cast<u16>(format) - kAstcSizes);
  for (const Twin& t : kTwins)
    if (t.srgb == format) return t.linear;
  return format;
}

Format srgbFormat(Format format) {
  if (formatInfo(format).srgb) return format;
  if (isAstc(format)) return static_cast<Format>(static_cast<u16>(format) + kAstcSizes);
  for (const Twin& t : kTwins)
    if (t.linear == format) return t.srgb;
  return Format::None;
}

u64 rowBytes(Format format, u32 width) {
  const FormatInfo& f = formatInfo(format);
  return (u64{width} + f.blockWidth - 1) / f.blockWidth * f.blockBytes;
}

u64 rowCount(Format format, u32 height) {
  const FormatInfo& f = formatInfo(format);
  return (u64{height} + f.blockHeight - 1) / f.blockHeight;
}

u64 imageBytes(Format format, u32 width, u32 height) { return rowBytes(format, width) * rowCount(format, height); }

u64 boxBytes(Format format, u32 width, u32 height, u32 depth) { return imageBytes(format, width, height) * depth; }

}  // namespace mgl::format
