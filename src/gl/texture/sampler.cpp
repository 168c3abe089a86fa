// Sampler objects (OpenGL 4.6 section 8.2).

#include "gl/texture/sampler_parameters.h"
#include "gl/texture/texture.h"
#include "gl/texture/unit.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

// Core names come from glGenSamplers; the object is made at the first use.
Ref<Sampler> samplerOf(Context& ctx, GLuint name, const char* call) {
  const std::scoped_lock lock(ctx.share->mutex);
  auto& table = ctx.share->samplers;
  if (Sampler* const found = table.find(name)) return Ref<Sampler>(found);
  if (!table.isUsed(name)) {
    ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a sampler", call, name);
    return {};
  }
  auto sampler = makeRef<Sampler>(name);
  table.insert(name, sampler);
  return sampler;
}

Moved setParameter(Context& ctx, GLuint name, GLenum pname, const ParameterValue& value, const char* call) {
  const Ref<Sampler> sampler = samplerOf(ctx, name, call);
  if (!sampler) return Moved::No;
  const Setting setting = setSamplerParameter(ctx, sampler->parameters, pname, value, false, call);
  if (setting == Setting::NotMine) ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no sampler parameter", call, pname);
  if (setting != Setting::Changed) return Moved::No;
  sampler->touch();
  return Moved::Yes;
}

void getParameter(Context& ctx, GLuint name, GLenum pname, const ParameterAnswer& answer, const char* call) {
  const Ref<Sampler> sampler = samplerOf(ctx, name, call);
  if (sampler && !getSamplerParameter(ctx, sampler->parameters, pname, answer))
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no sampler parameter", call, pname);
}

void reserveSamplers(Context& ctx, GLsizei count, GLuint* samplers, bool create, const char* call) {
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "%s: the count is negative", call);
  const std::scoped_lock lock(ctx.share->mutex);
  for (GLsizei i = 0; i < count; ++i) {
    samplers[i] = ctx.share->samplers.reserve();
    if (create) ctx.share->samplers.insert(samplers[i], makeRef<Sampler>(samplers[i]));
  }
}

}  // namespace

Moved bindSampler(Context& ctx, u32 unit, Ref<Sampler> sampler) {
  Ref<Sampler>& slot = ctx.units[unit].sampler;
  if (slot == sampler) return Moved::No;
  slot = std::move(sampler);
  ctx.touchedUnits = std::max(ctx.touchedUnits, unit + 1);
  ctx.touch(Group::Samplers);
  return Moved::Yes;
}

MGL_GL(void, GenSamplers)(Context& ctx, GLsizei count, GLuint* samplers) {
  reserveSamplers(ctx, count, samplers, false, "glGenSamplers");
}
MGL_GL(void, CreateSamplers)(Context& ctx, GLsizei n, GLuint* samplers) {
  reserveSamplers(ctx, n, samplers, true, "glCreateSamplers");
}

MGL_GL(Moved, DeleteSamplers)(Context& ctx, GLsizei count, const GLuint* samplers) {
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteSamplers: the count is negative"), Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < count; ++i) {
    Ref<Sampler> sampler;
    {
      const std::scoped_lock lock(ctx.share->mutex);
      sampler = ctx.share->samplers.erase(samplers[i]);
    }
    if (!sampler) continue;
    sampler->deleted = true;
    for (u32 unit = 0; unit < ctx.touchedUnits; ++unit)
      if (ctx.units[unit].sampler == sampler) moved = moved | bindSampler(ctx, unit, {});
  }
  return moved;
}

MGL_GL(GLboolean, IsSampler)(Context& ctx, GLuint sampler) {
  const std::scoped_lock lock(ctx.share->mutex);
  return sampler != 0 && ctx.share->samplers.isUsed(sampler) ? GL_TRUE : GL_FALSE;
}

MGL_GL(Moved, BindSampler)(Context& ctx, GLuint unit, GLuint sampler) {
  if (unit >= ctx.info->maxUnits)
    return ctx.error(GL_INVALID_VALUE, "glBindSampler: there is no texture unit %u", unit), Moved::No;
  if (sampler == 0) return bindSampler(ctx, unit, {});
  Ref<Sampler> object = samplerOf(ctx, sampler, "glBindSampler");
  return object ? bindSampler(ctx, unit, std::move(object)) : Moved::No;
}

MGL_GL(Moved, BindSamplers)(Context& ctx, GLuint first, GLsizei count, const GLuint* samplers) {
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glBindSamplers: count is negative"), Moved::No;
  if (u64{first} + static_cast<u64>(count) > ctx.info->maxUnits)
    return ctx.error(GL_INVALID_OPERATION, "glBindSamplers: units %u and %d more do not all exist", first, count), Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < count; ++i) {
    const u32 unit = first + static_cast<u32>(i);
    Ref<Sampler> object;
    if (samplers != nullptr && samplers[i] != 0) {
      object = samplerOf(ctx, samplers[i], "glBindSamplers");
      if (!object) continue;
    }
    moved = moved | bindSampler(ctx, unit, std::move(object));
  }
  return moved;
}

MGL_GL(Moved, SamplerParameteri)(Context& ctx, GLuint sampler, GLenum pname, GLint param) {
  return setParameter(ctx, sampler, pname, ParameterValue::of(&param, false), "glSamplerParameteri");
}
MGL_GL(Moved, SamplerParameterf)(Context& ctx, GLuint sampler, GLenum pname, GLfloat param) {
  return setParameter(ctx, sampler, pname, ParameterValue::of(&param, false), "glSamplerParameterf");
}
MGL_GL(Moved, SamplerParameteriv)(Context& ctx, GLuint sampler, GLenum pname, const GLint* param) {
  return setParameter(ctx, sampler, pname, ParameterValue::of(param, true), "glSamplerParameteriv");
}
MGL_GL(Moved, SamplerParameterfv)(Context& ctx, GLuint sampler, GLenum pname, const GLfloat* param) {
  return setParameter(ctx, sampler, pname, ParameterValue::of(param, true), "glSamplerParameterfv");
}
MGL_GL(Moved, SamplerParameterIiv)(Context& ctx, GLuint sampler, GLenum pname, const GLint* param) {
  return setParameter(ctx, sampler, pname, ParameterValue::pure(param), "glSamplerParameterIiv");
}
MGL_GL(Moved, SamplerParameterIuiv)(Context& ctx, GLuint sampler, GLenum pname, const GLuint* param) {
  return setParameter(ctx, sampler, pname, ParameterValue::pure(param), "glSamplerParameterIuiv");
}
MGL_GL(void, GetSamplerParameteriv)(Context& ctx, GLuint sampler, GLenum pname, GLint* params) {
  getParameter(ctx, sampler, pname, ParameterAnswer(params), "glGetSamplerParameteriv");
}
MGL_GL(void, GetSamplerParameterfv)(Context& ctx, GLuint sampler, GLenum pname, GLfloat* params) {
  getParameter(ctx, sampler, pname, ParameterAnswer(params), "glGetSamplerParameterfv");
}
MGL_GL(void, GetSamplerParameterIiv)(Context& ctx, GLuint sampler, GLenum pname, GLint* params) {
  getParameter(ctx, sampler, pname, ParameterAnswer::pure(params), "glGetSamplerParameterIiv");
}
MGL_GL(void, GetSamplerParameterIuiv)(Context& ctx, GLuint sampler, GLenum pname, GLuint* params) {
  getParameter(ctx, sampler, pname, ParameterAnswer::pure(params), "glGetSamplerParameterIuiv");
}

}  // namespace mgl::gl
