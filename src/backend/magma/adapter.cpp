#include "backend/magma/adapter.h"

#include <algorithm>
#include <bit>

namespace mgl::magma {

// Every feature structure that may be asked for; linked only when its extension is enabled.
struct Adapter::Chain {
  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, nullptr, {}};
  VkPhysicalDeviceShaderDrawParametersFeatures drawParameters{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, nullptr, VK_FALSE};
#define MGL_CHAIN(X)                                                                                                   \
  X(dynamicRendering, VkPhysicalDeviceDynamicRenderingFeaturesKHR,                                                     \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES_KHR, VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME)         \
  X(timeline, VkPhysicalDeviceTimelineSemaphoreFeaturesKHR,                                                            \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES_KHR, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME)       \
  X(dynamicState1, VkPhysicalDeviceExtendedDynamicStateFeaturesEXT,                                                    \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT,                                             \
    VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME)                                                                      \
  X(dynamicState2, VkPhysicalDeviceExtendedDynamicState2FeaturesEXT,                                                   \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,                                           \
    VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME)                                                                    \
  X(dynamicState3, VkPhysicalDeviceExtendedDynamicState3FeaturesEXT,                                                   \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,                                           \
    VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME)                                                                    \
  X(vertexInput, VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT,                                                   \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,                                         \
    VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME)                                                                  \
  X(depthClipControl, VkPhysicalDeviceDepthClipControlFeaturesEXT,                                                     \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT, VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME)       \
  X(depthClipEnable, VkPhysicalDeviceDepthClipEnableFeaturesEXT,                                                       \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT, VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME)         \
  X(provokingVertex, VkPhysicalDeviceProvokingVertexFeaturesEXT,                                                       \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT, VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME)           \
  X(lines, VkPhysicalDeviceLineRasterizationFeaturesEXT,                                                               \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME)       \
  X(customBorder, VkPhysicalDeviceCustomBorderColorFeaturesEXT,                                                        \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME)     \
  X(indexUint8, VkPhysicalDeviceIndexTypeUint8FeaturesEXT,                                                             \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT, VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME)           \
  X(robustness2, VkPhysicalDeviceRobustness2FeaturesEXT, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,  \
    VK_EXT_ROBUSTNESS_2_EXTENSION_NAME)                                                                                \
  X(listRestart, VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT,                                              \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,                                    \
    VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME)                                                             \
  X(nonSeamless, VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT,                                                        \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT, VK_EXT_NON_SEAMLESS_CUBE_MAP_EXTENSION_NAME) \
  X(primitivesGenerated, VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT,                                          \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,                                         \
    VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME)                                                                  \
  X(conditional, VkPhysicalDeviceConditionalRenderingFeaturesEXT,                                                      \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME) \
  X(divisor, VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT,                                                        \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,                                           \
    VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME)                                                                    \
  X(multiDraw, VkPhysicalDeviceMultiDrawFeaturesEXT, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,        \
    VK_EXT_MULTI_DRAW_EXTENSION_NAME)                                                                                  \
  X(transformFeedback, VkPhysicalDeviceTransformFeedbackFeaturesEXT,                                                   \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME)       \
  X(image2dOf3d, VkPhysicalDeviceImage2DViewOf3DFeaturesEXT,                                                           \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT, VK_EXT_IMAGE_2D_VIEW_OF_3D_EXTENSION_NAME)     \
  X(demote, VkPhysicalDeviceShaderDemoteToHelperInvocationFeaturesEXT,                                                 \
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES_EXT,                                 \
    VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME)
#define MGL_MEMBER(name, type, stype, ext) type name{};
  MGL_CHAIN(MGL_MEMBER)
#undef MGL_MEMBER
};

bool Adapter::hidden(const char* name) const {
  return std::find(hostLimit_.begin(), hostLimit_.end(), name) != hostLimit_.end();
}

// True when it may be used, and then it is enabled.
bool Adapter::extension(const char* name) {
  if (hidden(name) || std::find(available_.begin(), available_.end(), name) == available_.end()) return false;
  enabled_.push_back(name);
  return true;
}

bool Adapter::fillChain(Chain& chain) const {
  const auto enabled = [this](const char* name) {
    return std::any_of(enabled_.begin(), enabled_.end(), [name](const char* e) { return std::string_view(e) == name; });
  };
  chain.drawParameters.pNext = chain.core.pNext;
  chain.core.pNext = &chain.drawParameters;
#define MGL_LINK(name, type, stype, ext) \
  if (enabled(ext)) {                    \
    chain.name.sType = stype;            \
    chain.name.pNext = chain.core.pNext; \
    chain.core.pNext = &chain.name;      \
  }
  MGL_CHAIN(MGL_LINK)
#undef MGL_LINK
  return true;
}

Adapter::Adapter(VkPhysicalDevice handle, const std::vector<std::string>& hostLimit)
    : handle_(handle), hostLimit_(hostLimit) {
  u32 extensionCount = 0;
  vkEnumerateDeviceExtensionProperties(handle, nullptr, &extensionCount, nullptr);
  std::vector<VkExtensionProperties> extensions(extensionCount);
  vkEnumerateDeviceExtensionProperties(handle, nullptr, &extensionCount, extensions.data());
  for (const VkExtensionProperties& row : extensions) available_.emplace_back(row.extensionName);

#define MGL_ENABLE(name, type, stype, ext) extension(ext);
  MGL_CHAIN(MGL_ENABLE)
#undef MGL_ENABLE
  const bool depthStencilResolve = extension(VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME);
  const bool renderPass2 = extension(VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME);
  const bool hasDriver = extension(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
  features_.pushDescriptor = extension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  features_.mirrorClampToEdge = extension(VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME);
  features_.stencilExport = extension(VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME);
  features_.calibratedTimestamps = extension(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  features_.viewportIndexLayer = extension(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME);
  features_.drawIndirectCount = extension(VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME);
  features_.imageFormatList = extension(VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME);
  features_.externalMemoryHost = extension(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);

  Chain chain;
  fillChain(chain);
  vkGetPhysicalDeviceFeatures2(handle, &chain.core);
  HostFeatures& f = features_;
  f.core = chain.core.features;
  f.drawParameters = chain.drawParameters.shaderDrawParameters && !hidden("shaderDrawParameters");
  f.dynamicRendering = chain.dynamicRendering.dynamicRendering && depthStencilResolve && renderPass2;
  f.timelineSemaphore = chain.timeline.timelineSemaphore;
  f.dynamicState1 = chain.dynamicState1.extendedDynamicState;
  f.dynamicState2 = chain.dynamicState2.extendedDynamicState2;
  f.dynamicLogicOp = chain.dynamicState2.extendedDynamicState2LogicOp;
  f.dynamicPatchPoints = chain.dynamicState2.extendedDynamicState2PatchControlPoints;
  f.vertexInputDynamic = chain.vertexInput.vertexInputDynamicState;
  f.depthClipControl = chain.depthClipControl.depthClipControl;
  f.depthClipEnable = chain.depthClipEnable.depthClipEnable;
  f.provokingVertex = chain.provokingVertex.provokingVertexLast;
  f.rectangularLines = chain.lines.rectangularLines;
  f.bresenhamLines = chain.lines.bresenhamLines;
  f.smoothLines = chain.lines.smoothLines;
  f.lineRasterization = f.rectangularLines || f.bresenhamLines || f.smoothLines;
  f.customBorderColor = chain.customBorder.customBorderColors;
  f.customBorderColorFormatless = chain.customBorder.customBorderColorWithoutFormat;
  f.indexTypeUint8 = chain.indexUint8.indexTypeUint8;
  f.nullDescriptor = chain.robustness2.nullDescriptor;
  f.listRestart = chain.listRestart.primitiveTopologyListRestart;
  f.patchListRestart = chain.listRestart.primitiveTopologyPatchListRestart;
  f.nonSeamlessCube = chain.nonSeamless.nonSeamlessCubeMap;
  f.primitivesGenerated = chain.primitivesGenerated.primitivesGeneratedQuery;
  f.conditionalRendering = chain.conditional.conditionalRendering;
  f.attributeDivisor = chain.divisor.vertexAttributeInstanceRateDivisor;
  f.attributeZeroDivisor = chain.divisor.vertexAttributeInstanceRateZeroDivisor;
  f.multiDraw = chain.multiDraw.multiDraw;
  f.transformFeedback = chain.transformFeedback.transformFeedback;
  f.geometryStreams = chain.transformFeedback.geometryStreams;
  f.image2dViewOf3d = chain.image2dOf3d.image2DViewOf3D;
  f.demoteToHelper = chain.demote.shaderDemoteToHelperInvocation;
  const auto& three = chain.dynamicState3;
  f.dynamicDepthClamp = three.extendedDynamicState3DepthClampEnable;
  f.dynamicPolygonMode = three.extendedDynamicState3PolygonMode;
  f.dynamicSamples = three.extendedDynamicState3RasterizationSamples;
  f.dynamicSampleMask = three.extendedDynamicState3SampleMask;
  f.dynamicAlphaToCoverage = three.extendedDynamicState3AlphaToCoverageEnable;
  f.dynamicAlphaToOne = three.extendedDynamicState3AlphaToOneEnable;
  f.dynamicLogicOpEnable = three.extendedDynamicState3LogicOpEnable;
  f.dynamicBlendEnable = three.extendedDynamicState3ColorBlendEnable;
  f.dynamicBlendEquation = three.extendedDynamicState3ColorBlendEquation;
  f.dynamicWriteMask = three.extendedDynamicState3ColorWriteMask;
  f.dynamicProvokingVertex = three.extendedDynamicState3ProvokingVertexMode;
  f.dynamicNegativeOneToOne = three.extendedDynamicState3DepthClipNegativeOneToOne;
  f.dynamicLineMode = three.extendedDynamicState3LineRasterizationMode;

  // Hidden by the feature's own name.
#define MGL_HIDE(flag, name) \
  if (hidden(name)) f.flag = false
  MGL_HIDE(dynamicDepthClamp, "extendedDynamicState3DepthClampEnable");
  MGL_HIDE(dynamicPolygonMode, "extendedDynamicState3PolygonMode");
  MGL_HIDE(dynamicBlendEnable, "extendedDynamicState3ColorBlendEnable");
  MGL_HIDE(dynamicBlendEquation, "extendedDynamicState3ColorBlendEquation");
  MGL_HIDE(dynamicWriteMask, "extendedDynamicState3ColorWriteMask");
  // Mechanisms of our own: each has a control in tests/controls.
#define MGL_MECHANISM(flag) MGL_HIDE(flag, #flag)
  MGL_MECHANISM(hostSteps);
  MGL_MECHANISM(renderPassCache);
#undef MGL_MECHANISM
  MGL_HIDE(nullDescriptor, "nullDescriptor");
  MGL_HIDE(customBorderColorFormatless, "customBorderColorWithoutFormat");
  MGL_HIDE(core.logicOp, "logicOp");
  MGL_HIDE(core.wideLines, "wideLines");
  MGL_HIDE(core.largePoints, "largePoints");
  MGL_HIDE(core.fillModeNonSolid, "fillModeNonSolid");
  MGL_HIDE(core.depthClamp, "depthClamp");
  MGL_HIDE(core.dualSrcBlend, "dualSrcBlend");
  MGL_HIDE(core.independentBlend, "independentBlend");
  MGL_HIDE(core.samplerAnisotropy, "samplerAnisotropy");
  MGL_HIDE(core.geometryShader, "geometryShader");
  MGL_HIDE(core.tessellationShader, "tessellationShader");
  MGL_HIDE(core.occlusionQueryPrecise, "occlusionQueryPrecise");
  MGL_HIDE(core.fullDrawIndexUint32, "fullDrawIndexUint32");
  MGL_HIDE(core.shaderFloat64, "shaderFloat64");
  MGL_HIDE(core.multiViewport, "multiViewport");
  MGL_HIDE(core.imageCubeArray, "imageCubeArray");
  MGL_HIDE(core.sampleRateShading, "sampleRateShading");
#undef MGL_HIDE
  // The three blend states of a target go together: with one of them static all are.
  if (!f.dynamicBlendEnable || !f.dynamicBlendEquation || !f.dynamicWriteMask) {
    f.dynamicBlendEnable = f.dynamicBlendEquation = f.dynamicWriteMask = false;
  }

  HostProperties& p = properties_;
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, nullptr, {}};
  const auto link = [&properties](auto& part, VkStructureType type, bool on) {
    if (!on) return;
    part.sType = type;
    part.pNext = properties.pNext;
    properties.pNext = &part;
  };
  link(p.driver, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES_KHR, hasDriver);
  link(p.ids, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, true);
  link(p.transformFeedback, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT, f.transformFeedback);
  link(p.lines, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT, f.lineRasterization);
  link(p.divisor, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT, f.attributeDivisor);
  link(p.provokingVertex, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT, f.provokingVertex);
  link(p.pushDescriptor, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR, f.pushDescriptor);
  link(p.multiDraw, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT, f.multiDraw);
  link(p.customBorderColor, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT, f.customBorderColor);
  vkGetPhysicalDeviceProperties2(handle, &properties);
  p.core = properties.properties;
  // lavapipe before Mesa 23 forgets that its blend state changed when a logic op is set by command: the first one
  // stays.
  const bool oldLavapipe =
      p.driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE && VK_VERSION_MAJOR(p.core.driverVersion) < 23;
  if (oldLavapipe) f.dynamicLogicOp = false;
  // And it copies both aspects of a depth-stencil image when one is asked for.
  f.aspectCopies = !oldLavapipe;
  vkGetPhysicalDeviceMemoryProperties(handle, &memory_);

  u32 familyCount = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(handle, &familyCount, nullptr);
  std::vector<VkQueueFamilyProperties> families(familyCount);
  vkGetPhysicalDeviceQueueFamilyProperties(handle, &familyCount, families.data());
  for (u32 i = 0; i < familyCount && queueFamily_ == ~0u; ++i) {
    constexpr VkQueueFlags kWanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    if ((families[i].queueFlags & kWanted) == kWanted) {
      queueFamily_ = i;
      timestampBits_ = families[i].timestampValidBits;
    }
  }
}

VkFormatFeatureFlags Adapter::formatFeatures(VkFormat format) const {
  VkFormatProperties properties{};
  vkGetPhysicalDeviceFormatProperties(handle_, format, &properties);
  return properties.optimalTilingFeatures;
}

VkFormatFeatureFlags Adapter::bufferFeatures(VkFormat format) const {
  VkFormatProperties properties{};
  vkGetPhysicalDeviceFormatProperties(handle_, format, &properties);
  return properties.bufferFeatures;
}

u32 Adapter::memoryType(u32 typeBits, VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred) const {
  u32 best = ~0u;
  int bestScore = -1;
  for (u32 i = 0; i < memory_.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = memory_.memoryTypes[i].propertyFlags;
    if (((typeBits >> i) & 1) == 0 || (flags & required) != required) continue;
    if ((flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)) != 0) continue;
    const int score = std::popcount(flags & preferred);
    if (score > bestScore) {
      best = i;
      bestScore = score;
    }
  }
  return best;
}

VkDevice Adapter::createDevice(std::string* error) const {
  const std::string name = properties_.core.deviceName;
  if (properties_.core.apiVersion < VK_API_VERSION_1_1) {
    *error = name + ": its driver offers less than Vulkan 1.1; a newer driver is needed";
    return VK_NULL_HANDLE;
  }
  if (queueFamily_ == ~0u) {
    *error = name + ": it has no queue for both graphics and compute; choose another device with MOBILEGL_DEVICE";
    return VK_NULL_HANDLE;
  }
  Chain chain;
  fillChain(chain);
  vkGetPhysicalDeviceFeatures2(handle_, &chain.core);
  chain.core.features = features_.core;
  chain.core.features.sparseBinding = VK_FALSE;
  chain.drawParameters.shaderDrawParameters = features_.drawParameters;
  chain.robustness2.robustBufferAccess2 = VK_FALSE;
  chain.robustness2.robustImageAccess2 = VK_FALSE;
  chain.robustness2.nullDescriptor = features_.nullDescriptor;
  const f32 priority = 1.0f;
  const VkDeviceQueueCreateInfo queue{
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, queueFamily_, 1, &priority};
  const VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &chain.core,     0,      1, &queue, 0, nullptr,
                                static_cast<u32>(enabled_.size()),    enabled_.data(), nullptr};
  VkDevice device = VK_NULL_HANDLE;
  const VkResult result = vkCreateDevice(handle_, &info, nullptr, &device);
  if (result != VK_SUCCESS) *error = name + ": the device cannot be opened (" + resultName(result) + ")";
  return result == VK_SUCCESS ? device : VK_NULL_HANDLE;
}

}  // namespace mgl::magma
