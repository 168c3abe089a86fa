// What each pipe format is held as: candidates in the order of preference, the first that the device takes.
#include "backend/magma/convert.h"

namespace mgl::magma {

using format::BaseFormat;
using format::Format;

namespace {

struct Candidate {
  VkFormat image;
  Format stored;  // None: the pipe format itself
};
struct Row {
  Format format;
  Candidate candidates[3];
};

constexpr VkFormat U = VK_FORMAT_UNDEFINED;
constexpr Format kSelf = Format::None;

// Linear formats only: an sRGB format is held as its linear one and viewed.
constexpr Row kRows[] = {
    {Format::R8, {{VK_FORMAT_R8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R16, {{VK_FORMAT_R16_UNORM, kSelf}, {VK_FORMAT_R32_SFLOAT, Format::R32F}, {U, kSelf}}},
    {Format::RG8, {{VK_FORMAT_R8G8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG16, {{VK_FORMAT_R16G16_UNORM, kSelf}, {VK_FORMAT_R32G32_SFLOAT, Format::RG32F}, {U, kSelf}}},
    {Format::R3_G3_B2, {{VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB4, {{VK_FORMAT_R4G4B4A4_UNORM_PACK16, kSelf}, {VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}}},
    {Format::RGB5, {{VK_FORMAT_R5G5B5A1_UNORM_PACK16, kSelf}, {VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}}},
    {Format::RGB565, {{VK_FORMAT_R5G6B5_UNORM_PACK16, kSelf}, {VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}}},
    {Format::RGB8, {{VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB10,
     {{VK_FORMAT_A2B10G10R10_UNORM_PACK32, kSelf}, {VK_FORMAT_R16G16B16A16_UNORM, Format::RGBA16}, {U, kSelf}}},
    {Format::RGB12,
     {{VK_FORMAT_R16G16B16A16_UNORM, Format::RGBA16}, {VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F}, {U, kSelf}}},
    {Format::RGB16,
     {{VK_FORMAT_R16G16B16A16_UNORM, Format::RGBA16}, {VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F}, {U, kSelf}}},
    {Format::RGBA2, {{VK_FORMAT_R4G4B4A4_UNORM_PACK16, kSelf}, {VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}}},
    {Format::RGBA4, {{VK_FORMAT_R4G4B4A4_UNORM_PACK16, kSelf}, {VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}}},
    {Format::RGB5_A1,
     {{VK_FORMAT_R5G5B5A1_UNORM_PACK16, kSelf}, {VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}}},
    {Format::RGBA8, {{VK_FORMAT_R8G8B8A8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB10_A2, {{VK_FORMAT_A2B10G10R10_UNORM_PACK32, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA12,
     {{VK_FORMAT_R16G16B16A16_UNORM, Format::RGBA16}, {VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F}, {U, kSelf}}},
    {Format::RGBA16,
     {{VK_FORMAT_R16G16B16A16_UNORM, kSelf}, {VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F}, {U, kSelf}}},
    {Format::R8_SNORM, {{VK_FORMAT_R8_SNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R16_SNORM, {{VK_FORMAT_R16_SNORM, kSelf}, {VK_FORMAT_R32_SFLOAT, Format::R32F}, {U, kSelf}}},
    {Format::RG8_SNORM, {{VK_FORMAT_R8G8_SNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG16_SNORM, {{VK_FORMAT_R16G16_SNORM, kSelf}, {VK_FORMAT_R32G32_SFLOAT, Format::RG32F}, {U, kSelf}}},
    {Format::RGB8_SNORM, {{VK_FORMAT_R8G8B8A8_SNORM, Format::RGBA8_SNORM}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB16_SNORM,
     {{VK_FORMAT_R16G16B16A16_SNORM, Format::RGBA16_SNORM},
      {VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F},
      {U, kSelf}}},
    {Format::RGBA8_SNORM, {{VK_FORMAT_R8G8B8A8_SNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA16_SNORM,
     {{VK_FORMAT_R16G16B16A16_SNORM, kSelf}, {VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F}, {U, kSelf}}},
    {Format::R16F, {{VK_FORMAT_R16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG16F, {{VK_FORMAT_R16G16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB16F, {{VK_FORMAT_R16G16B16A16_SFLOAT, Format::RGBA16F}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA16F, {{VK_FORMAT_R16G16B16A16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R32F, {{VK_FORMAT_R32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG32F, {{VK_FORMAT_R32G32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB32F, {{VK_FORMAT_R32G32B32A32_SFLOAT, Format::RGBA32F}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA32F, {{VK_FORMAT_R32G32B32A32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R11F_G11F_B10F,
     {{VK_FORMAT_B10G11R11_UFLOAT_PACK32, kSelf}, {VK_FORMAT_R16G16B16A16_SFLOAT, Format::RGBA16F}, {U, kSelf}}},
    {Format::RGB9_E5,
     {{VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, kSelf}, {VK_FORMAT_R16G16B16A16_SFLOAT, Format::RGBA16F}, {U, kSelf}}},
    {Format::R8I, {{VK_FORMAT_R8_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R8UI, {{VK_FORMAT_R8_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R16I, {{VK_FORMAT_R16_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R16UI, {{VK_FORMAT_R16_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R32I, {{VK_FORMAT_R32_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::R32UI, {{VK_FORMAT_R32_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG8I, {{VK_FORMAT_R8G8_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG8UI, {{VK_FORMAT_R8G8_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG16I, {{VK_FORMAT_R16G16_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG16UI, {{VK_FORMAT_R16G16_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG32I, {{VK_FORMAT_R32G32_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RG32UI, {{VK_FORMAT_R32G32_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB8I, {{VK_FORMAT_R8G8B8A8_SINT, Format::RGBA8I}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB8UI, {{VK_FORMAT_R8G8B8A8_UINT, Format::RGBA8UI}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB16I, {{VK_FORMAT_R16G16B16A16_SINT, Format::RGBA16I}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB16UI, {{VK_FORMAT_R16G16B16A16_UINT, Format::RGBA16UI}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB32I, {{VK_FORMAT_R32G32B32A32_SINT, Format::RGBA32I}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB32UI, {{VK_FORMAT_R32G32B32A32_UINT, Format::RGBA32UI}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA8I, {{VK_FORMAT_R8G8B8A8_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA8UI, {{VK_FORMAT_R8G8B8A8_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA16I, {{VK_FORMAT_R16G16B16A16_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA16UI, {{VK_FORMAT_R16G16B16A16_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA32I, {{VK_FORMAT_R32G32B32A32_SINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGBA32UI, {{VK_FORMAT_R32G32B32A32_UINT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::RGB10_A2UI,
     {{VK_FORMAT_A2B10G10R10_UINT_PACK32, kSelf}, {VK_FORMAT_R16G16B16A16_UINT, Format::RGBA16UI}, {U, kSelf}}},
    {Format::D16, {{VK_FORMAT_D16_UNORM, Format::D16}, {VK_FORMAT_D32_SFLOAT, Format::D32F}, {U, kSelf}}},
    {Format::D24, {{VK_FORMAT_X8_D24_UNORM_PACK32, Format::D24}, {VK_FORMAT_D32_SFLOAT, Format::D32F}, {U, kSelf}}},
    {Format::D32, {{VK_FORMAT_D32_SFLOAT, Format::D32F}, {U, kSelf}, {U, kSelf}}},
    {Format::D32F, {{VK_FORMAT_D32_SFLOAT, Format::D32F}, {U, kSelf}, {U, kSelf}}},
    {Format::D24_S8,
     {{VK_FORMAT_D24_UNORM_S8_UINT, Format::D24}, {VK_FORMAT_D32_SFLOAT_S8_UINT, Format::D32F}, {U, kSelf}}},
    {Format::D32F_S8, {{VK_FORMAT_D32_SFLOAT_S8_UINT, Format::D32F}, {U, kSelf}, {U, kSelf}}},
    {Format::S8,
     {{VK_FORMAT_S8_UINT, Format::S8},
      {VK_FORMAT_D24_UNORM_S8_UINT, Format::D24},
      {VK_FORMAT_D32_SFLOAT_S8_UINT, Format::D32F}}},
    {Format::A8, {{VK_FORMAT_R8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::A16, {{VK_FORMAT_R16_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::A16F, {{VK_FORMAT_R16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::A32F, {{VK_FORMAT_R32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::L8, {{VK_FORMAT_R8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::L16, {{VK_FORMAT_R16_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::L16F, {{VK_FORMAT_R16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::L32F, {{VK_FORMAT_R32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::LA8, {{VK_FORMAT_R8G8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::LA16, {{VK_FORMAT_R16G16_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::LA16F, {{VK_FORMAT_R16G16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::LA32F, {{VK_FORMAT_R32G32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::I8, {{VK_FORMAT_R8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::I16, {{VK_FORMAT_R16_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::I16F, {{VK_FORMAT_R16_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::I32F, {{VK_FORMAT_R32_SFLOAT, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BGRA8, {{VK_FORMAT_B8G8R8A8_UNORM, kSelf}, {U, kSelf}, {U, kSelf}}},
    // SL8 and SLA8 have no linear twin of their own with an sRGB view everywhere: four components serve.
    {Format::SL8, {{VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}, {U, kSelf}}},
    {Format::SLA8, {{VK_FORMAT_R8G8B8A8_UNORM, Format::RGBA8}, {U, kSelf}, {U, kSelf}}},
    {Format::BC1_RGB, {{VK_FORMAT_BC1_RGB_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC1_RGBA, {{VK_FORMAT_BC1_RGBA_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC2_RGBA, {{VK_FORMAT_BC2_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC3_RGBA, {{VK_FORMAT_BC3_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC4_R, {{VK_FORMAT_BC4_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC4_R_SNORM, {{VK_FORMAT_BC4_SNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC5_RG, {{VK_FORMAT_BC5_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC5_RG_SNORM, {{VK_FORMAT_BC5_SNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC6H_RGB_SF, {{VK_FORMAT_BC6H_SFLOAT_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC6H_RGB_UF, {{VK_FORMAT_BC6H_UFLOAT_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::BC7_RGBA, {{VK_FORMAT_BC7_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::ETC2_RGB8, {{VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::ETC2_RGB8_A1, {{VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::ETC2_RGBA8, {{VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::EAC_R11, {{VK_FORMAT_EAC_R11_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::EAC_R11_SNORM, {{VK_FORMAT_EAC_R11_SNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::EAC_RG11, {{VK_FORMAT_EAC_R11G11_UNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
    {Format::EAC_RG11_SNORM, {{VK_FORMAT_EAC_R11G11_SNORM_BLOCK, kSelf}, {U, kSelf}, {U, kSelf}}},
};

VkFormat srgbOf(VkFormat linear) {
  switch (linear) {
    case VK_FORMAT_R8G8B8A8_UNORM:
      return VK_FORMAT_R8G8B8A8_SRGB;
    case VK_FORMAT_B8G8R8A8_UNORM:
      return VK_FORMAT_B8G8R8A8_SRGB;
    case VK_FORMAT_BC1_RGB_UNORM_BLOCK:
      return VK_FORMAT_BC1_RGB_SRGB_BLOCK;
    case VK_FORMAT_BC1_RGBA_UNORM_BLOCK:
      return VK_FORMAT_BC1_RGBA_SRGB_BLOCK;
    case VK_FORMAT_BC2_UNORM_BLOCK:
      return VK_FORMAT_BC2_SRGB_BLOCK;
    case VK_FORMAT_BC3_UNORM_BLOCK:
      return VK_FORMAT_BC3_SRGB_BLOCK;
    case VK_FORMAT_BC7_UNORM_BLOCK:
      return VK_FORMAT_BC7_SRGB_BLOCK;
    case VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK:
      return VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK;
    case VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK:
      return VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK;
    case VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK:
      return VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK;
    default:
      return VK_FORMAT_UNDEFINED;
  }
}

// ASTC formats stand in the same order on both sides, UNORM and SRGB taking turns in Vulkan's.
bool astcRow(Format f, Row* row) {
  if (f < Format::ASTC_4x4 || f > Format::ASTC_12x12) return false;
  const u32 at = indexOf(f) - indexOf(Format::ASTC_4x4);
  *row = {f, {{static_cast<VkFormat>(VK_FORMAT_ASTC_4x4_UNORM_BLOCK + 2 * at), kSelf}, {U, kSelf}, {U, kSelf}}};
  return true;
}

VkFormatFeatureFlags needed(const format::FormatInfo& info, Format f) {
  if (info.isDepthOrStencil()) return VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkFormatFeatureFlags flags = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
  // What GL requires to be renderable must be.
  const bool unorm = info.type == format::ComponentType::Unorm;
  if (!info.compressed && f != Format::RGB9_E5 && info.base <= BaseFormat::RGBA &&
      info.type != format::ComponentType::Snorm) {
    flags |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
    if (unorm) flags |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  }
  return flags;
}

void setSwizzle(HostFormat& host, BaseFormat base, bool fourComponents) {
  constexpr VkComponentSwizzle R = VK_COMPONENT_SWIZZLE_R, G = VK_COMPONENT_SWIZZLE_G, A = VK_COMPONENT_SWIZZLE_A;
  constexpr VkComponentSwizzle kZero = VK_COMPONENT_SWIZZLE_ZERO, kOne = VK_COMPONENT_SWIZZLE_ONE;
  switch (base) {
    case BaseFormat::Alpha:
      host.swizzle = {kZero, kZero, kZero, R};
      break;
    case BaseFormat::Luminance:
      host.swizzle = {R, R, R, kOne};
      break;
    case BaseFormat::LuminanceAlpha:
      host.swizzle = {R, R, R, fourComponents ? A : G};
      break;
    case BaseFormat::Intensity:
      host.swizzle = {R, R, R, R};
      break;
    case BaseFormat::RGB:
      if (host.opaque) host.swizzle[3] = kOne;
      break;
    case BaseFormat::Depth:
    case BaseFormat::DepthStencil:
    case BaseFormat::Stencil:
      // Sampled as a red texture.
      host.swizzle = {R, kZero, kZero, kOne};
      break;
    default:
      break;
  }
}

bool hostHasAlpha(VkFormat image) {
  return image != VK_FORMAT_R5G6B5_UNORM_PACK16 && image != VK_FORMAT_B10G11R11_UFLOAT_PACK32 &&
         image != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
}

}  // namespace

FormatTable::FormatTable(const Adapter& adapter) {
  for (u32 i = 1; i < countOf<Format>(); ++i) {
    const auto f = static_cast<Format>(i);
    const format::FormatInfo& info = format::formatInfo(f);
    const bool ownSrgb = f == Format::SL8 || f == Format::SLA8;
    const Format linear = ownSrgb ? f : format::linearFormat(f);
    Row row{};
    bool found = astcRow(linear, &row);
    for (const Row& candidate : kRows) {
      if (!found && candidate.format == linear) {
        row = candidate;
        found = true;
      }
    }
    if (!found) continue;
    HostFormat& host = rows_[i];
    for (const Candidate& candidate : row.candidates) {
      if (candidate.image == VK_FORMAT_UNDEFINED) continue;
      const VkFormatFeatureFlags features = adapter.formatFeatures(candidate.image);
      const VkFormatFeatureFlags need = needed(info, f);
      if ((features & need) != need) continue;
      host.image = candidate.image;
      host.stored = candidate.stored == kSelf ? linear : candidate.stored;
      host.sameMemory = candidate.stored == kSelf;
      host.features = features;
      if (info.srgb) {
        host.srgb = srgbOf(candidate.image);
        host.features &= adapter.formatFeatures(host.srgb);
        if (host.srgb == VK_FORMAT_UNDEFINED || host.features == 0) host = HostFormat{};
      }
      break;
    }
    if (!host.ok()) continue;
    host.opaque = info.base == BaseFormat::RGB && !info.compressed && hostHasAlpha(host.image);
    if (info.isDepthOrStencil()) {
      host.aspects = (host.image == VK_FORMAT_S8_UINT ? 0u : VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT}) |
                     (host.image == VK_FORMAT_S8_UINT || host.image == VK_FORMAT_D24_UNORM_S8_UINT ||
                              host.image == VK_FORMAT_D32_SFLOAT_S8_UINT
                          ? VkImageAspectFlags{VK_IMAGE_ASPECT_STENCIL_BIT}
                          : 0u);
      host.sameMemory = host.stored == f && f != Format::D24;
    }
    setSwizzle(host, info.base, ownSrgb);
  }
}

VkFormat texelBufferFormat(Format f) {
  for (const Row& row : kRows) {
    if (row.format == f && row.candidates[0].stored == kSelf) return row.candidates[0].image;
  }
  if (f == Format::RGB32F) return VK_FORMAT_R32G32B32_SFLOAT;
  if (f == Format::RGB32I) return VK_FORMAT_R32G32B32_SINT;
  if (f == Format::RGB32UI) return VK_FORMAT_R32G32B32_UINT;
  return VK_FORMAT_UNDEFINED;
}

}  // namespace mgl::magma
