// The one thread that waits for the host's GPU. It has a host context of its own in the share group, so it may map what was
// read into a pixel buffer. Fences are handed over in stream order and complete in that order.
//
// push: under the session's lock. completed, wait, waitClient, lost: any thread. `done` functions run here, in order, before
// wait() returns for their ticket.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "backend/backend.h"
#include "backend/espryt/host_context.h"
#include "base/event.h"
#include "base/thread.h"

namespace mgl::espryt {

class WaitThread {
 public:
  WaitThread(Engine& engine, std::unique_ptr<HostContext> context) : engine_(engine), context_(std::move(context)) {}
  ~WaitThread() { stop(); }
  WaitThread(const WaitThread&) = delete;
  WaitThread& operator=(const WaitThread&) = delete;

  bool start();
  // Waits for what was handed over. The context is gone after it.
  void stop();

  // Takes the fence over (null: completes with what is before it). Returns the ticket.
  u64 push(GLsync fence, std::function<void(bool lost)> done);
  u64 pushClient(GLsync fence, u64 clientSerial);

  u64 completed() const { return completed_.load(std::memory_order_acquire); }
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  // False: the time went by, or the device is lost.
  bool wait(u64 ticket, u64 timeoutNs = kForever);
  bool waitClient(u64 clientSerial, u64 timeoutNs);

 private:
  struct Entry {
    u64 ticket = 0, clientSerial = 0;
    GLsync fence = nullptr;
    std::function<void(bool)> done;
  };
  u64 push(Entry entry);
  void loop();
  void lose(const char* why);
  template <class Reached>
  bool waitFor(u64 timeoutNs, Reached reached);

  Engine& engine_;
  std::unique_ptr<HostContext> context_;
  std::mutex mutex_;
  std::condition_variable wanted_, progress_;
  std::deque<Entry> entries_;
  u64 nextTicket_ = 1, clientCompleted_ = 0;
  bool stopping_ = false;
  std::atomic<u64> completed_{0};
  std::atomic<bool> lost_{false};
  Thread thread_;
};

}  // namespace mgl::espryt
