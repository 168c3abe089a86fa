// glGetTexParameter* and glGetTexLevelParameter* (OpenGL 4.6 section 8.11).

#include "format/format.h"
#include "gl/buffer/buffer.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/proxy.h"
#include "gl/texture/sampler_parameters.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

// False: no texture parameter.
bool answerParameter(const Context& ctx, const Texture& t, GLenum pname, const ParameterAnswer& answer) {
  const auto set = [&](i64 value) {
    answer.setInt(value);
    return true;
  };
  switch (pname) {
    case GL_TEXTURE_BASE_LEVEL: return set(t.baseLevel);
    case GL_TEXTURE_MAX_LEVEL: return set(t.maxLevel);
    case GL_TEXTURE_SWIZZLE_R:
    case GL_TEXTURE_SWIZZLE_G:
    case GL_TEXTURE_SWIZZLE_B:
    case GL_TEXTURE_SWIZZLE_A: return set(t.swizzle[pname - GL_TEXTURE_SWIZZLE_R]);
    case GL_TEXTURE_SWIZZLE_RGBA:
      for (u32 i = 0; i < 4; ++i) answer.setInt(t.swizzle[i], i);
      return true;
    case GL_DEPTH_STENCIL_TEXTURE_MODE: return set(t.depthStencilMode);
    case GL_TEXTURE_IMMUTABLE_FORMAT: return set(t.immutable ? 1 : 0);
    case GL_TEXTURE_IMMUTABLE_LEVELS: return set(t.immutableLevels);
    case GL_TEXTURE_VIEW_MIN_LEVEL: return set(t.viewMinLevel);
    case GL_TEXTURE_VIEW_NUM_LEVELS: return set(t.viewNumLevels);
    case GL_TEXTURE_VIEW_MIN_LAYER: return set(t.viewMinLayer);
    case GL_TEXTURE_VIEW_NUM_LAYERS: return set(t.viewNumLayers);
    case GL_IMAGE_FORMAT_COMPATIBILITY_TYPE: return set(t.imageFormatCompatibility);
    case GL_TEXTURE_TARGET: return set(targetToken(t.target));
    default: break;
  }
  if (!ctx.isCore()) {
    switch (pname) {
      case GL_TEXTURE_PRIORITY: answer.setFloat(t.priority); return true;
      case GL_TEXTURE_RESIDENT: return set(1);
      case GL_GENERATE_MIPMAP: return set(t.generateMipmap ? 1 : 0);
      default: break;
    }
  }
  return getSamplerParameter(ctx, t.sampler, pname, answer);
}

void getBound(Context& ctx, GLenum target, GLenum pname, const ParameterAnswer& answer, const char* call) {
  const auto t = bindTarget(ctx, target);
  if (!t || *t == TextureTarget::Buffer)
    return ctx.error(GL_INVALID_ENUM, "%s: textures of target 0x%04x have no parameters", call, target);
  if (!answerParameter(ctx, boundTexture(ctx, *t), pname, answer))
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no texture parameter", call, pname);
}

void getNamed(Context& ctx, GLuint name, GLenum pname, const ParameterAnswer& answer, const char* call) {
  const Ref<Texture> texture = namedTexture(ctx, name, call);
  if (texture && !answerParameter(ctx, *texture, pname, answer))
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no texture parameter", call, pname);
}

// ---- Levels

GLenum typeOf(const format::FormatInfo& info, u32 bits, bool depth) {
  if (bits == 0) return GL_NONE;
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

// What the image of a level answers. texture: null for a proxy. False after an error.
bool answerLevel(Context& ctx, const TextureImage& image, const Texture* texture, GLenum pname,
                 const ParameterAnswer& answer, const char* call) {
  const format::FormatInfo& info = format::formatInfo(image.format);
  const bool buffer = texture != nullptr && texture->target == TextureTarget::Buffer;
  const auto set = [&](i64 value) {
    answer.setInt(value);
    return true;
  };
  switch (pname) {
    case GL_TEXTURE_WIDTH: return set(image.width);
    case GL_TEXTURE_HEIGHT: return set(image.height);
    case GL_TEXTURE_DEPTH: return set(image.depth);
    case GL_TEXTURE_SAMPLES: return set(image.samples);
    case GL_TEXTURE_FIXED_SAMPLE_LOCATIONS: return set(image.fixedSampleLocations ? 1 : 0);
    case GL_TEXTURE_INTERNAL_FORMAT:
      return set(image.internalFormat != GL_NONE ? image.internalFormat : static_cast<GLenum>(ctx.isCompat() ? 1 : GL_RGBA));
    case GL_TEXTURE_RED_SIZE: return set(info.bits.red);
    case GL_TEXTURE_GREEN_SIZE: return set(info.bits.green);
    case GL_TEXTURE_BLUE_SIZE: return set(info.bits.blue);
    case GL_TEXTURE_ALPHA_SIZE: return set(info.bits.alpha);
    case GL_TEXTURE_DEPTH_SIZE: return set(info.bits.depth);
    case GL_TEXTURE_STENCIL_SIZE: return set(info.bits.stencil);
    case GL_TEXTURE_SHARED_SIZE: return set(info.bits.shared);
    case GL_TEXTURE_RED_TYPE: return set(typeOf(info, info.bits.red, false));
    case GL_TEXTURE_GREEN_TYPE: return set(typeOf(info, info.bits.green, false));
    case GL_TEXTURE_BLUE_TYPE: return set(typeOf(info, info.bits.blue, false));
    case GL_TEXTURE_ALPHA_TYPE: return set(typeOf(info, info.bits.alpha, false));
    case GL_TEXTURE_DEPTH_TYPE: return set(typeOf(info, info.bits.depth, true));
    case GL_TEXTURE_COMPRESSED: return set(info.compressed ? 1 : 0);
    case GL_TEXTURE_COMPRESSED_IMAGE_SIZE:
      if (texture == nullptr || !info.compressed) {
        ctx.error(GL_INVALID_OPERATION, "%s: the level is not compressed", call);
        return false;
      }
      return set(static_cast<i64>(format::boxBytes(image.format, image.width, image.height, image.depth)));
    case GL_TEXTURE_BUFFER_DATA_STORE_BINDING:
      return set(buffer && texture->buffer ? texture->buffer->name : 0);
    case GL_TEXTURE_BUFFER_OFFSET: return set(buffer ? texture->bufferOffset : 0);
    case GL_TEXTURE_BUFFER_SIZE:
      if (!buffer || !texture->buffer) return set(0);
      return set(texture->bufferSize >= 0 ? texture->bufferSize : static_cast<i64>(texture->buffer->size));
    default: break;
  }
  if (!ctx.isCore()) {
    switch (pname) {
      case GL_TEXTURE_LUMINANCE_SIZE: return set(info.bits.luminance);
      case GL_TEXTURE_INTENSITY_SIZE: return set(info.bits.intensity);
      case GL_TEXTURE_LUMINANCE_TYPE_ARB: return set(typeOf(info, info.bits.luminance, false));
      case GL_TEXTURE_INTENSITY_TYPE_ARB: return set(typeOf(info, info.bits.intensity, false));
      case GL_TEXTURE_BORDER: return set(0);
      default: break;
    }
  }
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no parameter of a level", call, pname);
  return false;
}

// A buffer texture as a level: its width follows the buffer's size.
TextureImage bufferImage(const Context& ctx, const Texture& texture) {
  TextureImage image;
  image.internalFormat = texture.bufferFormat;
  if (!texture.buffer) return image;
  image.format = texture.bufferPipeFormat;
  const i64 bytes = texture.bufferSize >= 0 ? texture.bufferSize : static_cast<i64>(texture.buffer->size);
  const i64 texels = bytes / std::max<i64>(1, format::formatInfo(image.format).blockBytes);
  image.width = static_cast<u32>(std::min(texels, ctx.info->limits.maxTexelBufferTexels));
  image.height = image.depth = 1;
  return image;
}

void queryLevel(Context& ctx, const Texture& texture, u32 face, GLint level, GLenum pname, const ParameterAnswer& answer,
                const char* call) {
  if (!checkLevel(ctx, texture.target, level, call)) return;
  if (texture.target == TextureTarget::Buffer)
    (void)answerLevel(ctx, bufferImage(ctx, texture), &texture, pname, answer, call);
  else
    (void)answerLevel(ctx, texture.image(face, level), &texture, pname, answer, call);
}

void levelOfBound(Context& ctx, GLenum target, GLint level, GLenum pname, const ParameterAnswer& answer, const char* call) {
  const auto t = imageTarget(ctx, target);
  if (!t || (t->target == TextureTarget::Cube && !t->faceToken && !t->proxy))
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not the target of an image", call, target);
  if (!t->proxy) return queryLevel(ctx, boundTexture(ctx, t->target), t->face, level, pname, answer, call);
  if (!checkLevel(ctx, t->target, level, call)) return;
  const TextureImage& image = proxyImages(ctx).images[indexOf(t->target)][static_cast<u32>(level)];
  (void)answerLevel(ctx, image, nullptr, pname, answer, call);
}

void levelOfNamed(Context& ctx, GLuint name, GLint level, GLenum pname, const ParameterAnswer& answer, const char* call) {
  const Ref<Texture> texture = namedTexture(ctx, name, call);
  if (texture) queryLevel(ctx, *texture, 0, level, pname, answer, call);
}

}  // namespace

MGL_GL(void, GetTexParameteriv)(Context& ctx, GLenum target, GLenum pname, GLint* params) {
  getBound(ctx, target, pname, ParameterAnswer(params), "glGetTexParameteriv");
}
MGL_GL(void, GetTexParameterfv)(Context& ctx, GLenum target, GLenum pname, GLfloat* params) {
  getBound(ctx, target, pname, ParameterAnswer(params), "glGetTexParameterfv");
}
MGL_GL(void, GetTexParameterIiv)(Context& ctx, GLenum target, GLenum pname, GLint* params) {
  getBound(ctx, target, pname, ParameterAnswer::pure(params), "glGetTexParameterIiv");
}
MGL_GL(void, GetTexParameterIuiv)(Context& ctx, GLenum target, GLenum pname, GLuint* params) {
  getBound(ctx, target, pname, ParameterAnswer::pure(params), "glGetTexParameterIuiv");
}
MGL_GL(void, GetTextureParameteriv)(Context& ctx, GLuint texture, GLenum pname, GLint* params) {
  getNamed(ctx, texture, pname, ParameterAnswer(params), "glGetTextureParameteriv");
}
MGL_GL(void, GetTextureParameterfv)(Context& ctx, GLuint texture, GLenum pname, GLfloat* params) {
  getNamed(ctx, texture, pname, ParameterAnswer(params), "glGetTextureParameterfv");
}
MGL_GL(void, GetTextureParameterIiv)(Context& ctx, GLuint texture, GLenum pname, GLint* params) {
  getNamed(ctx, texture, pname, ParameterAnswer::pure(params), "glGetTextureParameterIiv");
}
MGL_GL(void, GetTextureParameterIuiv)(Context& ctx, GLuint texture, GLenum pname, GLuint* params) {
  getNamed(ctx, texture, pname, ParameterAnswer::pure(params), "glGetTextureParameterIuiv");
}
MGL_GL(void, GetTexLevelParameteriv)(Context& ctx, GLenum target, GLint level, GLenum pname, GLint* params) {
  levelOfBound(ctx, target, level, pname, ParameterAnswer(params), "glGetTexLevelParameteriv");
}
MGL_GL(void, GetTexLevelParameterfv)(Context& ctx, GLenum target, GLint level, GLenum pname, GLfloat* params) {
  levelOfBound(ctx, target, level, pname, ParameterAnswer(params), "glGetTexLevelParameterfv");
}
MGL_GL(void, GetTextureLevelParameteriv)(Context& ctx, GLuint texture, GLint level, GLenum pname, GLint* params) {
  levelOfNamed(ctx, texture, level, pname, ParameterAnswer(params), "glGetTextureLevelParameteriv");
}
MGL_GL(void, GetTextureLevelParameterfv)(Context& ctx, GLuint texture, GLint level, GLenum pname, GLfloat* params) {
  levelOfNamed(ctx, texture, level, pname, ParameterAnswer(params), "glGetTextureLevelParameterfv");
}

}  // namespace mgl::gl
