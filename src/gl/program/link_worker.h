// Links on threads of their own (KHR_parallel_shader_compile): glLinkProgram hands the shaders over and returns; whoever asks
// for what the link made, or draws with it, takes it over first.
//
// Threads. A worker touches nothing but its job. The job becomes the program's executable under the session's lock, on the
// thread of the context that asked first (settleLink); while it is under way `executable` is null, so that the warm paths find
// out without looking for it.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/event.h"
#include "base/thread.h"
#include "shader/compiler/compiler.h"

namespace mgl::gl {

struct LinkJob {
  std::vector<std::shared_ptr<const shader::CompiledShader>> shaders;
  shader::LinkOptions options;

  shader::LinkResult result;  // once `done`
  Event done;
  std::atomic<bool> taken{false};  // somebody makes it the program's; who comes later waits for
  Event settled;

  void run();
};

// The process's workers, while something holds them; joined with the last holder.
class LinkWorkers {
 public:
  static std::shared_ptr<LinkWorkers> shared();
  ~LinkWorkers();

  // At once when there is no thread to be had.
  void post(std::shared_ptr<LinkJob> job);

 private:
  LinkWorkers();
  void work();
  std::shared_ptr<LinkJob> next();

  std::mutex mutex_;
  std::deque<std::shared_ptr<LinkJob>> jobs_;
  bool ending_ = false;
  std::atomic<u32> posted_{0};  // what workers sleep on
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace mgl::gl
