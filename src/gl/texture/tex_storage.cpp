// Immutable storage and multisample images (OpenGL 4.6 sections 8.19 and 8.8).

#include "format/format.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/proxy.h"
#include "gl/texture/samples.h"
#include "gl/verb.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

struct StorageCall {
  const char* name;
  GLsizei levels;
  GLenum internalFormat;
  GLsizei width, height, depth;
};

// A format that glTexStorage takes: INVALID_ENUM else.
std::optional<ChosenFormat> chooseSized(Context& ctx, GLenum internalFormat, const char* call) {
  const auto chosen = chooseTextureFormat(ctx, internalFormat, GL_INVALID_ENUM, call);
  if (!chosen) return std::nullopt;
  if (chosen->row->is(InternalFormat::Sized)) return chosen;
  ctx.error(GL_INVALID_ENUM, "%s: internal format 0x%04x names no size", call, internalFormat);
  return std::nullopt;
}

bool checkWritable(Context& ctx, const Texture& texture, const char* call) {
  if (texture.name == 0) {
    ctx.error(GL_INVALID_OPERATION, "%s: texture 0 is bound", call);
    return false;
  }
  if (texture.immutable) {
    ctx.error(GL_INVALID_OPERATION, "%s: the storage of texture %u is immutable already", call, texture.name);
    return false;
  }
  return true;
}

// texture: null for a proxy.
Moved storage(Context& ctx, TextureTarget target, Texture* texture, const StorageCall& c) {
  const auto chosen = chooseSized(ctx, c.internalFormat, c.name);
  if (!chosen || !checkFormatForTarget(ctx, target, chosen->format, c.name)) return Moved::No;
  if (c.width < 1 || c.height < 1 || c.depth < 1 || c.levels < 1)
    return ctx.error(GL_INVALID_VALUE, "%s: sizes and levels are at least 1", c.name), Moved::No;
  Fit fit = checkExtent(ctx, target, texture == nullptr, 0, c.width, c.height, c.depth, c.name);
  if (fit == Fit::Bad) return Moved::No;
  const TextureImage base{chosen->format, chosen->reported, static_cast<u32>(c.width), static_cast<u32>(c.height),
                          static_cast<u32>(c.depth)};
  const u32 levels = static_cast<u32>(c.levels);
  if (fit == Fit::Fits && levels > fullLevels(target, base.width, base.height, base.depth))
    return ctx.error(GL_INVALID_OPERATION, "%s: an image of this size has no %u levels", c.name, levels), Moved::No;
  if (fit == Fit::Fits) fit = checkImageMemory(ctx, target, texture == nullptr, base, levels, c.name);
  if (texture == nullptr) {
    auto& images = proxyImages(ctx).images[indexOf(target)];
    images.fill({});
    for (u32 level = 0; fit == Fit::Fits && level < levels; ++level) images[level] = levelOf(target, base, level);
    return Moved::No;
  }
  const Verb verb(ctx);
  if (fit != Fit::Fits || !checkWritable(ctx, *texture, c.name)) return Moved::No;
  return defineStorage(ctx, *texture, levels, base, true);
}

bool takesStorage(const ImageTarget& t, u32 dimensions) {
  return imageDimensions(t.target) == dimensions && !t.faceToken && !isMultisample(t.target) &&
         t.target != TextureTarget::Buffer;
}

Moved texStorage(Context& ctx, GLenum target, u32 dimensions, const StorageCall& c) {
  const auto t = imageTarget(ctx, target);
  if (!t || !takesStorage(*t, dimensions))
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a target of %uD storage", c.name, target, dimensions), Moved::No;
  return storage(ctx, t->target, t->proxy ? nullptr : &boundTexture(ctx, t->target), c);
}

Moved textureStorage(Context& ctx, GLuint name, u32 dimensions, const StorageCall& c) {
  const Ref<Texture> texture = namedTexture(ctx, name, c.name);
  if (!texture) return Moved::No;
  if (!takesStorage({texture->target, 0, false, false}, dimensions))
    return ctx.error(GL_INVALID_OPERATION, "%s: texture %u has target 0x%04x", c.name, name, targetToken(texture->target)),
           Moved::No;
  return storage(ctx, texture->target, texture.get(), c);
}

// ---- Multisample

struct SampleCall {
  const char* name;
  GLsizei samples;
  GLenum internalFormat;
  GLsizei width, height, depth;
  GLboolean fixed;
  bool immutable;
};

Moved multisample(Context& ctx, TextureTarget target, Texture* texture, const SampleCall& c) {
  std::optional<ChosenFormat> chosen;
  if (c.immutable)
    chosen = chooseSized(ctx, c.internalFormat, c.name);
  else
    chosen = chooseTextureFormat(ctx, c.internalFormat, GL_INVALID_ENUM, c.name);
  if (!chosen) return Moved::No;
  const pipe::Format format = renderFormat(ctx.caps(), *chosen->row);
  if (format == pipe::Format::None || format::formatInfo(format).compressed)
    return ctx.error(GL_INVALID_ENUM, "%s: internal format 0x%04x cannot be rendered to", c.name, c.internalFormat), Moved::No;
  if (c.samples < 1) return ctx.error(GL_INVALID_VALUE, "%s: the sample count is at least 1", c.name), Moved::No;
  const GLsizei least = c.immutable ? 1 : 0;
  if (c.width < least || c.height < least || c.depth < least)
    return ctx.error(GL_INVALID_VALUE, "%s: %dx%dx%d is no size", c.name, c.width, c.height, c.depth), Moved::No;
  const bool samplesFit = static_cast<u32>(c.samples) <= textureSamplesLimit(ctx, format);
  if (!samplesFit && texture != nullptr)
    return ctx.error(GL_INVALID_OPERATION, "%s: internal format 0x%04x has at most %u samples", c.name, c.internalFormat,
                     textureSamplesLimit(ctx, format)),
           Moved::No;
  Fit fit = checkExtent(ctx, target, texture == nullptr, 0, c.width, c.height, c.depth, c.name);
  if (fit == Fit::Bad) return Moved::No;
  const TextureImage image{format,
                           chosen->reported,
                           static_cast<u32>(c.width),
                           static_cast<u32>(c.height),
                           static_cast<u32>(c.depth),
                           chooseSamples(ctx.caps(), format, static_cast<u32>(c.samples)),
                           c.fixed != GL_FALSE};
  if (fit == Fit::Fits) fit = checkImageMemory(ctx, target, texture == nullptr, image, 1, c.name);
  if (texture == nullptr) {
    proxyImages(ctx).images[indexOf(target)][0] = fit == Fit::Fits && samplesFit ? image : TextureImage{};
    return Moved::No;
  }
  if (fit != Fit::Fits) return Moved::No;
  const Verb verb(ctx);
  if (c.immutable ? !checkWritable(ctx, *texture, c.name) : texture->immutable) {
    if (!c.immutable) ctx.error(GL_INVALID_OPERATION, "%s: the storage of texture %u is immutable", c.name, texture->name);
    return Moved::No;
  }
  return defineStorage(ctx, *texture, 1, image, c.immutable);
}

Moved texMultisample(Context& ctx, GLenum target, TextureTarget wanted, const SampleCall& c) {
  const auto t = imageTarget(ctx, target);
  if (!t || t->target != wanted)
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a multisample target of this call", c.name, target), Moved::No;
  return multisample(ctx, t->target, t->proxy ? nullptr : &boundTexture(ctx, t->target), c);
}

Moved textureMultisample(Context& ctx, GLuint name, TextureTarget wanted, const SampleCall& c) {
  const Ref<Texture> texture = namedTexture(ctx, name, c.name);
  if (!texture) return Moved::No;
  if (texture->target != wanted)
    return ctx.error(GL_INVALID_OPERATION, "%s: texture %u has target 0x%04x", c.name, name, targetToken(texture->target)),
           Moved::No;
  return multisample(ctx, wanted, texture.get(), c);
}

}  // namespace

u32 textureSamplesLimit(const Context& ctx, pipe::Format format) {
  const format::FormatInfo& info = format::formatInfo(format);
  const pipe::Limits& limits = ctx.info->limits;
  const i64 byKind = info.isDepthOrStencil() ? limits.maxDepthTextureSamples
                     : info.isInteger()      ? limits.maxIntegerSamples
                                             : limits.maxColorTextureSamples;
  return std::min(static_cast<u32>(byKind), maxSamples(ctx.caps(), format));
}

MGL_GL(Moved, TexStorage1D)(Context& ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width) {
  return texStorage(ctx, target, 1, {"glTexStorage1D", levels, internalformat, width, 1, 1});
}
MGL_GL(Moved, TexStorage2D)(Context& ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                            GLsizei height) {
  return texStorage(ctx, target, 2, {"glTexStorage2D", levels, internalformat, width, height, 1});
}
MGL_GL(Moved, TexStorage3D)(Context& ctx, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                            GLsizei height, GLsizei depth) {
  return texStorage(ctx, target, 3, {"glTexStorage3D", levels, internalformat, width, height, depth});
}
MGL_GL(Moved, TextureStorage1D)(Context& ctx, GLuint texture, GLsizei levels, GLenum internalformat, GLsizei width) {
  return textureStorage(ctx, texture, 1, {"glTextureStorage1D", levels, internalformat, width, 1, 1});
}
MGL_GL(Moved, TextureStorage2D)(Context& ctx, GLuint texture, GLsizei levels, GLenum internalformat, GLsizei width,
                                GLsizei height) {
  return textureStorage(ctx, texture, 2, {"glTextureStorage2D", levels, internalformat, width, height, 1});
}
MGL_GL(Moved, TextureStorage3D)(Context& ctx, GLuint texture, GLsizei levels, GLenum internalformat, GLsizei width,
                                GLsizei height, GLsizei depth) {
  return textureStorage(ctx, texture, 3, {"glTextureStorage3D", levels, internalformat, width, height, depth});
}

MGL_GL(Moved, TexImage2DMultisample)(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                     GLsizei height, GLboolean fixed) {
  return texMultisample(ctx, target, TextureTarget::Tex2DMultisample,
                        {"glTexImage2DMultisample", samples, internalformat, width, height, 1, fixed, false});
}
MGL_GL(Moved, TexImage3DMultisample)(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                     GLsizei height, GLsizei depth, GLboolean fixed) {
  return texMultisample(ctx, target, TextureTarget::Tex2DMultisampleArray,
                        {"glTexImage3DMultisample", samples, internalformat, width, height, depth, fixed, false});
}
MGL_GL(Moved, TexStorage2DMultisample)(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                       GLsizei height, GLboolean fixed) {
  return texMultisample(ctx, target, TextureTarget::Tex2DMultisample,
                        {"glTexStorage2DMultisample", samples, internalformat, width, height, 1, fixed, true});
}
MGL_GL(Moved, TexStorage3DMultisample)(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                       GLsizei height, GLsizei depth, GLboolean fixed) {
  return texMultisample(ctx, target, TextureTarget::Tex2DMultisampleArray,
                        {"glTexStorage3DMultisample", samples, internalformat, width, height, depth, fixed, true});
}
MGL_GL(Moved, TextureStorage2DMultisample)(Context& ctx, GLuint texture, GLsizei samples, GLenum internalformat,
                                           GLsizei width, GLsizei height, GLboolean fixed) {
  return textureMultisample(ctx, texture, TextureTarget::Tex2DMultisample,
                            {"glTextureStorage2DMultisample", samples, internalformat, width, height, 1, fixed, true});
}
MGL_GL(Moved, TextureStorage3DMultisample)(Context& ctx, GLuint texture, GLsizei samples, GLenum internalformat,
                                           GLsizei width, GLsizei height, GLsizei depth, GLboolean fixed) {
  return textureMultisample(ctx, texture, TextureTarget::Tex2DMultisampleArray,
                            {"glTextureStorage3DMultisample", samples, internalformat, width, height, depth, fixed, true});
}

}  // namespace mgl::gl
