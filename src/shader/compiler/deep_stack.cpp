#include "shader/compiler/deep_stack.h"

#include <pthread.h>

#include <csignal>
#include <cstddef>

namespace mgl::shader {
namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 20;

void* call(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

void runOnStack(bool deep, const std::function<void()>& work) {
  if (!deep) return work();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // The new thread inherits the mask: the program's signal handlers shall not run on it.
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) return work();
  pthread_join(thread, nullptr);
}

}  // namespace mgl::shader
