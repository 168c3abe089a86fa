// glEnable, glDisable, glIsEnabled and their indexed forms (OpenGL 4.6 section 17.1 and the tables of chapter 23).
#include "gl/context.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

// The switch in the render state that a capability is, or null.
u8* renderSwitch(Context& ctx, GLenum cap) {
  pipe::RenderState& r = ctx.render;
  switch (cap) {
    case GL_DEPTH_TEST: return &r.depthTest;
    case GL_STENCIL_TEST: return &r.stencilTest;
    case GL_DEPTH_CLAMP: return &r.depthClamp;
    case GL_COLOR_LOGIC_OP: return &r.logicOpEnable;
    case GL_POLYGON_OFFSET_FILL: return &r.offsetFill;
    case GL_POLYGON_OFFSET_LINE: return &r.offsetLine;
    case GL_POLYGON_OFFSET_POINT: return &r.offsetPoint;
    case GL_RASTERIZER_DISCARD: return &r.rasterizerDiscard;
    case GL_MULTISAMPLE: return &r.multisample;
    case GL_SAMPLE_ALPHA_TO_COVERAGE: return &r.alphaToCoverage;
    case GL_SAMPLE_ALPHA_TO_ONE: return &r.alphaToOne;
    case GL_SAMPLE_COVERAGE: return &r.sampleCoverage;
    case GL_SAMPLE_MASK: return &r.sampleMask;
    case GL_SAMPLE_SHADING: return &r.sampleShading;
    case GL_LINE_SMOOTH: return &r.lineSmooth;
    case GL_POLYGON_SMOOTH: return &r.polygonSmooth;
    case GL_PROGRAM_POINT_SIZE: return &r.programPointSize;
    case GL_FRAMEBUFFER_SRGB: return &r.framebufferSrgb;
    case GL_TEXTURE_CUBE_MAP_SEAMLESS: return &r.seamlessCube;
    default: return nullptr;
  }
}

bool* contextSwitch(Context& ctx, GLenum cap) {
  switch (cap) {
    case GL_DITHER: return &ctx.dither;
    case GL_DEBUG_OUTPUT: return &ctx.debugOutput;
    case GL_DEBUG_OUTPUT_SYNCHRONOUS: return &ctx.debugSynchronous;
    case GL_PRIMITIVE_RESTART: return &ctx.restartEnable;
    case GL_PRIMITIVE_RESTART_FIXED_INDEX: return &ctx.restartFixed;
    case GL_CULL_FACE: return &ctx.cullEnable;
    default: return nullptr;
  }
}

bool isClipDistance(const Context& ctx, GLenum cap) {
  return cap >= GL_CLIP_DISTANCE0 && cap < GL_CLIP_DISTANCE0 + static_cast<GLenum>(ctx.info->limits.maxClipDistances);
}

u32 allBits(i64 count) { return count >= 32 ? ~0u : (1u << count) - 1; }

Moved setBlendEnable(Context& ctx, u32 mask, bool on) {
  Moved moved = Moved::No;
  for (u32 i = 0; i < pipe::kMaxColorTargets; ++i)
    if (((mask >> i) & 1) != 0) moved = moved | ctx.set(Group::Render, ctx.render.blend[i].enable, on ? u8{1} : u8{0});
  ctx.blendEnable = on ? ctx.blendEnable | mask : ctx.blendEnable & ~mask;
  return moved;
}

Moved setCapability(Context& ctx, GLenum cap, bool on, const char* command) {
  const u8 value = on ? 1 : 0;
  if (u8* slot = renderSwitch(ctx, cap)) return ctx.set(Group::Render, *slot, value);
  if (bool* slot = contextSwitch(ctx, cap)) {
    if (*slot == on) return Moved::No;
    *slot = on;
    ctx.render.restart = ctx.restartFixed    ? pipe::RestartMode::Fixed
                         : ctx.restartEnable ? pipe::RestartMode::Chosen
                                             : pipe::RestartMode::Off;
    ctx.render.cullMode = ctx.cullEnable ? ctx.cullFace : pipe::CullMode::None;
    ctx.touch(Group::Render);
    return Moved::Yes;
  }
  if (cap == GL_BLEND) return setBlendEnable(ctx, allBits(pipe::kMaxColorTargets), on);
  if (cap == GL_SCISSOR_TEST) return ctx.set(Group::Scissors, ctx.scissorEnable, on ? allBits(pipe::kMaxViewports) : 0);
  if (isClipDistance(ctx, cap)) {
    const u8 bit = static_cast<u8>(1u << (cap - GL_CLIP_DISTANCE0));
    const u8 planes = ctx.render.clipDistances;
    return ctx.set(Group::Render, ctx.render.clipDistances, static_cast<u8>(on ? planes | bit : planes & ~bit));
  }
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a capability of this context", command, cap);
  return Moved::No;
}

Moved setIndexed(Context& ctx, GLenum target, GLuint index, bool on, const char* command) {
  const i64 count = target == GL_BLEND          ? ctx.info->limits.maxColorTargets
                    : target == GL_SCISSOR_TEST ? ctx.info->limits.maxViewports
                                                : -1;
  if (count < 0) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x has no indexed switches", command, target);
    return Moved::No;
  }
  if (index >= static_cast<GLuint>(count)) {
    ctx.error(GL_INVALID_VALUE, "%s: index %u is not below %d", command, index, static_cast<int>(count));
    return Moved::No;
  }
  const u32 bit = 1u << index;
  if (target == GL_BLEND) return setBlendEnable(ctx, bit, on);
  return ctx.set(Group::Scissors, ctx.scissorEnable, on ? ctx.scissorEnable | bit : ctx.scissorEnable & ~bit);
}

}  // namespace

MGL_GL(Moved, Enable)(Context& ctx, GLenum cap) { return setCapability(ctx, cap, true, "glEnable"); }
MGL_GL(Moved, Disable)(Context& ctx, GLenum cap) { return setCapability(ctx, cap, false, "glDisable"); }
MGL_GL(Moved, Enablei)(Context& ctx, GLenum target, GLuint index) {
  return setIndexed(ctx, target, index, true, "glEnablei");
}
MGL_GL(Moved, Disablei)(Context& ctx, GLenum target, GLuint index) {
  return setIndexed(ctx, target, index, false, "glDisablei");
}

MGL_GL(GLboolean, IsEnabled)(Context& ctx, GLenum cap) {
  if (const u8* slot = renderSwitch(ctx, cap)) return *slot != 0;
  if (const bool* slot = contextSwitch(ctx, cap)) return *slot;
  if (cap == GL_BLEND) return (ctx.blendEnable & 1) != 0;
  if (cap == GL_SCISSOR_TEST) return (ctx.scissorEnable & 1) != 0;
  if (isClipDistance(ctx, cap)) return ((ctx.render.clipDistances >> (cap - GL_CLIP_DISTANCE0)) & 1) != 0;
  ctx.error(GL_INVALID_ENUM, "glIsEnabled: 0x%04x is not a capability of this context", cap);
  return GL_FALSE;
}
MGL_GL(GLboolean, IsEnabledi)(Context& ctx, GLenum target, GLuint index) {
  if (target == GL_BLEND || target == GL_SCISSOR_TEST) {
    const i64 count = target == GL_BLEND ? ctx.info->limits.maxColorTargets : ctx.info->limits.maxViewports;
    if (index < static_cast<GLuint>(count))
      return (((target == GL_BLEND ? ctx.blendEnable : ctx.scissorEnable) >> index) & 1) != 0;
    ctx.error(GL_INVALID_VALUE, "glIsEnabledi: index %u is not below %d", index, static_cast<int>(count));
    return GL_FALSE;
  }
  ctx.error(GL_INVALID_ENUM, "glIsEnabledi: 0x%04x has no indexed switches", target);
  return GL_FALSE;
}

}  // namespace mgl::gl
