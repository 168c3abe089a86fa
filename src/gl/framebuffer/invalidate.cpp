// glInvalidateFramebuffer and its kin (OpenGL 4.6 section 17.4.4).

#include <algorithm>

#include "gl/framebuffer/target.h"
#include "gl/verb.h"
#include "gl/version.h"
#include "tracker/tracker.h"

namespace mgl::gl {
namespace {

struct Region2D {
  GLint x = 0, y = 0;
  GLsizei width = 0, height = 0;
};

// Adds an attachment's name to the record. False after an error.
bool addAttachment(Context& ctx, const Framebuffer* framebuffer, GLenum name, pipe::InvalidateFramebuffer* record,
                   const char* call) {
  if (framebuffer == nullptr) {
    switch (name) {
      case GL_COLOR:
      case GL_FRONT_LEFT:
      case GL_BACK_LEFT: record->colorAttachments |= 1; return true;
      case GL_FRONT_RIGHT:
      case GL_BACK_RIGHT: return true;
      case GL_DEPTH: record->aspects |= pipe::kBlitDepth; return true;
      case GL_STENCIL: record->aspects |= pipe::kBlitStencil; return true;
      default: break;
    }
  } else {
    switch (name) {
      case GL_DEPTH_ATTACHMENT: record->aspects |= pipe::kBlitDepth; return true;
      case GL_STENCIL_ATTACHMENT: record->aspects |= pipe::kBlitStencil; return true;
      case GL_DEPTH_STENCIL_ATTACHMENT: record->aspects |= pipe::kBlitDepth | pipe::kBlitStencil; return true;
      default: break;
    }
    const u32 i = name - GL_COLOR_ATTACHMENT0;
    if (name >= GL_COLOR_ATTACHMENT0 && i < 32) {
      if (i < static_cast<u32>(ctx.info->limits.maxColorTargets)) {
        record->colorAttachments |= 1u << i;
        return true;
      }
      ctx.error(GL_INVALID_OPERATION, "%s: there is no colour attachment %u here", call, i);
      return false;
    }
  }
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not an attachment of this framebuffer", call, name);
  return false;
}

void invalidate(Context& ctx, Framebuffer* framebuffer, GLsizei count, const GLenum* attachments, const Region2D* region,
                const char* call) {
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "%s: the count is negative", call);
  if (region != nullptr && (region->width < 0 || region->height < 0))
    return ctx.error(GL_INVALID_VALUE, "%s: the size is negative", call);
  pipe::InvalidateFramebuffer record{};
  for (GLsizei i = 0; i < count; ++i)
    if (!addAttachment(ctx, framebuffer, attachments[i], &record, call)) return;
  const Verb verb(ctx);
  // An incomplete framebuffer has nothing to lose.
  if (framebufferStatus(ctx, framebuffer, Side::Draw) != GL_FRAMEBUFFER_COMPLETE) return;
  if (framebuffer != nullptr) {
    for (u32 i = 0; i < framebuffer->color.size(); ++i)
      if (!framebuffer->color[i].isSet()) record.colorAttachments &= ~(1u << i);
    if (!framebuffer->depth.isSet()) record.aspects &= ~pipe::kBlitDepth;
    if (!framebuffer->stencil.isSet()) record.aspects &= ~pipe::kBlitStencil;
  } else {
    if (depthFormat(ctx, nullptr, Side::Draw) == pipe::Format::None) record.aspects &= ~pipe::kBlitDepth;
    if (stencilFormat(ctx, nullptr, Side::Draw) == pipe::Format::None) record.aspects &= ~pipe::kBlitStencil;
  }
  const TargetShape shape = targetShape(ctx, framebuffer, Side::Draw);
  i64 left = 0, bottom = 0, right = shape.width, top = shape.height;
  if (region != nullptr) {
    left = std::max<i64>(left, region->x), bottom = std::max<i64>(bottom, region->y);
    right = std::min<i64>(right, i64{region->x} + region->width), top = std::min<i64>(top, i64{region->y} + region->height);
  }
  if (left >= right || bottom >= top || (record.colorAttachments == 0 && record.aspects == 0)) return;
  record.rect = {static_cast<i32>(left), static_cast<i32>(bottom), static_cast<i32>(right - left),
                 static_cast<i32>(top - bottom)};
  client::Group group = ctx.tracker->group();
  record.framebuffer = ctx.tracker->useFramebuffer(group, framebuffer);
  group.emit(record);
}

void invalidateBound(Context& ctx, GLenum target, GLsizei count, const GLenum* attachments, const Region2D* region,
                     const char* call) {
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a framebuffer target", call, target);
  invalidate(ctx, boundFramebuffer(ctx, side), count, attachments, region, call);
}

void invalidateNamed(Context& ctx, GLuint name, GLsizei count, const GLenum* attachments, const Region2D* region,
                     const char* call) {
  Ref<Framebuffer> framebuffer;
  if (name != 0 && !(framebuffer = namedFramebuffer(ctx, name, call))) return;
  invalidate(ctx, framebuffer.get(), count, attachments, region, call);
}

}  // namespace

MGL_GL(void, InvalidateFramebuffer)(Context& ctx, GLenum target, GLsizei n, const GLenum* attachments) {
  invalidateBound(ctx, target, n, attachments, nullptr, "glInvalidateFramebuffer");
}
MGL_GL(void, InvalidateSubFramebuffer)(Context& ctx, GLenum target, GLsizei n, const GLenum* attachments, GLint x,
                                       GLint y, GLsizei width, GLsizei height) {
  const Region2D region{x, y, width, height};
  invalidateBound(ctx, target, n, attachments, &region, "glInvalidateSubFramebuffer");
}
MGL_GL(void, InvalidateNamedFramebufferData)(Context& ctx, GLuint framebuffer, GLsizei n, const GLenum* attachments) {
  invalidateNamed(ctx, framebuffer, n, attachments, nullptr, "glInvalidateNamedFramebufferData");
}
MGL_GL(void, InvalidateNamedFramebufferSubData)(Context& ctx, GLuint framebuffer, GLsizei n, const GLenum* attachments,
                                                GLint x, GLint y, GLsizei width, GLsizei height) {
  const Region2D region{x, y, width, height};
  invalidateNamed(ctx, framebuffer, n, attachments, &region, "glInvalidateNamedFramebufferSubData");
}

}  // namespace mgl::gl
