// The server's half of a session: the backend, the object tables, the contexts' applied state. Applies records in
// stream order.
//
// Threads. apply*, fault() and the destructor: one thread at a time, in stream order (a monolith holds the client
// session's lock around them, others have an apply thread). finishReply, waitCompleted, gpuTimestampNs, caps and
// events: any thread, without that lock. No apply waits.
//
// Faults. A record that breaks a rule ends the session: the fault keeps its name, every later record is refused. What
// could make the backend touch memory outside of an object is checked in every arm; what only a peer that cannot be
// trusted could send is checked in applyHostile.
#pragma once

#include <bitset>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "backend/backend.h"
#include "pipe/fault.h"
#include "pipe/record_view.h"
#include "server/backends.h"
#include "server/event_queue.h"
#include "server/object_table.h"

namespace mgl::server {

// A reply begun by an apply: what finishReply needs. A copy outlives the next apply.
struct PendingReply {
  pipe::Call call = pipe::Call::Count;
  u32 replySlot = 0;
  backend::Pending pending;
  u64 bytes = 0;      // that finishReply writes: its dst has at least as many
  u64 value = 0;      // WaitFence: the serial; AckAllocation: the answer
  u64 timeoutNs = 0;  // WaitFence
  bool noMemory = false;  // nothing was begun: there was no memory for it
};

struct ReplyResult {
  bool ok = false;  // false: the device is lost
  u64 value = 0;    // WaitQuery: the result; WaitFence: 1 when it completed in time; AckAllocation: see PendingReply
  backend::MapGrant grant;  // MapBuffer
  bool noMemory = false;    // there was none for the answer: dst is as it was, or undefined
};

struct ApplyResult {
  bool ok = true;                       // false: the session is over, see fault()
  const PendingReply* reply = nullptr;  // a Reply row: valid until the next apply
};

class Session {
 public:
  using OpenBackend = std::function<backend::OpenResult(backend::EventSink&)>;

  // Null, with the cause and the mend in *error, when the backend cannot be had.
  static std::unique_ptr<Session> open(const OpenOptions& options, std::string* error);
  static std::unique_ptr<Session> open(const OpenBackend& openBackend, std::string* error);
  ~Session();

  const pipe::Caps& caps() const { return backend_->caps(); }
  EventQueue& events() { return events_; }

  // Applies a record of this process's own client: size, counts and enums are what the catalogue allows. A blob is an
  // index into `blobs`, which are read during the call only.
  ApplyResult apply(const pipe::RecordHeader* record, std::span<const pipe::HostSpan> blobs = {}) {
    if (faulted_) [[unlikely]]
      return {false, nullptr};
    blobs_ = blobs;
    reply_.call = pipe::Call::Count;
    ++applied_;
    const bool ok = call(record);
    return {ok, reply_.call == pipe::Call::Count ? nullptr : &reply_};
  }
  // The same for a record that has neither blobs nor a reply, as a draw: whether it was good.
  bool applyPlain(const pipe::RecordHeader* record) {
    if (faulted_) [[unlikely]]
      return false;
    ++applied_;
    return call(record);
  }

  // The same for a record of this process's own client that came through a link: blobs lie in `stage`.
  ApplyResult applyStaged(const pipe::RecordHeader* record, Bytes stage) {
    stage_ = stage;
    const ApplyResult result = apply(record);
    stage_ = {};
    return result;
  }

  // Applies bytes that a peer sent: copies them, checks the copy against the catalogue, applies the copy. `record`
  // begins with a header and may go on beyond it. Blobs lie in `stage`, or (loopback) are host spans.
  ApplyResult applyHostile(Bytes record, Bytes stage, std::span<const pipe::HostSpan> blobs = {});

  // The second half of a reply; may wait. A dst of less than reply.bytes takes none, and the answer is noMemory.
  ReplyResult finishReply(const PendingReply& reply, MutableBytes dst);

  bool faulted() const { return faulted_; }
  const pipe::Fault& fault() const { return fault_; }
  // Any thread: the session cannot go on, whether a record has met it yet or not; and why.
  bool isOver() const { return events_.isLost(); }
  std::string whyOver() { return events_.isLost() ? "BackendLost: " + events_.whyLost() : std::string(); }

  u64 completedSerial() const { return events_.completedSerial(); }
  bool waitCompleted(u64 serial, u64 timeoutNs) { return backend_->waitCompleted(serial, timeoutNs); }
  u64 gpuTimestampNs() { return backend_->gpuTimestampNs(); }

  // For tests: how many objects of a kind are in their table.
  u32 liveObjects(pipe::Kind kind) const;
  backend::Backend& backend() { return *backend_; }
  const backend::ContextState* currentContext() const { return current_; }

 private:
  using ApplyFn = bool (*)(Session&, const pipe::RecordHeader*);
  static const std::array<ApplyFn, countOf<pipe::Call>()> kApply;

  struct Oracle;
  template <class F>
  auto withTable(pipe::Kind kind, F&& visit) const;
  template <class T, pipe::Kind K>
  using Table = ObjectTable<T, K>;

  explicit Session(const OpenBackend& openBackend, std::string* error);

  // One for each row of the catalogue, each in the file of its family. False: faulted.
#define MGL_CALL(Name, cls, flags, wait, epoch, text) bool apply##Name(pipe::RecordView<pipe::Name> record);
#include "pipe/pipe_calls.def"
#undef MGL_CALL
  template <pipe::Call C>
  static bool applyRow(Session& session, const pipe::RecordHeader* record);

  // Memory that is not to be had for a record ends the record, and neither program nor session.
  bool call(const pipe::RecordHeader* record) {
    try {
      return kApply[record->call](*this, record);
    } catch (const std::bad_alloc&) {
      return noMemory(*record);
    } catch (const std::length_error&) {
      return noMemory(*record);
    }
  }
  [[gnu::cold]] bool noMemory(const pipe::RecordHeader& record) noexcept;

  // ---- Shared by the families (session.cpp)
  bool corrupt(std::string_view where);  // ProtocolCorruption; false
  bool unimplemented(pipe::Call call);   // false
  // Whether the device lives; BackendLost else. Asked where a batch ends: draws do not pay for it.
  bool backendLives();
  // The bytes a blob names; *fits false when it reaches beyond what was handed over.
  Bytes blobBytes(const pipe::BlobRef& ref, bool* fits) const;
  void touch(backend::Group group) { current_->dirty |= backend::groupBit(group); }
  void finishReply(const PendingReply& reply, MutableBytes dst, ReplyResult* out);
  // Starts a reply whose second half is finishReply; true, to be returned.
  bool reply(pipe::Call call, u32 replySlot, backend::Pending pending, u64 bytes);
  // A handle that may be null. False: neither null nor live.
  template <class T, pipe::Kind K>
  static bool lookUp(const Table<T, K>& table, pipe::UncheckedHandle<K> handle, T** object) {
    *object = handle.isNull() ? nullptr : table.find(handle);
    return handle.isNull() || *object != nullptr;
  }
  template <class T, pipe::Kind K>
  bool destroy(Table<T, K>& table, pipe::UncheckedHandle<K> handle, std::string_view where);

  void publishCounts();  // of records applied, now and then: a count for each record would be paid by each draw
  bool corruptField(pipe::Call call, std::string_view field);  // corrupt("Call.field")

  // ---- Draws (apply_draw.cpp, apply_framebuffer.cpp)
  enum class Target : u8 { Drawable, Missing, Corrupt };
  Target drawTarget(const backend::ContextState& context, const backend::Framebuffer* framebuffer) const;
  [[gnu::cold]] bool checkWindows(const backend::Program& program);
  void updateWindow() { window_ = std::min(current_->viewCount, current_->samplerCount); }
  const char* patchUniforms(backend::Program& program, std::span<const pipe::UniformPatch> patches, Bytes bytes);
  bool patchOne(backend::Program& program, std::span<const pipe::UniformPatch> patches, Bytes bytes);
  enum class Start : u8 { Go, Declined, Faulted };
  template <class P>
  Start startDraw(const P& head, std::span<const pipe::UniformPatch> patches, Bytes patchBytes,
                  backend::VertexArray** vertexArray, backend::Program** program);
  [[gnu::cold]] Start checkDrawTarget(pipe::Call call);
  [[gnu::cold]] Start lookCloser(const backend::Program& program);
  [[gnu::cold]] std::span<const pipe::DrawRange> trimRanges(std::span<const pipe::DrawRange> ranges, u64 bytes,
                                                            u32 size);
  [[gnu::cold]] bool drawClientArrays(backend::DrawCall& call, std::span<const pipe::ClientArray> arrays);

  // ---- Transfers (apply_texture.cpp, apply_framebuffer.cpp). Null: good, and *bytes is what the layout touches; else
  // the field that is not.
  static const char* checkTransfer(const backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                   const pipe::TexelLayout& layout, bool read, u64* bytes);
  const char* checkPixels(const backend::Framebuffer* framebuffer, const pipe::Rect& rect,
                          const pipe::TexelLayout& layout, u64* bytes) const;
  // What a read of that kind of pixel reads from; false: there is nothing.
  struct PixelSource {
    pipe::Format format = pipe::Format::None;
    u32 width = 0, height = 0;
  };
  bool pixelSource(const backend::Framebuffer* framebuffer, pipe::TransferFormat format, PixelSource* source) const;

  // Destroyed in reverse: contexts and tables let go of the backend's objects before the backend goes.
  EventQueue events_;
  std::unique_ptr<backend::Backend> backend_;

  Table<backend::Surface, pipe::Kind::Surface> surfaces_;
  Table<backend::RenderState, pipe::Kind::RenderState> renderStates_;
  Table<backend::Sampler, pipe::Kind::Sampler> samplers_;
  Table<backend::VertexFormat, pipe::Kind::VertexFormat> vertexFormats_;
  Table<backend::Buffer, pipe::Kind::Buffer> buffers_;
  Table<backend::Texture, pipe::Kind::Texture> textures_;
  Table<backend::VertexArray, pipe::Kind::VertexArray> vertexArrays_;
  Table<backend::Framebuffer, pipe::Kind::Framebuffer> framebuffers_;
  Table<backend::Program, pipe::Kind::Program> programs_;
  Table<backend::Query, pipe::Kind::Query> queries_;
  Table<backend::StreamOutput, pipe::Kind::StreamOutput> streamOutputs_;
  Table<backend::Sync, pipe::Kind::Sync> syncs_;
  Table<backend::ContextState, pipe::Kind::Context> contexts_;
  std::vector<u64> framesPresented_;  // by surface slot

  backend::ContextState* current_ = nullptr;  // the stream's
  std::bitset<countOf<pipe::Call>()> heldStill_;  // MOBILEGL_PIPE_EPOCH_STILL: moves no context's epoch, the control
  u64 moves_ = 0;                             // records applied that may have changed what a draw sees
  std::vector<u64> movesSeen_;                // by context slot: moves_ when the stream left the context
  static constexpr u64 kNeverChecked = ~u64{0};
  u64 drawCheckedAt_ = kNeverChecked;  // moves_ when the current context was last found to have something to draw to
  u32 window_ = 0;                     // of the current context: the narrower of its view and sampler windows
  u64 applied_ = 0, appliedPublished_ = 0;
  u64 lastSerial_ = 0;  // of flushes and fences: they never go back
  u32 debugDepth_ = 0;
  std::vector<pipe::DrawRange> trimmed_;

  bool faulted_ = false;
  pipe::Fault fault_;
  PendingReply reply_;
  std::span<const pipe::HostSpan> blobs_;
  Bytes stage_;
  std::vector<u64> private_;  // the copy that applyHostile works on
};

}  // namespace mgl::server
