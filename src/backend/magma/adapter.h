// A physical device as Magma may use it: what it has, less what MOBILEGL_MAGMA_HOST_LIMIT hides. Constant after
// construction.
#pragma once

#include <string>
#include <vector>

#include "backend/magma/vk.h"

namespace mgl::magma {

// One bit per thing that has a fallback, or that caps depend on.
struct HostFeatures {
  bool dynamicRendering = false, timelineSemaphore = false, pushDescriptor = false;
  bool dynamicState1 = false, dynamicState2 = false, dynamicLogicOp = false, dynamicPatchPoints = false;
  bool vertexInputDynamic = false;
  // Extended dynamic state 3, bit by bit.
  bool dynamicDepthClamp = false, dynamicPolygonMode = false, dynamicSamples = false, dynamicSampleMask = false,
       dynamicAlphaToCoverage = false, dynamicAlphaToOne = false, dynamicLogicOpEnable = false,
       dynamicBlendEnable = false, dynamicBlendEquation = false, dynamicWriteMask = false,
       dynamicProvokingVertex = false, dynamicNegativeOneToOne = false, dynamicLineMode = false;
  bool depthClipControl = false, provokingVertex = false, lineRasterization = false, rectangularLines = false,
       bresenhamLines = false, smoothLines = false, customBorderColor = false, customBorderColorFormatless = false,
       indexTypeUint8 = false, nullDescriptor = false, listRestart = false, patchListRestart = false,
       nonSeamlessCube = false, primitivesGenerated = false, conditionalRendering = false, attributeDivisor = false,
       attributeZeroDivisor = false, multiDraw = false, mirrorClampToEdge = false, transformFeedback = false,
       geometryStreams = false, stencilExport = false, calibratedTimestamps = false, viewportIndexLayer = false,
       drawParameters = false, drawIndirectCount = false, depthClipEnable = false, imageFormatList = false,
       formats4444 = false, externalMemoryHost = false, image2dViewOf3d = false, demoteToHelper = false;
  bool hostSteps = true;  // a mechanism of our own (Engine::hostStep): hidden by that name, the apply thread waits
  bool renderPassCache = true;  // likewise (RenderPasses): hidden by that name, each pass makes its objects anew
  bool aspectCopies = true;     // vkCmdCopyImage keeps to the aspect that it was asked for
  VkPhysicalDeviceFeatures core{};
};

struct HostProperties {
  VkPhysicalDeviceProperties core{};
  VkPhysicalDeviceIDProperties ids{};
  VkPhysicalDeviceDriverPropertiesKHR driver{};  // names empty where the device does not say
  VkPhysicalDeviceTransformFeedbackPropertiesEXT transformFeedback{};
  VkPhysicalDeviceLineRasterizationPropertiesEXT lines{};
  VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT divisor{};
  VkPhysicalDeviceProvokingVertexPropertiesEXT provokingVertex{};
  VkPhysicalDevicePushDescriptorPropertiesKHR pushDescriptor{};
  VkPhysicalDeviceMultiDrawPropertiesEXT multiDraw{};
  VkPhysicalDeviceCustomBorderColorPropertiesEXT customBorderColor{};
};

class Adapter {
 public:
  Adapter(VkPhysicalDevice handle, const std::vector<std::string>& hostLimit);

  VkPhysicalDevice handle() const { return handle_; }
  const HostFeatures& features() const { return features_; }
  const HostProperties& properties() const { return properties_; }
  const VkPhysicalDeviceLimits& limits() const { return properties_.core.limits; }
  const VkPhysicalDeviceMemoryProperties& memory() const { return memory_; }
  VkFormatFeatureFlags formatFeatures(VkFormat format) const;  // optimal tiling
  VkFormatFeatureFlags bufferFeatures(VkFormat format) const;
  u32 queueFamily() const { return queueFamily_; }
  u32 timestampBits() const { return timestampBits_; }
  bool hidden(const char* name) const;

  // VK_NULL_HANDLE with `error` set when the device lacks what Magma cannot do without.
  VkDevice createDevice(std::string* error) const;

  // The memory type among `typeBits` with all of `required` and most of `preferred`; ~0 when there is none.
  u32 memoryType(u32 typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const;

 private:
  struct Chain;
  bool fillChain(Chain& chain) const;
  bool extension(const char* name);

  VkPhysicalDevice handle_;
  std::vector<std::string> hostLimit_;
  std::vector<std::string> available_;
  std::vector<const char*> enabled_;
  HostFeatures features_;
  HostProperties properties_;
  VkPhysicalDeviceMemoryProperties memory_{};
  u32 queueFamily_ = ~0u, timestampBits_ = 0;
};

}  // namespace mgl::magma
