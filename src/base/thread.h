// A thread with the manners of a library's thread: named, all signals blocked, default floating-point environment.
#pragma once

#include <pthread.h>

#include <functional>

#include "base/types.h"

namespace mgl {

class Thread {
 public:
  Thread() = default;
  ~Thread() { join(); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  // REQUIRES: not running. The name is cut to 15 bytes. Signals that the thread can only raise by its own fault
  // (SIGSEGV and its like) stay open, so that a crash handler of the program sees them. False with errno set when the
  // system gives no thread.
  [[nodiscard]] bool start(const char* threadName, std::function<void()> body);

  // Returns at once when nothing was started. Must not be called from the thread itself.
  void join();

  bool running() const { return running_; }

 private:
  pthread_t thread_{};
  bool running_ = false;
};

}  // namespace mgl
