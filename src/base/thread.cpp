#include "base/thread.h"

#include <cerrno>
#include <cfenv>
#include <csignal>
#include <cstring>
#include <memory>

namespace mgl {

namespace {

struct Start {
  char name[16] = {};
  std::function<void()> body;
};

void* runThread(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  pthread_setname_np(pthread_self(), start->name);
  // The starting thread may be the program's, with a rounding mode of its own.
  std::fesetenv(FE_DFL_ENV);
  start->body();
  return nullptr;
}

}  // namespace

bool Thread::start(const char* threadName, std::function<void()> body) {
  auto start = std::make_unique<Start>();
  std::strncpy(start->name, threadName, sizeof start->name - 1);
  start->body = std::move(body);

  // Blocked before the thread exists: it inherits the mask, and no signal can reach it in between.
  sigset_t blocked;
  sigset_t old;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &old);
  const int error = pthread_create(&thread_, nullptr, runThread, start.get());
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (error != 0) {
    errno = error;
    return false;
  }
  static_cast<void>(start.release());
  running_ = true;
  return true;
}

void Thread::join() {
  if (!running_) return;
  pthread_join(thread_, nullptr);
  running_ = false;
}

}  // namespace mgl
