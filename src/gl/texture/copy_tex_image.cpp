// glCopyTexImage* and glCopyTexSubImage* (OpenGL 4.6 section 8.6).

#include <algorithm>

#include "format/format.h"
#include "gl/framebuffer/target.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/sub_image.h"
#include "gl/verb.h"
#include "tracker/tracker.h"

namespace mgl::gl {
namespace {

// The checks that all of them share: whether the read framebuffer can be copied into texels of the format.
bool checkSource(Context& ctx, pipe::Format destination, const char* call) {
  Framebuffer* const framebuffer = ctx.readFramebuffer.get();
  if (!checkComplete(ctx, framebuffer, Side::Read, call)) return false;
  const auto refuse = [&](const char* why) {
    ctx.error(GL_INVALID_OPERATION, "%s: %s", call, why);
    return false;
  };
  if (framebuffer != nullptr && framebuffer->samples > 0) return refuse("the read framebuffer is multisampled");
  const format::FormatInfo& to = format::formatInfo(destination);
  if (to.isDepthOrStencil()) {
    if (to.isDepth() && depthFormat(ctx, framebuffer, Side::Read) == pipe::Format::None)
      return refuse("there is no depth buffer to copy from");
    if (to.isStencil() && stencilFormat(ctx, framebuffer, Side::Read) == pipe::Format::None)
      return refuse("there is no stencil buffer to copy from");
    return true;
  }
  const pipe::Format source = readFormat(ctx, framebuffer);
  if (source == pipe::Format::None) return refuse("the read buffer is GL_NONE or has no image");
  const format::FormatInfo& from = format::formatInfo(source);
  if (from.isInteger() != to.isInteger() || (to.isInteger() && from.type != to.type))
    return refuse("integer buffers are copied to integer textures of the same kind, others are not");
  return true;
}

// Copies the part of a window that lies in the framebuffer; what lies outside is undefined. The origin is the pipe's.
void copy(Context& ctx, Texture& texture, u32 level, GLint x, GLint y, GLsizei width, GLsizei height,
          std::array<u32, 3> origin) {
  Framebuffer* const framebuffer = ctx.readFramebuffer.get();
  const TargetShape shape = targetShape(ctx, framebuffer, Side::Read);
  const i64 left = std::max<i64>(x, 0), bottom = std::max<i64>(y, 0);
  const i64 right = std::min<i64>(i64{x} + width, shape.width), top = std::min<i64>(i64{y} + height, shape.height);
  if (left >= right || bottom >= top) return;
  const auto across = static_cast<u32>(left - x), up = static_cast<u32>(bottom - y);
  client::Group group = ctx.tracker->group();
  const auto handle = ctx.tracker->useFramebuffer(group, framebuffer);
  // Rows of a one-dimensional array are layers: one copy each.
  const bool layers = texture.target == TextureTarget::Tex1DArray;
  const i64 rows = layers ? 1 : top - bottom;
  for (i64 row = bottom; row < top; row += rows) {
    const pipe::Rect rect{static_cast<i32>(left), static_cast<i32>(row), static_cast<i32>(right - left),
                          static_cast<i32>(rows)};
    const u32 done = static_cast<u32>(row - bottom);
    const std::array<u32, 3> to = layers ? std::array{origin[0] + across, 0u, origin[2] + up + done}
                                         : std::array{origin[0] + across, origin[1] + up, origin[2]};
    group.emit(pipe::CopyFramebufferToTexture{handle, texture.handle, rect, to, level});
  }
}

struct CopyImageCall {
  const char* name;
  u32 dimensions;
  GLenum target;
  GLint level;
  GLenum internalFormat;
  GLint x, y;
  GLsizei width, height;
  GLint border;
};

Moved copyTexImage(Context& ctx, const CopyImageCall& c) {
  const auto target = checkImageTarget(ctx, c.target, c.dimensions, c.name);
  if (!target) return Moved::No;
  if (target->proxy) return ctx.error(GL_INVALID_ENUM, "%s: a proxy has no texels", c.name), Moved::No;
  if (!checkLevel(ctx, target->target, c.level, c.name)) return Moved::No;
  if (c.border != 0)
    return ctx.error(GL_INVALID_VALUE, "%s: textures have no border (border is %d)", c.name, c.border), Moved::No;
  auto chosen = chooseTextureFormat(ctx, c.internalFormat, GL_INVALID_ENUM, c.name);
  if (!chosen || !checkFormatForTarget(ctx, target->target, chosen->format, c.name)) return Moved::No;
  chosen = uncompressed(*chosen);
  const Fit fit = checkExtent(ctx, target->target, false, c.level, c.width, c.height, 1, c.name);
  if (fit != Fit::Fits || !checkSource(ctx, chosen->format, c.name)) return Moved::No;
  Texture& texture = boundTexture(ctx, target->target);
  const Verb verb(ctx);
  if (texture.immutable)
    return ctx.error(GL_INVALID_OPERATION, "%s: the storage of texture %u is immutable", c.name, texture.name), Moved::No;

  const auto level = static_cast<u32>(c.level);
  const TextureImage image{chosen->format, chosen->reported, static_cast<u32>(c.width), static_cast<u32>(c.height), 1};
  if (checkImageMemory(ctx, target->target, false, image, 1, c.name) != Fit::Fits) return Moved::No;
  // The copy may read the texture that it specifies anew, which is a feedback loop, and undefined.
  const Moved moved = defineImage(ctx, texture, target->face, level, image);
  if (image.isEmpty() || !checkComplete(ctx, ctx.readFramebuffer.get(), Side::Read, c.name)) return moved;
  copy(ctx, texture, level, c.x, c.y, c.width, c.height, {0, 0, target->face});
  return moved | generateIfAsked(ctx, texture, level);
}

// box: where it goes; its size is the window's.
void copySubImage(Context& ctx, Texture& texture, u32 face, const SubBox& box, GLint x, GLint y, const char* call) {
  const Verb verb(ctx);
  const TextureImage* const image = checkSubBox(ctx, texture, face, box, call);
  if (image == nullptr) return;
  if (format::formatInfo(image->format).compressed)
    return ctx.error(GL_INVALID_OPERATION, "%s: the level holds compressed blocks", call);
  if (!checkSource(ctx, image->format, call)) return;
  const pipe::TexelBox to = toPipe(texture.target, face, box);
  if (box.width == 0 || box.height == 0) return;
  copy(ctx, texture, static_cast<u32>(box.level), x, y, box.width, box.height, {to.x, to.y, to.z});
  (void)generateIfAsked(ctx, texture, static_cast<u32>(box.level));
}

void copyTexSubImage(Context& ctx, GLenum target, u32 dimensions, const SubBox& box, GLint x, GLint y, const char* call) {
  const auto t = checkImageTarget(ctx, target, dimensions, call);
  if (!t) return;
  if (t->proxy) return ctx.error(GL_INVALID_ENUM, "%s: a proxy has no texels", call);
  copySubImage(ctx, boundTexture(ctx, t->target), t->face, box, x, y, call);
}

void copyTextureSubImage(Context& ctx, GLuint name, u32 dimensions, const SubBox& box, GLint x, GLint y, const char* call) {
  const Ref<Texture> texture = namedTexture(ctx, name, call);
  if (texture && checkDimensions(ctx, *texture, dimensions, call)) copySubImage(ctx, *texture, 0, box, x, y, call);
}

}  // namespace

MGL_GL(Moved, CopyTexImage1D)(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                              GLsizei width, GLint border) {
  return copyTexImage(ctx, {"glCopyTexImage1D", 1, target, level, internalformat, x, y, width, 1, border});
}
MGL_GL(Moved, CopyTexImage2D)(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                              GLsizei width, GLsizei height, GLint border) {
  return copyTexImage(ctx, {"glCopyTexImage2D", 2, target, level, internalformat, x, y, width, height, border});
}
MGL_GL(void, CopyTexSubImage1D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint x, GLint y,
                                GLsizei width) {
  copyTexSubImage(ctx, target, 1, {level, xoffset, 0, 0, width, 1, 1}, x, y, "glCopyTexSubImage1D");
}
MGL_GL(void, CopyTexSubImage2D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y,
                                GLsizei width, GLsizei height) {
  copyTexSubImage(ctx, target, 2, {level, xoffset, yoffset, 0, width, height, 1}, x, y, "glCopyTexSubImage2D");
}
MGL_GL(void, CopyTexSubImage3D)(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                GLint x, GLint y, GLsizei width, GLsizei height) {
  copyTexSubImage(ctx, target, 3, {level, xoffset, yoffset, zoffset, width, height, 1}, x, y, "glCopyTexSubImage3D");
}
MGL_GL(void, CopyTextureSubImage1D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint x, GLint y,
                                    GLsizei width) {
  copyTextureSubImage(ctx, texture, 1, {level, xoffset, 0, 0, width, 1, 1}, x, y, "glCopyTextureSubImage1D");
}
MGL_GL(void, CopyTextureSubImage2D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint x,
                                    GLint y, GLsizei width, GLsizei height) {
  copyTextureSubImage(ctx, texture, 2, {level, xoffset, yoffset, 0, width, height, 1}, x, y, "glCopyTextureSubImage2D");
}
MGL_GL(void, CopyTextureSubImage3D)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset,
                                    GLint zoffset, GLint x, GLint y, GLsizei width, GLsizei height) {
  copyTextureSubImage(ctx, texture, 3, {level, xoffset, yoffset, zoffset, width, height, 1}, x, y,
                      "glCopyTextureSubImage3D");
}

}  // namespace mgl::gl
