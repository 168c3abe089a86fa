#include "gl/program/lookup.h"

#include <algorithm>
#include <cstring>

#include "gl/version.h"

namespace mgl::gl {

namespace {

Ref<ShaderOrProgram> find(Context& ctx, GLuint name, bool program, const char* command) {
  auto found = lookUp<ShaderOrProgram>(*ctx.share, ctx.share->programs, name);
  if (!found) {
    ctx.error(GL_INVALID_VALUE, "%s: %u is neither a shader nor a program", command, name);
  } else if (found->isProgram() != program) {
    ctx.error(GL_INVALID_OPERATION, "%s: %u is a %s", command, name, program ? "shader" : "program");
    found.reset();
  }
  return found;
}

}  // namespace

Ref<Shader> shaderOf(Context& ctx, GLuint name, const char* command) {
  return Ref<Shader>(static_cast<Shader*>(find(ctx, name, false, command).get()));
}
Ref<Program> unsettledProgramOf(Context& ctx, GLuint name, const char* command) {
  return Ref<Program>(static_cast<Program*>(find(ctx, name, true, command).get()));
}
Ref<Program> programOf(Context& ctx, GLuint name, const char* command) {
  auto program = unsettledProgramOf(ctx, name, command);
  if (program) settleLink(ctx, *program);
  return program;
}
Ref<Program> linkedProgramOf(Context& ctx, GLuint name, const char* command) {
  auto program = programOf(ctx, name, command);
  if (program && !program->linked) {
    ctx.error(GL_INVALID_OPERATION, "%s: program %u is not linked", command, name);
    program.reset();
  }
  return program;
}
Program* currentProgram(Context& ctx, const char* command) {
  Program* program = ctx.program       ? ctx.program.get()
                     : ctx.pipeline    ? ctx.pipeline->activeProgram.get()
                                       : nullptr;
  if (program != nullptr) settleLink(ctx, *program);
  if (program == nullptr || !program->executable) {
    ctx.error(GL_INVALID_OPERATION, "%s: no program is in use", command);
    return nullptr;
  }
  return program;
}

shader::Profile shaderProfile(const Context& ctx) {
  switch (ctx.config.profile) {
    case Profile::Compatibility: return shader::Profile::Compatibility;
    case Profile::Es: return shader::Profile::Es;
    default: return shader::Profile::Core;
  }
}

shader::Limits shaderLimits(const Context& ctx) {
  const pipe::Limits& from = ctx.info->limits;
  shader::Limits to;
  const auto set = [](u32& slot, i64 value) {
    if (value > 0) slot = static_cast<u32>(std::min<i64>(value, 0x7fffffff));
  };
  set(to.maxVertexAttribs, from.maxVertexAttribs);
  for (u32* slot : {&to.maxVertexUniformComponents, &to.maxGeometryUniformComponents, &to.maxFragmentUniformComponents,
                    &to.maxTessControlUniformComponents, &to.maxTessEvalUniformComponents, &to.maxComputeUniformComponents})
    set(*slot, from.maxStageUniformComponents);
  set(to.maxVaryingComponents, from.maxVaryingComponents);
  set(to.maxVertexOutputComponents, from.maxVertexOutputComponents);
  set(to.maxGeometryInputComponents, from.maxGeometryInputComponents);
  set(to.maxGeometryOutputComponents, from.maxGeometryOutputComponents);
  set(to.maxFragmentInputComponents, from.maxFragmentInputComponents);
  for (u32* slot : {&to.maxVertexTextureUnits, &to.maxGeometryTextureUnits, &to.maxFragmentTextureUnits,
                    &to.maxTessControlTextureUnits, &to.maxTessEvalTextureUnits, &to.maxComputeTextureUnits})
    set(*slot, from.maxStageSamplers);
  set(to.maxCombinedTextureUnits, ctx.info->maxUnits);
  set(to.maxDrawBuffers, from.maxColorTargets);
  set(to.maxDualSourceDrawBuffers, from.maxDualSource);
  set(to.maxClipDistances, from.maxClipDistances);
  set(to.maxGeometryOutputVertices, from.maxGeometryVertices);
  set(to.maxGeometryTotalOutputComponents, from.maxGeometryTotalComponents);
  set(to.maxUniformBlocksPerStage, from.maxStageUniformBlocks);
  set(to.maxCombinedUniformBlocks, from.maxCombinedUniformBlocks);
  to.maxUniformBufferBindings = pipe::kMaxBufferBindings;
  set(to.maxUniformBlockBytes, from.maxUniformBlockBytes);
  set(to.maxStorageBlocksPerStage, from.maxStageStorageBlocks);
  set(to.maxCombinedStorageBlocks, from.maxCombinedStorageBlocks);
  set(to.maxImageUniformsPerStage, from.maxStageImages);
  set(to.maxSamples, from.maxSamples);
  set(to.maxViewports, from.maxViewports);
  set(to.maxXfbInterleavedComponents, from.maxStreamOutputInterleaved);
  if (from.minTexelOffset < 0) to.minTexelOffset = static_cast<i32>(from.minTexelOffset);
  if (from.maxTexelOffset > 0) to.maxTexelOffset = static_cast<i32>(from.maxTexelOffset);
  return to;
}

void copyString(std::string_view text, GLsizei bufSize, GLsizei* length, GLchar* out) {
  GLsizei written = 0;
  if (bufSize > 0 && out != nullptr) {
    written = static_cast<GLsizei>(std::min<std::size_t>(text.size(), static_cast<std::size_t>(bufSize) - 1));
    std::memcpy(out, text.data(), static_cast<std::size_t>(written));
    out[written] = 0;
  }
  if (length != nullptr) *length = written;
}

}  // namespace mgl::gl
