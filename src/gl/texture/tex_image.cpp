// glTexImage1D, 2D and 3D (OpenGL 4.6 section 8.5).

#include "format/convert.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/proxy.h"
#include "gl/texture/transfer.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

struct ImageCall {
  const char* name;
  u32 dimensions;
  GLenum target;
  GLint level, internalFormat;
  GLsizei width, height, depth;
  GLint border;
  GLenum format, type;
  const void* pixels;
};

Moved texImage(Context& ctx, const ImageCall& c) {
  const auto target = checkImageTarget(ctx, c.target, c.dimensions, c.name);
  if (!target || !checkLevel(ctx, target->target, c.level, c.name)) return Moved::No;
  if (c.border != 0)
    return ctx.error(GL_INVALID_VALUE, "%s: textures have no border (border is %d)", c.name, c.border), Moved::No;
  auto chosen = chooseTextureFormat(ctx, static_cast<GLenum>(c.internalFormat), GL_INVALID_VALUE, c.name);
  if (!chosen) return Moved::No;
  const auto pair = transferPair(ctx, c.format, c.type, c.name);
  if (!pair || !checkFormatForTarget(ctx, target->target, chosen->format, c.name)) return Moved::No;
  chosen = uncompressed(*chosen);
  // Stencil alone only fills stencil alone (section 8.5).
  const bool stencilOnly = format::formatInfo(chosen->format).base == format::BaseFormat::Stencil;
  if (!format::canTransfer(chosen->format, pair->format, pair->type) ||
      stencilOnly != (pair->format == pipe::TransferFormat::Stencil))
    return ctx.error(GL_INVALID_OPERATION, "%s: texels of format 0x%04x cannot fill internal format 0x%04x", c.name,
                     c.format, static_cast<GLenum>(c.internalFormat)),
           Moved::No;
  Fit fit = checkExtent(ctx, target->target, target->proxy, c.level, c.width, c.height, c.depth, c.name);
  if (fit == Fit::Bad) return Moved::No;

  const auto level = static_cast<u32>(c.level);
  TextureImage image{chosen->format, chosen->reported, static_cast<u32>(c.width), static_cast<u32>(c.height),
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
  if (!resolveUnpack(ctx, *pair, region, c.pixels, &pixels, c.name)) return Moved::No;

  Moved moved = defineImage(ctx, texture, target->face, level, image);
  uploadTexels(ctx, texture, level,
               pipeBox(target->target, target->face, 0, 0, 0, image.width, image.height, image.depth), pixels);
  return moved | generateIfAsked(ctx, texture, level);
}

}  // namespace

MGL_GL(Moved, TexImage1D)(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLint border,
                          GLenum format, GLenum type, const void* pixels) {
  return texImage(ctx, {"glTexImage1D", 1, target, level, internalformat, width, 1, 1, border, format, type, pixels});
}

MGL_GL(Moved, TexImage2D)(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                          GLint border, GLenum format, GLenum type, const void* pixels) {
  return texImage(ctx, {"glTexImage2D", 2, target, level, internalformat, width, height, 1, border, format, type, pixels});
}

MGL_GL(Moved, TexImage3D)(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                          GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) {
  return texImage(ctx,
                  {"glTexImage3D", 3, target, level, internalformat, width, height, depth, border, format, type, pixels});
}

}  // namespace mgl::gl
