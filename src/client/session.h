// The client's half of a session: one stream of records, one handle space, one lock, shared by all contexts of the process
// on one device.
//
// Threads. A thread that writes records holds the lock for the length of a Group (a verb with its state, or an object record).
// It is never held while waiting: Group::ask() gives it back before it waits for the reply. Nothing that may call back into
// the program runs under it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/counters.h"
#include "client/handle_allocator.h"
#include "client/transport.h"
#include "pipe/calls.h"
#include "pipe/record_writer.h"

namespace mgl::client {

struct OpenOptions {
  std::string backend;   // "magma", "null", …; empty: the knob
  std::string device;    // empty: the knob
  std::string topology;  // empty: the knob
};

// A mutex that spins a little and parks; one uncontended atomic to take it and one to give it back.
class StreamLock {
 public:
  void lock() {
    u32 expected = 0;
    if (!state_.compare_exchange_strong(expected, 1, std::memory_order_acquire)) lockSlow();
  }
  void unlock() {
    if (state_.exchange(0, std::memory_order_release) == 2) state_.notify_one();
  }

 private:
  void lockSlow();
  std::atomic<u32> state_{0};  // 0 free, 1 held, 2 held and somebody parked
};

class Session : private EventReceiver {
 public:
  // The process's session for these options: the live one, or a new one. Null with the cause and the mend in *error.
  static std::shared_ptr<Session> open(const OpenOptions& options, std::string* error);
  ~Session() override;

  const pipe::Caps& caps() const { return transport_->caps(); }
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  std::string fault() const { return transport_->fault(); }

  // Any thread, with or without the lock: the destroy record goes out with the next group.
  template <pipe::Kind K>
  void retire(pipe::UncheckedHandle<K> handle) {
    if (!handle.isNull()) retire(K, handle.slot, handle.gen);
  }

  // ---- Completion, answered from what the server pushed. Any thread, without the lock.
  u64 completedSerial();
  // Waits until `serial` completed, sending a Flush first when nothing that submits it was sent. False at time-out or loss.
  bool waitCompleted(u64 serial, u64 timeoutNs);
  void flushUpTo(u64 serial);
  // The result of that run of the query, when it is there.
  bool queryResult(pipe::QueryHandle query, u64 runSerial, u64* value);
  u64 gpuTimestampNs() { return transport_->gpuTimestampNs(); }
  void drainEvents();

  // Errors that only the server could see, for a context: taken once.
  pipe::GlError takeServerError(pipe::ContextHandle context);

  // Present credit of a surface: how many frames were handed to its queue.
  u64 presentedSerial(pipe::SurfaceHandle surface);

  // Waits a while for the surface's frame to be handed over: the wait of present credit. May return early.
  void waitPresented(pipe::SurfaceHandle surface, u64 frameSerial);

  u64 allocationFailures();  // asks the server; without the lock

 private:
  friend class Group;
  explicit Session(std::unique_ptr<Transport> transport);
  void retire(pipe::Kind kind, u32 slot, u32 gen);
  void emitRetired();
  void switchTo(pipe::ContextHandle context);
  void lose();

  void onCompleted(u64 serial) override;
  void onQueryResult(pipe::QueryHandle query, u64 serial, u64 value) override;
  void onPresented(pipe::SurfaceHandle surface, u64 frameSerial) override;
  void onSurfaceChanged(pipe::SurfaceHandle surface, u32 width, u32 height) override;
  void onGlError(u32 contextSlot, pipe::GlError error, pipe::Call call) override;
  void onLog(pipe::DebugSeverity severity, std::string_view text) override;

  std::unique_ptr<Transport> transport_;
  bool hostSpans_ = true;
  std::atomic<bool> lost_{false};

  // ---- Under the lock
  StreamLock lock_;
  std::array<HandleAllocator, countOf<pipe::Kind>()> handles_;
  pipe::ContextHandle current_;
  u64 lastSerial_ = 0;     // fences and flushes
  std::unique_ptr<u64[]> record_;  // room for one record, 8-byte aligned
  bool drawOpen_ = false;  // record_ holds a draw that may still take ranges
  std::array<pipe::HostSpan, 16> blobs_;
  u32 blobCount_ = 0;

  std::atomic<u64> lastFlushed_{0};  // serials up to this are submitted or will be without our help
  std::atomic<bool> hasRetired_{false};
  std::mutex retiredMutex_;
  struct Retired {
    pipe::Kind kind;
    u32 slot, gen;
  };
  std::vector<Retired> retired_;

  std::mutex eventMutex_;
  struct QueryValue {
    u32 gen = 0;
    u64 serial = 0, value = 0;
  };
  std::vector<QueryValue> queryValues_;     // by slot
  std::vector<u64> presented_;              // by surface slot
  std::vector<std::pair<u32, pipe::GlError>> serverErrors_;
};

// The right to write records, for one group. One at a time per thread; short.
class Group {
 public:
  Group(Session& session, pipe::ContextHandle context) : session_(session) {
    session_.lock_.lock();
    if (session_.hasRetired_.load(std::memory_order_relaxed)) [[unlikely]]
      session_.emitRetired();
    if (session_.current_ != context) [[unlikely]]
      session_.switchTo(context);
  }
  // For records that belong to no context (displays, surfaces).
  explicit Group(Session& session) : Group(session, 0) {}
  ~Group() { end(); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  Session& session() { return session_; }

  template <pipe::Kind K>
  pipe::UncheckedHandle<K> allocate() {
    const auto [slot, gen] = session_.handles_[indexOf(K)].allocate();
    return {slot, gen};
  }
  u64 nextSerial() { return ++session_.lastSerial_; }

  // Names bytes as a blob of the next record. At most 16 a record; at most maxBlobBytes() each.
  pipe::BlobRef blob(Bytes bytes);
  static constexpr u32 maxBlobBytes() { return 8u << 20; }

  // Writes a record whose tails follow in order, each as a contiguous range of its element type.
  template <class P, class... Tails>
  void emit(const P& payload, const Tails&... tails) {
    void* at = reserve(pipe::recordBytes(payload));
    pipe::writeRecord(at, payload, tails...);
    commit();
  }

  // Emits a record with a reply, gives the lock back, waits. The group is over after it.
  template <class P>
  Reply ask(P payload, MutableBytes dst = {}) {
    payload.replySlot = 0;
    void* at = reserve(pipe::recordBytes(payload));
    pipe::writeRecord(at, payload);
    return askReserved(dst);
  }

  // ---- Draws. The record stays open: a draw that differs in nothing but its range joins it.
  // Returns room for a record of that many bytes, to be filled and followed by commitDraw().
  void* reserve(u32 bytes) {
    if (session_.drawOpen_) closeDraw();
    return bytes <= pipe::kMaxRecordBytes ? session_.record_.get() : nullptr;
  }
  void commit() {
    send();
  }
  void commitDraw() { session_.drawOpen_ = true; }
  pipe::RecordHeader* openDraw() {
    return session_.drawOpen_ ? reinterpret_cast<pipe::RecordHeader*>(session_.record_.get()) : nullptr;
  }

  void end() {
    if (!ended_) session_.lock_.unlock();
    ended_ = true;
  }

 private:
  Group(Session& session, int) : session_(session) {
    session_.lock_.lock();
    if (session_.hasRetired_.load(std::memory_order_relaxed)) session_.emitRetired();
  }
  friend class Session;
  void closeDraw();
  void send();
  Reply askReserved(MutableBytes dst);

  Session& session_;
  bool ended_ = false;
};

}  // namespace mgl::client
