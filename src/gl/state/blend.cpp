// Blending, logic operations, write masks (OpenGL 4.6 sections 17.3.6, 17.3.9, 17.4.2).
#include <algorithm>

#include "gl/context.h"
#include "gl/state/convert.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

u32 drawBufferCount(const Context& ctx) { return static_cast<u32>(ctx.info->limits.maxColorTargets); }

bool checkIndex(Context& ctx, GLuint index, const char* command) {
  if (index < drawBufferCount(ctx)) return true;
  ctx.error(GL_INVALID_VALUE, "%s: draw buffer %u is not below GL_MAX_DRAW_BUFFERS", command, index);
  return false;
}

// Applies an edit to one target or to all, and says whether anything changed.
template <class Edit>
Moved edit(Context& ctx, u32 first, u32 count, Edit&& change) {
  bool changed = false;
  for (u32 i = first; i < first + count; ++i) {
    pipe::BlendTarget target = ctx.render.blend[i];
    change(target);
    if (target == ctx.render.blend[i]) continue;
    ctx.render.blend[i] = target;
    changed = true;
  }
  if (changed) ctx.touch(Group::Render);
  return movedIf(changed);
}

Moved blendFunc(Context& ctx, u32 first, u32 count, GLenum srcColor, GLenum dstColor, GLenum srcAlpha, GLenum dstAlpha) {
  const auto sc = fromBlendFactor(srcColor), dc = fromBlendFactor(dstColor), sa = fromBlendFactor(srcAlpha),
             da = fromBlendFactor(dstAlpha);
  if (!sc || !dc || !sa || !da) {
    ctx.error(GL_INVALID_ENUM, "glBlendFunc: a factor is not a blend factor");
    return Moved::No;
  }
  return edit(ctx, first, count, [&](pipe::BlendTarget& target) {
    target.srcColor = *sc, target.dstColor = *dc, target.srcAlpha = *sa, target.dstAlpha = *da;
  });
}

Moved blendEquation(Context& ctx, u32 first, u32 count, GLenum color, GLenum alpha) {
  const auto c = fromBlendEquation(color), a = fromBlendEquation(alpha);
  if (!c || !a) {
    ctx.error(GL_INVALID_ENUM, "glBlendEquation: 0x%04x is not a blend equation", c ? alpha : color);
    return Moved::No;
  }
  return edit(ctx, first, count, [&](pipe::BlendTarget& target) { target.colorOp = *c, target.alphaOp = *a; });
}

u8 maskOf(GLboolean r, GLboolean g, GLboolean b, GLboolean a) {
  return static_cast<u8>((r ? 1 : 0) | (g ? 2 : 0) | (b ? 4 : 0) | (a ? 8 : 0));
}

}  // namespace

MGL_GL(Moved, BlendFunc)(Context& ctx, GLenum sfactor, GLenum dfactor) {
  return blendFunc(ctx, 0, pipe::kMaxColorTargets, sfactor, dfactor, sfactor, dfactor);
}
MGL_GL(Moved, BlendFuncSeparate)(Context& ctx, GLenum sfactorRGB, GLenum dfactorRGB, GLenum sfactorAlpha, GLenum dfactorAlpha) {
  return blendFunc(ctx, 0, pipe::kMaxColorTargets, sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha);
}
MGL_GL(Moved, BlendFunci)(Context& ctx, GLuint buf, GLenum src, GLenum dst) {
  if (!checkIndex(ctx, buf, "glBlendFunci")) return Moved::No;
  return blendFunc(ctx, buf, 1, src, dst, src, dst);
}
MGL_GL(Moved, BlendFuncSeparatei)(Context& ctx, GLuint buf, GLenum srcRGB, GLenum dstRGB, GLenum srcAlpha, GLenum dstAlpha) {
  if (!checkIndex(ctx, buf, "glBlendFuncSeparatei")) return Moved::No;
  return blendFunc(ctx, buf, 1, srcRGB, dstRGB, srcAlpha, dstAlpha);
}
MGL_GL(Moved, BlendEquation)(Context& ctx, GLenum mode) {
  return blendEquation(ctx, 0, pipe::kMaxColorTargets, mode, mode);
}
MGL_GL(Moved, BlendEquationSeparate)(Context& ctx, GLenum modeRGB, GLenum modeAlpha) {
  return blendEquation(ctx, 0, pipe::kMaxColorTargets, modeRGB, modeAlpha);
}
MGL_GL(Moved, BlendEquationi)(Context& ctx, GLuint buf, GLenum mode) {
  if (!checkIndex(ctx, buf, "glBlendEquationi")) return Moved::No;
  return blendEquation(ctx, buf, 1, mode, mode);
}
MGL_GL(Moved, BlendEquationSeparatei)(Context& ctx, GLuint buf, GLenum modeRGB, GLenum modeAlpha) {
  if (!checkIndex(ctx, buf, "glBlendEquationSeparatei")) return Moved::No;
  return blendEquation(ctx, buf, 1, modeRGB, modeAlpha);
}
MGL_GL(Moved, BlendColor)(Context& ctx, GLfloat red, GLfloat green, GLfloat blue, GLfloat alpha) {
  return ctx.set(Group::BlendColor, ctx.blendColor, {red, green, blue, alpha});
}
MGL_GL(Moved, ColorMask)(Context& ctx, GLboolean red, GLboolean green, GLboolean blue, GLboolean alpha) {
  return edit(ctx, 0, pipe::kMaxColorTargets, [&](pipe::BlendTarget& t) { t.writeMask = maskOf(red, green, blue, alpha); });
}
MGL_GL(Moved, ColorMaski)(Context& ctx, GLuint index, GLboolean r, GLboolean g, GLboolean b, GLboolean a) {
  if (!checkIndex(ctx, index, "glColorMaski")) return Moved::No;
  return edit(ctx, index, 1, [&](pipe::BlendTarget& t) { t.writeMask = maskOf(r, g, b, a); });
}
MGL_GL(Moved, LogicOp)(Context& ctx, GLenum opcode) {
  const auto op = fromLogicOp(opcode);
  if (!op) {
    ctx.error(GL_INVALID_ENUM, "glLogicOp: 0x%04x is not a logic operation", opcode);
    return Moved::No;
  }
  return ctx.set(Group::Render, ctx.render.logicOp, *op);
}

}  // namespace mgl::gl
