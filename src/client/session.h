// The client's half of a session: one stream of records, one handle space, one lock, shared by all contexts of the
// process on one device.
//
// Threads. A thread that writes records holds the lock (client/stream_lock.h) for the length of a Group (a verb with
// its state, or an object record). It is never held while waiting: Group::ask() gives it back before it waits for the
// reply. Nothing that may call back into the program runs under it.
//
// What the server checks again (sizes, formats, levels of shared objects) is read, and written, under the lock that the
// record goes out under: a verb opens its VerbGroup first, then checks, then emits; groups that are opened within belong
// to it. Room for a verb's records is there before it begins, so that nothing comes between its checks and its records
// but a wait for stage space: interruptions() tells, and the checks are then made again.
//
// Loss. Once lost, records go nowhere and replies are empty. In the child of a fork the session is lost from the start:
// its server lives in the parent.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/counters.h"
#include "base/event.h"
#include "client/handle_allocator.h"
#include "client/stream_lock.h"
#include "client/transport.h"
#include "pipe/calls.h"
#include "pipe/record_writer.h"

namespace mgl::client {

struct OpenOptions {
  std::string backend;   // "magma", "null", …; empty: the knob
  std::string device;    // empty: the knob
  std::string topology;  // empty: the knob
};

class Group;

// A context as the stream knows it. Its groups come from one thread at a time: the one that has the context current.
struct StreamContext {
  pipe::ContextHandle handle;
  StreamLock::Owner owner;
  Group* verb = nullptr;  // the open VerbGroup, while it has the lock
  u32 interruptions = 0;  // how often a group of it gave the lock back, and took it again
};

class Session : private EventReceiver {
 public:
  // The process's session for these options: the live one, or a new one. Null with the cause and the mend in *error.
  static std::shared_ptr<Session> open(const OpenOptions& options, std::string* error);
  // One over a transport that the caller made; in no registry.
  static std::shared_ptr<Session> over(std::unique_ptr<Transport> transport) {
    return std::shared_ptr<Session>(new Session(std::move(transport)));
  }
  ~Session() override;

  const pipe::Caps& caps() const { return opened_->caps(); }
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  std::string fault() const { return transport_->fault(); }

  // Any thread, with or without the lock: the destroy record goes out with the next group.
  template <pipe::Kind K>
  void retire(pipe::UncheckedHandle<K> handle) {
    if (!handle.isNull()) retire(K, handle.slot, handle.gen);
  }

  // ---- Completion, answered from what the server pushed. Any thread, without the lock.
  u64 completedSerial();
  // Waits until `serial` completed, sending a Flush first when nothing that submits it was sent. False at time-out or
  // loss. The flush goes out as a group of `context`, where there is one current.
  bool waitCompleted(u64 serial, u64 timeoutNs, StreamContext* context = nullptr);
  void flushUpTo(u64 serial, StreamContext* context = nullptr);
  // The result of that run of the query, when it is there.
  bool queryResult(pipe::QueryHandle query, u64 runSerial, u64* value);
  u64 gpuTimestampNs() { return transport_->gpuTimestampNs(); }
  void drainEvents();

  // What there was to say at high severity, by the server or of the session, in order. A reader keeps the count that it has seen.
  u64 serverLogCount() const { return logCount_.load(std::memory_order_acquire); }
  std::vector<std::string> serverLogsSince(u64 seen);

  // Errors that only the server could see, for a context: each is taken once. error None: there are none.
  pipe::OnGlError takeServerError(pipe::ContextHandle context);
  // Waits until the server told every error of the context's records so far. Without the lock.
  void awaitServerErrors(StreamContext& context);

  // Present credit of a surface: how many frames were handed to its queue.
  u64 presentedSerial(pipe::SurfaceHandle surface);

  // Waits a while for the surface's frame to be handed over: the wait of present credit. May return early.
  void waitPresented(pipe::SurfaceHandle surface, u64 frameSerial);

  // A context's end, before its handle is retired. REQUIRES that no group of it is open.
  void forget(StreamContext& context);
  // Gives the lock to who waits for it: at a swap, as flushes and waits do. Without an open group.
  void handOver(StreamContext& context) { lock_.handOver(context.owner); }

 private:
  friend class Group;
  friend class VerbGroup;
  explicit Session(std::unique_ptr<Transport> transport);
  void retire(pipe::Kind kind, u32 slot, u32 gen);
  void emitRetired(Group& group);
  void emitFlush(Group& group);
  void enter(Group& group,
             const StreamContext& context);  // what a group starts with when not all is as its context left it
  bool needsEnter() const { return attention_.load(std::memory_order_relaxed); }
  void publishHeld();
  [[gnu::cold]] void letOthersIn(StreamContext& context);  // MOBILEGL_PIPE_VERB_LOCK=0
  static bool dropsWait(pipe::Call call);  // MOBILEGL_IPC_DROP_WAIT
  void lose();
  void tell(std::string text);  // under eventMutex_: a message of high severity
  static void loseAllInChild();

  void onCompleted(u64 serial) override;
  void onQueryResult(pipe::QueryHandle query, u64 serial, u64 value) override;
  void onPresented(pipe::SurfaceHandle surface, u64 frameSerial) override;
  void onSurfaceChanged(pipe::SurfaceHandle surface, u32 width, u32 height) override;
  void onGlError(const pipe::OnGlError& told) override;
  void onLog(pipe::DebugSeverity severity, std::string_view text) override;

  std::unique_ptr<Transport> opened_;
  Transport* transport_;  // opened_, or the one that leads nowhere
  const bool hostSpans_, lockstep_;
  const bool drawsAtOnce_;  // an open draw would be applied by whoever takes the lock next, on another thread than its own
  const bool verbLock_;  // MOBILEGL_PIPE_VERB_LOCK
  std::atomic<bool> lost_{false};

  // ---- Under the lock
  StreamLock lock_;
  const bool endsPlainly_;  // no lockstep, and a lock that the owner gives back with plain stores
  std::array<HandleAllocator, countOf<pipe::Kind>()> handles_;
  pipe::ContextHandle current_;
  u64 lastSerial_ = 0;             // fences and flushes
  std::unique_ptr<u64[]> record_;  // room for one record, 8-byte aligned
  bool drawOpen_ = false;          // record_ holds a draw that may still take ranges
  BlobList blobs_;  // of the record that is being made
  // Counted plainly, published at flushes and replies: a draw pays one addition for each.
  struct HeldCounts {
    u64 records = 0, recordBytes = 0, draws = 0, drawRecords = 0, drawsMerged = 0, verbs = 0, deltaHits = 0;
  };
  HeldCounts counts_;

  std::atomic<u64> lastFlushed_{0};  // serials up to this are submitted or will be without our help
  std::atomic<bool> attention_{false};  // something was retired, or the command ring is short of room
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
  std::vector<QueryValue> queryValues_;  // by slot
  std::vector<u64> presented_;           // by surface slot
  static constexpr std::size_t kKeptLogs = 64;
  std::deque<std::string> logs_;  // the newest
  std::atomic<u64> logCount_{0};
  std::vector<pipe::OnGlError> serverErrors_;  // that nobody took; of one kind, once
  std::atomic<bool> hasServerErrors_{false};
};

// The right to write records, for one group. One at a time per thread, but for those within a VerbGroup; short.
class Group {
 public:
  Group(Session& session, StreamContext& context) : session_(session), context_(context), held_(nullptr) {
    if (context.verb != nullptr) return;
    if (!session.verbLock_) [[unlikely]]
      session.letOthersIn(context);
    begin();
  }
  ~Group() {
    if (held_ != nullptr) release();
  }
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
    pipe::writeRecord(reserve(), payload, tails...);
    if constexpr (pipe::callInfo(pipe::CallOf<P>::kCall).cls == pipe::CallClass::Verb) ++session_.counts_.verbs;
    send();
  }

  // Emits a record with a reply, gives the lock back, waits. The group is over after it.
  template <class P>
  Reply ask(P payload, MutableBytes dst = {}) {
    const bool dropped = Session::dropsWait(pipe::CallOf<P>::kCall);
    payload.replySlot = session_.transport_->openReply(dropped ? MutableBytes() : dst);
    pipe::writeRecord(reserve(), payload);
    if constexpr (pipe::callInfo(pipe::CallOf<P>::kCall).cls == pipe::CallClass::Verb) ++session_.counts_.verbs;
    return askReserved(pipe::CallOf<P>::kCall, payload.replySlot, dropped);
  }

  // ---- Draws. The record stays open: a draw that differs in nothing but its range joins it.
  // Room for a record of at most kMaxRecordBytes, to be filled and followed by commitDraw().
  void* reserve() {
    if (session_.drawOpen_) closeDraw();
    return session_.record_.get();
  }
  void commitDraw() {
    session_.drawOpen_ = true;
    ++session_.counts_.drawRecords;
    if (session_.drawsAtOnce_) [[unlikely]]
      closeDraw();
  }
  pipe::RecordHeader* openDraw() {
    return session_.drawOpen_ ? reinterpret_cast<pipe::RecordHeader*>(session_.record_.get()) : nullptr;
  }
  void countDraws(u64 draws) { session_.counts_.draws += draws; }
  void countDrawRecord() { ++session_.counts_.drawRecords; }
  void countMergedDraw() { ++session_.counts_.drawsMerged; }
  void countDeltaHit() { ++session_.counts_.deltaHits; }

  // Differs from what it was: other threads may have written records since.
  u32 interruptions() const { return context_.interruptions; }
  // Gives the lock back, waits, and takes it again.
  [[gnu::cold]] void await(Event& event, Stall stall);
  // Takes back what blob() named, for a record that is not to be after all.
  void dropBlobs();

  // Ends the verb that it is part of with it: the thread has no lock any more.
  [[gnu::cold]] void giveBack();

  void end() {
    if (held_ == nullptr) return;
    held_ = nullptr;
    release();
  }

 protected:
  struct Outermost {};  // the caller knows that no VerbGroup is open
  Group(Outermost, Session& session, StreamContext& context) : session_(session), context_(context), held_(nullptr) {
    begin();
  }

 private:
  friend class Session;
  friend class VerbGroup;
  void release() {
    if (!session_.endsPlainly_) [[unlikely]]
      return endElsewise();
    session_.lock_.unlockPlainly(context_.owner);
  }
  void begin() {
    held_ = &context_;
    const bool stillMine = session_.lock_.lock(context_.owner);
    if (!stillMine || session_.needsEnter()) [[unlikely]]
      session_.enter(*this, context_);
  }
  void closeDraw() {
    session_.drawOpen_ = false;
    ++session_.counts_.verbs;
    send();
  }
  void send();
  [[gnu::cold]] void noteSent(Sent sent);
  [[gnu::cold]] void waitForRoom();
  [[gnu::cold]] void endElsewise();
  [[gnu::cold]] void sendWhenThereIsRoom();
  // Gives the lock back at a record boundary, runs `wait`, and comes back as the stream's context.
  template <class Wait>
  void waitOutside(const Wait& wait);
  Reply askReserved(pipe::Call call, u32 slot, bool dropWait);

  Session& session_;
  StreamContext& context_;
  StreamContext* held_;  // null: has no lock to give back
};

// The group of a verb that has to check what the server checks again. Within another one it is part of it.
class VerbGroup : public Group {
 public:
  VerbGroup(Session& session, StreamContext& context) : Group(session, context) {
    if (context.verb != nullptr) return;
    if (session.verbLock_) [[likely]]
      context.verb = this;
    else
      end();
  }
  ~VerbGroup() { close(); }
  // The lock is given back: what was read under it may be otherwise now.
  void close() {
    if (context_.verb == this) context_.verb = nullptr;
    end();
  }
};

// A draw's: the one that costs nothing to open.
class DrawGroup : public Group {
 public:
  DrawGroup(Session& session, StreamContext& context) : Group(Outermost(), session, context) {}
};

// A group that belongs to no context: displays, surfaces, flushes.
class SessionGroup : private StreamContext, public Group {
 public:
  explicit SessionGroup(Session& session) : StreamContext(), Group(session, *this) {}
  ~SessionGroup() {
    end();
    session().forget(*this);
  }
};

}  // namespace mgl::client
