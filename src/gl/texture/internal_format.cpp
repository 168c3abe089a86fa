#include "gl/texture/internal_format.h"

#include <algorithm>
#include <bit>

#include "format/format.h"

namespace mgl::gl {
namespace {

using F = pipe::Format;
constexpr u16 S = InternalFormat::Sized, C = InternalFormat::CompatOnly, B = InternalFormat::Buffer,
              G = InternalFormat::GenericCompressed, I = InternalFormat::Image, R = InternalFormat::RequiredRender;

constexpr auto kUnsorted = std::to_array<InternalFormat>({
    // Base formats: the driver chooses the resolution
    {GL_RED, GL_RED, R, {F::R8}},
    {GL_RG, GL_RG, R, {F::RG8}},
    {GL_RGB, GL_RGB, R, {F::RGB8}},
    {GL_RGBA, GL_RGBA, R, {F::RGBA8}},
    {GL_SRGB, GL_RGB, 0, {F::SRGB8}},
    {GL_SRGB_ALPHA, GL_RGBA, R, {F::SRGB8_A8}},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, 0, {F::D24, F::D32F, F::D16}},
    {GL_DEPTH_STENCIL, GL_DEPTH_STENCIL, 0, {F::D24_S8, F::D32F_S8}},
    {GL_STENCIL_INDEX, GL_STENCIL_INDEX, 0, {F::S8}},
    // Normalised
    {GL_R8, GL_RED, S | B | I | R, {F::R8}},
    {GL_R16, GL_RED, S | B | I | R, {F::R16}},
    {GL_RG8, GL_RG, S | B | I | R, {F::RG8}},
    {GL_RG16, GL_RG, S | B | I | R, {F::RG16}},
    {GL_R3_G3_B2, GL_RGB, S, {F::R3_G3_B2}},
    {GL_RGB4, GL_RGB, S, {F::RGB4}},
    {GL_RGB5, GL_RGB, S, {F::RGB5}},
    {GL_RGB565, GL_RGB, S | R, {F::RGB565}},
    {GL_RGB8, GL_RGB, S | R, {F::RGB8}},
    {GL_RGB10, GL_RGB, S, {F::RGB10}},
    {GL_RGB12, GL_RGB, S, {F::RGB12}},
    {GL_RGB16, GL_RGB, S, {F::RGB16}},
    {GL_RGBA2, GL_RGBA, S, {F::RGBA2}},
    {GL_RGBA4, GL_RGBA, S | R, {F::RGBA4}},
    {GL_RGB5_A1, GL_RGBA, S | R, {F::RGB5_A1}},
    {GL_RGBA8, GL_RGBA, S | B | I | R, {F::RGBA8}},
    {GL_RGB10_A2, GL_RGBA, S | I | R, {F::RGB10_A2}},
    {GL_RGBA12, GL_RGBA, S, {F::RGBA12}},
    {GL_RGBA16, GL_RGBA, S | B | I | R, {F::RGBA16}},
    {GL_SRGB8, GL_RGB, S, {F::SRGB8}},
    {GL_SRGB8_ALPHA8, GL_RGBA, S | R, {F::SRGB8_A8}},
    {GL_R8_SNORM, GL_RED, S | I, {F::R8_SNORM}},
    {GL_R16_SNORM, GL_RED, S | I, {F::R16_SNORM}},
    {GL_RG8_SNORM, GL_RG, S | I, {F::RG8_SNORM}},
    {GL_RG16_SNORM, GL_RG, S | I, {F::RG16_SNORM}},
    {GL_RGB8_SNORM, GL_RGB, S, {F::RGB8_SNORM}},
    {GL_RGB16_SNORM, GL_RGB, S, {F::RGB16_SNORM}},
    {GL_RGBA8_SNORM, GL_RGBA, S | I, {F::RGBA8_SNORM}},
    {GL_RGBA16_SNORM, GL_RGBA, S | I, {F::RGBA16_SNORM}},
    // Floating point
    {GL_R16F, GL_RED, S | B | I | R, {F::R16F}},
    {GL_RG16F, GL_RG, S | B | I | R, {F::RG16F}},
    {GL_RGB16F, GL_RGB, S, {F::RGB16F}},
    {GL_RGBA16F, GL_RGBA, S | B | I | R, {F::RGBA16F}},
    {GL_R32F, GL_RED, S | B | I | R, {F::R32F}},
    {GL_RG32F, GL_RG, S | B | I | R, {F::RG32F}},
    {GL_RGB32F, GL_RGB, S | B, {F::RGB32F}},
    {GL_RGBA32F, GL_RGBA, S | B | I | R, {F::RGBA32F}},
    {GL_R11F_G11F_B10F, GL_RGB, S | I | R, {F::R11F_G11F_B10F}},
    {GL_RGB9_E5, GL_RGB, S, {F::RGB9_E5}},
    // Integer
    {GL_R8I, GL_RED, S | B | I | R, {F::R8I}},
    {GL_R8UI, GL_RED, S | B | I | R, {F::R8UI}},
    {GL_R16I, GL_RED, S | B | I | R, {F::R16I}},
    {GL_R16UI, GL_RED, S | B | I | R, {F::R16UI}},
    {GL_R32I, GL_RED, S | B | I | R, {F::R32I}},
    {GL_R32UI, GL_RED, S | B | I | R, {F::R32UI}},
    {GL_RG8I, GL_RG, S | B | I | R, {F::RG8I}},
    {GL_RG8UI, GL_RG, S | B | I | R, {F::RG8UI}},
    {GL_RG16I, GL_RG, S | B | I | R, {F::RG16I}},
    {GL_RG16UI, GL_RG, S | B | I | R, {F::RG16UI}},
    {GL_RG32I, GL_RG, S | B | I | R, {F::RG32I}},
    {GL_RG32UI, GL_RG, S | B | I | R, {F::RG32UI}},
    {GL_RGB8I, GL_RGB, S, {F::RGB8I}},
    {GL_RGB8UI, GL_RGB, S, {F::RGB8UI}},
    {GL_RGB16I, GL_RGB, S, {F::RGB16I}},
    {GL_RGB16UI, GL_RGB, S, {F::RGB16UI}},
    {GL_RGB32I, GL_RGB, S | B, {F::RGB32I}},
    {GL_RGB32UI, GL_RGB, S | B, {F::RGB32UI}},
    {GL_RGBA8I, GL_RGBA, S | B | I | R, {F::RGBA8I}},
    {GL_RGBA8UI, GL_RGBA, S | B | I | R, {F::RGBA8UI}},
    {GL_RGBA16I, GL_RGBA, S | B | I | R, {F::RGBA16I}},
    {GL_RGBA16UI, GL_RGBA, S | B | I | R, {F::RGBA16UI}},
    {GL_RGBA32I, GL_RGBA, S | B | I | R, {F::RGBA32I}},
    {GL_RGBA32UI, GL_RGBA, S | B | I | R, {F::RGBA32UI}},
    {GL_RGB10_A2UI, GL_RGBA, S | I | R, {F::RGB10_A2UI}},
    // Depth and stencil. The next one never has less resolution.
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, S, {F::D16, F::D24, F::D32F}},
    {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, S, {F::D24, F::D32, F::D32F}},
    {GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT, S, {F::D32, F::D32F, F::D24}},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, S, {F::D32F}},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, S, {F::D24_S8, F::D32F_S8}},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, S, {F::D32F_S8}},
    {GL_STENCIL_INDEX1, GL_STENCIL_INDEX, S, {F::S8}},
    {GL_STENCIL_INDEX4, GL_STENCIL_INDEX, S, {F::S8}},
    {GL_STENCIL_INDEX8, GL_STENCIL_INDEX, S, {F::S8}},
    {GL_STENCIL_INDEX16, GL_STENCIL_INDEX, S, {F::S8}},
    // Compatibility
    {GL_ALPHA, GL_ALPHA, C, {F::A8}},
    {GL_ALPHA4, GL_ALPHA, C | S, {F::A8}},
    {GL_ALPHA8, GL_ALPHA, C | S | B, {F::A8}},
    {GL_ALPHA12, GL_ALPHA, C | S, {F::A16}},
    {GL_ALPHA16, GL_ALPHA, C | S | B, {F::A16}},
    {GL_ALPHA16F_ARB, GL_ALPHA, C | S | B, {F::A16F}},
    {GL_ALPHA32F_ARB, GL_ALPHA, C | S | B, {F::A32F}},
    {1, GL_LUMINANCE, C, {F::L8}},
    {2, GL_LUMINANCE_ALPHA, C, {F::LA8}},
    {3, GL_RGB, C, {F::RGB8}},
    {4, GL_RGBA, C, {F::RGBA8}},
    {GL_LUMINANCE, GL_LUMINANCE, C, {F::L8}},
    {GL_LUMINANCE4, GL_LUMINANCE, C | S, {F::L8}},
    {GL_LUMINANCE8, GL_LUMINANCE, C | S | B, {F::L8}},
    {GL_LUMINANCE12, GL_LUMINANCE, C | S, {F::L16}},
    {GL_LUMINANCE16, GL_LUMINANCE, C | S | B, {F::L16}},
    {GL_LUMINANCE16F_ARB, GL_LUMINANCE, C | S | B, {F::L16F}},
    {GL_LUMINANCE32F_ARB, GL_LUMINANCE, C | S | B, {F::L32F}},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, C, {F::LA8}},
    {GL_LUMINANCE4_ALPHA4, GL_LUMINANCE_ALPHA, C | S, {F::LA8}},
    {GL_LUMINANCE6_ALPHA2, GL_LUMINANCE_ALPHA, C | S, {F::LA8}},
    {GL_LUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, C | S | B, {F::LA8}},
    {GL_LUMINANCE12_ALPHA4, GL_LUMINANCE_ALPHA, C | S, {F::LA16}},
    {GL_LUMINANCE12_ALPHA12, GL_LUMINANCE_ALPHA, C | S, {F::LA16}},
    {GL_LUMINANCE16_ALPHA16, GL_LUMINANCE_ALPHA, C | S | B, {F::LA16}},
    {GL_LUMINANCE_ALPHA16F_ARB, GL_LUMINANCE_ALPHA, C | S | B, {F::LA16F}},
    {GL_LUMINANCE_ALPHA32F_ARB, GL_LUMINANCE_ALPHA, C | S | B, {F::LA32F}},
    {GL_SLUMINANCE, GL_LUMINANCE, C, {F::SL8}},
    {GL_SLUMINANCE8, GL_LUMINANCE, C | S, {F::SL8}},
    {GL_SLUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, C, {F::SLA8}},
    {GL_SLUMINANCE8_ALPHA8, GL_LUMINANCE_ALPHA, C | S, {F::SLA8}},
    {GL_INTENSITY, GL_INTENSITY, C, {F::I8}},
    {GL_INTENSITY4, GL_INTENSITY, C | S, {F::I8}},
    {GL_INTENSITY8, GL_INTENSITY, C | S | B, {F::I8}},
    {GL_INTENSITY12, GL_INTENSITY, C | S, {F::I16}},
    {GL_INTENSITY16, GL_INTENSITY, C | S | B, {F::I16}},
    {GL_INTENSITY16F_ARB, GL_INTENSITY, C | S | B, {F::I16F}},
    {GL_INTENSITY32F_ARB, GL_INTENSITY, C | S | B, {F::I32F}},
    // Generic compressed: nothing is compressed on the way in, so they are their base formats.
    {GL_COMPRESSED_RED, GL_RED, G, {F::R8}},
    {GL_COMPRESSED_RG, GL_RG, G, {F::RG8}},
    {GL_COMPRESSED_RGB, GL_RGB, G, {F::RGB8}},
    {GL_COMPRESSED_RGBA, GL_RGBA, G, {F::RGBA8}},
    {GL_COMPRESSED_SRGB, GL_RGB, G, {F::SRGB8}},
    {GL_COMPRESSED_SRGB_ALPHA, GL_RGBA, G, {F::SRGB8_A8}},
    {GL_COMPRESSED_ALPHA, GL_ALPHA, C | G, {F::A8}},
    {GL_COMPRESSED_LUMINANCE, GL_LUMINANCE, C | G, {F::L8}},
    {GL_COMPRESSED_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, C | G, {F::LA8}},
    {GL_COMPRESSED_INTENSITY, GL_INTENSITY, C | G, {F::I8}},
    {GL_COMPRESSED_SLUMINANCE, GL_LUMINANCE, C | G, {F::SL8}},
    {GL_COMPRESSED_SLUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, C | G, {F::SLA8}},
    // Compressed
    {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_RGB, S, {F::BC1_RGB}},
    {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_RGBA, S, {F::BC1_RGBA}},
    {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_RGBA, S, {F::BC2_RGBA}},
    {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA, S, {F::BC3_RGBA}},
    {GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, GL_RGB, S, {F::BC1_SRGB}},
    {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, GL_RGBA, S, {F::BC1_SRGB_A}},
    {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, GL_RGBA, S, {F::BC2_SRGB_A}},
    {GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, GL_RGBA, S, {F::BC3_SRGB_A}},
    {GL_COMPRESSED_RED_RGTC1, GL_RED, S, {F::BC4_R}},
    {GL_COMPRESSED_SIGNED_RED_RGTC1, GL_RED, S, {F::BC4_R_SNORM}},
    {GL_COMPRESSED_RG_RGTC2, GL_RG, S, {F::BC5_RG}},
    {GL_COMPRESSED_SIGNED_RG_RGTC2, GL_RG, S, {F::BC5_RG_SNORM}},
    {GL_COMPRESSED_RGBA_BPTC_UNORM, GL_RGBA, S, {F::BC7_RGBA}},
    {GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, GL_RGBA, S, {F::BC7_SRGB_A}},
    {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, GL_RGB, S, {F::BC6H_RGB_SF}},
    {GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, GL_RGB, S, {F::BC6H_RGB_UF}},
    {GL_COMPRESSED_RGB8_ETC2, GL_RGB, S, {F::ETC2_RGB8}},
    {GL_COMPRESSED_SRGB8_ETC2, GL_RGB, S, {F::ETC2_SRGB8}},
    {GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA, S, {F::ETC2_RGB8_A1}},
    {GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_RGBA, S, {F::ETC2_SRGB8_A1}},
    {GL_COMPRESSED_RGBA8_ETC2_EAC, GL_RGBA, S, {F::ETC2_RGBA8}},
    {GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, GL_RGBA, S, {F::ETC2_SRGB8_A8}},
    {GL_COMPRESSED_R11_EAC, GL_RED, S, {F::EAC_R11}},
    {GL_COMPRESSED_SIGNED_R11_EAC, GL_RED, S, {F::EAC_R11_SNORM}},
    {GL_COMPRESSED_RG11_EAC, GL_RG, S, {F::EAC_RG11}},
    {GL_COMPRESSED_SIGNED_RG11_EAC, GL_RG, S, {F::EAC_RG11_SNORM}},
#define MGL_ASTC(size)                                                               \
  {GL_COMPRESSED_RGBA_ASTC_##size##_KHR, GL_RGBA, S, {F::ASTC_##size}},              \
      {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_##size##_KHR, GL_RGBA, S, {F::ASTC_##size##_SRGB}}
    MGL_ASTC(4x4), MGL_ASTC(5x4), MGL_ASTC(5x5), MGL_ASTC(6x5), MGL_ASTC(6x6), MGL_ASTC(8x5), MGL_ASTC(8x6),
    MGL_ASTC(8x8), MGL_ASTC(10x5), MGL_ASTC(10x6), MGL_ASTC(10x8), MGL_ASTC(10x10), MGL_ASTC(12x10), MGL_ASTC(12x12),
#undef MGL_ASTC
});

constexpr auto kSorted = [] {
  auto rows = kUnsorted;
  std::sort(rows.begin(), rows.end(), [](const InternalFormat& a, const InternalFormat& b) { return a.gl < b.gl; });
  return rows;
}();

pipe::Format firstWith(const pipe::Caps& caps, const InternalFormat& row, u16 uses) {
  for (const pipe::Format format : row.formats)
    if (format != F::None && caps.can(format, uses)) return format;
  return F::None;
}

}  // namespace

bool InternalFormat::isCompressed() const {
  return is(GenericCompressed) || format::formatInfo(formats[0]).compressed;
}

const InternalFormat* findInternalFormat(GLenum internalFormat) {
  const auto it = std::lower_bound(kSorted.begin(), kSorted.end(), internalFormat,
                                   [](const InternalFormat& row, GLenum token) { return row.gl < token; });
  return it != kSorted.end() && it->gl == internalFormat ? &*it : nullptr;
}

GLenum sizedToken(pipe::Format format) {
  for (const InternalFormat& row : kUnsorted)
    if (row.is(InternalFormat::Sized) && row.formats[0] == format) return row.gl;
  return GL_NONE;
}

std::span<const InternalFormat> internalFormats() { return kSorted; }

pipe::Format textureFormat(const pipe::Caps& caps, const InternalFormat& row) {
  if (row.base == GL_DEPTH_COMPONENT || row.base == GL_DEPTH_STENCIL || row.base == GL_STENCIL_INDEX) {
    // One that can be both rendered to and sampled, before one that can do half.
    if (const pipe::Format both = firstWith(caps, row, pipe::kUseSample | pipe::kUseDepthStencil); both != F::None)
      return both;
    return firstWith(caps, row, pipe::kUseDepthStencil);
  }
  return firstWith(caps, row, pipe::kUseSample);
}

pipe::Format renderFormat(const pipe::Caps& caps, const InternalFormat& row) {
  const bool depthStencil =
      row.base == GL_DEPTH_COMPONENT || row.base == GL_DEPTH_STENCIL || row.base == GL_STENCIL_INDEX;
  return firstWith(caps, row, depthStencil ? pipe::kUseDepthStencil : pipe::kUseRender);
}

bool isColorRenderable(const pipe::Caps& caps, pipe::Format format) {
  return format::formatInfo(format).isColor() && caps.can(format, pipe::kUseRender);
}

bool isDepthStencilRenderable(const pipe::Caps& caps, pipe::Format format) {
  return format::formatInfo(format).isDepthOrStencil() && caps.can(format, pipe::kUseDepthStencil);
}

u32 chooseSamples(const pipe::Caps& caps, pipe::Format format, u32 wanted) {
  const u32 counts = caps.formatSamples[indexOf(format)];
  // One sample of a multisample image is a case that hosts treat as none: prefer two.
  for (u32 bit = 1; bit < 7; ++bit)
    if ((counts & (1u << bit)) != 0 && (1u << bit) >= wanted) return 1u << bit;
  return wanted <= 1 && (counts & 1) != 0 ? 1 : 0;
}

u32 maxSamples(const pipe::Caps& caps, pipe::Format format) {
  const u32 counts = caps.formatSamples[indexOf(format)];
  return counts == 0 ? 0 : 1u << (static_cast<u32>(std::bit_width(counts)) - 1);
}

GLenum viewClass(pipe::Format format) {
  const format::FormatInfo& info = format::formatInfo(format);
  switch (format) {
    case F::BC1_RGB:
    case F::BC1_SRGB: return GL_VIEW_CLASS_S3TC_DXT1_RGB;
    case F::BC1_RGBA:
    case F::BC1_SRGB_A: return GL_VIEW_CLASS_S3TC_DXT1_RGBA;
    case F::BC2_RGBA:
    case F::BC2_SRGB_A: return GL_VIEW_CLASS_S3TC_DXT3_RGBA;
    case F::BC3_RGBA:
    case F::BC3_SRGB_A: return GL_VIEW_CLASS_S3TC_DXT5_RGBA;
    case F::BC4_R:
    case F::BC4_R_SNORM: return GL_VIEW_CLASS_RGTC1_RED;
    case F::BC5_RG:
    case F::BC5_RG_SNORM: return GL_VIEW_CLASS_RGTC2_RG;
    case F::BC7_RGBA:
    case F::BC7_SRGB_A: return GL_VIEW_CLASS_BPTC_UNORM;
    case F::BC6H_RGB_SF:
    case F::BC6H_RGB_UF: return GL_VIEW_CLASS_BPTC_FLOAT;
    default: break;
  }
  if (info.compressed || !info.isColor()) return GL_NONE;
  if (info.base != format::BaseFormat::Red && info.base != format::BaseFormat::RG &&
      info.base != format::BaseFormat::RGB && info.base != format::BaseFormat::RGBA)
    return GL_NONE;
  // The packed formats of the table are of the 32-bit class; those of fewer bits are in none.
  switch (format) {
    case F::R3_G3_B2:
    case F::RGB4:
    case F::RGB5:
    case F::RGB565:
    case F::RGB10:
    case F::RGB12:
    case F::RGBA2:
    case F::RGBA4:
    case F::RGB5_A1:
    case F::RGBA12: return GL_NONE;
    default: break;
  }
  switch (info.blockBytes) {
    case 1: return GL_VIEW_CLASS_8_BITS;
    case 2: return GL_VIEW_CLASS_16_BITS;
    case 3: return GL_VIEW_CLASS_24_BITS;
    case 4: return GL_VIEW_CLASS_32_BITS;
    case 6: return GL_VIEW_CLASS_48_BITS;
    case 8: return GL_VIEW_CLASS_64_BITS;
    case 12: return GL_VIEW_CLASS_96_BITS;
    case 16: return GL_VIEW_CLASS_128_BITS;
    default: return GL_NONE;
  }
}

}  // namespace mgl::gl
