// glTexSubImage* and glTextureSubImage* (OpenGL 4.6 section 8.6).

#include "format/convert.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/sub_image.h"
#include "gl/texture/transfer.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

struct Source {
  GLenum format, type;
  const void* pixels;
};

void subImage(Context& ctx, Texture& texture, u32 face, const SubBox& box, const Source& source, const char* call) {
  const Verb verb(ctx);
  const TextureImage* const image = checkSubBox(ctx, texture, face, box, call);
  if (image == nullptr) return;
  const auto pair = transferPair(ctx, source.format, source.type, call);
  if (!pair) return;
  if (format::formatInfo(image->format).compressed)
    return ctx.error(GL_INVALID_OPERATION, "%s: the level holds compressed blocks: use glCompressedTexSubImage", call);
  if (!format::canTransfer(image->format, pair->format, pair->type))
    return ctx.error(GL_INVALID_OPERATION, "%s: texels of format 0x%04x cannot fill internal format 0x%04x", call,
                     source.format, image->internalFormat);
  Pixels pixels;
  const Region region{texture.target, static_cast<u32>(box.width), static_cast<u32>(box.height),
                      static_cast<u32>(box.depth)};
  if (!resolveUnpack(ctx, *pair, region, source.pixels, &pixels, call)) return;
  uploadTexels(ctx, texture, static_cast<u32>(box.level), toPipe(texture.target, face, box), pixels);
  (void)generateIfAsked(ctx, texture, static_cast<u32>(box.level));
}

void texSubImage(Context& ctx, GLenum target, u32 dimensions, const SubBox& box, const Source& source, const char* call) {
  const auto t = checkImageTarget(ctx, target, dimensions, call);
  if (!t) return;
  if (t->proxy) return ctx.error(GL_INVALID_ENUM, "%s: a proxy has no texels", call);
  subImage(ctx, boundTexture(ctx, t->target), t->face, box, source, call);
}

void textureSubImage(Context& ctx, GLuint name, u32 dimensions, const SubBox& box, const Source& source, const char* call) {
  const Ref<Texture> texture = namedTexture(ctx, name, call);
  if (!texture || !checkDimensions(ctx, *texture, dimensions, call)) return;
  subImage(ctx, *texture, 0, box, source, call);
}

}  // namespace

MGL_GL(void, TexSubImage1D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLsizei width, GLenum format,
                            GLenum type, const void* pixels) {
  texSubImage(ctx, target, 1, {level, xoffset, 0, 0, width, 1, 1}, {format, type, pixels}, "glTexSubImage1D");
}
MGL_GL(void, TexSubImage2D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                            GLsizei height, GLenum format, GLenum type, const void* pixels) {
  texSubImage(ctx, target, 2, {level, xoffset, yoffset, 0, width, height, 1}, {format, type, pixels}, "glTexSubImage2D");
}
MGL_GL(void, TexSubImage3D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                            GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type, const void* pixels) {
  texSubImage(ctx, target, 3, {level, xoffset, yoffset, zoffset, width, height, depth}, {format, type, pixels},
              "glTexSubImage3D");
}
MGL_GL(void, TextureSubImage1D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLsizei width, GLenum format,
                                GLenum type, const void* pixels) {
  textureSubImage(ctx, texture, 1, {level, xoffset, 0, 0, width, 1, 1}, {format, type, pixels}, "glTextureSubImage1D");
}
MGL_GL(void, TextureSubImage2D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                GLsizei height, GLenum format, GLenum type, const void* pixels) {
  textureSubImage(ctx, texture, 2, {level, xoffset, yoffset, 0, width, height, 1}, {format, type, pixels},
                  "glTextureSubImage2D");
}
MGL_GL(void, TextureSubImage3D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                                const void* pixels) {
  textureSubImage(ctx, texture, 3, {level, xoffset, yoffset, zoffset, width, height, depth}, {format, type, pixels},
                  "glTextureSubImage3D");
}

}  // namespace mgl::gl
