#include <cstring>

#include "gl/framebuffer/framebuffer.h"
#include "gl/surface.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

void Tracker::emitUniformBlob(client::Group& group, pipe::ProgramHandle handle, gl::Executable& executable) {
  if (executable.patchCount == 0) return;
  const auto emitPatch = [&](const pipe::UniformPatch& patch) {
    const pipe::BlobRef blob = group.blob(Bytes(executable.block).subspan(patch.offset, patch.bytes));
    group.emit(pipe::UpdateUniforms{handle, 1, 0, blob}, std::span<const pipe::UniformPatch>(&patch, 1));
  };
  if (executable.patchCount > gl::Executable::kPatches)
    emitPatch({executable.dirtyBegin, executable.dirtyEnd - executable.dirtyBegin});
  else
    for (u32 i = 0; i < executable.patchCount; ++i) emitPatch(executable.patches[i]);
  executable.clean();
}

void Tracker::emitProgramBindings(client::Group& group, gl::Program& program) {
  if (!program.executable) return;  // another thread came between: the draw is looked at again
  gl::Executable& executable = *program.executable;
  const bool due = program.emittedLink != program.linkVersion || program.emittedBindings != executable.bindingsVersion;
  if (!due && !isLooking()) return;
  program.emittedLink = program.linkVersion;
  program.emittedBindings = executable.bindingsVersion;
  std::vector<pipe::BindingIndex> blocks, storage;
  std::vector<pipe::SamplerUnit> samplers, images;
  for (const u32 binding : executable.blockBindings) blocks.push_back({binding});
  for (const u32 binding : executable.storageBindings) storage.push_back({binding});
  for (const u32 unit : executable.samplerUnits) samplers.push_back({unit});
  for (const u32 unit : executable.imageUnits) images.push_back({unit});
  const auto size = [](const auto& list) { return static_cast<u32>(list.size()); };
  tell(group, due, pipe::SetProgramBindings{program.handle, size(blocks), size(storage), size(samplers), size(images)},
       blocks, storage, samplers, images);
}

// gl_DepthRange and gl_NumSamples are the context's, and members of the default block, which is the program's.
bool Tracker::fillBuiltinUniforms(gl::Executable& executable) {
  bool changed = false;
  for (const shader::BuiltinUniform& builtin : executable.archive.builtinUniforms) {
    std::array<std::byte, 12> value{};
    u32 bytes = 4;
    if (builtin.kind == shader::BuiltinUniformKind::DepthRange) {
      const auto near = static_cast<f32>(context_.depthRanges[0][0]), far = static_cast<f32>(context_.depthRanges[0][1]);
      const std::array<f32, 3> range = {near, far, far - near};
      std::memcpy(value.data(), range.data(), bytes = sizeof range);
    } else {
      u32 samples = context_.drawFramebuffer ? context_.drawFramebuffer->samples
                    : context_.drawSurface   ? context_.drawSurface->config().samples
                                             : 0;
      samples = std::max(samples, 1u);
      std::memcpy(value.data(), &samples, sizeof samples);
    }
    if (builtin.offset + bytes > executable.block.size()) continue;
    std::byte* at = executable.block.data() + builtin.offset;
    if (std::memcmp(at, value.data(), bytes) == 0) continue;
    std::memcpy(at, value.data(), bytes);
    executable.markDirty(builtin.offset, bytes);
    changed = true;
  }
  return changed;
}

void Tracker::emitPrograms(client::Group& group) {
  gl::Context& c = context_;
  attributeMask_ = 0;
  usesDrawId_ = false;
  heldExecutable_.reset();
  drawExecutable_ = nullptr;
  drawProgram_ = {};
  if (c.program) {
    emitProgramBindings(group, *c.program);
    drawProgram_ = c.program->handle;
    heldExecutable_ = c.program->executable;
    drawExecutable_ = heldExecutable_.get();
    if (drawExecutable_ == nullptr) return;
    // Another context that draws with the program has to fill in its own again: its version tells it so, and not us.
    if (fillBuiltinUniforms(*drawExecutable_)) {
      if (verifier_ && verifier_->isClaimed()) verifier_->fault("a built-in uniform has another value");
      const u64 before = c.program->touch();
      for (Seen* seen : {&seen_, &claim_})
        if (seen->program == c.program.get() && seen->programVersion == before) seen->programVersion = before + 1;
    }
    attributeMask_ = drawExecutable_->archive.attributeMask;
    usesDrawId_ = drawExecutable_->archive.usesDrawId;
    return;
  }
  gl::Pipeline& pipeline = *c.pipeline;
  for (const Ref<gl::Program>& program : pipeline.stages) {
    if (!program || !program->executable) continue;
    emitProgramBindings(group, *program);
    if (!program->executable) continue;
    fillBuiltinUniforms(*program->executable);
    emitUniformBlob(group, program->handle, *program->executable);
  }
  if (const bool due = pipeline.emittedVersion != pipeline.currentVersion(); due || isLooking()) {
    pipeline.emittedVersion = pipeline.currentVersion();
    pipe::CreatePipeline out{};
    out.pipeline = pipeline.handle;
    for (u32 i = 0; i < out.stages.size(); ++i)
      if (pipeline.stages[i]) out.stages[i] = pipeline.stages[i]->handle;
    tell(group, due, out);
  }
  drawProgram_ = pipeline.handle;
  if (const gl::Executable* vertex = stageExecutable(shader::Stage::Vertex); vertex != nullptr) {
    attributeMask_ = vertex->archive.attributeMask;
    usesDrawId_ = vertex->archive.usesDrawId;
  }
  // A pipeline's stages have their uniforms looked at before every draw.
  statePending_ = true;
}

gl::Executable* Tracker::stageExecutable(shader::Stage stage) const {
  const gl::Context& c = context_;
  if (c.program) {
    gl::Executable* executable = c.program->executable.get();
    return executable != nullptr && (executable->archive.stages & shader::stageBit(stage)) != 0 ? executable : nullptr;
  }
  if (!c.pipeline) return nullptr;
  const Ref<gl::Program>& program = c.pipeline->stages[indexOf(stage)];
  return program ? program->executable.get() : nullptr;
}

}  // namespace mgl::tracker
