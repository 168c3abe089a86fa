#include <array>
#include <bit>

#include "base/knobs.h"
#include "gl/buffer/buffer.h"
#include "gl/framebuffer/framebuffer.h"
#include "gl/program/sampler_target.h"
#include "gl/query/query.h"
#include "gl/surface.h"
#include "gl/texture/texture.h"
#include "gl/vertex/vertex_array.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

namespace {

using pipe::Primitive;

// What a geometry shader's input type accepts (OpenGL 4.6 section 11.3.1).
bool geometryAccepts(shader::Primitive input, Primitive mode) {
  switch (input) {
    case shader::Primitive::Points: return mode == Primitive::Points;
    case shader::Primitive::Lines:
      return mode == Primitive::Lines || mode == Primitive::LineStrip || mode == Primitive::LineLoop;
    case shader::Primitive::LinesAdjacency:
      return mode == Primitive::LinesAdjacency || mode == Primitive::LineStripAdjacency;
    case shader::Primitive::Triangles:
      return mode == Primitive::Triangles || mode == Primitive::TriangleStrip || mode == Primitive::TriangleFan;
    case shader::Primitive::TrianglesAdjacency:
      return mode == Primitive::TrianglesAdjacency || mode == Primitive::TriangleStripAdjacency;
    default: return false;
  }
}

// The basic primitive that transform feedback sees without a geometry shader (table 13.1).
Primitive basicPrimitive(Primitive mode) {
  switch (mode) {
    case Primitive::Points: return Primitive::Points;
    case Primitive::Lines:
    case Primitive::LineLoop:
    case Primitive::LineStrip:
    case Primitive::LinesAdjacency:
    case Primitive::LineStripAdjacency: return Primitive::Lines;
    default: return Primitive::Triangles;
  }
}
Primitive basicPrimitive(shader::Primitive output) {
  switch (output) {
    case shader::Primitive::Points: return Primitive::Points;
    case shader::Primitive::LineStrip: return Primitive::Lines;
    default: return Primitive::Triangles;
  }
}

bool isLiveMap(const Ref<gl::Buffer>& buffer) {
  return buffer && buffer->mappedNonPersistent.load(std::memory_order_acquire);
}

}  // namespace

bool Tracker::isValid(Primitive mode, bool indexed) {
  gl::Context& c = context_;
  if (!c.vertexArray) {
    c.error(GL_INVALID_OPERATION, "draw: no vertex array object is bound, and the core profile has none of its own");
    return false;
  }
  if (!validateProgram(mode) || !validateFramebuffer()) return false;
  if (c.share->liveMaps.load(std::memory_order_acquire) == 0 || !readsLiveMap(indexed)) return true;
  c.error(GL_INVALID_OPERATION, "draw: a buffer that it uses is mapped, and not persistently");
  return false;
}

bool Tracker::validateDrawSlow(client::Group& group, Primitive mode, bool indexed) {
  gl::Context& c = context_;
  if (c.lost()) return false;
  Seen& seen = verifier_ ? claim_ : seen_;
  if (verifier_ && verifier_->begin(holds(seen, c, mode, indexed))) return true;
  // A program in use that is being linked is drawn with as the link leaves it.
  if (c.program) gl::settleLink(group, *c.program);
  if (c.pipeline)
    for (const Ref<gl::Program>& program : c.pipeline->stages)
      if (program) gl::settleLink(group, *program);
  const u64 epoch = c.epoch, shape = c.share->shapeEpoch.load(std::memory_order_acquire);
  if (!isValid(mode, indexed)) {
    if (verifier_ && verifier_->isClaimed()) verifier_->fault("the draw is not valid");
    return false;
  }

  // Another primitive under the same state is only another mode validated.
  const bool sameState = seen.epoch == epoch && seen.shape == shape && seen.program == c.program.get() && c.program &&
                         seen.programVersion == c.program->currentVersion();
  if (!sameState) {
    seen.modes = 0;
    statePending_ = true;
    countHeld(Counter::DeltaMisses);
  }
  seen.modes |= 1u << indexOf(mode);
  if (!knobs().pipeDrawDelta || isLooking()) statePending_ = true;
  if (!knobs().pipeDrawDelta) return true;
  seen.epoch = c.program ? epoch : 0;
  seen.shape = shape;
  seen.program = c.program.get();
  if (c.program) seen.programVersion = c.program->currentVersion();
  return true;
}

void Tracker::refuse(client::Group& group) {
  group.giveBack();
  if (!context_.debug.held.empty()) gl::deliverHeldMessages(context_);
}

bool Tracker::validateProgram(Primitive mode) {
  gl::Context& c = context_;
  if (!c.program && !c.pipeline) {
    c.error(GL_INVALID_OPERATION, "draw: no program is in use");
    return false;
  }
  if (c.program && !c.program->executable) {
    c.error(GL_INVALID_OPERATION, "draw: program %u was never linked successfully", c.program->name);
    return false;
  }
  const gl::Executable* tessellation = stageExecutable(shader::Stage::TessEval);
  const gl::Executable* geometry = stageExecutable(shader::Stage::Geometry);
  if ((mode == Primitive::Patches) != (tessellation != nullptr)) {
    c.error(GL_INVALID_OPERATION, tessellation != nullptr
                                      ? "draw: a program with tessellation draws GL_PATCHES only"
                                      : "draw: GL_PATCHES without a tessellation evaluation shader");
    return false;
  }
  if (geometry != nullptr && tessellation == nullptr && !geometryAccepts(geometry->archive.geometry.input, mode)) {
    c.error(GL_INVALID_OPERATION, "draw: the primitive is not what the geometry shader takes as input");
    return false;
  }
  if (c.streamOutput && c.streamOutput->active && !c.streamOutput->paused) {
    const Primitive drawn = geometry != nullptr ? basicPrimitive(geometry->archive.geometry.output) : basicPrimitive(mode);
    if (tessellation == nullptr && drawn != c.streamOutput->mode) {
      c.error(GL_INVALID_OPERATION, "draw: the primitive is not the one that transform feedback was begun with");
      return false;
    }
  }
  if (c.program) return validateSamplers(*c.program->executable);
  for (const Ref<gl::Program>& program : c.pipeline->stages)
    if (program && program->executable && !validateSamplers(*program->executable)) return false;
  return true;
}

// Two samplers of different types may not read the same unit (section 7.11).
bool Tracker::validateSamplers(const gl::Executable& executable) {
  if (executable.archive.samplers.size() < 2 && executable.samplerUnits.size() < 2) return true;
  std::array<u8, gl::kMaxUnits> targets{};
  for (u32 s = 0; s < executable.archive.samplers.size(); ++s) {
    const shader::Sampler& sampler = executable.archive.samplers[s];
    const u8 target = static_cast<u8>(indexOf(gl::samplerTarget(sampler.type)) + 1);
    for (u32 element = 0; element < sampler.arraySize; ++element) {
      const u32 unit = executable.samplerUnits[executable.samplerFirst[s] + element];
      if (unit >= targets.size()) continue;
      if (targets[unit] != 0 && targets[unit] != target) {
        context_.error(GL_INVALID_OPERATION, "draw: samplers of different types read texture unit %u", unit);
        return false;
      }
      targets[unit] = target;
    }
  }
  return true;
}

bool Tracker::validateFramebuffer() {
  gl::Context& c = context_;
  if (c.drawFramebuffer) {
    const GLenum status = c.drawFramebuffer->status(*c.share);
    if (status == GL_FRAMEBUFFER_COMPLETE) return true;
    c.error(GL_INVALID_FRAMEBUFFER_OPERATION, "draw: framebuffer %u is not complete (0x%04x)", c.drawFramebuffer->name,
            status);
    return false;
  }
  if (c.drawSurface) return true;
  c.error(GL_INVALID_FRAMEBUFFER_OPERATION, "draw: the context has no surface, and no framebuffer object is bound");
  return false;
}

// A buffer that is mapped without GL_MAP_PERSISTENT_BIT may not be read or written by a draw (section 6.3.2): the buffers of enabled
// attributes, of the blocks that the program has and of its buffer textures, the indices of a draw that has some, and what transform
// feedback captures to. What is bound and not looked at may be mapped.
bool Tracker::readsLiveMap(bool indexed) const {
  const gl::Context& c = context_;
  const gl::VertexArray& vertexArray = *c.vertexArray;
  if (indexed && isLiveMap(vertexArray.indexBuffer)) return true;
  for (u32 enabled = vertexArray.enabledMask; enabled != 0; enabled &= enabled - 1)
    if (isLiveMap(vertexArray.bindings[vertexArray.attributes[std::countr_zero(enabled)].binding].buffer)) return true;
  if (c.streamOutput && c.streamOutput->active && !c.streamOutput->paused)
    for (const Ref<gl::Buffer>& buffer : c.streamOutput->buffers)
      if (isLiveMap(buffer)) return true;
  if (c.program) return c.program->executable && readsLiveMap(*c.program->executable);
  if (!c.pipeline) return false;
  for (const Ref<gl::Program>& program : c.pipeline->stages)
    if (program && program->executable && readsLiveMap(*program->executable)) return true;
  return false;
}

bool Tracker::readsLiveMap(const gl::Executable& executable) const {
  const gl::Context& c = context_;
  const auto isMapped = [&c](pipe::BufferClass cls, u32 point) {
    return point < pipe::kMaxBufferBindings && isLiveMap(c.indexedBuffers[indexOf(cls)][point].buffer);
  };
  for (const u32 point : executable.blockBindings)
    if (isMapped(pipe::BufferClass::Uniform, point)) return true;
  for (const u32 point : executable.storageBindings)
    if (isMapped(pipe::BufferClass::Storage, point)) return true;
  for (const shader::AtomicBuffer& counters : executable.archive.atomicBuffers)
    if (isMapped(pipe::BufferClass::AtomicCounter, counters.binding)) return true;
  for (const shader::Sampler& sampler : executable.archive.samplers) {
    if (gl::samplerTarget(sampler.type) != pipe::TextureTarget::Buffer) continue;
    const u32 first = executable.samplerFirst[static_cast<std::size_t>(&sampler - executable.archive.samplers.data())];
    for (u32 element = 0; element < sampler.arraySize; ++element) {
      const u32 unit = executable.samplerUnits[first + element];
      const gl::Texture* texture =
          unit < gl::kMaxUnits ? c.units[unit].textures[indexOf(pipe::TextureTarget::Buffer)].get() : nullptr;
      if (texture != nullptr && isLiveMap(texture->buffer)) return true;
    }
  }
  return false;
}

}  // namespace mgl::tracker
