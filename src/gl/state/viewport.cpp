// Viewports, depth ranges and scissor boxes (OpenGL 4.6 sections 13.8.1 and 14.9.2).
#include <algorithm>

#include "gl/context.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

bool checkRange(Context& ctx, GLuint first, GLsizei count, const char* command) {
  if (count >= 0 && u64{first} + static_cast<u64>(count) <= static_cast<u64>(ctx.info->limits.maxViewports)) return true;
  ctx.error(GL_INVALID_VALUE, "%s: not within GL_MAX_VIEWPORTS", command);
  return false;
}

Moved setViewport(Context& ctx, u32 index, f32 x, f32 y, f32 width, f32 height) {
  const pipe::Limits& limits = ctx.info->limits;
  const std::array<f32, 4> value = {std::clamp(x, -32768.0f, 32767.0f), std::clamp(y, -32768.0f, 32767.0f),
                                    std::min(width, static_cast<f32>(limits.maxViewportWidth)),
                                    std::min(height, static_cast<f32>(limits.maxViewportHeight))};
  return ctx.set(Group::Viewports, ctx.viewports[index], value);
}

Moved setScissor(Context& ctx, u32 index, const GLint* box) {
  return ctx.set(Group::Scissors, ctx.scissors[index], {box[0], box[1], box[2], box[3]});
}

Moved setDepthRange(Context& ctx, u32 index, f64 n, f64 f) {
  return ctx.set(Group::Viewports, ctx.depthRanges[index], {std::clamp(n, 0.0, 1.0), std::clamp(f, 0.0, 1.0)});
}

}  // namespace

MGL_GL(Moved, Viewport)(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height) {
  if (width < 0 || height < 0) {
    ctx.error(GL_INVALID_VALUE, "glViewport: a negative size");
    return Moved::No;
  }
  ctx.viewportSet = true;
  Moved moved = Moved::No;
  for (u32 i = 0; i < pipe::kMaxViewports; ++i)
    moved = moved | setViewport(ctx, i, static_cast<f32>(x), static_cast<f32>(y), static_cast<f32>(width), static_cast<f32>(height));
  return moved;
}
MGL_GL(Moved, ViewportArrayv)(Context& ctx, GLuint first, GLsizei count, const GLfloat* v) {
  if (!checkRange(ctx, first, count, "glViewportArrayv")) return Moved::No;
  for (GLsizei i = 0; i < count; ++i)
    if (v[i * 4 + 2] < 0 || v[i * 4 + 3] < 0) {
      ctx.error(GL_INVALID_VALUE, "glViewportArrayv: a negative size");
      return Moved::No;
    }
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < count; ++i)
    moved = moved | setViewport(ctx, first + static_cast<u32>(i), v[i * 4], v[i * 4 + 1], v[i * 4 + 2], v[i * 4 + 3]);
  return moved;
}
MGL_GL(Moved, ViewportIndexedf)(Context& ctx, GLuint index, GLfloat x, GLfloat y, GLfloat w, GLfloat h) {
  const GLfloat v[4] = {x, y, w, h};
  return api::ViewportArrayv(ctx, index, 1, v);
}
MGL_GL(Moved, ViewportIndexedfv)(Context& ctx, GLuint index, const GLfloat* v) { return api::ViewportArrayv(ctx, index, 1, v); }

MGL_GL(Moved, DepthRange)(Context& ctx, GLdouble n, GLdouble f) {
  Moved moved = Moved::No;
  for (u32 i = 0; i < pipe::kMaxViewports; ++i) moved = moved | setDepthRange(ctx, i, n, f);
  return moved;
}
MGL_GL(Moved, DepthRangef)(Context& ctx, GLfloat n, GLfloat f) {
  return api::DepthRange(ctx, static_cast<GLdouble>(n), static_cast<GLdouble>(f));
}
MGL_GL(Moved, DepthRangeArrayv)(Context& ctx, GLuint first, GLsizei count, const GLdouble* v) {
  if (!checkRange(ctx, first, count, "glDepthRangeArrayv")) return Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < count; ++i) moved = moved | setDepthRange(ctx, first + static_cast<u32>(i), v[i * 2], v[i * 2 + 1]);
  return moved;
}
MGL_GL(Moved, DepthRangeIndexed)(Context& ctx, GLuint index, GLdouble n, GLdouble f) {
  const GLdouble v[2] = {n, f};
  return api::DepthRangeArrayv(ctx, index, 1, v);
}

MGL_GL(Moved, Scissor)(Context& ctx, GLint x, GLint y, GLsizei width, GLsizei height) {
  if (width < 0 || height < 0) {
    ctx.error(GL_INVALID_VALUE, "glScissor: a negative size");
    return Moved::No;
  }
  const GLint box[4] = {x, y, width, height};
  Moved moved = Moved::No;
  for (u32 i = 0; i < pipe::kMaxViewports; ++i) moved = moved | setScissor(ctx, i, box);
  return moved;
}
MGL_GL(Moved, ScissorArrayv)(Context& ctx, GLuint first, GLsizei count, const GLint* v) {
  if (!checkRange(ctx, first, count, "glScissorArrayv")) return Moved::No;
  for (GLsizei i = 0; i < count; ++i)
    if (v[i * 4 + 2] < 0 || v[i * 4 + 3] < 0) {
      ctx.error(GL_INVALID_VALUE, "glScissorArrayv: a negative size");
      return Moved::No;
    }
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < count; ++i) moved = moved | setScissor(ctx, first + static_cast<u32>(i), v + i * 4);
  return moved;
}
MGL_GL(Moved, ScissorIndexed)(Context& ctx, GLuint index, GLint left, GLint bottom, GLsizei width, GLsizei height) {
  const GLint v[4] = {left, bottom, width, height};
  return api::ScissorArrayv(ctx, index, 1, v);
}
MGL_GL(Moved, ScissorIndexedv)(Context& ctx, GLuint index, const GLint* v) { return api::ScissorArrayv(ctx, index, 1, v); }

}  // namespace mgl::gl
