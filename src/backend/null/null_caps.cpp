#include "backend/null/null_caps.h"

#include "format/format.h"

namespace mgl::null {

namespace {

using format::BaseFormat;
using format::FormatInfo;
using pipe::Feature;
using pipe::Format;

u16 usesOf(const FormatInfo& info) {
  using namespace pipe;
  u16 uses = kUseSample | kUseCopy;
  if (info.isDepthOrStencil()) {
    uses |= kUseDepthStencil;
    if (info.isDepth()) uses |= kUseFilter;
    return uses;
  }
  if (!info.isInteger()) uses |= kUseFilter;
  if (info.compressed) return uses;
  const bool shared = info.bits.shared != 0;
  const bool plain = info.base >= BaseFormat::Red && info.base <= BaseFormat::RGBA;
  if (!shared) {
    uses |= kUseRender;
    if (!info.isInteger()) uses |= kUseBlend;
  }
  if (plain && !info.srgb && !shared) {
    uses |= kUseTexelBuffer | kUseVertex;
    if (info.base != BaseFormat::RGB) uses |= kUseStorage;
    if (info.base == BaseFormat::Red && info.isInteger() && info.bits.red == 32) uses |= kUseStorageAtomic;
  }
  return uses;
}

bool claimed(Feature feature) {
  switch (feature) {
    case Feature::ComputeShader:
    case Feature::DmaBuf:
    case Feature::SyncFd:
    case Feature::NativeFence:
    case Feature::DeviceMemoryReport:
      return false;
    default:
      return true;
  }
}

void setLimits(pipe::Limits& l) {
  l.maxTextureSize = l.maxCubeSize = l.maxRectangleSize = l.maxRenderbufferSize = 16384;
  l.max3dTextureSize = 2048;
  l.maxArrayLayers = 2048;
  l.maxTexelBufferTexels = i64{1} << 27;
  l.maxViewports = 16;
  l.maxViewportWidth = l.maxViewportHeight = 16384;
  l.maxColorTargets = 8;
  l.maxDualSource = 1;
  l.maxFramebufferWidth = l.maxFramebufferHeight = 16384;
  l.maxFramebufferLayers = 2048;
  l.maxSamples = l.maxIntegerSamples = l.maxColorTextureSamples = l.maxDepthTextureSamples = 8;
  l.maxVertexAttribs = l.maxVertexBindings = 16;
  l.maxVertexStride = 2048;
  l.maxVertexOffset = 2047;
  l.maxStageUniformComponents = 4096;
  l.maxUniformBlockBytes = 65536;
  l.maxStageUniformBlocks = 14;
  l.maxCombinedUniformBlocks = 84;
  l.uniformOffsetAlignment = 256;
  l.maxStageStorageBlocks = 16;
  l.maxCombinedStorageBlocks = 48;
  l.maxStorageBlockBytes = i64{1} << 27;
  l.storageOffsetAlignment = 256;
  l.texelBufferOffsetAlignment = 256;
  l.maxStageSamplers = 32;
  l.maxCombinedSamplers = 192;
  l.maxStageImages = 8;
  l.maxCombinedImages = 48;
  l.maxAtomicCounterBuffers = 8;
  l.maxAtomicCounters = 4096;
  l.maxVaryingComponents = 124;
  l.maxVertexOutputComponents = 128;
  l.maxGeometryInputComponents = l.maxGeometryOutputComponents = 128;
  l.maxFragmentInputComponents = 128;
  l.maxGeometryVertices = 1024;
  l.maxGeometryTotalComponents = 1024;
  l.maxGeometryInvocations = 32;
  l.maxPatchVertices = 32;
  l.maxTessLevel = 64;
  l.maxClipDistances = l.maxCullDistances = l.maxCombinedClipCull = 8;
  l.maxStreamOutputBuffers = l.maxStreamOutputSeparate = 4;
  l.maxStreamOutputInterleaved = 128;
  l.maxStreams = 4;
  l.minTexelOffset = l.minGatherOffset = -8;
  l.maxTexelOffset = l.maxGatherOffset = 7;
  l.maxSampleMaskWords = 1;
  l.subpixelBits = 8;
  l.timestampBits = 64;
  l.mapAlignment = 64;
  l.maxIndexValue = 0xffffffff;
  l.maxElementsHint = 1 << 20;
  l.minInterpolationOffset16 = -8;
  l.maxInterpolationOffset16 = 7;
}

}  // namespace

pipe::Caps makeCaps() {
  pipe::Caps caps;
  for (u32 i = 1; i < countOf<Format>(); ++i) {
    const auto format = static_cast<Format>(i);
    caps.formatUses[i] = usesOf(format::formatInfo(format));
    const bool target = (caps.formatUses[i] & (pipe::kUseRender | pipe::kUseDepthStencil)) != 0;
    caps.formatSamples[i] = target ? 0b1111 : 0b1;
  }
  for (u32 i = 0; i < countOf<Feature>(); ++i) {
    if (claimed(static_cast<Feature>(i))) caps.set(static_cast<Feature>(i));
  }
  setLimits(caps.limits);
  caps.maxLodBias = 16;
  caps.maxAnisotropy = 16;
  caps.pointSizeMax = 256;
  caps.pointSizeGranularity = 0.125f;
  caps.lineWidthMax = 8;
  caps.lineWidthGranularity = 0.125f;
  caps.heapBytes = caps.storeBytes = u64{8} << 30;
  caps.mapTier = pipe::MapTier::T0;
  caps.backendName = "Null";
  caps.deviceName = "none";
  caps.driverName = "MobileGL " MOBILEGL_VERSION;
  return caps;
}

}  // namespace mgl::null
