// glBlitFramebuffer (OpenGL 4.6 section 18.3.1).

#include <algorithm>

#include "format/format.h"
#include "gl/framebuffer/target.h"
#include "gl/verb.h"
#include "tracker/tracker.h"

namespace mgl::gl {
namespace {

struct BlitCall {
  const char* name;
  pipe::BlitBox src, dst;
  GLbitfield mask;
  GLenum filter;
};

// Fixed point and float may be converted to each other; integers only to their own kind.
enum class Kind : u8 { Real, Int, Uint };
Kind kindOf(pipe::Format format) {
  const format::FormatInfo& info = format::formatInfo(format);
  if (!info.isInteger()) return Kind::Real;
  return info.type == format::ComponentType::Sint ? Kind::Int : Kind::Uint;
}

bool sameDepth(pipe::Format a, pipe::Format b) {
  const format::FormatInfo &x = format::formatInfo(a), &y = format::formatInfo(b);
  return x.type == y.type && x.bits.depth == y.bits.depth;
}

// The draw buffers' formats against the read buffer's. False after an error.
bool checkColor(Context& ctx, const Framebuffer* draw, pipe::Format source, const BlitCall& c) {
  for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) {
    const pipe::Format target = outputFormat(ctx, draw, i);
    if (target == pipe::Format::None) continue;
    if (kindOf(target) != kindOf(source)) {
      ctx.error(GL_INVALID_OPERATION, "%s: integer texels of one kind cannot become another", c.name);
      return false;
    }
  }
  if (kindOf(source) != Kind::Real && c.filter == GL_LINEAR) {
    ctx.error(GL_INVALID_OPERATION, "%s: integer texels cannot be filtered", c.name);
    return false;
  }
  return true;
}

void blit(Context& ctx, Framebuffer* read, Framebuffer* draw, const BlitCall& c) {
  constexpr GLbitfield kAll = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
  if ((c.mask & ~kAll) != 0) return ctx.error(GL_INVALID_VALUE, "%s: 0x%x are not buffers", c.name, c.mask & ~kAll);
  if (c.filter != GL_NEAREST && c.filter != GL_LINEAR)
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a filter", c.name, c.filter);
  const Verb verb(ctx);
  if (!checkComplete(ctx, read, Side::Read, c.name) || !checkComplete(ctx, draw, Side::Draw, c.name)) return;
  if ((c.mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)) != 0 && c.filter != GL_NEAREST)
    return ctx.error(GL_INVALID_OPERATION, "%s: depth and stencil cannot be filtered", c.name);

  const TargetShape from = targetShape(ctx, read, Side::Read), to = targetShape(ctx, draw, Side::Draw);
  const bool multisample = from.samples > 0 || to.samples > 0;
  if (from.samples > 0 && to.samples > 0 && from.samples != to.samples)
    return ctx.error(GL_INVALID_OPERATION, "%s: %u samples cannot become %u", c.name, from.samples, to.samples);
  const i64 srcWidth = i64{c.src.x1} - c.src.x0, srcHeight = i64{c.src.y1} - c.src.y0;
  const i64 dstWidth = i64{c.dst.x1} - c.dst.x0, dstHeight = i64{c.dst.y1} - c.dst.y0;
  if (multisample && (std::abs(srcWidth) != std::abs(dstWidth) || std::abs(srcHeight) != std::abs(dstHeight)))
    return ctx.error(GL_INVALID_OPERATION, "%s: multisampled images cannot be scaled", c.name);

  // A buffer that either side lacks is skipped silently.
  u32 aspects = 0;
  if ((c.mask & GL_COLOR_BUFFER_BIT) != 0) {
    const pipe::Format source = readFormat(ctx, read);
    bool any = false;
    for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) any = any || outputFormat(ctx, draw, i) != pipe::Format::None;
    if (source != pipe::Format::None && any) {
      if (!checkColor(ctx, draw, source, c)) return;
      aspects |= pipe::kBlitColor;
    }
  }
  if ((c.mask & GL_DEPTH_BUFFER_BIT) != 0) {
    const pipe::Format a = depthFormat(ctx, read, Side::Read), b = depthFormat(ctx, draw, Side::Draw);
    if (a != pipe::Format::None && b != pipe::Format::None) {
      if (!sameDepth(a, b))
        return ctx.error(GL_INVALID_OPERATION, "%s: the depth formats differ", c.name);
      aspects |= pipe::kBlitDepth;
    }
  }
  if ((c.mask & GL_STENCIL_BUFFER_BIT) != 0) {
    const pipe::Format a = stencilFormat(ctx, read, Side::Read), b = stencilFormat(ctx, draw, Side::Draw);
    if (a != pipe::Format::None && b != pipe::Format::None) {
      if (format::formatInfo(a).bits.stencil != format::formatInfo(b).bits.stencil)
        return ctx.error(GL_INVALID_OPERATION, "%s: the stencil formats differ", c.name);
      aspects |= pipe::kBlitStencil;
    }
  }
  if (aspects == 0 || srcWidth == 0 || srcHeight == 0 || dstWidth == 0 || dstHeight == 0) return;

  pipe::Blit record{};
  record.src = c.src;
  record.dst = c.dst;
  record.aspects = aspects;
  record.filter = c.filter == GL_LINEAR ? pipe::Filter::Linear : pipe::Filter::Nearest;
  record.scissored = verbScissor(ctx, &record.scissor) ? 1 : 0;
  if (record.scissored != 0 && (record.scissor.width == 0 || record.scissor.height == 0)) return;
  record.framebufferSrgb = ctx.render.framebufferSrgb;
  client::Group group = ctx.tracker->group();
  ctx.tracker->useCondition(group);
  record.read = ctx.tracker->useFramebuffer(group, read);
  record.draw = ctx.tracker->useFramebuffer(group, draw);
  group.emit(record);
}

}  // namespace

MGL_GL(void, BlitFramebuffer)(Context& ctx, GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0,
                              GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) {
  blit(ctx, ctx.readFramebuffer.get(), ctx.drawFramebuffer.get(),
       {"glBlitFramebuffer", {srcX0, srcY0, srcX1, srcY1}, {dstX0, dstY0, dstX1, dstY1}, mask, filter});
}

MGL_GL(void, BlitNamedFramebuffer)(Context& ctx, GLuint readFramebuffer, GLuint drawFramebuffer, GLint srcX0, GLint srcY0,
                                   GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0, GLint dstX1, GLint dstY1,
                                   GLbitfield mask, GLenum filter) {
  Ref<Framebuffer> read, draw;
  if (readFramebuffer != 0 && !(read = namedFramebuffer(ctx, readFramebuffer, "glBlitNamedFramebuffer"))) return;
  if (drawFramebuffer != 0 && !(draw = namedFramebuffer(ctx, drawFramebuffer, "glBlitNamedFramebuffer"))) return;
  blit(ctx, read.get(), draw.get(),
       {"glBlitNamedFramebuffer", {srcX0, srcY0, srcX1, srcY1}, {dstX0, dstY0, dstX1, dstY1}, mask, filter});
}

}  // namespace mgl::gl
