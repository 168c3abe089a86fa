#include "backend/espryt/host_context.h"

#include <algorithm>
#include <utility>

#include "backend/espryt/engine.h"
#include "backend/espryt/query.h"
#include "backend/espryt/stream_ring.h"

namespace mgl::espryt {

namespace {

// What this thread has current by our doing. The engine's id tells contexts of a session that is gone.
struct Current {
  u64 engine = 0;
  HostContext* context = nullptr;
};
thread_local constinit Current tCurrent;

constexpr GLenum kBufferTargets[] = {GL_COPY_READ_BUFFER,    GL_COPY_WRITE_BUFFER,    GL_PIXEL_PACK_BUFFER,
                                     GL_PIXEL_UNPACK_BUFFER, GL_DRAW_INDIRECT_BUFFER, GL_TEXTURE_BUFFER};
static_assert(std::size(kBufferTargets) == countOf<BufferTarget>());

}  // namespace

HostContext* HostContext::current(const Engine& engine) {
  return tCurrent.engine == engine.id ? tCurrent.context : nullptr;
}

bool HostContext::isCurrent() const { return tCurrent.context == this && tCurrent.engine == engine_.id; }

std::unique_ptr<HostContext> HostContext::create(Engine& engine, HostContext* share, std::string* error) {
  std::unique_ptr<HostContext> made(new HostContext(engine, engine.freeContextIndex()));
  const Egl& egl = *engine.egl;
  const EGLenum api = egl.QueryAPI();
  egl.BindAPI(EGL_OPENGL_ES_API);
  for (EGLint minor : {2, 1}) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, minor, EGL_NONE};
    made->context_ = egl.CreateContext(engine.display, engine.config,
                                       share != nullptr ? share->context_ : EGL_NO_CONTEXT, attributes);
    if (made->context_ != EGL_NO_CONTEXT) break;
  }
  egl.BindAPI(api);
  if (made->context_ == EGL_NO_CONTEXT) {
    *error = "the host gives no OpenGL ES 3.1 context (EGL error " + std::to_string(egl.GetError()) + ")";
    return nullptr;
  }
  return made;
}

HostContext::HostContext(Engine& engine, u32 index) : uid(engine.nextContextUid++), engine_(engine), index_(index) {
  engine_.contexts[index_] = this;
}

HostContext::~HostContext() {
  if (!pendingQueries.empty()) engine_.queries->dropPending(*this);
  if (leftAt != nullptr) engine_.deadSyncs.push_back(leftAt);
  stream.reset();
  engine_.contexts[index_] = nullptr;
  if (context_ == EGL_NO_CONTEXT) return;
  if (isCurrent()) release();
  engine_.egl->DestroyContext(engine_.display, context_);
}

bool HostContext::makeCurrent() {
  if (isCurrent()) return true;
  if (!engine_.egl->MakeCurrent(engine_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return false;
  tCurrent = {engine_.id, this};
  prepare();
  const Gl& gl = engine_.gl;
  const auto drain = [](std::vector<GLuint>& names, const auto& remove) {
    if (names.empty()) return;
    remove(static_cast<GLsizei>(names.size()), names.data());
    names.clear();
  };
  drain(deadFramebuffers, gl.DeleteFramebuffers);
  drain(deadVertexArrays, gl.DeleteVertexArrays);
  drain(deadQueries, gl.DeleteQueries);
  return true;
}

void HostContext::release() {
  engine_.egl->MakeCurrent(engine_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  tCurrent = {};
}

// A new context's state where the shadow begins otherwise than OpenGL ES does.
void HostContext::prepare() {
  if (prepared_ || engine_.features.version == 0) return;
  prepared_ = true;
  changeUnit_ = std::min<u32>(static_cast<u32>(engine_.features.maxTextureUnits), kMaxUnits) - 1;
  const Gl& gl = engine_.gl;
  colorMask_.fill(15);
  blendFunc_.fill({GL_ONE, GL_ZERO, GL_ONE, GL_ZERO});
  blendEquation_.fill({GL_FUNC_ADD, GL_FUNC_ADD});
  gl.Disable(GL_DITHER);
  if (engine_.features.srgbWriteControl) caps_ |= 1u << indexOf(Cap::FramebufferSrgb);
}

// ---- Bindings

// Whether the slot has to be bound again; it is taken as bound after.
inline bool HostContext::stale(Slot& slot, const HostObject& object) {
  if (slot.id == object.id && (object.writer == index_ || object.written <= slot.seen)) return false;
  slot.id = object.id;
  slot.seen = engine_.stamp;
  return true;
}

void HostContext::bindBuffer(BufferTarget target, const HostObject& buffer) {
  if (stale(buffers_[indexOf(target)], buffer)) engine_.gl.BindBuffer(kBufferTargets[indexOf(target)], buffer.name);
}

void HostContext::unbindBuffer(BufferTarget target) {
  if (std::exchange(buffers_[indexOf(target)].id, 0) != 0) engine_.gl.BindBuffer(kBufferTargets[indexOf(target)], 0);
}

void HostContext::bindUniformRange(u32 point, const HostObject& buffer, u64 offset, u64 bytes) {
  Range& range = uniforms_[point];
  if (!stale(range, buffer) && range.offset == offset && range.bytes == bytes) return;
  range.offset = offset;
  range.bytes = bytes;
  engine_.gl.BindBufferRange(GL_UNIFORM_BUFFER, point, buffer.name, static_cast<GLintptr>(offset),
                             static_cast<GLsizeiptr>(bytes));
}

void HostContext::bindVertexArray(GLuint name, u64 id) {
  if (std::exchange(vertexArray_, id) != id) engine_.gl.BindVertexArray(name);
}
void HostContext::useProgram(GLuint name, u64 id) {
  if (std::exchange(program_, id) != id) engine_.gl.UseProgram(name);
}
void HostContext::bindFramebuffer(bool draw, GLuint name, u64 id) {
  if (std::exchange(draw ? drawFramebuffer_ : readFramebuffer_, id) != id)
    engine_.gl.BindFramebuffer(draw ? GL_DRAW_FRAMEBUFFER : GL_READ_FRAMEBUFFER, name);
}
void HostContext::forgetVertexArray(u64 id) {
  if (vertexArray_ == id) vertexArray_ = 0;
}
void HostContext::forgetFramebuffer(u64 id) {
  if (drawFramebuffer_ == id) drawFramebuffer_ = 0;
  if (readFramebuffer_ == id) readFramebuffer_ = 0;
}

void HostContext::activeTexture(u32 unit) {
  if (std::exchange(activeUnit_, unit) != unit) engine_.gl.ActiveTexture(GL_TEXTURE0 + unit);
}

void HostContext::bindTexture(u32 unit, GLenum target, const HostObject& texture) {
  Unit& slot = units_[unit];
  // Two targets of a unit may hold a texture each: what a sampler of one reads is not changed by the other, but the shadow
  // keeps one, so the change unit is made active for its target in any case.
  if (!stale(slot, texture) && slot.target == target) {
    if (unit == changeUnit_) activeTexture(unit);
    return;
  }
  activeTexture(unit);
  if (slot.target != 0 && slot.target != target && unit != changeUnit_) engine_.gl.BindTexture(slot.target, 0);
  slot.target = target;
  engine_.gl.BindTexture(target, texture.name);
}

void HostContext::unbindTexture(u32 unit) {
  Unit& slot = units_[unit];
  if (slot.id == 0) return;
  activeTexture(unit);
  engine_.gl.BindTexture(slot.target, 0);
  slot.id = 0;
}

void HostContext::bindSampler(u32 unit, GLuint name, u64 id) {
  if (std::exchange(units_[unit].sampler, id) != id) engine_.gl.BindSampler(unit, name);
}

// ---- Scope

HostScope::HostScope(Engine& engine) : engine_(engine), context_(HostContext::current(engine)) {
  if (context_ != nullptr) return;
  const Egl& egl = *engine.egl;
  before_ = egl.GetCurrentContext();
  if (before_ != EGL_NO_CONTEXT) {
    display_ = egl.GetCurrentDisplay();
    draw_ = egl.GetCurrentSurface(EGL_DRAW);
    read_ = egl.GetCurrentSurface(EGL_READ);
  }
  if (!engine.service->makeCurrent()) return;
  context_ = engine.service.get();
  borrowed_ = true;
  engine.enterContext(*context_);
}

HostScope::~HostScope() {
  if (!borrowed_) return;
  engine_.leaveContext(*context_);
  context_->release();
  if (before_ != EGL_NO_CONTEXT) engine_.egl->MakeCurrent(display_, draw_, read_, before_);
}

}  // namespace mgl::espryt
