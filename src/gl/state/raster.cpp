// Rasterisation: culling, polygon modes and offsets, lines, points, multisampling, provoking vertex, clip control
// (OpenGL 4.6 chapters 13 and 14).
#include <algorithm>
#include <cmath>

#include "gl/context.h"
#include "gl/state/convert.h"
#include "gl/version.h"

namespace mgl::gl {

MGL_GL(Moved, CullFace)(Context& ctx, GLenum mode) {
  const auto face = fromCullFace(mode);
  if (!face) {
    ctx.error(GL_INVALID_ENUM, "glCullFace: 0x%04x is not a face", mode);
    return Moved::No;
  }
  if (assign(ctx.cullFace, *face) == Moved::No) return Moved::No;
  return ctx.cullEnable ? ctx.set(Group::Render, ctx.render.cullMode, *face) : Moved::No;
}
MGL_GL(Moved, FrontFace)(Context& ctx, GLenum mode) {
  if (mode != GL_CW && mode != GL_CCW) {
    ctx.error(GL_INVALID_ENUM, "glFrontFace: 0x%04x is neither GL_CW nor GL_CCW", mode);
    return Moved::No;
  }
  return ctx.set(Group::Render, ctx.render.frontFace,
                 mode == GL_CW ? pipe::Winding::Clockwise : pipe::Winding::CounterClockwise);
}
MGL_GL(Moved, PolygonMode)(Context& ctx, GLenum face, GLenum mode) {
  const auto polygonMode = fromPolygonMode(mode);
  const bool separate = ctx.isCompat() && (face == GL_FRONT || face == GL_BACK);
  if (!polygonMode || (face != GL_FRONT_AND_BACK && !separate)) {
    ctx.error(GL_INVALID_ENUM, "glPolygonMode: %s", polygonMode ? "face must be GL_FRONT_AND_BACK" : "not a polygon mode");
    return Moved::No;
  }
  Moved moved = Moved::No;
  if (face != GL_BACK) moved = moved | ctx.set(Group::Render, ctx.render.polygonFront, *polygonMode);
  if (face != GL_FRONT) moved = moved | ctx.set(Group::Render, ctx.render.polygonBack, *polygonMode);
  return moved;
}
MGL_GL(Moved, PolygonOffset)(Context& ctx, GLfloat factor, GLfloat units) {
  return ctx.set(Group::Raster, ctx.raster.offsetFactor, factor) | ctx.set(Group::Raster, ctx.raster.offsetUnits, units) |
         ctx.set(Group::Raster, ctx.raster.offsetClamp, 0.0f);
}
MGL_GL(Moved, PolygonOffsetClamp)(Context& ctx, GLfloat factor, GLfloat units, GLfloat clamp) {
  return ctx.set(Group::Raster, ctx.raster.offsetFactor, factor) | ctx.set(Group::Raster, ctx.raster.offsetUnits, units) |
         ctx.set(Group::Raster, ctx.raster.offsetClamp, clamp);
}
MGL_GL(Moved, LineWidth)(Context& ctx, GLfloat width) {
  if (!(width > 0)) {
    ctx.error(GL_INVALID_VALUE, "glLineWidth: the width must be above 0");
    return Moved::No;
  }
  if (ctx.config.forwardCompatible && ctx.isCore() && width > 1) {
    ctx.error(GL_INVALID_VALUE, "glLineWidth: a forward-compatible context has no lines wider than 1");
    return Moved::No;
  }
  return ctx.set(Group::Raster, ctx.raster.lineWidth, width);
}
MGL_GL(Moved, PointSize)(Context& ctx, GLfloat size) {
  if (!(size > 0)) {
    ctx.error(GL_INVALID_VALUE, "glPointSize: the size must be above 0");
    return Moved::No;
  }
  return ctx.set(Group::Raster, ctx.raster.pointSize, size);
}

namespace {

Moved pointParameter(Context& ctx, GLenum pname, f32 value) {
  switch (pname) {
    case GL_POINT_FADE_THRESHOLD_SIZE:
      if (value < 0) {
        ctx.error(GL_INVALID_VALUE, "glPointParameter: a negative fade threshold");
        return Moved::No;
      }
      return ctx.set(Group::Raster, ctx.raster.pointFadeThreshold, value);
    case GL_POINT_SPRITE_COORD_ORIGIN:
      if (value != GL_LOWER_LEFT && value != GL_UPPER_LEFT) {
        ctx.error(GL_INVALID_VALUE, "glPointParameter: the origin is GL_LOWER_LEFT or GL_UPPER_LEFT");
        return Moved::No;
      }
      return ctx.set(Group::Render, ctx.render.pointOrigin,
                     value == GL_LOWER_LEFT ? pipe::PointOrigin::LowerLeft : pipe::PointOrigin::UpperLeft);
    default: ctx.error(GL_INVALID_ENUM, "glPointParameter: 0x%04x is not a point parameter", pname); return Moved::No;
  }
}

}  // namespace

MGL_GL(Moved, PointParameterf)(Context& ctx, GLenum pname, GLfloat param) { return pointParameter(ctx, pname, param); }
MGL_GL(Moved, PointParameterfv)(Context& ctx, GLenum pname, const GLfloat* params) {
  return pointParameter(ctx, pname, params[0]);
}
MGL_GL(Moved, PointParameteri)(Context& ctx, GLenum pname, GLint param) {
  return pointParameter(ctx, pname, static_cast<f32>(param));
}
MGL_GL(Moved, PointParameteriv)(Context& ctx, GLenum pname, const GLint* params) {
  return pointParameter(ctx, pname, static_cast<f32>(params[0]));
}

MGL_GL(Moved, SampleCoverage)(Context& ctx, GLfloat value, GLboolean invert) {
  return ctx.set(Group::Raster, ctx.raster.coverageValue, std::clamp(value, 0.0f, 1.0f)) |
         ctx.set(Group::Raster, ctx.raster.coverageInvert, invert != GL_FALSE ? 1u : 0u);
}
MGL_GL(Moved, SampleMaski)(Context& ctx, GLuint maskNumber, GLbitfield mask) {
  if (maskNumber >= static_cast<GLuint>(ctx.info->limits.maxSampleMaskWords)) {
    ctx.error(GL_INVALID_VALUE, "glSampleMaski: mask word %u is not below GL_MAX_SAMPLE_MASK_WORDS", maskNumber);
    return Moved::No;
  }
  return maskNumber == 0 ? ctx.set(Group::Raster, ctx.raster.sampleMask, mask) : Moved::No;
}
MGL_GL(Moved, MinSampleShading)(Context& ctx, GLfloat value) {
  return ctx.set(Group::Raster, ctx.raster.minSampleShading, std::clamp(value, 0.0f, 1.0f));
}
MGL_GL(Moved, ProvokingVertex)(Context& ctx, GLenum mode) {
  if (mode != GL_FIRST_VERTEX_CONVENTION && mode != GL_LAST_VERTEX_CONVENTION) {
    ctx.error(GL_INVALID_ENUM, "glProvokingVertex: 0x%04x is not a convention", mode);
    return Moved::No;
  }
  return ctx.set(Group::Render, ctx.render.provokingVertex,
                 mode == GL_FIRST_VERTEX_CONVENTION ? pipe::ProvokingVertex::First : pipe::ProvokingVertex::Last);
}
MGL_GL(Moved, PrimitiveRestartIndex)(Context& ctx, GLuint index) {
  return ctx.set(Group::Render, ctx.render.restartIndex, index);
}
MGL_GL(Moved, ClipControl)(Context& ctx, GLenum origin, GLenum depth) {
  if ((origin != GL_LOWER_LEFT && origin != GL_UPPER_LEFT) ||
      (depth != GL_NEGATIVE_ONE_TO_ONE && depth != GL_ZERO_TO_ONE)) {
    ctx.error(GL_INVALID_ENUM, "glClipControl: not an origin and a depth mode");
    return Moved::No;
  }
  return ctx.set(Group::Render, ctx.render.clipOrigin,
                 origin == GL_UPPER_LEFT ? pipe::ClipOrigin::UpperLeft : pipe::ClipOrigin::LowerLeft) |
         ctx.set(Group::Render, ctx.render.clipDepth,
                 depth == GL_ZERO_TO_ONE ? pipe::ClipDepth::ZeroToOne : pipe::ClipDepth::NegativeOneToOne);
}
MGL_GL(Moved, PatchParameteri)(Context& ctx, GLenum pname, GLint value) {
  if (pname != GL_PATCH_VERTICES) {
    ctx.error(GL_INVALID_ENUM, "glPatchParameteri: 0x%04x is not GL_PATCH_VERTICES", pname);
    return Moved::No;
  }
  if (value <= 0 || value > ctx.info->limits.maxPatchVertices) {
    ctx.error(GL_INVALID_VALUE, "glPatchParameteri: %d vertices are not in 1..GL_MAX_PATCH_VERTICES", value);
    return Moved::No;
  }
  return ctx.set(Group::Patch, ctx.patch.vertices, static_cast<u32>(value));
}
MGL_GL(Moved, PatchParameterfv)(Context& ctx, GLenum pname, const GLfloat* values) {
  switch (pname) {
    case GL_PATCH_DEFAULT_OUTER_LEVEL:
      return ctx.set(Group::Patch, ctx.patch.outerLevels, {values[0], values[1], values[2], values[3]});
    case GL_PATCH_DEFAULT_INNER_LEVEL:
      return ctx.set(Group::Patch, ctx.patch.innerLevel0, values[0]) | ctx.set(Group::Patch, ctx.patch.innerLevel1, values[1]);
    default: ctx.error(GL_INVALID_ENUM, "glPatchParameterfv: 0x%04x is not a patch parameter", pname); return Moved::No;
  }
}

}  // namespace mgl::gl
