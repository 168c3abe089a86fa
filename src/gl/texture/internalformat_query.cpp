// glGetInternalformat* (OpenGL 4.6 section 22.3, ARB_internalformat_query2).

#include <algorithm>
#include <bit>

#include "format/format.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/samples.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

// What is asked about: a format as images of a target.
struct Subject {
  const InternalFormat* row = nullptr;  // null: not a format here
  pipe::Format format = pipe::Format::None;
  TextureTarget target = TextureTarget::Tex2D;
  bool supported = false;  // the target's images may have it
};

bool supports(const Context& ctx, const Subject& s) {
  if (s.row == nullptr || s.format == pipe::Format::None) return false;
  const format::FormatInfo& info = format::formatInfo(s.format);
  const bool renderable = isRenderable(ctx.caps(), s.format);
  switch (s.target) {
    case TextureTarget::Renderbuffer: return renderable && !info.compressed;
    case TextureTarget::Buffer: return s.row->is(InternalFormat::Buffer) && ctx.caps().can(s.format, pipe::kUseTexelBuffer);
    case TextureTarget::Tex2DMultisample:
    case TextureTarget::Tex2DMultisampleArray: return renderable && !info.compressed;
    case TextureTarget::Tex3D: return !info.isDepthOrStencil() && !info.compressed;
    case TextureTarget::Tex1D:
    case TextureTarget::Tex1DArray:
    case TextureTarget::Rectangle: return !info.compressed;
    default: return true;
  }
}

// Every count that the format can be asked for, largest first.
std::vector<i64> sampleCounts(const Context& ctx, const Subject& s) {
  std::vector<i64> counts;
  const bool takes = s.target == TextureTarget::Renderbuffer || isMultisample(s.target);
  if (!takes || !s.supported) return counts;
  const u32 limit = s.target == TextureTarget::Renderbuffer ? static_cast<u32>(ctx.info->limits.maxSamples)
                                                            : textureSamplesLimit(ctx, s.format);
  const u32 bits = ctx.caps().formatSamples[indexOf(s.format)];
  for (u32 bit = 7; bit-- > 1;)
    if ((bits >> bit & 1) != 0 && (1u << bit) <= limit) counts.push_back(1 << bit);
  if (counts.empty() && (bits & 1) != 0) counts.push_back(1);
  return counts;
}

GLenum support(bool yes) { return yes ? GL_FULL_SUPPORT : GL_NONE; }

GLenum componentType(const format::FormatInfo& info, u32 bits, bool depth, bool stencil) {
  if (bits == 0) return GL_NONE;
  if (stencil) return GL_UNSIGNED_INT;
  if (depth) return info.isFloat() ? GL_FLOAT : GL_UNSIGNED_NORMALIZED;
  switch (info.type) {
    case format::ComponentType::Unorm: return GL_UNSIGNED_NORMALIZED;
    case format::ComponentType::Snorm: return GL_SIGNED_NORMALIZED;
    case format::ComponentType::Uint: return GL_UNSIGNED_INT;
    case format::ComponentType::Sint: return GL_INT;
    case format::ComponentType::Float: return GL_FLOAT;
    default: return GL_NONE;
  }
}

// The format and type with which transfers are copies.
GLenum transferFormatToken(pipe::Format format) {
  switch (format::nativeTransfer(format).format) {
    case pipe::TransferFormat::Red: return GL_RED;
    case pipe::TransferFormat::RG: return GL_RG;
    case pipe::TransferFormat::RGB: return GL_RGB;
    case pipe::TransferFormat::RGBA: return GL_RGBA;
    case pipe::TransferFormat::BGRA: return GL_BGRA;
    case pipe::TransferFormat::RedInteger: return GL_RED_INTEGER;
    case pipe::TransferFormat::RGInteger: return GL_RG_INTEGER;
    case pipe::TransferFormat::RGBInteger: return GL_RGB_INTEGER;
    case pipe::TransferFormat::RGBAInteger: return GL_RGBA_INTEGER;
    case pipe::TransferFormat::Depth: return GL_DEPTH_COMPONENT;
    case pipe::TransferFormat::Stencil: return GL_STENCIL_INDEX;
    case pipe::TransferFormat::DepthStencil: return GL_DEPTH_STENCIL;
    case pipe::TransferFormat::Alpha: return GL_ALPHA;
    case pipe::TransferFormat::Luminance: return GL_LUMINANCE;
    case pipe::TransferFormat::LuminanceAlpha: return GL_LUMINANCE_ALPHA;
    default: return GL_NONE;
  }
}

GLenum transferTypeToken(pipe::Format format) {
  switch (format::nativeTransfer(format).type) {
    case pipe::TransferType::UByte: return GL_UNSIGNED_BYTE;
    case pipe::TransferType::Byte: return GL_BYTE;
    case pipe::TransferType::UShort: return GL_UNSIGNED_SHORT;
    case pipe::TransferType::Short: return GL_SHORT;
    case pipe::TransferType::UInt: return GL_UNSIGNED_INT;
    case pipe::TransferType::Int: return GL_INT;
    case pipe::TransferType::HalfFloat: return GL_HALF_FLOAT;
    case pipe::TransferType::Float: return GL_FLOAT;
    case pipe::TransferType::UByte332: return GL_UNSIGNED_BYTE_3_3_2;
    case pipe::TransferType::UShort565: return GL_UNSIGNED_SHORT_5_6_5;
    case pipe::TransferType::UShort4444: return GL_UNSIGNED_SHORT_4_4_4_4;
    case pipe::TransferType::UShort5551: return GL_UNSIGNED_SHORT_5_5_5_1;
    case pipe::TransferType::UInt2101010Rev: return GL_UNSIGNED_INT_2_10_10_10_REV;
    case pipe::TransferType::UInt10F11F11FRev: return GL_UNSIGNED_INT_10F_11F_11F_REV;
    case pipe::TransferType::UInt5999Rev: return GL_UNSIGNED_INT_5_9_9_9_REV;
    case pipe::TransferType::UInt248: return GL_UNSIGNED_INT_24_8;
    case pipe::TransferType::Float32UInt248Rev: return GL_FLOAT_32_UNSIGNED_INT_24_8_REV;
    default: return GL_NONE;
  }
}

// Sizes and limits. False: another question.
bool answerShape(const Context& ctx, const Subject& s, GLenum pname, i64* out) {
  const format::FormatInfo& info = format::formatInfo(s.format);
  const u32 size = maxSize(ctx, s.target);
  const u32 dimensions = imageDimensions(s.target);
  const auto set = [&](i64 value) {
    *out = s.supported ? value : 0;
    return true;
  };
  switch (pname) {
    case GL_INTERNALFORMAT_RED_SIZE: return set(info.bits.red);
    case GL_INTERNALFORMAT_GREEN_SIZE: return set(info.bits.green);
    case GL_INTERNALFORMAT_BLUE_SIZE: return set(info.bits.blue);
    case GL_INTERNALFORMAT_ALPHA_SIZE: return set(info.bits.alpha);
    case GL_INTERNALFORMAT_DEPTH_SIZE: return set(info.bits.depth);
    case GL_INTERNALFORMAT_STENCIL_SIZE: return set(info.bits.stencil);
    case GL_INTERNALFORMAT_SHARED_SIZE: return set(info.bits.shared);
    case GL_INTERNALFORMAT_RED_TYPE: return set(componentType(info, info.bits.red, false, false));
    case GL_INTERNALFORMAT_GREEN_TYPE: return set(componentType(info, info.bits.green, false, false));
    case GL_INTERNALFORMAT_BLUE_TYPE: return set(componentType(info, info.bits.blue, false, false));
    case GL_INTERNALFORMAT_ALPHA_TYPE: return set(componentType(info, info.bits.alpha, false, false));
    case GL_INTERNALFORMAT_DEPTH_TYPE: return set(componentType(info, info.bits.depth, true, false));
    case GL_INTERNALFORMAT_STENCIL_TYPE: return set(componentType(info, info.bits.stencil, false, true));
    case GL_MAX_WIDTH:
      return set(s.target == TextureTarget::Buffer ? ctx.info->limits.maxTexelBufferTexels : i64{size});
    case GL_MAX_HEIGHT:
      return set(s.target == TextureTarget::Buffer || s.target == TextureTarget::Tex1D || s.target == TextureTarget::Tex1DArray
                     ? 0
                     : size);
    case GL_MAX_DEPTH: return set(s.target == TextureTarget::Tex3D ? maxDepth(ctx, s.target) : 0);
    case GL_MAX_LAYERS:
      return set(isLayeredTarget(s.target) && s.target != TextureTarget::Tex3D && s.target != TextureTarget::Cube
                     ? maxDepth(ctx, s.target)
                     : 0);
    case GL_MAX_COMBINED_DIMENSIONS: {
      const std::vector<i64> counts = sampleCounts(ctx, s);
      i64 total = size;
      if (s.target == TextureTarget::Tex1DArray) return set(total * maxDepth(ctx, s.target));
      if (dimensions >= 2) total *= size;
      if (dimensions == 3) total *= maxDepth(ctx, s.target);
      if (s.target == TextureTarget::Cube) total *= 6;
      return set(isMultisample(s.target) && !counts.empty() ? total * counts.front() : total);
    }
    case GL_TEXTURE_COMPRESSED: return set(info.compressed ? 1 : 0);
    case GL_TEXTURE_COMPRESSED_BLOCK_WIDTH: return set(info.compressed ? info.blockWidth : 0);
    case GL_TEXTURE_COMPRESSED_BLOCK_HEIGHT: return set(info.compressed ? info.blockHeight : 0);
    case GL_TEXTURE_COMPRESSED_BLOCK_SIZE: return set(info.compressed ? info.blockBytes * 8 : 0);
    case GL_IMAGE_TEXEL_SIZE: return set(s.row != nullptr && s.row->is(InternalFormat::Image) ? info.blockBytes * 8 : 0);
    case GL_VIEW_COMPATIBILITY_CLASS: return set(viewClass(s.format));
    default: return false;
  }
}

// What can be done with it. False: another question.
bool answerUse(const Context& ctx, const Subject& s, GLenum pname, i64* out) {
  const pipe::Caps& caps = ctx.caps();
  const format::FormatInfo& info = format::formatInfo(s.format);
  const bool color = info.isColor(), renderable = isRenderable(caps, s.format);
  const bool sampled = s.target != TextureTarget::Renderbuffer && caps.can(s.format, pipe::kUseSample);
  const bool storage = s.row != nullptr && s.row->is(InternalFormat::Image) && caps.can(s.format, pipe::kUseStorage) &&
                       s.target != TextureTarget::Renderbuffer;
  const auto yes = [&](bool value) {
    *out = s.supported && value ? GL_TRUE : GL_FALSE;
    return true;
  };
  const auto full = [&](bool value) {
    *out = support(s.supported && value);
    return true;
  };
  const auto set = [&](i64 value) {
    *out = s.supported ? value : 0;
    return true;
  };
  switch (pname) {
    case GL_INTERNALFORMAT_SUPPORTED: return yes(true);
    case GL_INTERNALFORMAT_PREFERRED: return set(s.row != nullptr ? s.row->gl : 0);
    case GL_COLOR_COMPONENTS: return yes(color);
    case GL_DEPTH_COMPONENTS: return yes(info.isDepth());
    case GL_STENCIL_COMPONENTS: return yes(info.isStencil());
    case GL_COLOR_RENDERABLE: return yes(color && renderable);
    case GL_DEPTH_RENDERABLE: return yes(info.isDepth() && renderable);
    case GL_STENCIL_RENDERABLE: return yes(info.isStencil() && renderable);
    case GL_FRAMEBUFFER_RENDERABLE: return full(renderable && s.target != TextureTarget::Buffer);
    case GL_FRAMEBUFFER_RENDERABLE_LAYERED: return full(renderable && isLayeredTarget(s.target));
    case GL_FRAMEBUFFER_BLEND: return full(color && renderable && caps.can(s.format, pipe::kUseBlend));
    case GL_READ_PIXELS: return full(renderable);
    case GL_READ_PIXELS_FORMAT:
    case GL_TEXTURE_IMAGE_FORMAT:
    case GL_GET_TEXTURE_IMAGE_FORMAT: return set(transferFormatToken(s.format));
    case GL_READ_PIXELS_TYPE:
    case GL_TEXTURE_IMAGE_TYPE:
    case GL_GET_TEXTURE_IMAGE_TYPE: return set(transferTypeToken(s.format));
    case GL_MIPMAP: return yes(hasMipmaps(s.target));
    case GL_GENERATE_MIPMAP:
    case GL_MANUAL_GENERATE_MIPMAP:
    case GL_AUTO_GENERATE_MIPMAP:
      return full(pname != GL_AUTO_GENERATE_MIPMAP && hasMipmaps(s.target) && color && !info.isInteger() && !info.compressed &&
                  renderable);
    case GL_COLOR_ENCODING: return set(!color ? GL_NONE : info.srgb ? GL_SRGB : GL_LINEAR);
    case GL_SRGB_READ: return full(info.srgb && sampled);
    case GL_SRGB_WRITE: return full(info.srgb && renderable);
    case GL_SRGB_DECODE_ARB: return full(info.srgb && sampled);
    case GL_FILTER: return full(sampled && !info.isInteger() && hasMipmaps(s.target));
    case GL_VERTEX_TEXTURE:
    case GL_FRAGMENT_TEXTURE: return full(sampled);
    case GL_GEOMETRY_TEXTURE: return full(sampled && caps.has(pipe::Feature::GeometryShader));
    case GL_TESS_CONTROL_TEXTURE:
    case GL_TESS_EVALUATION_TEXTURE: return full(sampled && caps.has(pipe::Feature::TessellationShader));
    case GL_COMPUTE_TEXTURE: return full(sampled && caps.has(pipe::Feature::ComputeShader));
    case GL_TEXTURE_SHADOW: return full(sampled && info.isDepth());
    case GL_TEXTURE_GATHER: return full(sampled && caps.has(pipe::Feature::TextureGather));
    case GL_TEXTURE_GATHER_SHADOW: return full(sampled && info.isDepth() && caps.has(pipe::Feature::TextureGather));
    case GL_SHADER_IMAGE_LOAD:
    case GL_SHADER_IMAGE_STORE: return full(storage && caps.has(pipe::Feature::ShaderImages));
    case GL_SHADER_IMAGE_ATOMIC: return full(storage && caps.can(s.format, pipe::kUseStorageAtomic));
    case GL_IMAGE_COMPATIBILITY_CLASS:
    case GL_IMAGE_PIXEL_FORMAT:
    case GL_IMAGE_PIXEL_TYPE:
      if (!storage) return set(0);
      return set(pname == GL_IMAGE_PIXEL_FORMAT  ? transferFormatToken(s.format)
                 : pname == GL_IMAGE_PIXEL_TYPE  ? transferTypeToken(s.format)
                 : info.blockBytes == 16 ? GL_IMAGE_CLASS_4_X_32
                 : info.blockBytes == 1  ? GL_IMAGE_CLASS_1_X_8
                                         : GL_NONE);
    case GL_IMAGE_FORMAT_COMPATIBILITY_TYPE: return set(storage ? GL_IMAGE_FORMAT_COMPATIBILITY_BY_SIZE : GL_NONE);
    case GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_TEST:
    case GL_SIMULTANEOUS_TEXTURE_AND_DEPTH_WRITE: return full(sampled && info.isDepth());
    case GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_TEST:
    case GL_SIMULTANEOUS_TEXTURE_AND_STENCIL_WRITE: return full(sampled && info.isStencil());
    case GL_CLEAR_BUFFER: return full(s.target == TextureTarget::Buffer);
    case GL_CLEAR_TEXTURE: return full(s.target != TextureTarget::Buffer && !info.compressed);
    case GL_TEXTURE_VIEW: return full(caps.has(pipe::Feature::TextureView) && s.target != TextureTarget::Buffer &&
                                      s.target != TextureTarget::Renderbuffer);
    default: return false;
  }
}

// Answers at most `count` values. False after an error.
bool query(Context& ctx, GLenum target, GLenum internalFormat, GLenum pname, GLsizei count, i64* values, u32* written,
           const char* call) {
  *written = 0;
  Subject subject;
  if (target == GL_RENDERBUFFER) {
    subject.target = TextureTarget::Renderbuffer;
  } else if (const auto t = bindTarget(ctx, target)) {
    subject.target = *t;
  } else {
    ctx.error(GL_INVALID_ENUM, "%s: images of target 0x%04x cannot be asked about", call, target);
    return false;
  }
  if (count < 0) {
    ctx.error(GL_INVALID_VALUE, "%s: the count is negative", call);
    return false;
  }
  subject.row = findInternalFormat(internalFormat);
  if (subject.row != nullptr && ctx.isCore() && subject.row->is(InternalFormat::CompatOnly)) subject.row = nullptr;
  if (subject.row != nullptr)
    subject.format = subject.target == TextureTarget::Renderbuffer || isMultisample(subject.target)
                         ? renderFormat(ctx.caps(), *subject.row)
                         : textureFormat(ctx.caps(), *subject.row);
  subject.supported = supports(ctx, subject);

  if (pname == GL_SAMPLES || pname == GL_NUM_SAMPLE_COUNTS) {
    const std::vector<i64> counts = sampleCounts(ctx, subject);
    if (pname == GL_NUM_SAMPLE_COUNTS) {
      if (count > 0) values[(*written)++] = static_cast<i64>(counts.size());
      return true;
    }
    for (const i64 samples : counts)
      if (static_cast<GLsizei>(*written) < count && *written < 16) values[(*written)++] = samples;
    return true;
  }
  i64 answer = 0;
  if (!answerShape(ctx, subject, pname, &answer) && !answerUse(ctx, subject, pname, &answer)) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is nothing to ask of an internal format", call, pname);
    return false;
  }
  if (count > 0) values[(*written)++] = answer;
  return true;
}

}  // namespace

MGL_GL(void, GetInternalformativ)(Context& ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                                  GLint* params) {
  std::array<i64, 16> values{};
  u32 written = 0;
  if (!query(ctx, target, internalformat, pname, count, values.data(), &written, "glGetInternalformativ")) return;
  for (u32 i = 0; i < written; ++i) params[i] = static_cast<GLint>(std::min<i64>(values[i], 0x7fffffff));
}

MGL_GL(void, GetInternalformati64v)(Context& ctx, GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                                    GLint64* params) {
  std::array<i64, 16> values{};
  u32 written = 0;
  if (!query(ctx, target, internalformat, pname, count, values.data(), &written, "glGetInternalformati64v")) return;
  for (u32 i = 0; i < written; ++i) params[i] = values[i];
}

}  // namespace mgl::gl
