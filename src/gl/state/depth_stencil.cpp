// Depth and stencil tests and masks (OpenGL 4.6 sections 17.3.3, 17.3.4, 17.4.2).
#include <algorithm>

#include "gl/context.h"
#include "gl/state/convert.h"

namespace mgl::gl {

namespace {

// The faces that an enum names: first and one past the last of {front, back}.
bool faces(Context& ctx, GLenum face, u32* begin, u32* end, const char* command) {
  switch (face) {
    case GL_FRONT: *begin = 0, *end = 1; return true;
    case GL_BACK: *begin = 1, *end = 2; return true;
    case GL_FRONT_AND_BACK: *begin = 0, *end = 2; return true;
    default: ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a face", command, face); return false;
  }
}

Moved stencilFunc(Context& ctx, u32 begin, u32 end, GLenum func, GLint ref, GLuint mask) {
  const auto op = fromCompare(func);
  if (!op) {
    ctx.error(GL_INVALID_ENUM, "glStencilFunc: 0x%04x is not a comparison", func);
    return Moved::No;
  }
  Moved moved = Moved::No;
  for (u32 i = begin; i < end; ++i) {
    moved = moved | ctx.set(Group::Render, ctx.render.stencil[i].func, *op) |
            ctx.set(Group::Render, ctx.render.stencil[i].readMask, static_cast<u8>(mask)) |
            ctx.set(Group::StencilReference, ctx.stencilReference[i], ref);
    ctx.stencilMasks[i][0] = mask;
  }
  return moved;
}

Moved stencilOp(Context& ctx, u32 begin, u32 end, GLenum fail, GLenum depthFail, GLenum pass) {
  const auto f = fromStencilOp(fail), d = fromStencilOp(depthFail), p = fromStencilOp(pass);
  if (!f || !d || !p) {
    ctx.error(GL_INVALID_ENUM, "glStencilOp: an action is not a stencil action");
    return Moved::No;
  }
  Moved moved = Moved::No;
  for (u32 i = begin; i < end; ++i) {
    pipe::StencilFace& face = ctx.render.stencil[i];
    moved = moved | ctx.set(Group::Render, face.fail, *f) | ctx.set(Group::Render, face.depthFail, *d) |
            ctx.set(Group::Render, face.pass, *p);
  }
  return moved;
}

Moved stencilMask(Context& ctx, u32 begin, u32 end, GLuint mask) {
  Moved moved = Moved::No;
  for (u32 i = begin; i < end; ++i) {
    ctx.stencilMasks[i][1] = mask;
    moved = moved | ctx.set(Group::Render, ctx.render.stencil[i].writeMask, static_cast<u8>(mask));
  }
  return moved;
}

}  // namespace

MGL_GL(Moved, DepthFunc)(Context& ctx, GLenum func) {
  const auto op = fromCompare(func);
  if (!op) {
    ctx.error(GL_INVALID_ENUM, "glDepthFunc: 0x%04x is not a comparison", func);
    return Moved::No;
  }
  return ctx.set(Group::Render, ctx.render.depthFunc, *op);
}
MGL_GL(Moved, DepthMask)(Context& ctx, GLboolean flag) {
  return ctx.set(Group::Render, ctx.render.depthWrite, static_cast<u8>(flag != GL_FALSE));
}
MGL_GL(Moved, StencilFunc)(Context& ctx, GLenum func, GLint ref, GLuint mask) {
  return stencilFunc(ctx, 0, 2, func, ref, mask);
}
MGL_GL(Moved, StencilFuncSeparate)(Context& ctx, GLenum face, GLenum func, GLint ref, GLuint mask) {
  u32 begin, end;
  if (!faces(ctx, face, &begin, &end, "glStencilFuncSeparate")) return Moved::No;
  return stencilFunc(ctx, begin, end, func, ref, mask);
}
MGL_GL(Moved, StencilOp)(Context& ctx, GLenum fail, GLenum zfail, GLenum zpass) {
  return stencilOp(ctx, 0, 2, fail, zfail, zpass);
}
MGL_GL(Moved, StencilOpSeparate)(Context& ctx, GLenum face, GLenum sfail, GLenum dpfail, GLenum dppass) {
  u32 begin, end;
  if (!faces(ctx, face, &begin, &end, "glStencilOpSeparate")) return Moved::No;
  return stencilOp(ctx, begin, end, sfail, dpfail, dppass);
}
MGL_GL(Moved, StencilMask)(Context& ctx, GLuint mask) { return stencilMask(ctx, 0, 2, mask); }
MGL_GL(Moved, StencilMaskSeparate)(Context& ctx, GLenum face, GLuint mask) {
  u32 begin, end;
  if (!faces(ctx, face, &begin, &end, "glStencilMaskSeparate")) return Moved::No;
  return stencilMask(ctx, begin, end, mask);
}

}  // namespace mgl::gl
