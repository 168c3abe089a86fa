// Program objects (OpenGL 4.6 section 7.3).
#include <algorithm>
#include <cstring>

#include "gl/program/lookup.h"
#include "gl/query/query.h"
#include "gl/version.h"
#include "tracker/tracker.h"

namespace mgl::gl {

Program::Program(u32 glName, ShareGroup& group) : ShaderOrProgram(glName), session(group.session) {}
Program::~Program() { session->retire(handle); }

void Executable::markMore(u32 offset, u32 bytes) {
  if (patchCount > kPatches) {
    dirtyBegin = std::min(dirtyBegin, offset);
    dirtyEnd = std::max(dirtyEnd, offset + bytes);
    return;
  }
  for (u32 i = 0; i < patchCount; ++i)
    if (patches[i].offset <= offset && offset + bytes <= patches[i].offset + patches[i].bytes) return;
  if (patchCount != 0) {
    pipe::UniformPatch& last = patches[patchCount - 1];
    if (last.offset + last.bytes == offset) {
      last.bytes += bytes;
      return;
    }
  }
  if (patchCount < kPatches) {
    patches[patchCount++] = {offset, bytes};
    return;
  }
  dirtyBegin = offset;
  dirtyEnd = offset + bytes;
  for (const pipe::UniformPatch& patch : patches) {
    dirtyBegin = std::min(dirtyBegin, patch.offset);
    dirtyEnd = std::max(dirtyEnd, patch.offset + patch.bytes);
  }
  patchCount = kPatches + 1;
}

namespace {

UniformLocation::Kind locationKind(const shader::UniformTypeInfo& info) {
  using Kind = UniformLocation::Kind;
  if (info.opaque == shader::OpaqueKind::Sampler) return Kind::Sampler;
  if (info.opaque == shader::OpaqueKind::Image) return Kind::Image;
  switch (info.scalar) {
    case shader::ScalarKind::Double: return Kind::Double;
    case shader::ScalarKind::Int: return Kind::Int;
    case shader::ScalarKind::Uint: return Kind::Uint;
    case shader::ScalarKind::Bool: return Kind::Bool;
    default: return Kind::Float;
  }
}

void fillLocations(Executable& executable) {
  const shader::Archive& archive = executable.archive;
  executable.locations.resize(archive.uniformLocationCount);
  for (u32 u = 0; u < archive.uniforms.size(); ++u) {
    const shader::Uniform& uniform = archive.uniforms[u];
    if (uniform.location < 0) continue;
    const shader::UniformTypeInfo& info = shader::uniformTypeInfo(uniform.type);
    UniformLocation location;
    location.kind = locationKind(info);
    location.isArray = uniform.isArray;
    location.columns = info.columns;
    location.rows = info.rows;
    location.uniform = u;
    location.arrayStride = static_cast<u32>(uniform.arrayStride);
    location.matrixStride = static_cast<u32>(uniform.matrixStride);
    for (u32 element = 0; element < uniform.arraySize; ++element) {
      location.element = element;
      location.remaining = uniform.arraySize - element;
      if (location.kind == UniformLocation::Kind::Sampler)
        location.offset = executable.samplerFirst[static_cast<u32>(uniform.samplerIndex)] + uniform.opaqueElement + element;
      else if (location.kind == UniformLocation::Kind::Image)
        location.offset = executable.imageFirst[static_cast<u32>(uniform.imageIndex)] + uniform.opaqueElement + element;
      else
        location.offset = static_cast<u32>(uniform.offset) + element * location.arrayStride;
      const u32 at = static_cast<u32>(uniform.location) + element;
      if (at >= executable.locations.size()) executable.locations.resize(at + 1);
      executable.locations[at] = location;
    }
  }
}

std::shared_ptr<Executable> makeExecutable(shader::LinkResult&& link) {
  auto executable = std::make_shared<Executable>();
  executable->archive = std::move(link.archive);
  executable->spirv = std::move(link.spirv);
  const shader::Archive& archive = executable->archive;
  executable->block.reserve(archive.defaultBlockBytes + Executable::kBlockSlackBytes);
  executable->block.resize(archive.defaultBlockBytes);
  if (!archive.defaultBlockInitial.empty())
    std::memcpy(executable->block.data(), archive.defaultBlockInitial.data(),
                std::min(executable->block.size(), archive.defaultBlockInitial.size()));
  const auto flatten = [](const auto& list, std::vector<u32>& first, std::vector<u32>& units) {
    for (const auto& item : list) {
      first.push_back(static_cast<u32>(units.size()));
      for (u32 element = 0; element < item.arraySize; ++element)
        units.push_back(item.hasBinding ? item.initialUnit + element : item.initialUnit);
    }
  };
  flatten(archive.samplers, executable->samplerFirst, executable->samplerUnits);
  flatten(archive.images, executable->imageFirst, executable->imageUnits);
  for (const shader::Block& block : archive.uniformBlocks) executable->blockBindings.push_back(block.binding);
  for (const shader::Block& block : archive.storageBlocks) executable->storageBindings.push_back(block.binding);
  fillLocations(*executable);
  // The server starts with zeros: what is not zero goes with the first draw.
  if (std::any_of(executable->block.begin(), executable->block.end(), [](std::byte b) { return b != std::byte{0}; }))
    executable->markDirty(0, static_cast<u32>(executable->block.size()));
  return executable;
}

void emitProgram(client::Group& group, Program& program, const Executable& executable) {
  const std::vector<std::byte> archive = shader::serialize(executable.archive);
  if (program.handle.isNull()) program.handle = group.allocate<pipe::Kind::Program>();
  pipe::CreateProgram out{};
  out.program = program.handle;
  out.stages = executable.archive.stages;
  out.linked = 1;
  for (u32 stage = 0; stage < executable.spirv.size(); ++stage)
    out.spirv[stage] = group.blob(std::as_bytes(std::span(executable.spirv[stage])));
  out.archive = group.blob(archive);
  group.emit(out);
}

// REQUIRES that the job is ours to take. What the link made is seen by nobody before its record is out.
void takeLink(client::Group& group, Program& program, LinkJob& job) {
  program.infoLog = std::move(job.result.infoLog);
  program.linked = job.result.ok;
  program.executable = std::move(program.before);
  if (job.result.ok) {
    auto executable = makeExecutable(std::move(job.result));
    emitProgram(group, program, *executable);
    program.executable = std::move(executable);
    ++program.linkVersion;
  }
  program.touch();
  program.link.reset();
  program.linking.store(false, std::memory_order_release);
  job.settled.set();
}

}  // namespace

void settleLink(client::Group& group, Program& program) {
  while (program.linking.load(std::memory_order_acquire)) {
    const std::shared_ptr<LinkJob> job = program.link;
    if (!job->done.isSet())
      group.await(job->done, Stall::LinkResult);
    else if (job->taken.exchange(true, std::memory_order_acq_rel))
      group.await(job->settled, Stall::LinkResult);
    else
      takeLink(group, program, *job);
  }
}
void settleLink(Context& ctx, Program& program) {
  if (!program.linking.load(std::memory_order_acquire)) [[likely]]
    return;
  client::Group group(*ctx.session, ctx.stream);
  settleLink(group, program);
}

MGL_GL(GLuint, CreateProgram)(Context& ctx) {
  const std::scoped_lock lock(ctx.share->mutex);
  const u32 name = ctx.share->programs.reserve();
  ctx.share->programs.insert(name, Ref<ShaderOrProgram>(new Program(name, *ctx.share)));
  return name;
}

namespace {

void detachAll(Context& ctx, Program& program) {
  for (const Ref<Shader>& shader : program.attached)
    if (--shader->attachCount == 0 && shader->deleted) ctx.share->programs.erase(shader->name);
  program.attached.clear();
}

// REQUIRES the share group's mutex. The name goes when nobody uses the program any more.
void dropIfUnused(Context& ctx, Program& program) {
  if (!program.deleted || program.useCount != 0) return;
  detachAll(ctx, program);
  if (ctx.share->programs.find(program.name) == &program) ctx.share->programs.erase(program.name);
}

}  // namespace

MGL_GL(void, DeleteProgram)(Context& ctx, GLuint name) {
  if (name == 0) return;
  const auto program = unsettledProgramOf(ctx, name, "glDeleteProgram");
  if (!program) return;
  const std::scoped_lock lock(ctx.share->mutex);
  program->deleted = true;
  dropIfUnused(ctx, *program);
}
MGL_GL(GLboolean, IsProgram)(Context& ctx, GLuint name) {
  const auto found = lookUp<ShaderOrProgram>(*ctx.share, ctx.share->programs, name);
  return found && found->isProgram();
}
MGL_GL(void, AttachShader)(Context& ctx, GLuint name, GLuint shaderName) {
  const auto program = unsettledProgramOf(ctx, name, "glAttachShader");
  const auto shader = program ? shaderOf(ctx, shaderName, "glAttachShader") : Ref<Shader>();
  if (!shader) return;
  const std::scoped_lock lock(ctx.share->mutex);
  if (std::find(program->attached.begin(), program->attached.end(), shader) != program->attached.end())
    return ctx.error(GL_INVALID_OPERATION, "glAttachShader: shader %u is attached already", shaderName);
  program->attached.push_back(shader);
  ++shader->attachCount;
}
MGL_GL(void, DetachShader)(Context& ctx, GLuint name, GLuint shaderName) {
  const auto program = unsettledProgramOf(ctx, name, "glDetachShader");
  const auto shader = program ? shaderOf(ctx, shaderName, "glDetachShader") : Ref<Shader>();
  if (!shader) return;
  const std::scoped_lock lock(ctx.share->mutex);
  const auto at = std::find(program->attached.begin(), program->attached.end(), shader);
  if (at == program->attached.end())
    return ctx.error(GL_INVALID_OPERATION, "glDetachShader: shader %u is not attached", shaderName);
  program->attached.erase(at);
  if (--shader->attachCount == 0 && shader->deleted) ctx.share->programs.erase(shader->name);
}

MGL_GL(Moved, LinkProgram)(Context& ctx, GLuint name) {
  const auto program = programOf(ctx, name, "glLinkProgram");
  if (!program) return Moved::No;
  if (ctx.streamOutput && ctx.streamOutput->active && ctx.streamOutput->program == program.get()) {
    ctx.error(GL_INVALID_OPERATION, "glLinkProgram: transform feedback captures from program %u", name);
    return Moved::No;
  }
  count(Counter::ProgramsLinked);
  auto job = std::make_shared<LinkJob>();
  shader::LinkOptions& options = job->options;
  for (const auto& [attribute, index] : program->attribBindings) options.attributeBindings.emplace(attribute, index);
  for (const auto& [output, at] : program->fragDataBindings)
    options.fragDataBindings.emplace(output, shader::FragDataBinding{at.first, at.second});
  options.xfbVaryings = program->xfbVaryings;
  options.xfbMode =
      program->xfbMode == GL_SEPARATE_ATTRIBS ? shader::XfbMode::Separate : shader::XfbMode::Interleaved;
  options.separable = program->separable;
  options.profile = shaderProfile(ctx);
  options.limits = shaderLimits(ctx);
  const auto fails = [&program](std::string why) {
    program->linked = program->validated = false;
    program->infoLog = std::move(why);
    return Moved::No;
  };
  for (const Ref<Shader>& shader : program->attached) {
    if (!shader->compiled || !shader->object)
      return fails("ERROR: shader " + std::to_string(shader->name) + " was not compiled successfully\n");
    job->shaders.push_back(shader->object);
  }
  if (job->shaders.empty()) return fails("ERROR: no shaders are attached\n");
  {
    const client::Group group(*ctx.session, ctx.stream);
    program->validated = false;
    program->before = std::move(program->executable);
    program->executable.reset();
    program->link = job;
    program->linking.store(true, std::memory_order_release);
    program->touch();
  }
  if (ctx.linkThreads == 0)
    job->run();
  else
    ctx.share->linkWorkers->post(std::move(job));
  return Moved::Yes;
}
MGL_GL(void, MaxShaderCompilerThreadsKHR)(Context& ctx, GLuint count) { ctx.linkThreads = count; }

MGL_GL(void, UseProgram)(Context& ctx, GLuint name) {
  if (ctx.program && ctx.program->name == name && !ctx.program->deleted && ctx.program->linked) return;
  if (ctx.streamOutput && ctx.streamOutput->active && !ctx.streamOutput->paused)
    return ctx.error(GL_INVALID_OPERATION, "glUseProgram: transform feedback is active");
  Ref<Program> program;
  if (name != 0 && !(program = linkedProgramOf(ctx, name, "glUseProgram"))) return;
  const std::scoped_lock lock(ctx.share->mutex);
  if (program) ++program->useCount;
  const Ref<Program> before = std::exchange(ctx.program, program);
  ctx.touch(Group::Program);
  if (before) {
    --before->useCount;
    dropIfUnused(ctx, *before);
  }
}
MGL_GL(void, ValidateProgram)(Context& ctx, GLuint name) {
  const auto program = programOf(ctx, name, "glValidateProgram");
  if (!program) return;
  program->validated = program->linked;
  program->infoLog = program->linked ? "" : "ERROR: the program is not linked\n";
}
MGL_GL(void, ProgramParameteri)(Context& ctx, GLuint name, GLenum pname, GLint value) {
  const auto program = unsettledProgramOf(ctx, name, "glProgramParameteri");
  if (!program) return;
  if (pname != GL_PROGRAM_SEPARABLE && pname != GL_PROGRAM_BINARY_RETRIEVABLE_HINT)
    return ctx.error(GL_INVALID_ENUM, "glProgramParameteri: 0x%04x is not a parameter of a program", pname);
  if (value != GL_FALSE && value != GL_TRUE)
    return ctx.error(GL_INVALID_VALUE, "glProgramParameteri: the value is GL_FALSE or GL_TRUE");
  (pname == GL_PROGRAM_SEPARABLE ? program->separable : program->binaryRetrievable) = value != GL_FALSE;
}

MGL_GL(void, BindAttribLocation)(Context& ctx, GLuint name, GLuint index, const GLchar* attribute) {
  const auto program = unsettledProgramOf(ctx, name, "glBindAttribLocation");
  if (!program) return;
  if (index >= static_cast<GLuint>(ctx.info->limits.maxVertexAttribs))
    return ctx.error(GL_INVALID_VALUE, "glBindAttribLocation: %u is not below GL_MAX_VERTEX_ATTRIBS", index);
  if (std::strncmp(attribute, "gl_", 3) == 0)
    return ctx.error(GL_INVALID_OPERATION, "glBindAttribLocation: names that begin with gl_ are reserved");
  program->attribBindings[attribute] = index;
}
MGL_GL(void, BindFragDataLocationIndexed)(Context& ctx, GLuint name, GLuint colorNumber, GLuint index, const GLchar* output) {
  const auto program = unsettledProgramOf(ctx, name, "glBindFragDataLocationIndexed");
  if (!program) return;
  const i64 limit = index == 0 ? ctx.info->limits.maxColorTargets : ctx.info->limits.maxDualSource;
  if (index > 1 || colorNumber >= static_cast<GLuint>(limit))
    return ctx.error(GL_INVALID_VALUE, "glBindFragDataLocationIndexed: the colour number or index is out of range");
  if (std::strncmp(output, "gl_", 3) == 0)
    return ctx.error(GL_INVALID_OPERATION, "glBindFragDataLocationIndexed: names that begin with gl_ are reserved");
  program->fragDataBindings[output] = {colorNumber, index};
}
MGL_GL(void, BindFragDataLocation)(Context& ctx, GLuint name, GLuint color, const GLchar* output) {
  api::BindFragDataLocationIndexed(ctx, name, color, 0, output);
}
MGL_GL(void, TransformFeedbackVaryings)(Context& ctx, GLuint name, GLsizei count, const GLchar* const* varyings,
                                        GLenum bufferMode) {
  const auto program = unsettledProgramOf(ctx, name, "glTransformFeedbackVaryings");
  if (!program) return;
  if (bufferMode != GL_INTERLEAVED_ATTRIBS && bufferMode != GL_SEPARATE_ATTRIBS)
    return ctx.error(GL_INVALID_ENUM, "glTransformFeedbackVaryings: 0x%04x is not a buffer mode", bufferMode);
  if (count < 0 || (bufferMode == GL_SEPARATE_ATTRIBS && count > ctx.info->limits.maxStreamOutputSeparate))
    return ctx.error(GL_INVALID_VALUE, "glTransformFeedbackVaryings: the count is out of range");
  program->xfbVaryings.assign(varyings, varyings + count);
  program->xfbMode = bufferMode;
}

// ---- Queries

MGL_GL(void, GetProgramiv)(Context& ctx, GLuint name, GLenum pname, GLint* params) {
  const auto program = unsettledProgramOf(ctx, name, "glGetProgramiv");
  if (!program) return;
  if (pname == GL_COMPLETION_STATUS_KHR) {
    const client::Group group(*ctx.session, ctx.stream);
    *params = !program->linking.load(std::memory_order_acquire) || program->link->done.isSet();
    return;
  }
  settleLink(ctx, *program);
  static const shader::Archive kNothing;
  const shader::Archive& archive = program->executable && program->linked ? program->executable->archive : kNothing;
  const auto longest = [](const auto& list) {
    std::size_t length = 0;
    for (const auto& item : list) length = std::max(length, item.name.size() + 1);
    return static_cast<GLint>(length);
  };
  const auto size = [](const auto& list) { return static_cast<GLint>(list.size()); };
  const bool geometry = (archive.stages & shader::stageBit(shader::Stage::Geometry)) != 0;
  const auto needs = [&](bool there, const char* what) {
    if (!there) ctx.error(GL_INVALID_OPERATION, "glGetProgramiv: the program has no %s", what);
    return there;
  };
  switch (pname) {
    case GL_DELETE_STATUS: *params = program->deleted; return;
    case GL_LINK_STATUS: *params = program->linked; return;
    case GL_VALIDATE_STATUS: *params = program->validated; return;
    case GL_INFO_LOG_LENGTH:
      *params = program->infoLog.empty() ? 0 : static_cast<GLint>(program->infoLog.size()) + 1;
      return;
    case GL_ATTACHED_SHADERS: *params = size(program->attached); return;
    case GL_ACTIVE_ATTRIBUTES: *params = size(archive.inputs); return;
    case GL_ACTIVE_ATTRIBUTE_MAX_LENGTH: *params = longest(archive.inputs); return;
    case GL_ACTIVE_UNIFORMS: *params = size(archive.uniforms); return;
    case GL_ACTIVE_UNIFORM_MAX_LENGTH: *params = longest(archive.uniforms); return;
    case GL_ACTIVE_UNIFORM_BLOCKS: *params = size(archive.uniformBlocks); return;
    case GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH: *params = longest(archive.uniformBlocks); return;
    case GL_ACTIVE_ATOMIC_COUNTER_BUFFERS: *params = size(archive.atomicBuffers); return;
    case GL_TRANSFORM_FEEDBACK_BUFFER_MODE: *params = static_cast<GLint>(program->xfbMode); return;
    case GL_TRANSFORM_FEEDBACK_VARYINGS: *params = size(archive.xfb.varyings); return;
    case GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH: *params = longest(archive.xfb.varyings); return;
    case GL_PROGRAM_SEPARABLE: *params = program->separable; return;
    case GL_PROGRAM_BINARY_RETRIEVABLE_HINT: *params = program->binaryRetrievable; return;
    case GL_PROGRAM_BINARY_LENGTH: *params = 0; return;
    case GL_GEOMETRY_VERTICES_OUT:
      if (needs(geometry, "geometry shader")) *params = static_cast<GLint>(archive.geometry.maxVertices);
      return;
    case GL_GEOMETRY_SHADER_INVOCATIONS:
      if (needs(geometry, "geometry shader")) *params = static_cast<GLint>(archive.geometry.invocations);
      return;
    case GL_GEOMETRY_INPUT_TYPE:
      if (needs(geometry, "geometry shader")) switch (archive.geometry.input) {
          case shader::Primitive::Points: *params = GL_POINTS; return;
          case shader::Primitive::Lines: *params = GL_LINES; return;
          case shader::Primitive::LinesAdjacency: *params = GL_LINES_ADJACENCY; return;
          case shader::Primitive::TrianglesAdjacency: *params = GL_TRIANGLES_ADJACENCY; return;
          default: *params = GL_TRIANGLES; return;
        }
      return;
    case GL_GEOMETRY_OUTPUT_TYPE:
      if (needs(geometry, "geometry shader"))
        *params = archive.geometry.output == shader::Primitive::Points      ? GL_POINTS
                  : archive.geometry.output == shader::Primitive::LineStrip ? GL_LINE_STRIP
                                                                            : GL_TRIANGLE_STRIP;
      return;
    case GL_COMPUTE_WORK_GROUP_SIZE:
      if (needs((archive.stages & shader::stageBit(shader::Stage::Compute)) != 0, "compute shader"))
        for (u32 i = 0; i < 3; ++i) params[i] = static_cast<GLint>(archive.localSize[i]);
      return;
    default: ctx.error(GL_INVALID_ENUM, "glGetProgramiv: 0x%04x is not a property of a program", pname);
  }
}
MGL_GL(void, GetProgramInfoLog)(Context& ctx, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
  const auto program = programOf(ctx, name, "glGetProgramInfoLog");
  if (!program) return;
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetProgramInfoLog: a negative size");
  copyString(program->infoLog, bufSize, length, infoLog);
}
MGL_GL(void, GetAttachedShaders)(Context& ctx, GLuint name, GLsizei maxCount, GLsizei* count, GLuint* shaders) {
  const auto program = unsettledProgramOf(ctx, name, "glGetAttachedShaders");
  if (!program) return;
  if (maxCount < 0) return ctx.error(GL_INVALID_VALUE, "glGetAttachedShaders: a negative count");
  GLsizei written = 0;
  for (const Ref<Shader>& shader : program->attached)
    if (written < maxCount) shaders[written++] = shader->name;
  if (count != nullptr) *count = written;
}
MGL_GL(void, GetProgramBinary)(Context& ctx, GLuint name, GLsizei, GLsizei* length, GLenum*, void*) {
  if (length != nullptr) *length = 0;
  if (linkedProgramOf(ctx, name, "glGetProgramBinary"))
    ctx.error(GL_INVALID_OPERATION, "glGetProgramBinary: there are no program binary formats");
}

}  // namespace mgl::gl
