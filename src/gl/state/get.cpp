// glGet* of context state (OpenGL 4.6 section 22.1 and the tables of chapter 23): one look-up, and one conversion for
// each of the five types that a program may ask for.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gl/buffer/binding.h"
#include "gl/framebuffer/framebuffer.h"
#include "gl/program/program.h"
#include "gl/query/query.h"
#include "gl/state/convert.h"
#include "gl/state/state_value.h"
#include "gl/surface.h"
#include "gl/texture/texture.h"
#include "gl/version.h"
#include "gl/vertex/vertex_array.h"

namespace mgl::gl {

namespace {

template <class T>
GLint nameOf(const Ref<T>& object) {
  return object ? static_cast<GLint>(object->name) : 0;
}

bool bufferBinding(const Context& ctx, GLenum pname, StateValue* out) {
  BufferTarget target;
  switch (pname) {
    case GL_ARRAY_BUFFER_BINDING: target = BufferTarget::Array; break;
    case GL_COPY_READ_BUFFER_BINDING: target = BufferTarget::CopyRead; break;
    case GL_COPY_WRITE_BUFFER_BINDING: target = BufferTarget::CopyWrite; break;
    case GL_DISPATCH_INDIRECT_BUFFER_BINDING: target = BufferTarget::DispatchIndirect; break;
    case GL_DRAW_INDIRECT_BUFFER_BINDING: target = BufferTarget::DrawIndirect; break;
    case GL_PARAMETER_BUFFER_BINDING: target = BufferTarget::Parameter; break;
    case GL_PIXEL_PACK_BUFFER_BINDING: target = BufferTarget::PixelPack; break;
    case GL_PIXEL_UNPACK_BUFFER_BINDING: target = BufferTarget::PixelUnpack; break;
    case GL_QUERY_BUFFER_BINDING: target = BufferTarget::Query; break;
    case GL_TEXTURE_BUFFER: target = BufferTarget::Texture; break;
    case GL_UNIFORM_BUFFER_BINDING: target = BufferTarget::Uniform; break;
    case GL_SHADER_STORAGE_BUFFER_BINDING: target = BufferTarget::ShaderStorage; break;
    case GL_ATOMIC_COUNTER_BUFFER_BINDING: target = BufferTarget::AtomicCounter; break;
    case GL_TRANSFORM_FEEDBACK_BUFFER_BINDING: target = BufferTarget::TransformFeedback; break;
    case GL_ELEMENT_ARRAY_BUFFER_BINDING:
      out->integer(nameOf(ctx.vertexArray ? ctx.vertexArray->indexBuffer : ctx.buffers[indexOf(BufferTarget::ElementArray)]));
      return true;
    default: return false;
  }
  out->integer(nameOf(ctx.buffers[indexOf(target)]));
  return true;
}

bool textureBinding(const Context& ctx, GLenum pname, u32 unit, StateValue* out) {
  pipe::TextureTarget target;
  switch (pname) {
    case GL_TEXTURE_BINDING_1D: target = pipe::TextureTarget::Tex1D; break;
    case GL_TEXTURE_BINDING_2D: target = pipe::TextureTarget::Tex2D; break;
    case GL_TEXTURE_BINDING_3D: target = pipe::TextureTarget::Tex3D; break;
    case GL_TEXTURE_BINDING_CUBE_MAP: target = pipe::TextureTarget::Cube; break;
    case GL_TEXTURE_BINDING_1D_ARRAY: target = pipe::TextureTarget::Tex1DArray; break;
    case GL_TEXTURE_BINDING_2D_ARRAY: target = pipe::TextureTarget::Tex2DArray; break;
    case GL_TEXTURE_BINDING_CUBE_MAP_ARRAY: target = pipe::TextureTarget::CubeArray; break;
    case GL_TEXTURE_BINDING_RECTANGLE: target = pipe::TextureTarget::Rectangle; break;
    case GL_TEXTURE_BINDING_BUFFER: target = pipe::TextureTarget::Buffer; break;
    case GL_TEXTURE_BINDING_2D_MULTISAMPLE: target = pipe::TextureTarget::Tex2DMultisample; break;
    case GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY: target = pipe::TextureTarget::Tex2DMultisampleArray; break;
    case GL_SAMPLER_BINDING: out->integer(nameOf(ctx.units[unit].sampler)); return true;
    default: return false;
  }
  out->integer(nameOf(ctx.units[unit].textures[indexOf(target)]));
  return true;
}

// Limits that are one number of the caps.
bool limitValue(const Context& ctx, GLenum pname, StateValue* out) {
  const pipe::Limits& l = ctx.info->limits;
  i64 value = 0;
  switch (pname) {
    case GL_MAX_TEXTURE_SIZE: value = l.maxTextureSize; break;
    case GL_MAX_3D_TEXTURE_SIZE: value = l.max3dTextureSize; break;
    case GL_MAX_CUBE_MAP_TEXTURE_SIZE: value = l.maxCubeSize; break;
    case GL_MAX_ARRAY_TEXTURE_LAYERS: value = l.maxArrayLayers; break;
    case GL_MAX_RECTANGLE_TEXTURE_SIZE: value = l.maxRectangleSize; break;
    case GL_MAX_TEXTURE_BUFFER_SIZE: value = l.maxTexelBufferTexels; break;
    case GL_MAX_RENDERBUFFER_SIZE: value = l.maxRenderbufferSize; break;
    case GL_MAX_VIEWPORTS: value = l.maxViewports; break;
    case GL_MAX_DRAW_BUFFERS:
    case GL_MAX_COLOR_ATTACHMENTS: value = l.maxColorTargets; break;
    case GL_MAX_DUAL_SOURCE_DRAW_BUFFERS: value = l.maxDualSource; break;
    case GL_MAX_FRAMEBUFFER_WIDTH: value = l.maxFramebufferWidth; break;
    case GL_MAX_FRAMEBUFFER_HEIGHT: value = l.maxFramebufferHeight; break;
    case GL_MAX_FRAMEBUFFER_LAYERS: value = l.maxFramebufferLayers; break;
    case GL_MAX_FRAMEBUFFER_SAMPLES: value = l.maxSamples; break;
    case GL_MAX_SAMPLES: value = l.maxSamples; break;
    case GL_MAX_INTEGER_SAMPLES: value = l.maxIntegerSamples; break;
    case GL_MAX_COLOR_TEXTURE_SAMPLES: value = l.maxColorTextureSamples; break;
    case GL_MAX_DEPTH_TEXTURE_SAMPLES: value = l.maxDepthTextureSamples; break;
    case GL_MAX_SAMPLE_MASK_WORDS: value = l.maxSampleMaskWords; break;
    case GL_MAX_VERTEX_ATTRIBS: value = l.maxVertexAttribs; break;
    case GL_MAX_VERTEX_ATTRIB_BINDINGS: value = l.maxVertexBindings; break;
    case GL_MAX_VERTEX_ATTRIB_STRIDE: value = l.maxVertexStride; break;
    case GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET: value = l.maxVertexOffset; break;
    case GL_MAX_VERTEX_UNIFORM_COMPONENTS:
    case GL_MAX_GEOMETRY_UNIFORM_COMPONENTS:
    case GL_MAX_TESS_CONTROL_UNIFORM_COMPONENTS:
    case GL_MAX_TESS_EVALUATION_UNIFORM_COMPONENTS:
    case GL_MAX_COMPUTE_UNIFORM_COMPONENTS:
    case GL_MAX_FRAGMENT_UNIFORM_COMPONENTS: value = l.maxStageUniformComponents; break;
    case GL_MAX_VERTEX_UNIFORM_VECTORS:
    case GL_MAX_FRAGMENT_UNIFORM_VECTORS: value = l.maxStageUniformComponents / 4; break;
    case GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS:
    case GL_MAX_COMBINED_GEOMETRY_UNIFORM_COMPONENTS:
    case GL_MAX_COMBINED_TESS_CONTROL_UNIFORM_COMPONENTS:
    case GL_MAX_COMBINED_TESS_EVALUATION_UNIFORM_COMPONENTS:
    case GL_MAX_COMBINED_COMPUTE_UNIFORM_COMPONENTS:
    case GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS:
      value = l.maxStageUniformBlocks * l.maxUniformBlockBytes / 4 + l.maxStageUniformComponents;
      break;
    case GL_MAX_VERTEX_UNIFORM_BLOCKS:
    case GL_MAX_GEOMETRY_UNIFORM_BLOCKS:
    case GL_MAX_TESS_CONTROL_UNIFORM_BLOCKS:
    case GL_MAX_TESS_EVALUATION_UNIFORM_BLOCKS:
    case GL_MAX_COMPUTE_UNIFORM_BLOCKS:
    case GL_MAX_FRAGMENT_UNIFORM_BLOCKS: value = l.maxStageUniformBlocks; break;
    case GL_MAX_COMBINED_UNIFORM_BLOCKS: value = l.maxCombinedUniformBlocks; break;
    case GL_MAX_UNIFORM_BUFFER_BINDINGS: value = pipe::kMaxBufferBindings; break;
    case GL_MAX_UNIFORM_BLOCK_SIZE: value = l.maxUniformBlockBytes; break;
    case GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT: value = l.uniformOffsetAlignment; break;
    case GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT: value = l.storageOffsetAlignment; break;
    case GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT: value = l.texelBufferOffsetAlignment; break;
    case GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS:
    case GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS:
    case GL_MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS:
    case GL_MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS:
    case GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS:
    case GL_MAX_TEXTURE_IMAGE_UNITS: value = l.maxStageSamplers; break;
    case GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS: value = ctx.info->maxUnits; break;
    case GL_MAX_VARYING_COMPONENTS: value = l.maxVaryingComponents; break;
    case GL_MAX_VARYING_VECTORS: value = l.maxVaryingComponents / 4; break;
    case GL_MAX_VERTEX_OUTPUT_COMPONENTS: value = l.maxVertexOutputComponents; break;
    case GL_MAX_GEOMETRY_INPUT_COMPONENTS: value = l.maxGeometryInputComponents; break;
    case GL_MAX_GEOMETRY_OUTPUT_COMPONENTS: value = l.maxGeometryOutputComponents; break;
    case GL_MAX_FRAGMENT_INPUT_COMPONENTS: value = l.maxFragmentInputComponents; break;
    case GL_MAX_GEOMETRY_OUTPUT_VERTICES: value = l.maxGeometryVertices; break;
    case GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS: value = l.maxGeometryTotalComponents; break;
    case GL_MAX_GEOMETRY_SHADER_INVOCATIONS: value = l.maxGeometryInvocations; break;
    case GL_MAX_PATCH_VERTICES: value = l.maxPatchVertices; break;
    case GL_MAX_TESS_GEN_LEVEL: value = l.maxTessLevel; break;
    case GL_MAX_CLIP_DISTANCES: value = l.maxClipDistances; break;
    case GL_MAX_CULL_DISTANCES: value = l.maxCullDistances; break;
    case GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES: value = l.maxCombinedClipCull; break;
    case GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS: value = l.maxStreamOutputSeparate; break;
    case GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS: value = 4; break;
    case GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS: value = l.maxStreamOutputInterleaved; break;
    case GL_MAX_TRANSFORM_FEEDBACK_BUFFERS: value = l.maxStreamOutputBuffers; break;
    case GL_MAX_VERTEX_STREAMS: value = l.maxStreams; break;
    case GL_MIN_PROGRAM_TEXEL_OFFSET: value = l.minTexelOffset; break;
    case GL_MAX_PROGRAM_TEXEL_OFFSET: value = l.maxTexelOffset; break;
    case GL_MIN_PROGRAM_TEXTURE_GATHER_OFFSET: value = l.minGatherOffset; break;
    case GL_MAX_PROGRAM_TEXTURE_GATHER_OFFSET: value = l.maxGatherOffset; break;
    case GL_SUBPIXEL_BITS: value = l.subpixelBits; break;
    case GL_VIEWPORT_SUBPIXEL_BITS: value = l.subpixelBits; break;
    case GL_MIN_MAP_BUFFER_ALIGNMENT: value = std::max<i64>(l.mapAlignment, 64); break;
    case GL_MAX_ELEMENT_INDEX: value = l.maxIndexValue; break;
    case GL_MAX_ELEMENTS_INDICES:
    case GL_MAX_ELEMENTS_VERTICES: value = l.maxElementsHint; break;
    case GL_MAX_SERVER_WAIT_TIMEOUT: value = std::numeric_limits<i64>::max(); break;
    case GL_MAX_UNIFORM_LOCATIONS: value = 4096; break;
    case GL_MAX_DEBUG_MESSAGE_LENGTH: value = 4096; break;
    case GL_MAX_DEBUG_LOGGED_MESSAGES: value = 256; break;
    case GL_MAX_DEBUG_GROUP_STACK_DEPTH: value = 64; break;
    case GL_MAX_LABEL_LENGTH: value = 256; break;
    default: return false;
  }
  out->integer(value);
  return true;
}

bool rasterValue(const Context& ctx, GLenum pname, StateValue* out) {
  const pipe::Caps& caps = ctx.caps();
  switch (pname) {
    case GL_LINE_WIDTH: out->real(ctx.raster.lineWidth); return true;
    case GL_POINT_SIZE: out->real(ctx.raster.pointSize); return true;
    case GL_POINT_FADE_THRESHOLD_SIZE: out->real(ctx.raster.pointFadeThreshold); return true;
    case GL_POINT_SPRITE_COORD_ORIGIN:
      out->enumeration(ctx.render.pointOrigin == pipe::PointOrigin::LowerLeft ? GL_LOWER_LEFT : GL_UPPER_LEFT);
      return true;
    case GL_POLYGON_OFFSET_FACTOR: out->real(ctx.raster.offsetFactor); return true;
    case GL_POLYGON_OFFSET_UNITS: out->real(ctx.raster.offsetUnits); return true;
    case GL_POLYGON_OFFSET_CLAMP: out->real(ctx.raster.offsetClamp); return true;
    case GL_SAMPLE_COVERAGE_VALUE: out->real(ctx.raster.coverageValue); return true;
    case GL_SAMPLE_COVERAGE_INVERT: out->boolean(ctx.raster.coverageInvert != 0); return true;
    case GL_MIN_SAMPLE_SHADING_VALUE: out->real(ctx.raster.minSampleShading); return true;
    case GL_CULL_FACE_MODE: out->enumeration(gl(ctx.cullFace)); return true;
    case GL_FRONT_FACE:
      out->enumeration(ctx.render.frontFace == pipe::Winding::Clockwise ? GL_CW : GL_CCW);
      return true;
    case GL_POLYGON_MODE:
      out->enumeration(gl(ctx.render.polygonFront));
      out->enumeration(gl(ctx.render.polygonBack));
      return true;
    case GL_PROVOKING_VERTEX:
      out->enumeration(ctx.render.provokingVertex == pipe::ProvokingVertex::First ? GL_FIRST_VERTEX_CONVENTION
                                                                                  : GL_LAST_VERTEX_CONVENTION);
      return true;
    case GL_PRIMITIVE_RESTART_INDEX: out->integer(ctx.render.restartIndex); return true;
    case GL_CLIP_ORIGIN:
      out->enumeration(ctx.render.clipOrigin == pipe::ClipOrigin::UpperLeft ? GL_UPPER_LEFT : GL_LOWER_LEFT);
      return true;
    case GL_CLIP_DEPTH_MODE:
      out->enumeration(ctx.render.clipDepth == pipe::ClipDepth::ZeroToOne ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
      return true;
    case GL_PATCH_VERTICES: out->integer(ctx.patch.vertices); return true;
    case GL_PATCH_DEFAULT_OUTER_LEVEL:
      for (const f32 level : ctx.patch.outerLevels) out->real(level);
      return true;
    case GL_PATCH_DEFAULT_INNER_LEVEL: out->real(ctx.patch.innerLevel0), out->real(ctx.patch.innerLevel1); return true;
    case GL_ALIASED_LINE_WIDTH_RANGE:
    case GL_SMOOTH_LINE_WIDTH_RANGE:  // GL_LINE_WIDTH_RANGE
      out->real(caps.lineWidthMin), out->real(caps.lineWidthMax);
      return true;
    case GL_SMOOTH_LINE_WIDTH_GRANULARITY: out->real(caps.lineWidthGranularity); return true;
    case GL_POINT_SIZE_RANGE: out->real(caps.pointSizeMin), out->real(caps.pointSizeMax); return true;
    case GL_POINT_SIZE_GRANULARITY: out->real(caps.pointSizeGranularity); return true;
    case GL_MAX_TEXTURE_LOD_BIAS: out->real(caps.maxLodBias); return true;
    case GL_MAX_TEXTURE_MAX_ANISOTROPY: out->real(caps.maxAnisotropy); return true;
    default: return false;
  }
}

bool depthStencilValue(const Context& ctx, GLenum pname, StateValue* out) {
  const auto stencil = [&](u32 face, GLenum what) {
    const pipe::StencilFace& s = ctx.render.stencil[face];
    switch (what) {
      case GL_STENCIL_FUNC: return out->enumeration(gl(s.func));
      case GL_STENCIL_FAIL: return out->enumeration(gl(s.fail));
      case GL_STENCIL_PASS_DEPTH_FAIL: return out->enumeration(gl(s.depthFail));
      case GL_STENCIL_PASS_DEPTH_PASS: return out->enumeration(gl(s.pass));
      case GL_STENCIL_REF: return out->integer(std::clamp(ctx.stencilReference[face], 0, 255));
      case GL_STENCIL_VALUE_MASK: return out->integer(ctx.stencilMasks[face][0]);
      default: return out->integer(ctx.stencilMasks[face][1]);
    }
  };
  switch (pname) {
    case GL_DEPTH_FUNC: out->enumeration(gl(ctx.render.depthFunc)); return true;
    case GL_DEPTH_WRITEMASK: out->boolean(ctx.render.depthWrite != 0); return true;
    case GL_DEPTH_CLEAR_VALUE: out->normalized(ctx.clear.depth); return true;
    case GL_DEPTH_RANGE: out->normalized(ctx.depthRanges[0][0]), out->normalized(ctx.depthRanges[0][1]); return true;
    case GL_STENCIL_CLEAR_VALUE: out->integer(ctx.clear.stencil); return true;
    case GL_STENCIL_FUNC:
    case GL_STENCIL_FAIL:
    case GL_STENCIL_PASS_DEPTH_FAIL:
    case GL_STENCIL_PASS_DEPTH_PASS:
    case GL_STENCIL_REF:
    case GL_STENCIL_VALUE_MASK:
    case GL_STENCIL_WRITEMASK: stencil(0, pname); return true;
    case GL_STENCIL_BACK_FUNC: stencil(1, GL_STENCIL_FUNC); return true;
    case GL_STENCIL_BACK_FAIL: stencil(1, GL_STENCIL_FAIL); return true;
    case GL_STENCIL_BACK_PASS_DEPTH_FAIL: stencil(1, GL_STENCIL_PASS_DEPTH_FAIL); return true;
    case GL_STENCIL_BACK_PASS_DEPTH_PASS: stencil(1, GL_STENCIL_PASS_DEPTH_PASS); return true;
    case GL_STENCIL_BACK_REF: stencil(1, GL_STENCIL_REF); return true;
    case GL_STENCIL_BACK_VALUE_MASK: stencil(1, GL_STENCIL_VALUE_MASK); return true;
    case GL_STENCIL_BACK_WRITEMASK: stencil(1, GL_STENCIL_WRITEMASK); return true;
    default: return false;
  }
}

bool blendValue(const Context& ctx, GLenum pname, u32 index, StateValue* out) {
  const pipe::BlendTarget& t = ctx.render.blend[index];
  switch (pname) {
    case GL_BLEND_SRC:
    case GL_BLEND_SRC_RGB: out->enumeration(gl(t.srcColor)); return true;
    case GL_BLEND_DST:
    case GL_BLEND_DST_RGB: out->enumeration(gl(t.dstColor)); return true;
    case GL_BLEND_SRC_ALPHA: out->enumeration(gl(t.srcAlpha)); return true;
    case GL_BLEND_DST_ALPHA: out->enumeration(gl(t.dstAlpha)); return true;
    case GL_BLEND_EQUATION_RGB: out->enumeration(gl(t.colorOp)); return true;
    case GL_BLEND_EQUATION_ALPHA: out->enumeration(gl(t.alphaOp)); return true;
    case GL_COLOR_WRITEMASK:
      for (u32 i = 0; i < 4; ++i) out->boolean(((t.writeMask >> i) & 1) != 0);
      return true;
    case GL_BLEND_COLOR:
      for (const f32 c : ctx.blendColor) out->normalized(static_cast<f64>(c));
      return true;
    case GL_COLOR_CLEAR_VALUE:
      for (const f32 c : ctx.clear.color) out->normalized(static_cast<f64>(c));
      return true;
    case GL_LOGIC_OP_MODE: out->enumeration(gl(ctx.render.logicOp)); return true;
    default: return false;
  }
}

bool framebufferValue(const Context& ctx, GLenum pname, StateValue* out) {
  if (pname >= GL_DRAW_BUFFER0 && pname <= GL_DRAW_BUFFER7) {
    const u32 i = pname - GL_DRAW_BUFFER0;
    out->enumeration(ctx.drawFramebuffer ? ctx.drawFramebuffer->drawBuffers[i] : ctx.defaultDrawBuffers[i]);
    return true;
  }
  const u32 samples = ctx.drawFramebuffer ? (ctx.drawFramebuffer->status(*ctx.share) == GL_FRAMEBUFFER_COMPLETE
                                                 ? ctx.drawFramebuffer->samples
                                                 : 0)
                      : ctx.drawSurface   ? ctx.drawSurface->config().samples
                                          : 0;
  switch (pname) {
    case GL_DRAW_BUFFER:
      out->enumeration(ctx.drawFramebuffer ? ctx.drawFramebuffer->drawBuffers[0] : ctx.defaultDrawBuffers[0]);
      return true;
    case GL_READ_BUFFER: out->enumeration(ctx.readFramebuffer ? ctx.readFramebuffer->readBuffer : ctx.defaultReadBuffer); return true;
    case GL_DRAW_FRAMEBUFFER_BINDING: out->integer(nameOf(ctx.drawFramebuffer)); return true;
    case GL_READ_FRAMEBUFFER_BINDING: out->integer(nameOf(ctx.readFramebuffer)); return true;
    case GL_RENDERBUFFER_BINDING: out->integer(nameOf(ctx.renderbuffer)); return true;
    case GL_SAMPLES: out->integer(samples); return true;
    case GL_SAMPLE_BUFFERS: out->integer(samples > 1 ? 1 : 0); return true;
    case GL_DOUBLEBUFFER: out->boolean(!ctx.drawSurface || ctx.drawSurface->config().doubleBuffered); return true;
    case GL_STEREO: out->boolean(false); return true;
    case GL_CLAMP_READ_COLOR: out->enumeration(ctx.clampReadColor[0]); return true;
    default: return false;
  }
}

bool contextValue(Context& ctx, GLenum pname, StateValue* out) {
  switch (pname) {
    case GL_MAJOR_VERSION: out->integer(ctx.info->major); return true;
    case GL_MINOR_VERSION: out->integer(ctx.info->minor); return true;
    case GL_NUM_EXTENSIONS: out->integer(static_cast<i64>(ctx.info->extensions.size())); return true;
    case GL_NUM_SHADING_LANGUAGE_VERSIONS: out->integer(0); return true;
    case GL_CONTEXT_PROFILE_MASK:
      out->integer(ctx.isCompat() ? GL_CONTEXT_COMPATIBILITY_PROFILE_BIT : GL_CONTEXT_CORE_PROFILE_BIT);
      return true;
    case GL_CONTEXT_FLAGS:
      out->integer((ctx.config.forwardCompatible ? GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT : 0) |
                   (ctx.config.debug ? GL_CONTEXT_FLAG_DEBUG_BIT : 0) |
                   (ctx.config.robust ? GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT : 0) |
                   (ctx.config.noError ? GL_CONTEXT_FLAG_NO_ERROR_BIT : 0));
      return true;
    case GL_RESET_NOTIFICATION_STRATEGY:
      out->enumeration(ctx.config.loseContextOnReset ? GL_LOSE_CONTEXT_ON_RESET : GL_NO_RESET_NOTIFICATION);
      return true;
    case GL_CURRENT_PROGRAM:
      out->integer(nameOf(ctx.program));
      return true;
    case GL_PROGRAM_PIPELINE_BINDING:
      out->integer(nameOf(ctx.pipeline));
      return true;
    case GL_VERTEX_ARRAY_BINDING:
      out->integer(ctx.vertexArray != nullptr ? static_cast<GLint>(ctx.vertexArray->name) : 0);
      return true;
    case GL_ACTIVE_TEXTURE:
      out->enumeration(GL_TEXTURE0 + ctx.activeUnit);
      return true;
    case GL_TRANSFORM_FEEDBACK_BINDING:
      out->integer(nameOf(ctx.streamOutput));
      return true;
    case GL_TRANSFORM_FEEDBACK_ACTIVE:
      out->boolean(ctx.streamOutput && ctx.streamOutput->active);
      return true;
    case GL_TRANSFORM_FEEDBACK_PAUSED:
      out->boolean(ctx.streamOutput && ctx.streamOutput->paused);
      return true;
    case GL_VIEWPORT:
      for (const f32 v : ctx.viewports[0]) out->real(static_cast<f64>(v));
      return true;
    case GL_SCISSOR_BOX:
      for (const i32 v : ctx.scissors[0]) out->integer(v);
      return true;
    case GL_MAX_VIEWPORT_DIMS: out->integer(ctx.info->limits.maxViewportWidth), out->integer(ctx.info->limits.maxViewportHeight); return true;
    case GL_VIEWPORT_BOUNDS_RANGE: out->integer(-32768), out->integer(32767); return true;
    case GL_LAYER_PROVOKING_VERTEX:
    case GL_VIEWPORT_INDEX_PROVOKING_VERTEX: out->enumeration(GL_PROVOKING_VERTEX); return true;
    case GL_LINE_SMOOTH_HINT: out->enumeration(ctx.hintLineSmooth); return true;
    case GL_POLYGON_SMOOTH_HINT: out->enumeration(ctx.hintPolygonSmooth); return true;
    case GL_TEXTURE_COMPRESSION_HINT: out->enumeration(ctx.hintCompression); return true;
    case GL_FRAGMENT_SHADER_DERIVATIVE_HINT: out->enumeration(ctx.hintDerivative); return true;
    case GL_NUM_PROGRAM_BINARY_FORMATS:
    case GL_NUM_SHADER_BINARY_FORMATS: out->integer(0); return true;
    case GL_PROGRAM_BINARY_FORMATS:
    case GL_SHADER_BINARY_FORMATS: return true;  // no values
    case GL_SHADER_COMPILER: out->boolean(true); return true;
    case GL_MAX_SHADER_COMPILER_THREADS_KHR: out->integer(i64{ctx.linkThreads}); return true;
    case GL_DEBUG_LOGGED_MESSAGES: out->integer(static_cast<i64>(ctx.debug.log.size())); return true;
    case GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH:
      out->integer(ctx.debug.log.empty() ? 0 : static_cast<i64>(ctx.debug.log.front().text.size()) + 1);
      return true;
    case GL_DEBUG_GROUP_STACK_DEPTH: out->integer(static_cast<i64>(ctx.debug.groups.size()) + 1); return true;
    case GL_TIMESTAMP: out->integer(static_cast<i64>(ctx.session->gpuTimestampNs())); return true;
    case GL_SAMPLE_MASK_VALUE: out->integer(ctx.raster.sampleMask); return true;
    default: return false;
  }
}

bool compressedFormats(const Context& ctx, GLenum pname, StateValue* out) {
  if (pname != GL_NUM_COMPRESSED_TEXTURE_FORMATS && pname != GL_COMPRESSED_TEXTURE_FORMATS) return false;
  std::array<GLenum, 4> found{};
  u32 count = 0;
  if (ctx.info->has("GL_EXT_texture_compression_s3tc"))
    found = {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_COMPRESSED_RGBA_S3TC_DXT3_EXT,
             GL_COMPRESSED_RGBA_S3TC_DXT5_EXT},
    count = 4;
  if (pname == GL_NUM_COMPRESSED_TEXTURE_FORMATS) return out->integer(count), true;
  for (u32 i = 0; i < count; ++i) out->enumeration(found[i]);
  return true;
}

bool isCapability(Context& ctx, GLenum pname, StateValue* out) {
  switch (pname) {
    case GL_BLEND:
    case GL_COLOR_LOGIC_OP:
    case GL_CULL_FACE:
    case GL_DEBUG_OUTPUT:
    case GL_DEBUG_OUTPUT_SYNCHRONOUS:
    case GL_DEPTH_CLAMP:
    case GL_DEPTH_TEST:
    case GL_DITHER:
    case GL_FRAMEBUFFER_SRGB:
    case GL_LINE_SMOOTH:
    case GL_MULTISAMPLE:
    case GL_POLYGON_OFFSET_FILL:
    case GL_POLYGON_OFFSET_LINE:
    case GL_POLYGON_OFFSET_POINT:
    case GL_POLYGON_SMOOTH:
    case GL_PRIMITIVE_RESTART:
    case GL_PRIMITIVE_RESTART_FIXED_INDEX:
    case GL_PROGRAM_POINT_SIZE:
    case GL_RASTERIZER_DISCARD:
    case GL_SAMPLE_ALPHA_TO_COVERAGE:
    case GL_SAMPLE_ALPHA_TO_ONE:
    case GL_SAMPLE_COVERAGE:
    case GL_SAMPLE_MASK:
    case GL_SAMPLE_SHADING:
    case GL_SCISSOR_TEST:
    case GL_STENCIL_TEST:
    case GL_TEXTURE_CUBE_MAP_SEAMLESS: break;
    default:
      if (pname < GL_CLIP_DISTANCE0 || pname > GL_CLIP_DISTANCE7) return false;
  }
  out->boolean(api::IsEnabled(ctx, pname) != GL_FALSE);
  return true;
}

bool pixelStore(const Context& ctx, GLenum pname, StateValue* out) {
  i32 value = 0;
  if (!pixelStoreValue(ctx, pname, &value)) return false;
  out->integer(value);
  return true;
}

bool stateValue(Context& ctx, GLenum pname, StateValue* out, const char* command) {
  if (limitValue(ctx, pname, out) || rasterValue(ctx, pname, out) || depthStencilValue(ctx, pname, out) ||
      blendValue(ctx, pname, 0, out) || framebufferValue(ctx, pname, out) || bufferBinding(ctx, pname, out) ||
      textureBinding(ctx, pname, ctx.activeUnit, out) || contextValue(ctx, pname, out) || isCapability(ctx, pname, out) ||
      pixelStore(ctx, pname, out) || compressedFormats(ctx, pname, out))
    return true;
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not state of this context", command, pname);
  return false;
}

bool indexedBuffer(const Context& ctx, GLenum pname, u32 index, StateValue* out, bool* known) {
  const auto classOf = [&](GLenum binding, GLenum start, GLenum size, pipe::BufferClass cls) {
    if (pname != binding && pname != start && pname != size) return false;
    *known = true;
    if (index >= pipe::kMaxBufferBindings) return false;
    const IndexedBuffer& b = ctx.indexedBuffers[indexOf(cls)][index];
    out->integer(pname == binding ? nameOf(b.buffer) : pname == start ? b.offset : b.size);
    return true;
  };
  if (classOf(GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE, pipe::BufferClass::Uniform) ||
      classOf(GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START, GL_SHADER_STORAGE_BUFFER_SIZE,
              pipe::BufferClass::Storage) ||
      classOf(GL_ATOMIC_COUNTER_BUFFER_BINDING, GL_ATOMIC_COUNTER_BUFFER_START, GL_ATOMIC_COUNTER_BUFFER_SIZE,
              pipe::BufferClass::AtomicCounter))
    return true;
  if (pname == GL_TRANSFORM_FEEDBACK_BUFFER_BINDING || pname == GL_TRANSFORM_FEEDBACK_BUFFER_START ||
      pname == GL_TRANSFORM_FEEDBACK_BUFFER_SIZE) {
    *known = true;
    if (index >= pipe::kMaxStreamOutputBuffers) return false;
    const StreamOutput& so = *ctx.streamOutput;
    out->integer(pname == GL_TRANSFORM_FEEDBACK_BUFFER_BINDING ? nameOf(so.buffers[index])
                 : pname == GL_TRANSFORM_FEEDBACK_BUFFER_START ? so.offsets[index]
                                                               : so.sizes[index]);
    return true;
  }
  return false;
}

bool indexedValue(Context& ctx, GLenum pname, GLuint index, StateValue* out, const char* command) {
  bool known = false;
  if (indexedBuffer(ctx, pname, index, out, &known)) return true;
  const u32 viewports = static_cast<u32>(ctx.info->limits.maxViewports);
  switch (pname) {
    case GL_VIEWPORT:
    case GL_SCISSOR_BOX:
    case GL_DEPTH_RANGE:
    case GL_SCISSOR_TEST:
      known = true;
      if (index >= viewports) break;
      if (pname == GL_VIEWPORT)
        for (const f32 v : ctx.viewports[index]) out->real(static_cast<f64>(v));
      else if (pname == GL_SCISSOR_BOX)
        for (const i32 v : ctx.scissors[index]) out->integer(v);
      else if (pname == GL_DEPTH_RANGE)
        for (const f64 v : ctx.depthRanges[index]) out->normalized(v);
      else
        out->boolean(((ctx.scissorEnable >> index) & 1) != 0);
      return true;
    case GL_SAMPLE_MASK_VALUE:
      known = true;
      if (index >= static_cast<GLuint>(ctx.info->limits.maxSampleMaskWords)) break;
      out->integer(index == 0 ? ctx.raster.sampleMask : ~0u);
      return true;
    case GL_BLEND:
      known = true;
      if (index >= static_cast<GLuint>(ctx.info->limits.maxColorTargets)) break;
      out->boolean(((ctx.blendEnable >> index) & 1) != 0);
      return true;
    case GL_VERTEX_BINDING_BUFFER:
    case GL_VERTEX_BINDING_OFFSET:
    case GL_VERTEX_BINDING_STRIDE:
    case GL_VERTEX_BINDING_DIVISOR: {
      known = true;
      if (index >= static_cast<GLuint>(ctx.info->limits.maxVertexBindings) || !ctx.vertexArray) break;
      const VertexBufferBinding& b = ctx.vertexArray->bindings[index];
      out->integer(pname == GL_VERTEX_BINDING_BUFFER   ? nameOf(b.buffer)
                   : pname == GL_VERTEX_BINDING_OFFSET ? b.offset
                   : pname == GL_VERTEX_BINDING_STRIDE ? i64{b.stride}
                                                       : i64{b.divisor});
      return true;
    }
    default: break;
  }
  if (!known && index < static_cast<GLuint>(ctx.info->limits.maxColorTargets) && pname != GL_BLEND_COLOR &&
      pname != GL_COLOR_CLEAR_VALUE && pname != GL_LOGIC_OP_MODE && blendValue(ctx, pname, index, out))
    return true;
  if (!known && index < ctx.info->maxUnits && textureBinding(ctx, pname, index, out)) return true;
  ctx.error(known ? GL_INVALID_VALUE : GL_INVALID_ENUM, "%s: 0x%04x is not indexed state, or has no index %u", command, pname,
            index);
  return false;
}

}  // namespace

MGL_GL(void, GetBooleanv)(Context& ctx, GLenum pname, GLboolean* data) {
  StateValue value;
  if (stateValue(ctx, pname, &value, "glGetBooleanv")) value.copyTo(data);
}
MGL_GL(void, GetIntegerv)(Context& ctx, GLenum pname, GLint* data) {
  StateValue value;
  if (stateValue(ctx, pname, &value, "glGetIntegerv")) value.copyTo(data);
}
MGL_GL(void, GetInteger64v)(Context& ctx, GLenum pname, GLint64* data) {
  StateValue value;
  if (stateValue(ctx, pname, &value, "glGetInteger64v")) value.copyTo(data);
}
MGL_GL(void, GetFloatv)(Context& ctx, GLenum pname, GLfloat* data) {
  StateValue value;
  if (stateValue(ctx, pname, &value, "glGetFloatv")) value.copyTo(data);
}
MGL_GL(void, GetDoublev)(Context& ctx, GLenum pname, GLdouble* data) {
  StateValue value;
  if (stateValue(ctx, pname, &value, "glGetDoublev")) value.copyTo(data);
}
MGL_GL(void, GetBooleani_v)(Context& ctx, GLenum target, GLuint index, GLboolean* data) {
  StateValue value;
  if (indexedValue(ctx, target, index, &value, "glGetBooleani_v")) value.copyTo(data);
}
MGL_GL(void, GetIntegeri_v)(Context& ctx, GLenum target, GLuint index, GLint* data) {
  StateValue value;
  if (indexedValue(ctx, target, index, &value, "glGetIntegeri_v")) value.copyTo(data);
}
MGL_GL(void, GetInteger64i_v)(Context& ctx, GLenum target, GLuint index, GLint64* data) {
  StateValue value;
  if (indexedValue(ctx, target, index, &value, "glGetInteger64i_v")) value.copyTo(data);
}
MGL_GL(void, GetFloati_v)(Context& ctx, GLenum target, GLuint index, GLfloat* data) {
  StateValue value;
  if (indexedValue(ctx, target, index, &value, "glGetFloati_v")) value.copyTo(data);
}
MGL_GL(void, GetDoublei_v)(Context& ctx, GLenum target, GLuint index, GLdouble* data) {
  StateValue value;
  if (indexedValue(ctx, target, index, &value, "glGetDoublei_v")) value.copyTo(data);
}

}  // namespace mgl::gl
