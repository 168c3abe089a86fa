// What a session's server and device can do: closed, and constant for the session. The client alone derives versions,
// extensions and completeness from it.
#pragma once

#include <string>
#include <array>

#include "pipe/calls.h"

namespace mgl::pipe {

// Uses of a format, as bits of Caps::formatUses.
inline constexpr u16 kUseSample = 1, kUseFilter = 2, kUseRender = 4, kUseBlend = 8, kUseDepthStencil = 16, kUseStorage = 32,
                     kUseTexelBuffer = 64, kUseVertex = 128, kUseCopy = 256, kUseStorageAtomic = 512;

// Features that are not always there. Each is one bit of Caps::features.
enum class Feature : u8 {
  GeometryShader, TessellationShader, ComputeShader, StreamOutput, DualSourceBlend, IndependentBlend, LogicOp, PolygonMode,
  DepthClamp, DepthBounds, ClipDistance, CullDistance, SampleShading, MultisampleTexture, MultisampleArray, CubeArray,
  AnisotropicFilter, MirrorClampToEdge, TextureCompressionS3tc, TextureCompressionRgtc, TextureCompressionBptc,
  TextureCompressionEtc2, TextureCompressionAstc, ShaderFloat64, ShaderInt64, IndirectDraw, MultiDrawIndirect,
  IndirectCount, BaseInstance, DrawParameters, ShaderStorage, ShaderImages, ImageFormatless, AtomicCounters,
  TextureGather, TextureQueryLod, ViewportArray, LayeredRendering, VertexLayerViewport, ConditionalRender, TimerQuery,
  PipelineStatistics, OcclusionPrecise, PersistentMap, TextureView, CopyImage, StencilSample, Timestamp, FillRect,
  SeamlessCubePerTexture, ProvokingFirst, WideLines, SmoothLines, DeviceMemoryReport, DmaBuf, SyncFd, NativeFence,
  Robustness, Count
};

// Limits by name; units are GL's own for the limit of that name.
#define MGL_LIMITS(L)                                                                                              \
  L(maxTextureSize) L(max3dTextureSize) L(maxCubeSize) L(maxArrayLayers) L(maxRectangleSize) L(maxTexelBufferTexels) \
  L(maxRenderbufferSize) L(maxViewports) L(maxViewportWidth) L(maxViewportHeight) L(maxColorTargets) L(maxDualSource) \
  L(maxFramebufferWidth) L(maxFramebufferHeight) L(maxFramebufferLayers) L(maxSamples) L(maxIntegerSamples)          \
  L(maxColorTextureSamples) L(maxDepthTextureSamples) L(maxVertexAttribs) L(maxVertexBindings) L(maxVertexStride)    \
  L(maxVertexOffset) L(maxStageUniformComponents) L(maxUniformBlockBytes) L(maxStageUniformBlocks)                   \
  L(maxCombinedUniformBlocks) L(uniformOffsetAlignment) L(maxStageStorageBlocks) L(maxCombinedStorageBlocks)         \
  L(maxStorageBlockBytes) L(storageOffsetAlignment) L(texelBufferOffsetAlignment) L(maxStageSamplers)                \
  L(maxCombinedSamplers) L(maxStageImages) L(maxCombinedImages) L(maxAtomicCounterBuffers) L(maxAtomicCounters)      \
  L(maxVaryingComponents) L(maxVertexOutputComponents) L(maxGeometryInputComponents) L(maxGeometryOutputComponents)  \
  L(maxFragmentInputComponents) L(maxGeometryVertices) L(maxGeometryTotalComponents) L(maxGeometryInvocations)       \
  L(maxPatchVertices) L(maxTessLevel) L(maxClipDistances) L(maxCullDistances) L(maxCombinedClipCull)                 \
  L(maxStreamOutputBuffers) L(maxStreamOutputSeparate) L(maxStreamOutputInterleaved) L(maxStreams)                   \
  L(maxComputeInvocations) L(maxComputeGroupX) L(maxComputeGroupY) L(maxComputeGroupZ) L(maxComputeSizeX)            \
  L(maxComputeSizeY) L(maxComputeSizeZ) L(maxComputeSharedBytes) L(minTexelOffset) L(maxTexelOffset)                 \
  L(minGatherOffset) L(maxGatherOffset) L(maxSampleMaskWords) L(subpixelBits) L(timestampBits) L(mapAlignment)       \
  L(maxIndexValue) L(maxElementsHint) L(minInterpolationOffset16) L(maxInterpolationOffset16)

struct Limits {
#define MGL_LIMIT(name) i64 name = 0;
  MGL_LIMITS(MGL_LIMIT)
#undef MGL_LIMIT
};

struct Caps {
  std::array<u16, countOf<Format>()> formatUses{};
  std::array<u32, countOf<Format>()> formatSamples{};  // bit n: 2^n samples
  std::array<u64, (countOf<Feature>() + 63) / 64> features{};
  Limits limits;
  f32 maxLodBias = 0, maxAnisotropy = 1, pointSizeMin = 1, pointSizeMax = 1, pointSizeGranularity = 1, lineWidthMin = 1,
      lineWidthMax = 1, lineWidthGranularity = 1;
  u64 heapBytes = 0;
  u64 storeBytes = ~u64{0};  // no store of a buffer or an image can be larger
  f64 timestampPeriodNs = 1;
  u32 backend = 0;         // 0 null, 1 Magma, 2 Espryt
  MapTier mapTier = MapTier::None;  // the best tier a write map may get
  bool threadBound = false;  // who applies in the caller's thread applies a context's records where it is current
  std::array<u8, 16> deviceUuid{};
  std::string backendName;  // "Magma", "Espryt", "Null"
  std::string deviceName;   // the host's own words
  std::string driverName;

  bool has(Feature f) const { return (features[indexOf(f) / 64] >> (indexOf(f) % 64)) & 1; }
  void set(Feature f, bool on = true) {
    const u64 bit = u64{1} << (indexOf(f) % 64);
    features[indexOf(f) / 64] = on ? features[indexOf(f) / 64] | bit : features[indexOf(f) / 64] & ~bit;
  }
  bool can(Format f, u16 uses) const { return (formatUses[indexOf(f)] & uses) == uses; }
};

}  // namespace mgl::pipe
