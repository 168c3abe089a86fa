// The one place that knows both vocabularies: the pipe's enums and Vulkan's. Pure; any thread.
#pragma once

#include "backend/magma/adapter.h"
#include "pipe/caps.h"
#include "pipe/payloads_object.h"

namespace mgl::magma {

// How an image of a pipe format is held on this device.
struct HostFormat {
  VkFormat image = VK_FORMAT_UNDEFINED;  // of the image, never sRGB; undefined: not to be had
  VkFormat srgb = VK_FORMAT_UNDEFINED;   // the view that decodes and encodes, for sRGB formats
  // The format whose memory layout the image's texels have in copies (of a depth-stencil image: its depth).
  format::Format stored = format::Format::None;
  bool sameMemory = true;  // the pipe format's own memory is already so
  bool opaque = false;     // alpha is not the format's: it is 1 in memory and writes leave it alone
  std::array<VkComponentSwizzle, 4> swizzle{VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
                                            VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY};
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  VkFormatFeatureFlags features = 0;
  bool ok() const { return image != VK_FORMAT_UNDEFINED; }
};

// The table for one device; constant after construction.
class FormatTable {
 public:
  explicit FormatTable(const Adapter& adapter);
  const HostFormat& operator[](format::Format format) const { return rows_[indexOf(format)]; }

 private:
  std::array<HostFormat, countOf<format::Format>()> rows_{};
};

// A texel-buffer view's format; undefined where there is none.
VkFormat texelBufferFormat(format::Format format);

VkImageType imageType(pipe::TextureTarget target);
VkImageViewType viewType(pipe::TextureTarget target);
bool isCube(pipe::TextureTarget target);
bool isArray(pipe::TextureTarget target);

VkCompareOp compareOp(pipe::CompareOp op);
VkStencilOp stencilOp(pipe::StencilOp op);
VkBlendFactor blendFactor(pipe::BlendFactor factor);
VkBlendOp blendOp(pipe::BlendOp op);
VkLogicOp logicOp(pipe::LogicOp op);
VkCullModeFlags cullMode(pipe::CullMode mode);
VkPolygonMode polygonMode(pipe::PolygonMode mode);
VkFilter filter(pipe::Filter filter);
VkComponentSwizzle swizzle(pipe::Swizzle swizzle);
VkShaderStageFlagBits stageBit(pipe::Stage stage);
VkSampleCountFlagBits sampleCount(u32 samples);  // 0 and 1: one

// The texture's swizzle applied after the format's own.
VkComponentMapping composeSwizzle(const HostFormat& format, const std::array<pipe::Swizzle, 4>& swizzle);

// undefined: no vertex format of Vulkan has this memory layout and reading.
VkFormat vertexFormat(const pipe::VertexAttrib& attrib);
// Of what backend::convertAttributes writes; undefined when the attribute cannot be converted.
VkFormat convertedFormat(const pipe::VertexAttrib& attrib);

// One component, of 0..1.
f32 encodeSrgb(f32 linear);
f32 decodeSrgb(f32 encoded);

// The caps of a session on this device.
pipe::Caps makeCaps(const Adapter& adapter, const FormatTable& formats);

}  // namespace mgl::magma
