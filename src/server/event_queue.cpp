#include "server/event_queue.h"

#include <utility>

namespace mgl::server {

bool EventQueue::drain(const std::function<void(const ServerEvent&)>& visit) {
  if (!hasEvents()) return false;
  if (pollWanted_.load(std::memory_order_relaxed) && pollWanted_.exchange(false, std::memory_order_seq_cst) && poll_)
    poll_(static_cast<bool>(changed_));
  {
    std::lock_guard lock(mutex_);
    draining_.swap(waiting_);
    waitingLogs_ = 0;
    hasEvents_.store(false, std::memory_order_release);
  }
  for (const ServerEvent& event : draining_) visit(event);
  const bool any = !draining_.empty();
  draining_.clear();
  return any;
}

void EventQueue::push(ServerEvent event) {
  {
    std::lock_guard lock(mutex_);
    if (event.type == pipe::Event::OnLog && event.severity >= pipe::DebugSeverity::Low && waitingLogs_ >= kMaxLogs)
      return;
    if (event.type == pipe::Event::OnLog) ++waitingLogs_;
    waiting_.push_back(std::move(event));
    hasEvents_.store(true, std::memory_order_seq_cst);
  }
  if (changed_) changed_();
}

void EventQueue::completed(u64 serial) {
  {
    std::lock_guard lock(mutex_);
    // Serials complete in order; one that is told late says nothing new.
    if (serial <= completedSerial_.load(std::memory_order_relaxed)) return;
    completedSerial_.store(serial, std::memory_order_release);
    if (!waiting_.empty() && waiting_.back().type == pipe::Event::OnCompleted) {
      waiting_.back().serial = serial;
    } else {
      ServerEvent event;
      event.type = pipe::Event::OnCompleted;
      event.serial = serial;
      waiting_.push_back(std::move(event));
      hasEvents_.store(true, std::memory_order_seq_cst);
    }
  }
  if (changed_) changed_();
}

void EventQueue::pollWanted() {
  pollWanted_.store(true, std::memory_order_seq_cst);
  if (changed_) changed_();
}

void EventQueue::queryResult(u32 slot, u32 gen, u64 runSerial, u64 value) {
  ServerEvent event;
  event.type = pipe::Event::OnQueryResult;
  event.slot = slot;
  event.gen = gen;
  event.serial = runSerial;
  event.value = value;
  push(std::move(event));
}

void EventQueue::presented(u32 surfaceSlot, u32 surfaceGen, u64 frameSerial) {
  ServerEvent event;
  event.type = pipe::Event::OnPresented;
  event.slot = surfaceSlot;
  event.gen = surfaceGen;
  event.serial = frameSerial;
  push(std::move(event));
}

void EventQueue::surfaceChanged(u32 surfaceSlot, u32 surfaceGen, u32 width, u32 height) {
  ServerEvent event;
  event.type = pipe::Event::OnSurfaceChanged;
  event.slot = surfaceSlot;
  event.gen = surfaceGen;
  event.width = width;
  event.height = height;
  push(std::move(event));
}

void EventQueue::glError(pipe::GlError error, pipe::Call call, const backend::StoreId& store) {
  ServerEvent event;
  event.type = pipe::Event::OnGlError;
  event.slot = contextSlot_;
  event.gen = contextGen_;
  event.error = error;
  event.call = call;
  event.store = store;
  {
    // An error is a flag: one that nobody took yet says it all, however often a program without memory meets it.
    std::lock_guard lock(mutex_);
    for (const ServerEvent& other : waiting_) {
      if (other.type == event.type && other.slot == event.slot && other.gen == event.gen && other.error == error &&
          other.call == call && other.store == store)
        return;
    }
  }
  push(std::move(event));
}

void EventQueue::lost(std::string_view why) {
  {
    std::lock_guard lock(mutex_);
    if (lost_.load(std::memory_order_relaxed)) return;
    whyLost_ = why;
    lost_.store(true, std::memory_order_seq_cst);
  }
  if (changed_) changed_();
}

std::string EventQueue::whyLost() {
  std::lock_guard lock(mutex_);
  return whyLost_;
}

void EventQueue::log(pipe::DebugSeverity severity, std::string_view text) {
  ServerEvent event;
  event.type = pipe::Event::OnLog;
  event.severity = severity;
  event.text = text;
  if (severity < pipe::DebugSeverity::Low) {
    // These are never dropped; said twice before anybody listens, they say no more.
    std::lock_guard lock(mutex_);
    for (const ServerEvent& other : waiting_) {
      if (other.type == event.type && other.severity == severity && other.text == event.text) return;
    }
  }
  push(std::move(event));
}

}  // namespace mgl::server
