// What the client may know of the device.
#include <algorithm>
#include <bit>
#include <cstdio>

#include "backend/magma/convert.h"

namespace mgl::magma {

namespace {

using pipe::Feature;

void fillFormats(pipe::Caps& caps, const Adapter& adapter, const FormatTable& formats) {
  for (u32 i = 1; i < countOf<format::Format>(); ++i) {
    const auto f = static_cast<format::Format>(i);
    const format::FormatInfo& info = format::formatInfo(f);
    const HostFormat& host = formats[f];
    u16 uses = 0;
    const auto add = [&uses, &host](VkFormatFeatureFlags feature, u16 use) {
      if ((host.features & feature) != 0) uses |= use;
    };
    if (host.ok()) {
      add(VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, pipe::kUseSample);
      add(VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT, pipe::kUseFilter);
      // A swizzled store cannot be drawn to: output components would land in the wrong places.
      if (info.base <= format::BaseFormat::RGBA) {
        add(VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, pipe::kUseRender);
        add(VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT, pipe::kUseBlend);
        if (host.sameMemory && !info.srgb) {
          add(VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT, pipe::kUseStorage);
          add(VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT, pipe::kUseStorageAtomic);
        }
      }
      add(VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT, pipe::kUseDepthStencil);
      uses |= pipe::kUseCopy;
    }
    const VkFormat texel = texelBufferFormat(f);
    if (texel != VK_FORMAT_UNDEFINED && !info.isDepthOrStencil() && !info.compressed && !info.srgb &&
        (adapter.bufferFeatures(texel) & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) != 0) {
      uses |= pipe::kUseTexelBuffer;
    }
    caps.formatUses[i] = uses;
    if (!host.ok()) continue;
    caps.formatSamples[i] = 1;
    if (info.compressed || (uses & (pipe::kUseRender | pipe::kUseDepthStencil)) == 0) continue;
    VkImageFormatProperties properties{};
    const VkImageUsageFlags usage =
        VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
        (info.isDepthOrStencil() ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    if (vkGetPhysicalDeviceImageFormatProperties(adapter.handle(), host.image, VK_IMAGE_TYPE_2D,
                                                 VK_IMAGE_TILING_OPTIMAL, usage, 0, &properties) == VK_SUCCESS) {
      for (u32 bit = 0; bit < 7; ++bit) {
        if ((properties.sampleCounts & (1u << bit)) != 0) caps.formatSamples[i] |= 1u << bit;
      }
    }
  }
}

u32 largest(VkSampleCountFlags counts) { return counts == 0 ? 1 : std::bit_floor(counts & 0x7fu); }

void fillLimits(pipe::Caps& caps, const Adapter& adapter) {
  const VkPhysicalDeviceLimits& d = adapter.limits();
  const HostFeatures& f = adapter.features();
  pipe::Limits& l = caps.limits;
  const auto cap = [](u64 value, u64 most) { return static_cast<i64>(std::min(value, most)); };
  l.maxTextureSize = cap(std::min(d.maxImageDimension1D, d.maxImageDimension2D), pipe::kMaxTextureSize);
  // A level chain longer than the pipe's records hold cannot be told.
  l.maxTextureSize = std::min<i64>(l.maxTextureSize, i64{1} << (pipe::kMaxTextureLevels - 1));
  l.max3dTextureSize = cap(d.maxImageDimension3D, pipe::kMaxTextureSize);
  l.maxCubeSize = std::min<i64>(cap(d.maxImageDimensionCube, pipe::kMaxTextureSize), l.maxTextureSize);
  l.maxArrayLayers = cap(d.maxImageArrayLayers, pipe::kMaxTextureSize);
  l.maxRectangleSize = l.maxTextureSize;
  l.maxTexelBufferTexels = cap(d.maxTexelBufferElements, 1u << 30);
  l.maxRenderbufferSize = l.maxTextureSize;
  l.maxViewports = f.core.multiViewport ? cap(d.maxViewports, pipe::kMaxViewports) : 1;
  l.maxViewportWidth = d.maxViewportDimensions[0];
  l.maxViewportHeight = d.maxViewportDimensions[1];
  l.maxColorTargets = cap(std::min(d.maxColorAttachments, d.maxFragmentOutputAttachments), pipe::kMaxColorTargets);
  l.maxDualSource = f.core.dualSrcBlend ? cap(d.maxFragmentDualSrcAttachments, pipe::kMaxColorTargets) : 0;
  l.maxFramebufferWidth = cap(d.maxFramebufferWidth, pipe::kMaxTextureSize);
  l.maxFramebufferHeight = cap(d.maxFramebufferHeight, pipe::kMaxTextureSize);
  l.maxFramebufferLayers = cap(d.maxFramebufferLayers, pipe::kMaxTextureSize);
  l.maxColorTextureSamples = largest(d.sampledImageColorSampleCounts & d.framebufferColorSampleCounts);
  l.maxDepthTextureSamples = largest(d.sampledImageDepthSampleCounts & d.framebufferDepthSampleCounts);
  l.maxIntegerSamples = largest(d.sampledImageIntegerSampleCounts);
  l.maxSamples =
      largest(d.framebufferColorSampleCounts & d.framebufferDepthSampleCounts & d.framebufferStencilSampleCounts);
  l.maxVertexAttribs = cap(d.maxVertexInputAttributes, pipe::kMaxVertexAttribs);
  l.maxVertexBindings = cap(d.maxVertexInputBindings, pipe::kMaxVertexBindings);
  l.maxVertexStride = d.maxVertexInputBindingStride;
  l.maxVertexOffset = d.maxVertexInputAttributeOffset;
  l.maxUniformBlockBytes = cap(d.maxUniformBufferRange, pipe::kMaxUniformBlockBytes);
  l.maxStageUniformComponents = l.maxUniformBlockBytes / 4;
  // One descriptor of each stage is the default block's.
  l.maxStageUniformBlocks = cap(d.maxPerStageDescriptorUniformBuffers - 1, 16);
  l.maxCombinedUniformBlocks = std::min<i64>(
      {l.maxStageUniformBlocks * 5, pipe::kMaxBufferBindings, cap(d.maxDescriptorSetUniformBuffers - 1, 1000)});
  l.uniformOffsetAlignment = static_cast<i64>(d.minUniformBufferOffsetAlignment);
  l.maxStageStorageBlocks = cap(d.maxPerStageDescriptorStorageBuffers / 2, 16);
  l.maxCombinedStorageBlocks =
      std::min<i64>(l.maxStageStorageBlocks * 5, cap(d.maxDescriptorSetStorageBuffers / 2, 80));
  l.maxStorageBlockBytes = cap(d.maxStorageBufferRange, 0x7fffffff);
  l.storageOffsetAlignment = static_cast<i64>(d.minStorageBufferOffsetAlignment);
  l.texelBufferOffsetAlignment = static_cast<i64>(d.minTexelBufferOffsetAlignment);
  l.maxStageSamplers = cap(std::min({d.maxPerStageDescriptorSamplers, d.maxPerStageDescriptorSampledImages}), 32);
  l.maxCombinedSamplers = std::min<i64>(l.maxStageSamplers * 6, pipe::kMaxTextureUnits);
  l.maxStageImages = cap(d.maxPerStageDescriptorStorageImages, 16);
  l.maxCombinedImages = std::min<i64>(l.maxStageImages * 5, pipe::kMaxImageUnits);
  l.maxAtomicCounterBuffers = cap(d.maxPerStageDescriptorStorageBuffers / 4, 8);
  l.maxAtomicCounters = 4096;
  l.maxVertexOutputComponents = d.maxVertexOutputComponents;
  l.maxVaryingComponents = std::min(d.maxVertexOutputComponents, d.maxFragmentInputComponents) - 4;
  l.maxGeometryInputComponents = d.maxGeometryInputComponents;
  l.maxGeometryOutputComponents = d.maxGeometryOutputComponents;
  l.maxFragmentInputComponents = d.maxFragmentInputComponents;
  l.maxGeometryVertices = d.maxGeometryOutputVertices;
  l.maxGeometryTotalComponents = d.maxGeometryTotalOutputComponents;
  l.maxGeometryInvocations = d.maxGeometryShaderInvocations;
  l.maxPatchVertices = cap(d.maxTessellationPatchSize, 32);
  l.maxTessLevel = d.maxTessellationGenerationLevel;
  l.maxClipDistances = f.core.shaderClipDistance ? cap(d.maxClipDistances, 8) : 0;
  l.maxCullDistances = f.core.shaderCullDistance ? cap(d.maxCullDistances, 8) : 0;
  l.maxCombinedClipCull = cap(d.maxCombinedClipAndCullDistances, 8);
  const auto& xfb = adapter.properties().transformFeedback;
  if (f.transformFeedback) {
    l.maxStreamOutputBuffers = cap(xfb.maxTransformFeedbackBuffers, pipe::kMaxStreamOutputBuffers);
    l.maxStreamOutputSeparate = l.maxStreamOutputBuffers;
    l.maxStreamOutputInterleaved = cap(xfb.maxTransformFeedbackBufferDataSize / 4, 128);
    l.maxStreams = f.geometryStreams ? cap(xfb.maxTransformFeedbackStreams, 4) : 1;
  }
  l.maxComputeInvocations = d.maxComputeWorkGroupInvocations;
  l.maxComputeGroupX = d.maxComputeWorkGroupCount[0];
  l.maxComputeGroupY = d.maxComputeWorkGroupCount[1];
  l.maxComputeGroupZ = d.maxComputeWorkGroupCount[2];
  l.maxComputeSizeX = d.maxComputeWorkGroupSize[0];
  l.maxComputeSizeY = d.maxComputeWorkGroupSize[1];
  l.maxComputeSizeZ = d.maxComputeWorkGroupSize[2];
  l.maxComputeSharedBytes = d.maxComputeSharedMemorySize;
  l.minTexelOffset = d.minTexelOffset;
  l.maxTexelOffset = d.maxTexelOffset;
  l.minGatherOffset = d.minTexelGatherOffset;
  l.maxGatherOffset = d.maxTexelGatherOffset;
  l.maxSampleMaskWords = 1;
  l.subpixelBits = d.subPixelPrecisionBits;
  l.timestampBits = adapter.timestampBits();
  l.mapAlignment = static_cast<i64>(d.minMemoryMapAlignment);
  l.maxIndexValue = f.core.fullDrawIndexUint32 ? 0xffffffff : 0xffffff;
  l.maxElementsHint = 1 << 20;
  l.minInterpolationOffset16 = static_cast<i64>(d.minInterpolationOffset * 16);
  l.maxInterpolationOffset16 = static_cast<i64>(d.maxInterpolationOffset * 16);
}

void fillFeatures(pipe::Caps& caps, const Adapter& adapter) {
  const HostFeatures& f = adapter.features();
  const VkPhysicalDeviceFeatures& c = f.core;
  const auto set = [&caps](Feature feature, bool on) { caps.set(feature, on); };
  set(Feature::GeometryShader, c.geometryShader);
  set(Feature::DualSourceBlend, c.dualSrcBlend);
  set(Feature::IndependentBlend, c.independentBlend);
  set(Feature::LogicOp, c.logicOp);
  set(Feature::PolygonMode, c.fillModeNonSolid);
  set(Feature::DepthClamp, c.depthClamp);
  set(Feature::DepthBounds, c.depthBounds);
  set(Feature::ClipDistance, c.shaderClipDistance);
  set(Feature::CullDistance, c.shaderCullDistance);
  set(Feature::SampleShading, c.sampleRateShading);
  set(Feature::MultisampleTexture, true);
  set(Feature::MultisampleArray, true);
  set(Feature::CubeArray, c.imageCubeArray);
  set(Feature::AnisotropicFilter, c.samplerAnisotropy);
  set(Feature::MirrorClampToEdge, f.mirrorClampToEdge);
  set(Feature::TextureCompressionS3tc, c.textureCompressionBC);
  set(Feature::TextureCompressionRgtc, c.textureCompressionBC);
  set(Feature::TextureCompressionBptc, c.textureCompressionBC);
  set(Feature::TextureCompressionEtc2, c.textureCompressionETC2);
  set(Feature::TextureCompressionAstc, c.textureCompressionASTC_LDR);
  set(Feature::ShaderFloat64, c.shaderFloat64);
  set(Feature::ShaderInt64, c.shaderInt64);
  set(Feature::BaseInstance, c.drawIndirectFirstInstance);
  set(Feature::TextureGather, c.shaderImageGatherExtended);
  set(Feature::TextureQueryLod, true);
  set(Feature::ViewportArray, c.multiViewport && c.geometryShader);
  set(Feature::LayeredRendering, c.geometryShader);
  set(Feature::VertexLayerViewport, f.viewportIndexLayer);
  set(Feature::ConditionalRender, true);
  set(Feature::PersistentMap, true);  // every device has memory that is visible and coherent
  set(Feature::TimerQuery, adapter.timestampBits() != 0);
  set(Feature::Timestamp, adapter.timestampBits() != 0);
  set(Feature::OcclusionPrecise, c.occlusionQueryPrecise);
  set(Feature::CopyImage, true);
  set(Feature::StencilSample, true);
  set(Feature::SeamlessCubePerTexture, f.nonSeamlessCube);
  set(Feature::ProvokingFirst, true);
  set(Feature::WideLines, c.wideLines);
  set(Feature::SmoothLines, f.smoothLines);
}

// The driver's own name and version; by numbers where the device does not tell them.
std::string driverName(const HostProperties& host) {
  std::string name = host.driver.driverName;
  if (name.empty()) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "vendor 0x%04x driver 0x%x", host.core.vendorID, host.core.driverVersion);
    name = numbers;
  } else if (host.driver.driverInfo[0] != '\0') {
    name += std::string(" ") + host.driver.driverInfo;
  }
  const u32 version = host.core.apiVersion;
  return name + " (Vulkan " + std::to_string(VK_API_VERSION_MAJOR(version)) + "." +
         std::to_string(VK_API_VERSION_MINOR(version)) + "." + std::to_string(VK_API_VERSION_PATCH(version)) + ")";
}

}  // namespace

pipe::Caps makeCaps(const Adapter& adapter, const FormatTable& formats) {
  pipe::Caps caps;
  fillFormats(caps, adapter, formats);
  fillLimits(caps, adapter);
  fillFeatures(caps, adapter);
  const VkPhysicalDeviceLimits& d = adapter.limits();
  caps.maxLodBias = d.maxSamplerLodBias;
  caps.maxAnisotropy = adapter.features().core.samplerAnisotropy ? d.maxSamplerAnisotropy : 1;
  if (adapter.features().core.largePoints) {
    caps.pointSizeMin = std::max(d.pointSizeRange[0], d.pointSizeGranularity);
    caps.pointSizeMax = d.pointSizeRange[1];
    caps.pointSizeGranularity = d.pointSizeGranularity;
  }
  if (adapter.features().core.wideLines) {
    caps.lineWidthMin = d.lineWidthRange[0];
    caps.lineWidthMax = d.lineWidthRange[1];
    caps.lineWidthGranularity = d.lineWidthGranularity;
  }
  caps.storeBytes = 0;
  for (u32 i = 0; i < adapter.memory().memoryHeapCount; ++i) {
    caps.storeBytes = std::max(caps.storeBytes, adapter.memory().memoryHeaps[i].size);
    const VkMemoryHeap& heap = adapter.memory().memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) caps.heapBytes = std::max(caps.heapBytes, heap.size);
  }
  caps.timestampPeriodNs = static_cast<f64>(d.timestampPeriod);
  caps.backend = 1;
  caps.mapTier = pipe::MapTier::T0;
  std::copy(std::begin(adapter.properties().ids.deviceUUID), std::end(adapter.properties().ids.deviceUUID),
            caps.deviceUuid.begin());
  caps.backendName = "Magma";
  caps.deviceName = adapter.properties().core.deviceName;
  caps.driverName = driverName(adapter.properties());
  return caps;
}

}  // namespace mgl::magma
