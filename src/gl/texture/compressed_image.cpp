// glCompressedTexImage* and glCompressedTexSubImage* (OpenGL 4.6 section 8.7).

#include "format/format.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/proxy.h"
#include "gl/texture/sub_image.h"
#include "gl/texture/transfer.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

struct BlockImage {
  const char* name;
  u32 dimensions;
  GLenum target;
  GLint level;
  GLenum internalFormat;
  GLsizei width, height, depth;
  GLint border;
  GLsizei imageSize;
  const void* data;
};

// Only specific block formats; generic ones are INVALID_ENUM here.
std::optional<ChosenFormat> chooseBlocks(Context& ctx, GLenum internalFormat, const char* call) {
  const auto chosen = chooseTextureFormat(ctx, internalFormat, GL_INVALID_ENUM, call);
  if (!chosen) return std::nullopt;
  if (format::formatInfo(chosen->format).compressed) return chosen;
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a format of compressed blocks", call, internalFormat);
  return std::nullopt;
}

Moved compressedImage(Context& ctx, const BlockImage& c) {
  const auto target = checkImageTarget(ctx, c.target, c.dimensions, c.name);
  if (!target) return Moved::No;
  const auto chosen = chooseBlocks(ctx, c.internalFormat, c.name);
  if (!chosen || !checkFormatForTarget(ctx, target->target, chosen->format, c.name)) return Moved::No;
  if (!checkLevel(ctx, target->target, c.level, c.name)) return Moved::No;
  if (c.border != 0)
    return ctx.error(GL_INVALID_VALUE, "%s: textures have no border (border is %d)", c.name, c.border), Moved::No;
  Fit fit = checkExtent(ctx, target->target, target->proxy, c.level, c.width, c.height, c.depth, c.name);
  if (fit == Fit::Bad) return Moved::No;
  const auto level = static_cast<u32>(c.level);
  const TextureImage image{chosen->format, chosen->reported, static_cast<u32>(c.width), static_cast<u32>(c.height),
                           static_cast<u32>(c.depth)};
  if (fit == Fit::Fits) fit = checkImageMemory(ctx, target->target, target->proxy, image, 1, c.name);
  if (target->proxy) {
    proxyImages(ctx).images[indexOf(target->target)][level] = fit == Fit::Fits ? image : TextureImage{};
    return Moved::No;
  }
  if (fit != Fit::Fits) return Moved::No;
  Texture& texture = boundTexture(ctx, target->target);
  const Verb verb(ctx);
  if (texture.immutable)
    return ctx.error(GL_INVALID_OPERATION, "%s: the storage of texture %u is immutable", c.name, texture.name), Moved::No;
  Pixels pixels;
  const Region region{target->target, image.width, image.height, image.depth};
  if (!resolveUnpackCompressed(ctx, image.format, region, c.imageSize, c.data, &pixels, c.name)) return Moved::No;
  const Moved moved = defineImage(ctx, texture, target->face, level, image);
  uploadTexels(ctx, texture, level,
               pipeBox(target->target, target->face, 0, 0, 0, image.width, image.height, image.depth), pixels);
  return moved;
}

struct BlockSource {
  GLenum format;
  GLsizei imageSize;
  const void* data;
};

void compressedSubImage(Context& ctx, Texture& texture, u32 face, const SubBox& box, const BlockSource& source,
                        const char* call) {
  const auto chosen = chooseBlocks(ctx, source.format, call);
  if (!chosen) return;
  const Verb verb(ctx);
  const TextureImage* const image = checkSubBox(ctx, texture, face, box, call);
  if (image == nullptr) return;
  if (image->format != chosen->format)
    return ctx.error(GL_INVALID_OPERATION, "%s: the level has internal format 0x%04x, not 0x%04x", call,
                     image->internalFormat, source.format);
  if (!checkBlocks(ctx, *image, box, call)) return;
  Pixels pixels;
  const Region region{texture.target, static_cast<u32>(box.width), static_cast<u32>(box.height),
                      static_cast<u32>(box.depth)};
  if (!resolveUnpackCompressed(ctx, image->format, region, source.imageSize, source.data, &pixels, call)) return;
  uploadTexels(ctx, texture, static_cast<u32>(box.level), toPipe(texture.target, face, box), pixels);
}

void compressedTexSubImage(Context& ctx, GLenum target, u32 dimensions, const SubBox& box, const BlockSource& source,
                           const char* call) {
  const auto t = checkImageTarget(ctx, target, dimensions, call);
  if (!t) return;
  if (t->proxy || t->target == TextureTarget::Rectangle)
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x has no compressed images", call, target);
  compressedSubImage(ctx, boundTexture(ctx, t->target), t->face, box, source, call);
}

void compressedTextureSubImage(Context& ctx, GLuint name, u32 dimensions, const SubBox& box, const BlockSource& source,
                               const char* call) {
  const Ref<Texture> texture = namedTexture(ctx, name, call);
  if (!texture || !checkDimensions(ctx, *texture, dimensions, call)) return;
  compressedSubImage(ctx, *texture, 0, box, source, call);
}

}  // namespace

MGL_GL(Moved, CompressedTexImage1D)(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                    GLint border, GLsizei imageSize, const void* data) {
  return compressedImage(
      ctx, {"glCompressedTexImage1D", 1, target, level, internalformat, width, 1, 1, border, imageSize, data});
}
MGL_GL(Moved, CompressedTexImage2D)(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                    GLsizei height, GLint border, GLsizei imageSize, const void* data) {
  return compressedImage(
      ctx, {"glCompressedTexImage2D", 2, target, level, internalformat, width, height, 1, border, imageSize, data});
}
MGL_GL(Moved, CompressedTexImage3D)(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                    GLsizei height, GLsizei depth, GLint border, GLsizei imageSize, const void* data) {
  return compressedImage(
      ctx, {"glCompressedTexImage3D", 3, target, level, internalformat, width, height, depth, border, imageSize, data});
}
MGL_GL(void, CompressedTexSubImage1D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLsizei width,
                                      GLenum format, GLsizei imageSize, const void* data) {
  compressedTexSubImage(ctx, target, 1, {level, xoffset, 0, 0, width, 1, 1}, {format, imageSize, data},
                        "glCompressedTexSubImage1D");
}
MGL_GL(void, CompressedTexSubImage2D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset,
                                      GLsizei width, GLsizei height, GLenum format, GLsizei imageSize, const void* data) {
  compressedTexSubImage(ctx, target, 2, {level, xoffset, yoffset, 0, width, height, 1}, {format, imageSize, data},
                        "glCompressedTexSubImage2D");
}
MGL_GL(void, CompressedTexSubImage3D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset,
                                      GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format,
                                      GLsizei imageSize, const void* data) {
  compressedTexSubImage(ctx, target, 3, {level, xoffset, yoffset, zoffset, width, height, depth},
                        {format, imageSize, data}, "glCompressedTexSubImage3D");
}
MGL_GL(void, CompressedTextureSubImage1D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLsizei width,
                                          GLenum format, GLsizei imageSize, const void* data) {
  compressedTextureSubImage(ctx, texture, 1, {level, xoffset, 0, 0, width, 1, 1}, {format, imageSize, data},
                            "glCompressedTextureSubImage1D");
}
MGL_GL(void, CompressedTextureSubImage2D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset,
                                          GLsizei width, GLsizei height, GLenum format, GLsizei imageSize,
                                          const void* data) {
  compressedTextureSubImage(ctx, texture, 2, {level, xoffset, yoffset, 0, width, height, 1}, {format, imageSize, data},
                            "glCompressedTextureSubImage2D");
}
MGL_GL(void, CompressedTextureSubImage3D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset,
                                          GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLenum format,
                                          GLsizei imageSize, const void* data) {
  compressedTextureSubImage(ctx, texture, 3, {level, xoffset, yoffset, zoffset, width, height, depth},
                            {format, imageSize, data}, "glCompressedTextureSubImage3D");
}

}  // namespace mgl::gl
