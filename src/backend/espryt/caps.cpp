// What the client may know of the host.
#include <algorithm>
#include <bit>

#include "backend/espryt/convert.h"
#include "backend/espryt/host_context.h"

namespace mgl::espryt {

namespace {

using pipe::Feature;

struct Asker {
  const Gl& gl;
  i64 integer(GLenum name) const {
    GLint value = 0;
    gl.GetIntegerv(name, &value);
    return value;
  }
  f32 number(GLenum name) const {
    GLfloat value = 0;
    gl.GetFloatv(name, &value);
    return value;
  }
};

u32 sampleBits(const Gl& gl, GLenum internal) {
  GLint count = 0;
  gl.GetInternalformativ(GL_TEXTURE_2D_MULTISAMPLE, internal, GL_NUM_SAMPLE_COUNTS, 1, &count);
  if (gl.GetError() != GL_NO_ERROR || count <= 0) return 1;
  std::vector<GLint> samples(static_cast<std::size_t>(count));
  gl.GetInternalformativ(GL_TEXTURE_2D_MULTISAMPLE, internal, GL_SAMPLES, count, samples.data());
  u32 bits = 1;
  for (GLint s : samples) {
    if (s > 0 && s <= 64 && std::has_single_bit(static_cast<u32>(s))) bits |= static_cast<u32>(s);
  }
  return bits;
}

// Formats that OpenGL ES filters, of those that it samples: table 8.10 of 3.2.
bool filters(const format::FormatInfo& info, const HostFeatures& features) {
  if (info.isInteger() || info.base == format::BaseFormat::Stencil) return false;
  if (info.isDepthOrStencil()) return true;  // by comparison; without, hosts filter or take the nearest, as desktop GL's may
  if (info.storage == format::Storage::F32) return features.floatLinear;
  return true;
}

bool texelBufferFormat(Format f) {
  switch (f) {
    case Format::R8: case Format::R16F: case Format::R32F: case Format::R8I: case Format::R16I: case Format::R32I:
    case Format::R8UI: case Format::R16UI: case Format::R32UI: case Format::RG8: case Format::RG16F: case Format::RG32F:
    case Format::RG8I: case Format::RG16I: case Format::RG32I: case Format::RG8UI: case Format::RG16UI: case Format::RG32UI:
    case Format::RGB32F: case Format::RGB32I: case Format::RGB32UI: case Format::RGBA8: case Format::RGBA16F:
    case Format::RGBA32F: case Format::RGBA8I: case Format::RGBA16I: case Format::RGBA32I: case Format::RGBA8UI:
    case Format::RGBA16UI: case Format::RGBA32UI:
      return true;
    default:
      return false;
  }
}

void fillFormats(pipe::Caps& caps, const Gl& gl, const HostFeatures& features, const FormatTable& formats) {
  for (u32 i = 1; i < countOf<Format>(); ++i) {
    const auto f = static_cast<Format>(i);
    const format::FormatInfo& info = format::formatInfo(f);
    const HostFormat& host = formats[f];
    if (!host.ok()) continue;
    u16 uses = pipe::kUseSample | pipe::kUseCopy;
    if (filters(info, features)) uses |= pipe::kUseFilter;
    // A swizzled store cannot be drawn to: output components would land in the wrong places.
    const bool plain = info.base <= format::BaseFormat::RGBA;
    if (host.renderable && plain) {
      uses |= pipe::kUseRender;
      if (!info.isInteger()) uses |= pipe::kUseBlend;
    }
    if (host.renderable && info.isDepthOrStencil()) uses |= pipe::kUseDepthStencil;
    if (features.textureBuffer && texelBufferFormat(f)) uses |= pipe::kUseTexelBuffer;
    if (features.textureBuffer && features.norm16 && (f == Format::R16 || f == Format::RG16 || f == Format::RGBA16))
      uses |= pipe::kUseTexelBuffer;
    caps.formatUses[i] = uses;
    caps.formatSamples[i] = 1;
    if ((uses & (pipe::kUseRender | pipe::kUseDepthStencil)) != 0) caps.formatSamples[i] = 0;
    if (caps.formatSamples[i] == 0) {
      const u32 bits = sampleBits(gl, host.internal);
      for (u32 n = 0; n < 7; ++n) {
        if ((bits >> n) & 1) caps.formatSamples[i] |= 1u << n;
      }
    }
  }
}

void fillLimits(pipe::Caps& caps, const Asker& ask, const HostFeatures& f) {
  pipe::Limits& l = caps.limits;
  const auto most = [](i64 value, i64 bound) { return std::min(value, bound); };
  // A level chain longer than the pipe's records hold cannot be told.
  l.maxTextureSize = most(ask.integer(GL_MAX_TEXTURE_SIZE), i64{1} << (pipe::kMaxTextureLevels - 1));
  l.max3dTextureSize = most(ask.integer(GL_MAX_3D_TEXTURE_SIZE), pipe::kMaxTextureSize);
  l.maxCubeSize = most(ask.integer(GL_MAX_CUBE_MAP_TEXTURE_SIZE), l.maxTextureSize);
  l.maxArrayLayers = most(ask.integer(GL_MAX_ARRAY_TEXTURE_LAYERS), pipe::kMaxTextureSize);
  l.maxRectangleSize = l.maxTextureSize;
  l.maxTexelBufferTexels = f.maxTexelBufferTexels;
  l.maxRenderbufferSize = l.maxTextureSize;
  l.maxViewports = 1;
  GLint viewport[2] = {};
  ask.gl.GetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  l.maxViewportWidth = viewport[0];
  l.maxViewportHeight = viewport[1];
  l.maxColorTargets = most(f.maxColorTargets, pipe::kMaxColorTargets);
  l.maxDualSource = f.blendFuncExtended ? ask.integer(GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT) : 0;
  l.maxFramebufferWidth = most(ask.integer(GL_MAX_FRAMEBUFFER_WIDTH), l.maxTextureSize);
  l.maxFramebufferHeight = most(ask.integer(GL_MAX_FRAMEBUFFER_HEIGHT), l.maxTextureSize);
  l.maxFramebufferLayers = f.geometry ? most(ask.integer(GL_MAX_FRAMEBUFFER_LAYERS), pipe::kMaxTextureSize) : 1;
  l.maxSamples = ask.integer(GL_MAX_SAMPLES);
  l.maxColorTextureSamples = ask.integer(GL_MAX_COLOR_TEXTURE_SAMPLES);
  l.maxDepthTextureSamples = ask.integer(GL_MAX_DEPTH_TEXTURE_SAMPLES);
  l.maxIntegerSamples = ask.integer(GL_MAX_INTEGER_SAMPLES);
  l.maxVertexAttribs = most(f.maxVertexAttribs, kMaxVertexSlots);
  l.maxVertexBindings = most(f.maxVertexBindings, kMaxVertexSlots);
  l.maxVertexStride = f.maxVertexStride;
  l.maxVertexOffset = f.maxVertexOffset;
  l.maxUniformBlockBytes = most(ask.integer(GL_MAX_UNIFORM_BLOCK_SIZE), pipe::kMaxUniformBlockBytes);
  l.maxStageUniformComponents = l.maxUniformBlockBytes / 4;
  // One block of each stage is the default block's, one the driver's.
  const i64 stageBlocks = std::min(ask.integer(GL_MAX_VERTEX_UNIFORM_BLOCKS), ask.integer(GL_MAX_FRAGMENT_UNIFORM_BLOCKS));
  l.maxStageUniformBlocks = most(stageBlocks - 1, 16);
  l.maxCombinedUniformBlocks = most(ask.integer(GL_MAX_COMBINED_UNIFORM_BLOCKS) - 6, pipe::kMaxBufferBindings);
  l.uniformOffsetAlignment = f.uniformAlignment;
  l.maxStorageBlockBytes = 0;
  l.storageOffsetAlignment = ask.integer(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
  l.texelBufferOffsetAlignment = f.textureBuffer ? f.texelBufferAlignment : 1;
  l.maxStageSamplers = most(std::min(ask.integer(GL_MAX_TEXTURE_IMAGE_UNITS), ask.integer(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS)), 32);
  // The last unit is Espryt's own.
  l.maxCombinedSamplers = most(std::min<i64>(f.maxTextureUnits, kMaxUnits) - 1, pipe::kMaxTextureUnits);
  l.maxVertexOutputComponents = ask.integer(GL_MAX_VERTEX_OUTPUT_COMPONENTS);
  l.maxFragmentInputComponents = ask.integer(GL_MAX_FRAGMENT_INPUT_COMPONENTS);
  l.maxVaryingComponents = std::min(l.maxVertexOutputComponents, l.maxFragmentInputComponents) - 4;
  if (f.geometry) {
    l.maxGeometryInputComponents = ask.integer(GL_MAX_GEOMETRY_INPUT_COMPONENTS);
    l.maxGeometryOutputComponents = ask.integer(GL_MAX_GEOMETRY_OUTPUT_COMPONENTS);
    l.maxGeometryVertices = ask.integer(GL_MAX_GEOMETRY_OUTPUT_VERTICES);
    l.maxGeometryTotalComponents = ask.integer(GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS);
    l.maxGeometryInvocations = ask.integer(GL_MAX_GEOMETRY_SHADER_INVOCATIONS);
  }
  if (f.clipCullDistance) {
    l.maxClipDistances = most(ask.integer(GL_MAX_CLIP_DISTANCES_EXT), 8);
    l.maxCullDistances = most(ask.integer(GL_MAX_CULL_DISTANCES_EXT), 8);
    l.maxCombinedClipCull = most(ask.integer(GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES_EXT), 8);
  }
  l.minTexelOffset = ask.integer(GL_MIN_PROGRAM_TEXEL_OFFSET);
  l.maxTexelOffset = ask.integer(GL_MAX_PROGRAM_TEXEL_OFFSET);
  l.minGatherOffset = ask.integer(GL_MIN_PROGRAM_TEXTURE_GATHER_OFFSET);
  l.maxGatherOffset = ask.integer(GL_MAX_PROGRAM_TEXTURE_GATHER_OFFSET);
  l.maxSampleMaskWords = 1;
  l.subpixelBits = ask.integer(GL_SUBPIXEL_BITS);
  l.timestampBits = f.timerQuery ? 64 : 0;
  l.mapAlignment = 64;
  l.maxIndexValue = ~0u;
  l.maxElementsHint = 1 << 20;
  l.minInterpolationOffset16 = -8;
  l.maxInterpolationOffset16 = 7;
}

void fillFeatures(pipe::Caps& caps, const HostFeatures& f) {
  const auto set = [&caps](Feature feature, bool on) { caps.set(feature, on); };
  set(Feature::GeometryShader, f.geometry);
  set(Feature::LayeredRendering, f.geometry);
  set(Feature::DualSourceBlend, f.blendFuncExtended);
  set(Feature::IndependentBlend, f.independentBlend);
  set(Feature::DepthClamp, f.depthClamp);
  set(Feature::ClipDistance, f.clipCullDistance);
  set(Feature::CullDistance, caps.limits.maxCullDistances > 0);
  set(Feature::SampleShading, f.sampleShading);
  set(Feature::MultisampleTexture, true);
  set(Feature::MultisampleArray, f.multisampleArray);
  set(Feature::CubeArray, f.cubeArray);
  set(Feature::AnisotropicFilter, f.anisotropic);
  set(Feature::MirrorClampToEdge, f.mirrorClamp);
  set(Feature::TextureCompressionS3tc, f.s3tc);
  set(Feature::TextureCompressionRgtc, f.rgtc);
  set(Feature::TextureCompressionBptc, f.bptc);
  set(Feature::TextureCompressionEtc2, true);
  set(Feature::TextureCompressionAstc, f.astc);
  set(Feature::BaseInstance, f.baseInstance);
  set(Feature::TextureGather, true);
  set(Feature::ConditionalRender, true);
  set(Feature::TimerQuery, f.timerQuery);
  set(Feature::Timestamp, f.timerQuery);
  set(Feature::CopyImage, f.copyImage);
  set(Feature::StencilSample, true);
  set(Feature::ProvokingFirst, true);
}

}  // namespace

pipe::Caps makeCaps(const Gl& gl, const HostFeatures& features, const FormatTable& formats) {
  pipe::Caps caps;
  const Asker ask{gl};
  fillFormats(caps, gl, features, formats);
  fillLimits(caps, ask, features);
  fillFeatures(caps, features);
  caps.maxLodBias = 16;
  caps.maxAnisotropy = features.anisotropic ? ask.number(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT) : 1;
  GLfloat range[2] = {1, 1};
  gl.GetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
  caps.pointSizeMin = std::max(range[0], 0.125f);
  caps.pointSizeMax = range[1];
  caps.pointSizeGranularity = 0.125f;
  range[0] = range[1] = 1;
  gl.GetFloatv(GL_ALIASED_LINE_WIDTH_RANGE, range);
  caps.lineWidthMin = range[0];
  caps.lineWidthMax = range[1];
  caps.lineWidthGranularity = 0.125f;
  caps.set(Feature::WideLines, range[1] > 1);
  caps.timestampPeriodNs = 1;
  caps.threadBound = true;
  caps.backend = 2;
  caps.mapTier = pipe::MapTier::None;
  caps.backendName = "Espryt";
  caps.deviceName = features.renderer;
  caps.driverName = features.vendor + " (" + features.versionText + ")";
  while (gl.GetError() != GL_NO_ERROR) {
  }
  return caps;
}

}  // namespace mgl::espryt
