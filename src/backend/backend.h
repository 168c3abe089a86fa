// The interface of a backend. Who validates what, and on which thread:
//
//  - Every function is called on the session's apply thread (in a monolith: whichever thread holds the session's lock), in
//    stream order, except the second halves at the end, which may be called on any thread.
//  - The applier checked every handle, enum, count and range of the record against the tables and against the object's
//    shape (a box inside its level, a range inside its buffer): a backend does not check again. The GL errors were decided by the
//    client.
//  - **No function waits** for the GPU, a display or a credit, except finish*. What cannot go on now is queued behind the
//    submit thread. Replies are two halves: begin* records the work and returns a serial at once; finish* waits for it and
//    hands out the bytes.
//  - What the caps allowed may still fail on the host (a shader its compiler cannot take): the verb is skipped, told by
//    EventSink::log at high severity, and counted. Memory that is not to be had is told by EventSink::glError too, and counted
//    (Counter::OutOfMemory). std::bad_alloc and std::length_error may leave a function: the applier skips the record, tells the same,
//    and moves the context's epoch. Nothing aborts.
//  - A backend never keeps a pointer into a record, a blob or a span after the call.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backend/context_state.h"
#include "pipe/caps.h"

namespace mgl::backend {

// A store that a buffer was to have (Buffer::storeSerial).
struct StoreId {
  u32 slot = 0, gen = 0, store = 0;
  friend bool operator==(const StoreId&, const StoreId&) = default;
};

// Where a backend reports to. Callable from any thread; the session orders what it is told.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void completed(u64 serial) = 0;  // fence and flush serials, in order
  virtual void queryResult(u32 slot, u32 gen, u64 runSerial, u64 value) = 0;
  virtual void presented(u32 surfaceSlot, u32 surfaceGen, u64 frameSerial) = 0;
  virtual void surfaceChanged(u32 surfaceSlot, u32 surfaceGen, u32 width, u32 height) = 0;
  // For the context whose record is being applied: the apply thread only. What is waiting already is not told twice.
  virtual void glError(pipe::GlError error, pipe::Call call, const StoreId& store = {}) = 0;
  virtual void log(pipe::DebugSeverity severity, std::string_view text) = 0;
  // The device is gone, and with it the session: told once. What was begun still comes to its end (serials complete,
  // queries have a result, frames are presented), so that nobody waits for ever.
  virtual void lost(std::string_view why) = 0;
  // Something waits for Backend::pollCompleted: the session calls it soon.
  virtual void pollWanted() = 0;
};

struct ClientArrayData {
  u32 binding = 0;  // pipe::kMaxVertexBindings: the indices
  u32 stride = 0;
  i64 first = 0;
  Bytes data;
};

struct DrawCall {
  VertexArray* vertexArray = nullptr;
  Program* program = nullptr;  // linked, or the draw was declined before
  pipe::Primitive mode = pipe::Primitive::Triangles;
  pipe::IndexType indexType = pipe::IndexType::None;
  u32 flags = 0;  // pipe::kDraw*
  u32 instanceCount = 1;
  u32 baseInstance = 0;
  std::span<const pipe::DrawRange> ranges;
  std::span<const ClientArrayData> clientArrays;
};

struct IndirectDrawCall {
  DrawCall draw;  // no ranges
  Buffer* buffer = nullptr;
  u64 offset = 0;
  u32 stride = 0, maxDraws = 0;
  Buffer* countBuffer = nullptr;
  u64 countOffset = 0;
};

// A reply under way. serial 0: the answer is already there (finish will not wait).
struct Pending {
  u64 serial = 0;
  u64 token = 0;  // the backend's own: where the bytes will be
};

struct MapGrant {
  pipe::MapTier tier = pipe::MapTier::None;
  void* memory = nullptr;  // monolith and inproc (T0): the start of the range asked for; null: not granted
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const pipe::Caps& caps() const = 0;

  // ---- Objects. make* cannot fail; a host allocation that fails is reported when a store is given.
  virtual std::unique_ptr<BackendContext> makeContext(ContextState& state) = 0;
  virtual Ref<RenderState> makeRenderState() = 0;
  virtual Ref<Sampler> makeSampler() = 0;
  virtual Ref<VertexFormat> makeVertexFormat() = 0;
  virtual Ref<Buffer> makeBuffer() = 0;
  virtual Ref<Texture> makeTexture() = 0;
  virtual Ref<VertexArray> makeVertexArray() = 0;
  virtual Ref<Framebuffer> makeFramebuffer() = 0;
  virtual Ref<Program> makeProgram() = 0;
  virtual Ref<Query> makeQuery() = 0;
  virtual Ref<StreamOutput> makeStreamOutput() = 0;
  virtual Ref<Sync> makeSync() = 0;
  virtual Ref<Surface> makeSurface() = 0;

  // Called after the applier wrote the object's fields.
  virtual void initRenderState(RenderState&) = 0;
  virtual void initSampler(Sampler&) = 0;
  virtual void initVertexFormat(VertexFormat&) = 0;
  virtual void initSurface(Surface&) = 0;
  virtual void surfaceResized(Surface&) = 0;
  virtual void surfaceIntervalChanged(Surface&) = 0;
  virtual void vertexArrayChanged(VertexArray&) = 0;
  virtual void framebufferChanged(Framebuffer&) = 0;
  virtual void textureParametersChanged(Texture&) = 0;
  virtual void programChanged(Program&) = 0;   // linked anew, or the stages of a pipeline changed
  virtual void programBindingsChanged(Program&) = 0;
  virtual void uniformsChanged(Program&, u32 offset, u32 bytes) = 0;  // not for a draw's own patches: see uniformsSerial
  virtual void labelChanged(Object&) = 0;
  virtual void destroyed(Object&) = 0;         // left its table; the last Ref may live on

  // ---- Buffers. `data` may be shorter than the store.
  virtual void bufferStorage(Buffer&, Bytes data) = 0;  // a new store of buffer.bytes; the old one is orphaned
  virtual void bufferSubData(Buffer&, u64 offset, Bytes data) = 0;
  virtual void copyBuffer(Buffer& src, Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes) = 0;
  virtual void clearBuffer(Buffer&, u64 offset, u64 bytes, Bytes pattern) = 0;
  virtual void invalidateBuffer(Buffer&, u64 offset, u64 bytes) = 0;
  virtual Pending beginReadBuffer(Buffer&, u64 offset, u64 bytes) = 0;
  // The mapping's memory. A write map without invalidate or a read map is granted only after what the GPU does with the buffer:
  // hence begin and finish too.
  virtual Pending beginMapBuffer(Buffer&, u64 offset, u64 bytes, u32 flags) = 0;
  virtual MapGrant finishMapBuffer(Pending) = 0;
  virtual void flushMappedRange(Buffer&, u64 offset, u64 bytes) = 0;
  virtual void unmapBuffer(Buffer&) = 0;

  // ---- Textures. Layers as in payloads_object.h.
  virtual void textureStorage(Texture&) = 0;                     // all levels specified; contents undefined
  virtual void textureLevel(Texture&, u32 face, u32 level) = 0;  // one level specified or taken away
  virtual void textureView(Texture&) = 0;
  virtual void textureBuffer(Texture&) = 0;
  virtual void textureSubData(Texture&, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&, Bytes data) = 0;
  virtual void textureSubDataFromBuffer(Texture&, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&, Buffer&,
                                        u64 offset) = 0;
  virtual void clearTexture(Texture&, u32 level, const pipe::TexelBox&, Bytes texel) = 0;
  virtual void copyImage(Texture& src, u32 srcLevel, const pipe::TexelBox& srcBox, Texture& dst, u32 dstLevel,
                         std::array<u32, 3> dstOrigin) = 0;
  virtual void generateMipmap(Texture&, u32 baseLevel, u32 lastLevel) = 0;
  virtual void invalidateTexture(Texture&, u32 level, const pipe::TexelBox&) = 0;
  virtual Pending beginReadTexture(Texture&, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&) = 0;
  virtual void readTextureToBuffer(Texture&, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&, Buffer&,
                                   u64 offset) = 0;

  // ---- Verbs
  virtual void bindContext(ContextState&) = 0;                       // surfaces changed; flushes
  // The client's thread lets go of the context; in a monolith this is that thread.
  virtual void releaseContext(ContextState&) = 0;
  virtual void switchContext(ContextState* from, ContextState& to) = 0;  // suspends and resumes queries, XFB, condition
  virtual void draw(ContextState&, const DrawCall&) = 0;
  virtual void drawIndirect(ContextState&, const IndirectDrawCall&) = 0;
  virtual void clear(ContextState&, Framebuffer* target, const pipe::Clear&) = 0;  // null: the draw surface
  virtual void blit(ContextState&, Framebuffer* read, Framebuffer* draw, const pipe::Blit&) = 0;
  virtual Pending beginReadPixels(ContextState&, Framebuffer* source, const pipe::Rect&, const pipe::TexelLayout&,
                                  bool clampColor) = 0;
  virtual void readPixelsToBuffer(ContextState&, Framebuffer* source, const pipe::Rect&, const pipe::TexelLayout&,
                                  bool clampColor, Buffer&, u64 offset) = 0;
  virtual void copyFramebufferToTexture(ContextState&, Framebuffer* source, const pipe::Rect&, Texture&, u32 level,
                                        std::array<u32, 3> origin) = 0;
  virtual void invalidateFramebuffer(ContextState&, Framebuffer* target, u32 colorAttachments, u32 aspects,
                                     const pipe::Rect&) = 0;
  virtual void memoryBarrier(u32 bits, bool byRegion) = 0;
  virtual void textureBarrier(ContextState&) = 0;
  virtual void beginQuery(ContextState&, Query&) = 0;  // query.runSerial is the run's
  virtual void endQuery(ContextState&, Query&) = 0;
  virtual void writeTimestamp(ContextState&, Query&) = 0;
  virtual Pending beginWaitQuery(Query&) = 0;           // finishes with the u64 result
  virtual void queryResultToBuffer(Query&, Buffer&, u64 offset, bool wide, bool wait, bool availability) = 0;
  virtual void createFence(Sync&, u64 serial) = 0;      // completes (EventSink::completed) in order with flushes
  virtual void serverWaitFence(Sync&) = 0;
  virtual void flush(u64 serial) = 0;                   // submits; completed(serial) follows
  virtual Pending beginFinish() = 0;
  virtual void present(ContextState*, Surface&, u64 frameSerial, std::span<const pipe::Rect> damage) = 0;
  virtual void debugMarker(std::string_view text, int depthChange) = 0;  // +1 push, -1 pop, 0 message

  // ---- Second halves. Any thread, never under the session's lock. False: the device is lost.
  // finish copies exactly the bytes asked for by begin* into dst, tight as the record's layout said.
  virtual bool finish(Pending, MutableBytes dst) = 0;
  virtual bool waitCompleted(u64 serial, u64 timeoutNs) = 0;  // true: completed within the time
  // Looks after what is complete and can be told only by a thread that has a host context. After EventSink::pollWanted; never
  // waits. alone: the caller is the one thread that applies, between two records; else it is a client's thread, without the
  // lock, and what it has current is all that may be touched.
  virtual void pollCompleted(bool alone) = 0;
  // The GPU's clock now, in nanoseconds, for GL_TIMESTAMP's calibrated offset. Any thread.
  virtual u64 gpuTimestampNs() = 0;
  virtual u64 allocationFailures() const = 0;  // how often memory was not to be had so far
};

struct OpenResult {
  std::unique_ptr<Backend> backend;
  std::string error;  // why not, and the mend; empty when backend is set
};
struct DeviceInfo {
  std::string name, driver, pciAddress;
  std::array<u8, 16> uuid{};
};

}  // namespace mgl::backend
