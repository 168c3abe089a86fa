// Framebuffer names and binding points (OpenGL 4.6 section 9.2).

#include "gl/framebuffer/target.h"

namespace mgl::gl {
namespace {

Moved bindDraw(Context& ctx, const Ref<Framebuffer>& framebuffer) {
  return ctx.set(Group::DrawFramebuffer, ctx.drawFramebuffer, framebuffer);
}
Moved bindRead(Context& ctx, const Ref<Framebuffer>& framebuffer) {
  return ctx.set(Group::ReadFramebuffer, ctx.readFramebuffer, framebuffer);
}

// EXT_framebuffer_object lets a program make names up; ARB_framebuffer_object and the core do not.
Moved bindFramebuffer(Context& ctx, GLenum target, GLuint name, bool anyName, const char* call) {
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a framebuffer target", call, target), Moved::No;
  Ref<Framebuffer> framebuffer;
  if (name != 0) {
    framebuffer = Ref<Framebuffer>(ctx.framebuffers.find(name));
    if (!framebuffer) {
      if (!anyName && !ctx.framebuffers.isUsed(name))
        return ctx.error(GL_INVALID_OPERATION, "%s: %u was not returned by glGenFramebuffers", call, name), Moved::No;
      framebuffer = makeRef<Framebuffer>(name, ctx.session);
      ctx.framebuffers.insert(name, framebuffer);
    }
  }
  Moved moved = Moved::No;
  if (target != GL_READ_FRAMEBUFFER) moved = moved | bindDraw(ctx, framebuffer);
  if (target != GL_DRAW_FRAMEBUFFER) moved = moved | bindRead(ctx, framebuffer);
  return moved;
}

}  // namespace

MGL_GL(void, GenFramebuffers)(Context& ctx, GLsizei n, GLuint* framebuffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenFramebuffers: n is negative");
  ctx.framebuffers.reserve(std::span<u32>(framebuffers, static_cast<std::size_t>(n)));
}

MGL_GL(void, CreateFramebuffers)(Context& ctx, GLsizei n, GLuint* framebuffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateFramebuffers: n is negative");
  for (GLsizei i = 0; i < n; ++i) {
    framebuffers[i] = ctx.framebuffers.reserve();
    ctx.framebuffers.insert(framebuffers[i], makeRef<Framebuffer>(framebuffers[i], ctx.session));
  }
}

MGL_GL(Moved, DeleteFramebuffers)(Context& ctx, GLsizei n, const GLuint* framebuffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteFramebuffers: n is negative"), Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < n; ++i) {
    const Ref<Framebuffer> framebuffer = ctx.framebuffers.erase(framebuffers[i]);
    if (!framebuffer) continue;
    framebuffer->deleted = true;
    if (ctx.drawFramebuffer == framebuffer) moved = moved | bindDraw(ctx, {});
    if (ctx.readFramebuffer == framebuffer) moved = moved | bindRead(ctx, {});
  }
  return moved;
}

MGL_GL(GLboolean, IsFramebuffer)(Context& ctx, GLuint framebuffer) {
  return ctx.framebuffers.find(framebuffer) != nullptr ? GL_TRUE : GL_FALSE;
}

MGL_GL(Moved, BindFramebuffer)(Context& ctx, GLenum target, GLuint framebuffer) {
  return bindFramebuffer(ctx, target, framebuffer, false, "glBindFramebuffer");
}
MGL_GL(Moved, BindFramebufferEXT)(Context& ctx, GLenum target, GLuint framebuffer) {
  return bindFramebuffer(ctx, target, framebuffer, true, "glBindFramebufferEXT");
}

MGL_GL(GLenum, CheckFramebufferStatus)(Context& ctx, GLenum target) {
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "glCheckFramebufferStatus: 0x%04x is not a framebuffer target", target), 0;
  return framebufferStatus(ctx, boundFramebuffer(ctx, side), side);
}

MGL_GL(GLenum, CheckNamedFramebufferStatus)(Context& ctx, GLuint framebuffer, GLenum target) {
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "glCheckNamedFramebufferStatus: 0x%04x is not a framebuffer target", target), 0;
  if (framebuffer == 0) return framebufferStatus(ctx, nullptr, side);
  const Ref<Framebuffer> object = namedFramebuffer(ctx, framebuffer, "glCheckNamedFramebufferStatus");
  return object ? framebufferStatus(ctx, object.get(), side) : 0;
}

}  // namespace mgl::gl
