// Pixel formats of textures and renderbuffers, as both sides of the pipe name them. No GL or host enum in here: the
// frontend and each backend convert at their own door.
#pragma once

#include <string_view>

#include "base/types.h"

namespace mgl::format {

// Dense; the values travel on the pipe (rows are appended, never moved, after the first release of the wire).
enum class Format : u16 {
  None = 0,
#define MGL_FORMAT(name, ...) name,
#define MGL_BLOCK(name, ...) name,
#include "format/format_list.def"
  Count
};

enum class BaseFormat : u8 {
  None,
  Red,
  RG,
  RGB,
  RGBA,
  Alpha,
  Luminance,
  LuminanceAlpha,
  Intensity,
  Depth,
  DepthStencil,
  Stencil,
  Count
};

// How a component's bits are read (OpenGL 4.6, 2.3.4-2.3.5). Of DepthStencil it is the depth's; stencil is Uint.
enum class ComponentType : u8 { None, Unorm, Snorm, Uint, Sint, Float, Count };

// How a texel lies in memory, little endian. U8…F32: an array of components in the order of the base format. P…: one
// word of the like-named GL type, the first component in the high bits, or in the low bits for Rev. A format that uses
// fewer components than its word keeps the spare bits set (RGB4, RGB5, RGB10: alpha 1) or zero (D24: low 8 bits).
enum class Storage : u8 {
  None,
  U8,
  U16,
  U32,
  I8,
  I16,
  I32,
  F16,
  F32,
  U8Bgra,
  P332,
  P565,
  P4444,
  P5551,
  P2101010Rev,
  P10F11F11FRev,
  P5999Rev,
  P248,         // depth in the high 24 bits, stencil in the low 8
  PF32_248Rev,  // a float depth, then a word whose low 8 bits are stencil
  Block,
  Count
};

// Bits held per component; 0 where the format has none.
struct ChannelBits {
  u8 red, green, blue, alpha, luminance, intensity, depth, stencil, shared;
};

struct FormatInfo {
  std::string_view name;
  BaseFormat base;
  ComponentType type;
  Storage storage;
  u8 blockWidth, blockHeight;  // 1 x 1 unless compressed
  u8 blockBytes;               // bytes of a texel, or of a block
  u8 components;               // components of the base format: 1..4; DepthStencil has 2
  ChannelBits bits;
  bool srgb;
  bool compressed;

  // Integer colour: texels are read by isampler and usampler only. False for stencil.
  constexpr bool isInteger() const {
    return base <= BaseFormat::Intensity && (type == ComponentType::Uint || type == ComponentType::Sint);
  }
  constexpr bool isDepth() const { return base == BaseFormat::Depth || base == BaseFormat::DepthStencil; }
  constexpr bool isStencil() const { return base == BaseFormat::Stencil || base == BaseFormat::DepthStencil; }
  constexpr bool isDepthOrStencil() const { return isDepth() || isStencil(); }
  constexpr bool isColor() const { return base >= BaseFormat::Red && base <= BaseFormat::Intensity; }
  constexpr bool isFloat() const { return type == ComponentType::Float; }
  constexpr bool hasAlpha() const { return bits.alpha != 0; }
};

// The row of a format; that of None (all zero, name "None") for a value out of range. Any thread.
const FormatInfo& formatInfo(Format format);

constexpr bool isValid(Format format) { return format > Format::None && format < Format::Count; }

// The format whose texels have the same bits and are read linearly (the format itself when it is linear) / as sRGB
// (None when there is none).
Format linearFormat(Format format);
Format srgbFormat(Format format);

// Tight sizes in bytes of a row of blocks, of one 2D image and of a box. Partial blocks count whole (8.7).
u64 rowBytes(Format format, u32 width);
u64 rowCount(Format format, u32 height);  // rows of blocks
u64 imageBytes(Format format, u32 width, u32 height);
u64 boxBytes(Format format, u32 width, u32 height, u32 depth);

}  // namespace mgl::format
