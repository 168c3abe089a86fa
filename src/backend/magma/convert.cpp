#include "backend/magma/convert.h"

#include <bit>
#include <cmath>

#include "backend/vertex_convert.h"

namespace mgl::magma {

using pipe::TextureTarget;

VkImageType imageType(TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex1D:
    case TextureTarget::Tex1DArray:
      return VK_IMAGE_TYPE_1D;
    case TextureTarget::Tex3D:
      return VK_IMAGE_TYPE_3D;
    default:
      return VK_IMAGE_TYPE_2D;
  }
}

VkImageViewType viewType(TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex1D:
      return VK_IMAGE_VIEW_TYPE_1D;
    case TextureTarget::Tex1DArray:
      return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
    case TextureTarget::Tex3D:
      return VK_IMAGE_VIEW_TYPE_3D;
    case TextureTarget::Cube:
      return VK_IMAGE_VIEW_TYPE_CUBE;
    case TextureTarget::CubeArray:
      return VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
    case TextureTarget::Tex2DArray:
    case TextureTarget::Tex2DMultisampleArray:
      return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    default:
      return VK_IMAGE_VIEW_TYPE_2D;
  }
}

bool isCube(TextureTarget target) { return target == TextureTarget::Cube || target == TextureTarget::CubeArray; }

bool isArray(TextureTarget target) {
  return target == TextureTarget::Tex1DArray || target == TextureTarget::Tex2DArray ||
         target == TextureTarget::CubeArray || target == TextureTarget::Tex2DMultisampleArray;
}

// The pipe's compare, logic and stencil operations stand in Vulkan's order, but for the names below.
VkCompareOp compareOp(pipe::CompareOp op) {
  static_assert(indexOf(pipe::CompareOp::Always) == VK_COMPARE_OP_ALWAYS);
  static_assert(indexOf(pipe::CompareOp::NotEqual) == VK_COMPARE_OP_NOT_EQUAL);
  return static_cast<VkCompareOp>(op);
}

VkStencilOp stencilOp(pipe::StencilOp op) {
  static_assert(indexOf(pipe::StencilOp::Invert) == VK_STENCIL_OP_INVERT);
  static_assert(indexOf(pipe::StencilOp::DecrWrap) == VK_STENCIL_OP_DECREMENT_AND_WRAP);
  return static_cast<VkStencilOp>(op);
}

VkBlendFactor blendFactor(pipe::BlendFactor factor) {
  constexpr VkBlendFactor kFactors[] = {VK_BLEND_FACTOR_ZERO,
                                        VK_BLEND_FACTOR_ONE,
                                        VK_BLEND_FACTOR_SRC_COLOR,
                                        VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
                                        VK_BLEND_FACTOR_DST_COLOR,
                                        VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
                                        VK_BLEND_FACTOR_SRC_ALPHA,
                                        VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                        VK_BLEND_FACTOR_DST_ALPHA,
                                        VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
                                        VK_BLEND_FACTOR_CONSTANT_COLOR,
                                        VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR,
                                        VK_BLEND_FACTOR_CONSTANT_ALPHA,
                                        VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA,
                                        VK_BLEND_FACTOR_SRC_ALPHA_SATURATE,
                                        VK_BLEND_FACTOR_SRC1_COLOR,
                                        VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
                                        VK_BLEND_FACTOR_SRC1_ALPHA,
                                        VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA};
  static_assert(std::size(kFactors) == countOf<pipe::BlendFactor>());
  return kFactors[indexOf(factor)];
}

VkBlendOp blendOp(pipe::BlendOp op) {
  static_assert(indexOf(pipe::BlendOp::Max) == VK_BLEND_OP_MAX);
  return op <= pipe::BlendOp::Max ? static_cast<VkBlendOp>(op) : VK_BLEND_OP_ADD;
}

VkLogicOp logicOp(pipe::LogicOp op) {
  constexpr VkLogicOp kOps[] = {
      VK_LOGIC_OP_CLEAR,         VK_LOGIC_OP_AND,         VK_LOGIC_OP_AND_REVERSE, VK_LOGIC_OP_COPY,
      VK_LOGIC_OP_AND_INVERTED,  VK_LOGIC_OP_NO_OP,       VK_LOGIC_OP_XOR,         VK_LOGIC_OP_OR,
      VK_LOGIC_OP_NOR,           VK_LOGIC_OP_EQUIVALENT,  VK_LOGIC_OP_INVERT,      VK_LOGIC_OP_OR_REVERSE,
      VK_LOGIC_OP_COPY_INVERTED, VK_LOGIC_OP_OR_INVERTED, VK_LOGIC_OP_NAND,        VK_LOGIC_OP_SET};
  static_assert(std::size(kOps) == countOf<pipe::LogicOp>());
  return kOps[indexOf(op)];
}

VkCullModeFlags cullMode(pipe::CullMode mode) {
  static_assert(indexOf(pipe::CullMode::FrontAndBack) == VK_CULL_MODE_FRONT_AND_BACK);
  return static_cast<VkCullModeFlags>(mode);
}

VkPolygonMode polygonMode(pipe::PolygonMode mode) {
  static_assert(indexOf(pipe::PolygonMode::Point) == VK_POLYGON_MODE_POINT);
  return static_cast<VkPolygonMode>(mode);
}

VkFilter filter(pipe::Filter value) { return value == pipe::Filter::Linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST; }

VkComponentSwizzle swizzle(pipe::Swizzle value) {
  constexpr VkComponentSwizzle kSwizzles[] = {VK_COMPONENT_SWIZZLE_R,    VK_COMPONENT_SWIZZLE_G,
                                              VK_COMPONENT_SWIZZLE_B,    VK_COMPONENT_SWIZZLE_A,
                                              VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ONE};
  return kSwizzles[indexOf(value)];
}

VkShaderStageFlagBits stageBit(pipe::Stage stage) {
  constexpr VkShaderStageFlagBits kStages[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                               VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                               VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                               VK_SHADER_STAGE_GEOMETRY_BIT,
                                               VK_SHADER_STAGE_FRAGMENT_BIT,
                                               VK_SHADER_STAGE_COMPUTE_BIT};
  return kStages[indexOf(stage)];
}

VkSampleCountFlagBits sampleCount(u32 samples) {
  return static_cast<VkSampleCountFlagBits>(samples <= 1 ? 1u : std::bit_ceil(samples));
}

VkComponentMapping composeSwizzle(const HostFormat& format, const std::array<pipe::Swizzle, 4>& wanted) {
  VkComponentSwizzle out[4];
  for (u32 i = 0; i < 4; ++i) {
    out[i] = swizzle(wanted[i]);
    if (wanted[i] > pipe::Swizzle::Alpha) continue;
    const u32 component = indexOf(wanted[i]);
    const VkComponentSwizzle own = format.swizzle[component];
    out[i] = own == VK_COMPONENT_SWIZZLE_IDENTITY ? swizzle(wanted[i]) : own;
    if (out[i] == static_cast<VkComponentSwizzle>(VK_COMPONENT_SWIZZLE_R + i)) out[i] = VK_COMPONENT_SWIZZLE_IDENTITY;
  }
  return {out[0], out[1], out[2], out[3]};
}

namespace {

// By components 1..4; undefined where Vulkan has no such format.
using Four = VkFormat[4];
constexpr VkFormat kNone = VK_FORMAT_UNDEFINED;

struct VertexRow {
  Four plain;       // integers for Int and Uint, floats for Float
  Four normalized;  // Float class, normalised
  Four scaled;      // Float class, not normalised
};
constexpr VertexRow kVertexRows[] = {
    {{VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, VK_FORMAT_R8G8B8_SINT, VK_FORMAT_R8G8B8A8_SINT},
     {VK_FORMAT_R8_SNORM, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8_SNORM, VK_FORMAT_R8G8B8A8_SNORM},
     {VK_FORMAT_R8_SSCALED, VK_FORMAT_R8G8_SSCALED, VK_FORMAT_R8G8B8_SSCALED, VK_FORMAT_R8G8B8A8_SSCALED}},
    {{VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8_UINT, VK_FORMAT_R8G8B8A8_UINT},
     {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_R8G8B8A8_UNORM},
     {VK_FORMAT_R8_USCALED, VK_FORMAT_R8G8_USCALED, VK_FORMAT_R8G8B8_USCALED, VK_FORMAT_R8G8B8A8_USCALED}},
    {{VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R16G16B16_SINT, VK_FORMAT_R16G16B16A16_SINT},
     {VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_SNORM, VK_FORMAT_R16G16B16_SNORM, VK_FORMAT_R16G16B16A16_SNORM},
     {VK_FORMAT_R16_SSCALED, VK_FORMAT_R16G16_SSCALED, VK_FORMAT_R16G16B16_SSCALED, VK_FORMAT_R16G16B16A16_SSCALED}},
    {{VK_FORMAT_R16_UINT, VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16B16_UINT, VK_FORMAT_R16G16B16A16_UINT},
     {VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16B16_UNORM, VK_FORMAT_R16G16B16A16_UNORM},
     {VK_FORMAT_R16_USCALED, VK_FORMAT_R16G16_USCALED, VK_FORMAT_R16G16B16_USCALED, VK_FORMAT_R16G16B16A16_USCALED}},
    {{VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R32G32B32A32_SINT},
     {kNone, kNone, kNone, kNone},
     {kNone, kNone, kNone, kNone}},
    {{VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32A32_UINT},
     {kNone, kNone, kNone, kNone},
     {kNone, kNone, kNone, kNone}},
    {{VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT},
     {kNone, kNone, kNone, kNone},
     {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT}},
    {{VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT},
     {kNone, kNone, kNone, kNone},
     {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}},
};

}  // namespace

VkFormat vertexFormat(const pipe::VertexAttrib& attrib) {
  using pipe::VertexType;
  switch (attrib.type) {
    case VertexType::Double:
      return VK_FORMAT_UNDEFINED;
    case VertexType::Fixed:
      return VK_FORMAT_UNDEFINED;
    case VertexType::Int2101010Rev:
      if (attrib.bgra)
        return attrib.normalized ? VK_FORMAT_A2R10G10B10_SNORM_PACK32 : VK_FORMAT_A2R10G10B10_SSCALED_PACK32;
      return attrib.normalized ? VK_FORMAT_A2B10G10R10_SNORM_PACK32 : VK_FORMAT_A2B10G10R10_SSCALED_PACK32;
    case VertexType::UInt2101010Rev:
      if (attrib.bgra)
        return attrib.normalized ? VK_FORMAT_A2R10G10B10_UNORM_PACK32 : VK_FORMAT_A2R10G10B10_USCALED_PACK32;
      return attrib.normalized ? VK_FORMAT_A2B10G10R10_UNORM_PACK32 : VK_FORMAT_A2B10G10R10_USCALED_PACK32;
    case VertexType::UInt10F11F11FRev:
      return VK_FORMAT_B10G11R11_UFLOAT_PACK32;
    default:
      break;
  }
  if (attrib.bgra) return attrib.type == VertexType::UByte ? VK_FORMAT_B8G8R8A8_UNORM : VK_FORMAT_UNDEFINED;
  const VertexRow& row = kVertexRows[indexOf(attrib.type)];
  const u32 at = attrib.components - 1u;
  if (attrib.cls != pipe::AttribClass::Float) return row.plain[at];
  const bool isFloat = attrib.type == VertexType::Half || attrib.type == VertexType::Float;
  return attrib.normalized && !isFloat ? row.normalized[at] : row.scaled[at];
}

VkFormat convertedFormat(const pipe::VertexAttrib& attrib) {
  constexpr VkFormat kFloats[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT,
                                  VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT};
  constexpr VkFormat kInts[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT,
                                VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R32G32B32A32_SINT};
  constexpr VkFormat kUints[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT,
                                 VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32A32_UINT};
  const u32 components = backend::convertedComponents(attrib);
  if (attrib.cls == pipe::AttribClass::Int) return kInts[components];
  return attrib.cls == pipe::AttribClass::Uint ? kUints[components] : kFloats[components];
}

f32 encodeSrgb(f32 linear) {
  if (!(linear > 0.0f)) return 0.0f;
  if (linear >= 1.0f) return 1.0f;
  return linear < 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

f32 decodeSrgb(f32 encoded) {
  if (!(encoded > 0.0f)) return 0.0f;
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

}  // namespace mgl::magma
