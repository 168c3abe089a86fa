// Draw and read buffers (OpenGL 4.6 sections 17.4.1 and 18.2.1).

#include "gl/framebuffer/target.h"
#include "gl/surface.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

bool isColorAttachment(GLenum buffer) { return buffer >= GL_COLOR_ATTACHMENT0 && buffer < GL_COLOR_ATTACHMENT0 + 32; }

// Whether the token names a buffer of a default framebuffer at all.
bool isDefaultBuffer(GLenum buffer) {
  switch (buffer) {
    case GL_FRONT_LEFT:
    case GL_FRONT_RIGHT:
    case GL_BACK_LEFT:
    case GL_BACK_RIGHT:
    case GL_FRONT:
    case GL_BACK:
    case GL_LEFT:
    case GL_RIGHT:
    case GL_FRONT_AND_BACK: return true;
    default: return false;
  }
}

// Whether the surface has one of the buffers named. Without a surface nothing can be drawn, and anything may be set.
bool hasDefaultBuffer(const Context& ctx, GLenum buffer, Side side) {
  if (buffer == GL_FRONT_RIGHT || buffer == GL_BACK_RIGHT || buffer == GL_RIGHT) return false;
  const Surface* const surface = side == Side::Draw ? ctx.drawSurface.get() : ctx.readSurface.get();
  if (surface == nullptr || surface->config().doubleBuffered) return true;
  return buffer != GL_BACK_LEFT && (buffer != GL_BACK || !ctx.isCore());
}

// INVALID_ENUM or INVALID_OPERATION, else true. GL_NONE is always fine.
bool checkBuffer(Context& ctx, const Framebuffer* framebuffer, GLenum buffer, Side side, const char* call) {
  if (buffer == GL_NONE) return true;
  if (!isColorAttachment(buffer) && !isDefaultBuffer(buffer)) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a colour buffer", call, buffer);
    return false;
  }
  const bool there = framebuffer != nullptr
                         ? isColorAttachment(buffer) &&
                               buffer - GL_COLOR_ATTACHMENT0 < static_cast<u32>(ctx.info->limits.maxColorTargets)
                         : isDefaultBuffer(buffer) && hasDefaultBuffer(ctx, buffer, side);
  if (!there) ctx.error(GL_INVALID_OPERATION, "%s: the framebuffer has no buffer 0x%04x", call, buffer);
  return there;
}

Moved setDrawBuffers(Context& ctx, Framebuffer* framebuffer, const std::array<GLenum, 8>& buffers) {
  std::array<GLenum, 8>& slot = framebuffer != nullptr ? framebuffer->drawBuffers : ctx.defaultDrawBuffers;
  if (slot == buffers) return Moved::No;
  slot = buffers;
  return framebufferChanged(ctx, framebuffer);
}

Moved drawBuffer(Context& ctx, Framebuffer* framebuffer, GLenum buffer, const char* call) {
  if (!checkBuffer(ctx, framebuffer, buffer, Side::Draw, call)) return Moved::No;
  return setDrawBuffers(ctx, framebuffer, {buffer});
}

Moved drawBuffers(Context& ctx, Framebuffer* framebuffer, GLsizei n, const GLenum* bufs, const char* call) {
  if (n < 0 || n > ctx.info->limits.maxColorTargets)
    return ctx.error(GL_INVALID_VALUE, "%s: %d buffers; GL_MAX_DRAW_BUFFERS is %lld", call, n,
                     static_cast<long long>(ctx.info->limits.maxColorTargets)),
           Moved::No;
  std::array<GLenum, 8> buffers{};
  for (GLsizei i = 0; i < n; ++i) {
    const GLenum buffer = bufs[i];
    // Names of several buffers cannot be told apart among several outputs; from OpenGL 4.0 on GL_BACK may stand alone.
    const bool several = buffer == GL_FRONT || buffer == GL_LEFT || buffer == GL_RIGHT || buffer == GL_FRONT_AND_BACK ||
                         (buffer == GL_BACK && (n != 1 || ctx.info->major < 4));
    if (several) return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x names more than one buffer", call, buffer), Moved::No;
    if (!checkBuffer(ctx, framebuffer, buffer, Side::Draw, call)) return Moved::No;
    for (GLsizei j = 0; buffer != GL_NONE && j < i; ++j)
      if (bufs[j] == buffer)
        return ctx.error(GL_INVALID_OPERATION, "%s: buffer 0x%04x is named twice", call, buffer), Moved::No;
    buffers[static_cast<u32>(i)] = buffer;
  }
  return setDrawBuffers(ctx, framebuffer, buffers);
}

Moved readBuffer(Context& ctx, Framebuffer* framebuffer, GLenum buffer, const char* call) {
  if (buffer == GL_FRONT_AND_BACK)
    return ctx.error(GL_INVALID_ENUM, "%s: GL_FRONT_AND_BACK cannot be read", call), Moved::No;
  if (!checkBuffer(ctx, framebuffer, buffer, Side::Read, call)) return Moved::No;
  GLenum& slot = framebuffer != nullptr ? framebuffer->readBuffer : ctx.defaultReadBuffer;
  if (slot == buffer) return Moved::No;
  slot = buffer;
  return framebufferChanged(ctx, framebuffer);
}

// Name 0 is the default framebuffer. False after an error.
bool objectOrDefault(Context& ctx, GLuint name, Ref<Framebuffer>* out, const char* call) {
  if (name == 0) return true;
  *out = namedFramebuffer(ctx, name, call);
  return *out != nullptr;
}

}  // namespace

MGL_GL(Moved, DrawBuffer)(Context& ctx, GLenum buf) {
  return drawBuffer(ctx, ctx.drawFramebuffer.get(), buf, "glDrawBuffer");
}
MGL_GL(Moved, DrawBuffers)(Context& ctx, GLsizei n, const GLenum* bufs) {
  return drawBuffers(ctx, ctx.drawFramebuffer.get(), n, bufs, "glDrawBuffers");
}
MGL_GL(Moved, ReadBuffer)(Context& ctx, GLenum src) {
  return readBuffer(ctx, ctx.readFramebuffer.get(), src, "glReadBuffer");
}
MGL_GL(Moved, NamedFramebufferDrawBuffer)(Context& ctx, GLuint framebuffer, GLenum buf) {
  Ref<Framebuffer> object;
  if (!objectOrDefault(ctx, framebuffer, &object, "glNamedFramebufferDrawBuffer")) return Moved::No;
  return drawBuffer(ctx, object.get(), buf, "glNamedFramebufferDrawBuffer");
}
MGL_GL(Moved, NamedFramebufferDrawBuffers)(Context& ctx, GLuint framebuffer, GLsizei n, const GLenum* bufs) {
  Ref<Framebuffer> object;
  if (!objectOrDefault(ctx, framebuffer, &object, "glNamedFramebufferDrawBuffers")) return Moved::No;
  return drawBuffers(ctx, object.get(), n, bufs, "glNamedFramebufferDrawBuffers");
}
MGL_GL(Moved, NamedFramebufferReadBuffer)(Context& ctx, GLuint framebuffer, GLenum src) {
  Ref<Framebuffer> object;
  if (!objectOrDefault(ctx, framebuffer, &object, "glNamedFramebufferReadBuffer")) return Moved::No;
  return readBuffer(ctx, object.get(), src, "glNamedFramebufferReadBuffer");
}

}  // namespace mgl::gl
