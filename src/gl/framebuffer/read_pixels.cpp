// glReadPixels (OpenGL 4.6 section 18.2).

#include <algorithm>

#include "format/convert.h"
#include "gl/framebuffer/target.h"
#include "gl/texture/transfer.h"
#include "gl/verb.h"
#include "tracker/tracker.h"

namespace mgl::gl {
namespace {

using pipe::TransferFormat;

// The format of what is read: of the read buffer, or of depth or stencil. None after an error.
pipe::Format sourceFormat(Context& ctx, Framebuffer* framebuffer, format::TransferPair pair, const char* call) {
  switch (pair.format) {
    case TransferFormat::Depth: {
      const pipe::Format format = depthFormat(ctx, framebuffer, Side::Read);
      if (format == pipe::Format::None) ctx.error(GL_INVALID_OPERATION, "%s: there is no depth buffer", call);
      return format;
    }
    case TransferFormat::Stencil: {
      const pipe::Format format = stencilFormat(ctx, framebuffer, Side::Read);
      if (format == pipe::Format::None) ctx.error(GL_INVALID_OPERATION, "%s: there is no stencil buffer", call);
      return format;
    }
    case TransferFormat::DepthStencil: {
      const pipe::Format format = depthFormat(ctx, framebuffer, Side::Read);
      if (format == pipe::Format::None || stencilFormat(ctx, framebuffer, Side::Read) == pipe::Format::None) {
        ctx.error(GL_INVALID_OPERATION, "%s: depth and stencil buffer are not both there", call);
        return pipe::Format::None;
      }
      return format;
    }
    default: break;
  }
  const pipe::Format format = readFormat(ctx, framebuffer);
  if (format == pipe::Format::None) {
    ctx.error(GL_INVALID_OPERATION, "%s: the read buffer is GL_NONE or has no image", call);
    return format;
  }
  if (format::formatInfo(format).isInteger() != format::isInteger(pair.format)) {
    ctx.error(GL_INVALID_OPERATION, "%s: integer buffers are read with integer formats, others are not", call);
    return pipe::Format::None;
  }
  return format;
}

// GL_CLAMP_READ_COLOR; GL_FIXED_ONLY clamps what is fixed point, which is within its range already unless signed.
bool clampsRead(const Context& ctx, pipe::Format source) {
  const format::FormatInfo& info = format::formatInfo(source);
  if (!info.isColor() || info.isInteger()) return false;
  if (ctx.clampReadColor[0] == GL_FIXED_ONLY) return info.type == format::ComponentType::Unorm;
  return ctx.clampReadColor[0] == GL_TRUE;
}

void readPixels(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, i64 bufSize,
                void* data, const char* call) {
  if (width < 0 || height < 0) return ctx.error(GL_INVALID_VALUE, "%s: the size is negative", call);
  const auto pair = transferPair(ctx, format, type, call);
  if (!pair) return;
  Framebuffer* const framebuffer = ctx.readFramebuffer.get();
  const Verb verb(ctx);
  if (!checkComplete(ctx, framebuffer, Side::Read, call)) return;
  if (framebuffer != nullptr && framebuffer->samples > 0)
    return ctx.error(GL_INVALID_OPERATION, "%s: the read framebuffer is multisampled: resolve it first", call);
  const pipe::Format source = sourceFormat(ctx, framebuffer, *pair, call);
  if (source == pipe::Format::None) return;
  Pixels pixels;
  const Region region{pipe::TextureTarget::Tex2D, static_cast<u32>(width), static_cast<u32>(height), 1};
  if (!resolvePack(ctx, *pair, region, data, bufSize, &pixels, call) || pixels.none || region.isEmpty()) return;

  // What lies outside of the framebuffer is undefined: it is left alone.
  const TargetShape shape = targetShape(ctx, framebuffer, Side::Read);
  const i64 left = std::max<i64>(x, 0), bottom = std::max<i64>(y, 0);
  const i64 right = std::min<i64>(i64{x} + width, shape.width), top = std::min<i64>(i64{y} + height, shape.height);
  if (left >= right || bottom >= top) return;
  const u64 skipped = static_cast<u64>(bottom - y) * pixels.layout.rowBytes +
                      static_cast<u64>(left - x) * format::bytesPerPixel(pair->format, pair->type);
  const pipe::Rect rect{static_cast<i32>(left), static_cast<i32>(bottom), static_cast<i32>(right - left),
                        static_cast<i32>(top - bottom)};
  pixels.tightRow = u64{format::bytesPerPixel(pair->format, pair->type)} * static_cast<u64>(rect.width);
  pixels.rows = static_cast<u32>(rect.height);
  const u32 clamp = clampsRead(ctx, source) ? 1 : 0;
  if (pixels.buffer) {
    client::Group group = ctx.tracker->group();
    const auto handle = ctx.tracker->useFramebuffer(group, framebuffer);
    group.emit(pipe::ReadPixelsToBuffer{handle, rect, pixels.layout, pixels.buffer->handle, pixels.offset + skipped, clamp, 0});
    return;
  }
  pixels.memory += skipped;
  readInParts(pixels, [&](u32, u32, u32 row, u32 rows, const pipe::TexelLayout& layout, MutableBytes dst) {
    Verb reading(ctx);
    // The lock was given back for the part before.
    if (framebufferStatus(ctx, framebuffer, Side::Read) != GL_FRAMEBUFFER_COMPLETE ||
        targetShape(ctx, framebuffer, Side::Read) != shape || sourceFormat(ctx, framebuffer, *pair, call) != source)
      return false;
    const auto handle = ctx.tracker->useFramebuffer(reading, framebuffer);
    const pipe::Rect part{rect.x, rect.y + static_cast<i32>(row), rect.width, static_cast<i32>(rows)};
    return reading.ask(pipe::ReadPixels{handle, part, layout, 0, clamp}, dst).ok;
  });
}

}  // namespace

MGL_GL(void, ReadPixels)(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                         void* pixels) {
  readPixels(ctx, x, y, width, height, format, type, -1, pixels, "glReadPixels");
}

MGL_GL(void, ReadnPixels)(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                          GLsizei bufSize, void* data) {
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glReadnPixels: the buffer's size is negative");
  readPixels(ctx, x, y, width, height, format, type, bufSize, data, "glReadnPixels");
}

MGL_GL(Moved, ClampColor)(Context& ctx, GLenum target, GLenum clamp) {
  if (clamp != GL_TRUE && clamp != GL_FALSE && clamp != GL_FIXED_ONLY)
    return ctx.error(GL_INVALID_ENUM, "glClampColor: 0x%04x is no way to clamp", clamp), Moved::No;
  if (target == GL_CLAMP_READ_COLOR) {
    ctx.clampReadColor[0] = clamp;
    return Moved::No;
  }
  const bool fragment = ctx.isCompat() && target == GL_CLAMP_FRAGMENT_COLOR;
  if (!fragment) return ctx.error(GL_INVALID_ENUM, "glClampColor: 0x%04x cannot be clamped", target), Moved::No;
  ctx.clampReadColor[1] = clamp;
  return ctx.set(Group::Render, ctx.render.clampFragmentColor, clamp == GL_TRUE ? 1 : 0);
}

}  // namespace mgl::gl
