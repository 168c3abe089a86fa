#include <array>

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

}  // namespace

bool Tracker::validateDrawSlow(Primitive mode) {
  gl::Context& c = context_;
  if (c.lost()) return false;
  const u64 epoch = c.epoch, shape = c.share->shapeEpoch.load(std::memory_order_acquire);
  if (!c.vertexArray) {
    c.error(GL_INVALID_OPERATION, "draw: no vertex array object is bound, and the core profile has none of its own");
    return false;
  }
  if (!validateProgram(mode) || !validateFramebuffer() || !validateBuffers()) return false;

  // Another primitive under the same state is only another mode validated.
  const bool sameState = seenEpoch_ == epoch && seenShape_ == shape && seenProgram_ == c.program.get() &&
                         c.program && seenProgramVersion_ == c.program->currentVersion();
  if (!sameState) {
    seenModes_ = 0;
    statePending_ = true;
    countHeld(Counter::DeltaMisses);
  }
  seenModes_ |= 1u << indexOf(mode);
  if (!knobs().pipeDrawDelta) {
    statePending_ = true;
    return true;
  }
  seenEpoch_ = c.program ? epoch : 0;
  seenShape_ = shape;
  seenProgram_ = c.program.get();
  if (c.program) seenProgramVersion_ = c.program->currentVersion();
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

// A buffer that is mapped without GL_MAP_PERSISTENT_BIT may not be read or written by a draw (section 6.3.2).
bool Tracker::validateBuffers() {
  gl::Context& c = context_;
  if (c.share->liveMaps.load(std::memory_order_acquire) == 0) return true;
  const auto mapped = [](const Ref<gl::Buffer>& buffer) {
    return buffer && buffer->mappedNonPersistent.load(std::memory_order_acquire);
  };
  const gl::VertexArray& vertexArray = *c.vertexArray;
  bool found = mapped(vertexArray.indexBuffer);
  for (const gl::VertexAttribute& attribute : vertexArray.attributes)
    found = found || (attribute.enabled && mapped(vertexArray.bindings[attribute.binding].buffer));
  for (u32 cls = 0; cls < c.indexedBuffers.size(); ++cls)
    for (u32 i = 0; i < c.indexedHigh[cls]; ++i) found = found || mapped(c.indexedBuffers[cls][i].buffer);
  if (c.streamOutput && c.streamOutput->active)
    for (const Ref<gl::Buffer>& buffer : c.streamOutput->buffers) found = found || mapped(buffer);
  if (!found) return true;
  c.error(GL_INVALID_OPERATION, "draw: a buffer that it uses is mapped, and not persistently");
  return false;
}

}  // namespace mgl::tracker
