// Shader objects (OpenGL 4.6 section 7.1).
#include <algorithm>

#include "gl/program/lookup.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

bool shaderStage(const Context& ctx, GLenum type, shader::Stage* stage) {
  switch (type) {
    case GL_VERTEX_SHADER: *stage = shader::Stage::Vertex; return true;
    case GL_FRAGMENT_SHADER: *stage = shader::Stage::Fragment; return true;
    case GL_GEOMETRY_SHADER: *stage = shader::Stage::Geometry; return true;
    case GL_TESS_CONTROL_SHADER:
      *stage = shader::Stage::TessControl;
      return ctx.info->major >= 4 || ctx.info->has("GL_ARB_tessellation_shader");
    case GL_TESS_EVALUATION_SHADER:
      *stage = shader::Stage::TessEval;
      return ctx.info->major >= 4 || ctx.info->has("GL_ARB_tessellation_shader");
    case GL_COMPUTE_SHADER:
      *stage = shader::Stage::Compute;
      return ctx.info->major * 10 + ctx.info->minor >= 43 || ctx.info->has("GL_ARB_compute_shader");
    default: return false;
  }
}

}  // namespace

MGL_GL(GLuint, CreateShader)(Context& ctx, GLenum type) {
  shader::Stage stage;
  if (!shaderStage(ctx, type, &stage)) {
    ctx.error(GL_INVALID_ENUM, "glCreateShader: 0x%04x is not a shader type of this context", type);
    return 0;
  }
  const std::scoped_lock lock(ctx.share->mutex);
  const u32 name = ctx.share->programs.reserve();
  ctx.share->programs.insert(name, Ref<ShaderOrProgram>(new Shader(name, type)));
  return name;
}
MGL_GL(void, DeleteShader)(Context& ctx, GLuint name) {
  if (name == 0) return;
  const auto object = shaderOf(ctx, name, "glDeleteShader");
  if (!object || object->deleted) return;
  const std::scoped_lock lock(ctx.share->mutex);
  object->deleted = true;
  // The name stays until the last program lets go of it.
  if (object->attachCount == 0) ctx.share->programs.erase(name);
}
MGL_GL(GLboolean, IsShader)(Context& ctx, GLuint name) {
  const auto found = lookUp<ShaderOrProgram>(*ctx.share, ctx.share->programs, name);
  return found && !found->isProgram();
}
MGL_GL(void, ShaderSource)(Context& ctx, GLuint name, GLsizei count, const GLchar* const* string, const GLint* length) {
  const auto object = shaderOf(ctx, name, "glShaderSource");
  if (!object) return;
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glShaderSource: a negative count");
  object->sources.clear();
  for (GLsizei i = 0; i < count; ++i)
    object->sources.emplace_back(length == nullptr || length[i] < 0
                                     ? std::string(string[i])
                                     : std::string(string[i], static_cast<std::size_t>(length[i])));
}
MGL_GL(void, CompileShader)(Context& ctx, GLuint name) {
  const auto object = shaderOf(ctx, name, "glCompileShader");
  if (!object) return;
  shader::Stage stage;
  shaderStage(ctx, object->type, &stage);
  shader::CompileOptions options;
  options.profile = shaderProfile(ctx);
  options.maxGlslVersion = ctx.info->glsl;
  options.forwardCompatible = ctx.config.forwardCompatible;
  options.extensions = ctx.info->extensions;
  options.limits = shaderLimits(ctx);
  const std::vector<std::string_view> sources(object->sources.begin(), object->sources.end());
  shader::CompileResult result = shader::compileShader(stage, sources, options);
  count(Counter::ShadersCompiled);
  object->compiled = result.ok;
  object->infoLog = std::move(result.infoLog);
  object->object = std::move(result.shader);
}
MGL_GL(void, ReleaseShaderCompiler)(Context&) {}
MGL_GL(void, ShaderBinary)(Context& ctx, GLsizei count, const GLuint*, GLenum binaryFormat, const void*, GLsizei length) {
  if (count < 0 || length < 0) return ctx.error(GL_INVALID_VALUE, "glShaderBinary: a negative count or length");
  ctx.error(GL_INVALID_ENUM, "glShaderBinary: 0x%04x is not a shader binary format of this context", binaryFormat);
}
MGL_GL(void, GetShaderiv)(Context& ctx, GLuint name, GLenum pname, GLint* params) {
  const auto object = shaderOf(ctx, name, "glGetShaderiv");
  if (!object) return;
  switch (pname) {
    case GL_SHADER_TYPE: *params = static_cast<GLint>(object->type); return;
    case GL_DELETE_STATUS: *params = object->deleted; return;
    case GL_COMPILE_STATUS: *params = object->compiled; return;
    case GL_COMPLETION_STATUS_KHR: *params = GL_TRUE; return;
    case GL_INFO_LOG_LENGTH:
      *params = object->infoLog.empty() ? 0 : static_cast<GLint>(object->infoLog.size()) + 1;
      return;
    case GL_SHADER_SOURCE_LENGTH: {
      std::size_t total = 0;
      for (const std::string& source : object->sources) total += source.size();
      *params = object->sources.empty() ? 0 : static_cast<GLint>(total) + 1;
      return;
    }
    case GL_SPIR_V_BINARY_ARB: *params = GL_FALSE; return;
    default: ctx.error(GL_INVALID_ENUM, "glGetShaderiv: 0x%04x is not a property of a shader", pname);
  }
}
MGL_GL(void, GetShaderInfoLog)(Context& ctx, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
  const auto object = shaderOf(ctx, name, "glGetShaderInfoLog");
  if (!object) return;
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetShaderInfoLog: a negative size");
  copyString(object->infoLog, bufSize, length, infoLog);
}
MGL_GL(void, GetShaderSource)(Context& ctx, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* out) {
  const auto object = shaderOf(ctx, name, "glGetShaderSource");
  if (!object) return;
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetShaderSource: a negative size");
  std::string all;
  for (const std::string& source : object->sources) all += source;
  copyString(all, bufSize, length, out);
}
MGL_GL(void, GetShaderPrecisionFormat)(Context& ctx, GLenum shadertype, GLenum precisiontype, GLint* range, GLint* precision) {
  if (shadertype != GL_VERTEX_SHADER && shadertype != GL_FRAGMENT_SHADER)
    return ctx.error(GL_INVALID_ENUM, "glGetShaderPrecisionFormat: 0x%04x is not a vertex or fragment shader", shadertype);
  switch (precisiontype) {
    case GL_LOW_FLOAT:
    case GL_MEDIUM_FLOAT:
    case GL_HIGH_FLOAT: range[0] = range[1] = 127, *precision = 23; return;
    case GL_LOW_INT:
    case GL_MEDIUM_INT:
    case GL_HIGH_INT: range[0] = 31, range[1] = 30, *precision = 0; return;
    default: ctx.error(GL_INVALID_ENUM, "glGetShaderPrecisionFormat: 0x%04x is not a precision", precisiontype);
  }
}

}  // namespace mgl::gl
