#include <algorithm>
#include <tuple>

#include "gl/buffer/buffer.h"
#include "gl/framebuffer/framebuffer.h"
#include "gl/query/query.h"
#include "gl/surface.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

using gl::Group;

namespace {

template <class T>
Bytes bytesOf(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

Tracker::Tracker(gl::Context& context) : context_(context), verifier_(Verifier::make(context.share->told)) {}

Tracker::~Tracker() {
  renderStates_.retireAll(*context_.session);
  samplers_.retireAll(*context_.session);
  vertexFormats_.retireAll(*context_.session);
}

void Tracker::bindSurfaces() {
  client::Group out = group();
  pipe::BindContext bind{context_.stream.handle, {}, {}};
  if (context_.drawSurface) bind.draw = context_.drawSurface->handle();
  if (context_.readSurface) bind.read = context_.readSurface->handle();
  out.emit(bind);
}

void Tracker::emitState(client::Group& group) {
  statePending_ = false;
  emitFixedFunction(group);
  emitViewports(group);
  emitFramebuffer(group);
  emitBuffers(group);
  useCondition(group);
  const auto drawn = [this] { return std::tuple(drawProgram_, drawExecutable_, attributeMask_, usesDrawId_); };
  const auto before = drawn();
  emitPrograms(group);
  if (verifier_ && verifier_->isClaimed() && before != drawn()) verifier_->fault("the program is another, or linked anew");
  emitTextures(group);
  const bool claimed = verifier_ && verifier_->isClaimed();
  if (moved(Group::AttribDefaults) && !claimed) emittedDefaults_ = 0;
  if (claimed) verifier_->endClaim();
}

void Tracker::emitFixedFunction(client::Group& group) {
  const gl::Context& c = context_;
  bool due = false;
  if (lookAt(Group::Render, &due)) {
    // What the verifier compares is the content, under the context's name.
    if (verifier_) {
      const pipe::ContextHandle own = context_.stream.handle;
      verifier_->take(due, pipe::CreateRenderState{{own.slot, own.gen}, c.render});
    }
    const auto handle = renderStates_.find(group, bytesOf(c.render), [&](pipe::RenderStateHandle made) {
      group.emit(pipe::CreateRenderState{made, c.render});
    });
    if (boundRenderState_ != handle) {
      boundRenderState_ = handle;
      group.emit(pipe::BindRenderState{handle});
    }
  }
  if (lookAt(Group::Raster, &due)) tell(group, due, pipe::SetRasterValues{c.raster});
  if (lookAt(Group::BlendColor, &due)) tell(group, due, pipe::SetBlendColor{c.blendColor});
  if (lookAt(Group::StencilReference, &due)) {
    const auto clamped = [](i32 value) { return static_cast<u32>(std::clamp(value, 0, 255)); };
    tell(group, due, pipe::SetStencilReference{clamped(c.stencilReference[0]), clamped(c.stencilReference[1])});
  }
  if (lookAt(Group::Patch, &due)) tell(group, due, c.patch);
}

void Tracker::emitViewports(client::Group& group) {
  const gl::Context& c = context_;
  const auto count = [](const auto& a) {
    return std::all_of(a.begin() + 1, a.end(), [&](const auto& v) { return v == a[0]; }) ? 1u : pipe::kMaxViewports;
  };
  bool due = false;
  if (lookAt(Group::Viewports, &due)) {
    std::array<pipe::Viewport, pipe::kMaxViewports> out;
    for (u32 i = 0; i < out.size(); ++i)
      out[i] = {c.viewports[i][0],
                c.viewports[i][1],
                c.viewports[i][2],
                c.viewports[i][3],
                static_cast<f32>(c.depthRanges[i][0]),
                static_cast<f32>(c.depthRanges[i][1])};
    const u32 n = std::max(count(c.viewports), count(c.depthRanges));
    tell(group, due, pipe::SetViewports{n, 0}, std::span(out.data(), n));
  }
  if (lookAt(Group::Scissors, &due)) {
    std::array<pipe::Scissor, pipe::kMaxViewports> out;
    for (u32 i = 0; i < out.size(); ++i)
      out[i] = {c.scissors[i][0], c.scissors[i][1], static_cast<u32>(c.scissors[i][2]),
                static_cast<u32>(c.scissors[i][3])};
    const bool mixedEnables = (c.scissorEnable & 0xffff) != 0 && (c.scissorEnable & 0xffff) != 0xffff;
    const u32 n = mixedEnables ? pipe::kMaxViewports : count(c.scissors);
    tell(group, due, pipe::SetScissors{n, c.scissorEnable & 0xffff}, std::span(out.data(), n));
  }
}

void Tracker::useCondition(client::Group& group) {
  bool due = false;
  if (!lookAt(Group::Condition, &due)) return;
  const gl::Context& c = context_;
  pipe::SetRenderCondition out{};
  if (c.conditionQuery) {
    out.query = c.conditionQuery->handle;
    switch (c.conditionMode) {
      case GL_QUERY_NO_WAIT: out.mode = pipe::ConditionMode::NoWait; break;
      case GL_QUERY_BY_REGION_WAIT: out.mode = pipe::ConditionMode::ByRegionWait; break;
      case GL_QUERY_BY_REGION_NO_WAIT: out.mode = pipe::ConditionMode::ByRegionNoWait; break;
      case GL_QUERY_WAIT_INVERTED: out.inverted = 1; break;
      case GL_QUERY_NO_WAIT_INVERTED: out.mode = pipe::ConditionMode::NoWait, out.inverted = 1; break;
      case GL_QUERY_BY_REGION_WAIT_INVERTED: out.mode = pipe::ConditionMode::ByRegionWait, out.inverted = 1; break;
      case GL_QUERY_BY_REGION_NO_WAIT_INVERTED:
        out.mode = pipe::ConditionMode::ByRegionNoWait, out.inverted = 1;
        break;
      default: break;
    }
  }
  tell(group, due, out);
}

// ---- Framebuffers

void Tracker::emitDefaultTargets(client::Group& group) {
  bool due = false;
  if (!lookAt(Group::DefaultTargets, &due)) return;
  const auto index = [](GLenum buffer) {
    switch (buffer) {
      case GL_NONE: return 0u;
      case GL_FRONT:
      case GL_FRONT_LEFT: return 2u;
      default: return 1u;
    }
  };
  tell(group, due, pipe::SetDefaultTargets{index(context_.defaultDrawBuffers[0]), index(context_.defaultReadBuffer)});
}

pipe::FramebufferHandle Tracker::useFramebuffer(client::Group& group, gl::Framebuffer* framebuffer) {
  if (framebuffer == nullptr) {
    emitDefaultTargets(group);
    return {};
  }
  const u64 version = framebuffer->currentVersion();
  const bool due = framebuffer->emittedVersion != version;
  if (!due && !isLooking()) return framebuffer->handle;
  framebuffer->emittedVersion = version;
  const auto convert = [](const gl::Attachment& from) {
    pipe::Attachment to{};
    if (from.texture) to.texture = from.texture->handle;
    if (from.renderbuffer) to.texture = from.renderbuffer->handle;
    to.level = static_cast<u16>(from.level);
    to.layered = from.layered;
    to.layer = from.layer;
    return to;
  };
  const auto color = [](GLenum buffer) {
    return buffer >= GL_COLOR_ATTACHMENT0 && buffer < GL_COLOR_ATTACHMENT0 + pipe::kMaxColorTargets
               ? static_cast<u8>(buffer - GL_COLOR_ATTACHMENT0)
               : pipe::kNoColor;
  };
  pipe::UpdateFramebuffer out{};
  out.framebuffer = framebuffer->handle;
  for (u32 i = 0; i < out.color.size(); ++i) out.color[i] = convert(framebuffer->color[i]);
  out.depth = convert(framebuffer->depth);
  out.stencil = convert(framebuffer->stencil);
  for (u32 i = 0; i < out.drawBuffers.size(); ++i) out.drawBuffers[i] = color(framebuffer->drawBuffers[i]);
  out.readBuffer = color(framebuffer->readBuffer);
  out.defaultFixed = framebuffer->defaultFixedSampleLocations;
  out.defaultSamples = static_cast<u16>(framebuffer->defaultSamples);
  out.defaultWidth = framebuffer->defaultWidth;
  out.defaultHeight = framebuffer->defaultHeight;
  out.defaultLayers = framebuffer->defaultLayers;
  tell(group, due, out);
  return framebuffer->handle;
}

void Tracker::emitFramebuffer(client::Group& group) {
  const auto handle = useFramebuffer(group, context_.drawFramebuffer.get());
  bool due = false;
  if (lookAt(Group::DrawFramebuffer, &due)) tell(group, due, pipe::BindFramebuffer{handle});
}

// ---- Shader buffers

void Tracker::emitBuffers(client::Group& group) {
  constexpr std::array kClasses = {std::pair{Group::UniformBuffers, pipe::BufferClass::Uniform},
                                   std::pair{Group::StorageBuffers, pipe::BufferClass::Storage},
                                   std::pair{Group::AtomicBuffers, pipe::BufferClass::AtomicCounter}};
  for (const auto& [which, cls] : kClasses) {
    bool due = false;
    if (!lookAt(which, &due)) continue;
    std::array<pipe::BufferRange, pipe::kMaxBufferBindings> out;
    const u32 count = context_.indexedHigh[indexOf(cls)];
    for (u32 i = 0; i < count; ++i) {
      const gl::IndexedBuffer& from = context_.indexedBuffers[indexOf(cls)][i];
      out[i] = {};
      out[i].bytes = pipe::kWholeBuffer;
      if (!from.buffer) continue;
      out[i].buffer = from.buffer->handle;
      out[i].offset = static_cast<u64>(from.offset);
      if (from.size != 0) out[i].bytes = static_cast<u64>(from.size);
    }
    pipe::SetShaderBuffers head{};
    head.count = count;
    head.cls = cls;
    tell(group, due, head, std::span(out.data(), count));
  }
}

}  // namespace mgl::tracker
