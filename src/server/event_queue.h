// What the backend tells, in order, until the client drains it. Lossless but for logs of low severity, which are
// dropped when kMaxLogs are waiting.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "backend/backend.h"

namespace mgl::server {

// One event. `type` says which of the members hold; see payloads_session.h.
struct ServerEvent {
  pipe::Event type = pipe::Event::Count;
  u32 slot = 0, gen = 0;  // query, surface; OnGlError: the context's
  u64 serial = 0;         // OnCompleted, OnQueryResult (the run), OnPresented (the frame)
  u64 value = 0;          // OnQueryResult
  u32 width = 0, height = 0;
  pipe::GlError error = pipe::GlError::None;
  pipe::Call call = pipe::Call::Count;
  backend::StoreId store;
  pipe::DebugSeverity severity = pipe::DebugSeverity::Notification;
  std::string text;
};

class EventQueue final : public backend::EventSink {
 public:
  static constexpr u32 kMaxLogs = 256;

  // Any thread.
  bool hasEvents() const {
    return hasEvents_.load(std::memory_order_seq_cst) || pollWanted_.load(std::memory_order_seq_cst);
  }
  bool isLost() const { return lost_.load(std::memory_order_seq_cst); }
  std::string whyLost();
  u64 completedSerial() const { return completedSerial_.load(std::memory_order_acquire); }

  // Called after each event, by whoever told it, without a lock held. Set before the first event, or while none can come. With
  // it set, the one who drains is the one thread that applies.
  void onChange(std::function<void()> changed) { changed_ = std::move(changed); }
  // What drain() calls first when the backend asked for it (backend::EventSink::pollWanted). Set before the first event.
  void onPoll(std::function<void(bool alone)> poll) { poll_ = std::move(poll); }

  // Calls visit for every event that is there, oldest first, without a lock held; events that come meanwhile stay.
  // One drainer at a time. True when there were any.
  bool drain(const std::function<void(const ServerEvent&)>& visit);

  // Whose records come now: whose errors are told. The apply thread only; 0: nobody's.
  void setContext(u32 slot, u32 gen) { contextSlot_ = slot, contextGen_ = gen; }

  void completed(u64 serial) override;
  void queryResult(u32 slot, u32 gen, u64 runSerial, u64 value) override;
  void presented(u32 surfaceSlot, u32 surfaceGen, u64 frameSerial) override;
  void surfaceChanged(u32 surfaceSlot, u32 surfaceGen, u32 width, u32 height) override;
  void glError(pipe::GlError error, pipe::Call call, const backend::StoreId& store = {}) override;
  void log(pipe::DebugSeverity severity, std::string_view text) override;
  void lost(std::string_view why) override;
  void pollWanted() override;

 private:
  void push(ServerEvent event);

  std::function<void()> changed_;
  u32 contextSlot_ = 0, contextGen_ = 0;  // the apply thread's
  std::function<void(bool)> poll_;
  std::atomic<bool> hasEvents_{false}, pollWanted_{false};
  std::atomic<u64> completedSerial_{0};
  std::atomic<bool> lost_{false};
  std::mutex mutex_;
  std::vector<ServerEvent> waiting_;   // guarded by mutex_
  u32 waitingLogs_ = 0;                // guarded by mutex_
  std::string whyLost_;                // guarded by mutex_
  std::vector<ServerEvent> draining_;  // the drainer's
};

}  // namespace mgl::server
