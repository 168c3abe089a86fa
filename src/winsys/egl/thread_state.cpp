#include "winsys/egl/thread_state.h"

#include "winsys/egl/objects.h"

namespace mgl::winsys::egl {
namespace {

// A thread that calls EGL again from a later destructor of its own gets a new state, which is then never released: the
// holder runs once.
struct Holder {
  ThreadState* state = nullptr;
  ~Holder() { releaseThread(); }
};

thread_local Holder holder;

}  // namespace

ThreadState& thread() {
  if (holder.state == nullptr) holder.state = new ThreadState;
  return *holder.state;
}

void releaseThread() {
  if (holder.state == nullptr) return;
  const std::unique_ptr<ThreadState> state(holder.state);
  if (state->context != nullptr) {
    driver().releaseCurrent();
    const std::lock_guard lock(objectsMutex());
    state->context->currentOn = nullptr;
    if (state->draw != nullptr) state->draw->currentOn = nullptr;
    if (state->read != nullptr) state->read->currentOn = nullptr;
  }
  holder.state = nullptr;
}

}  // namespace mgl::winsys::egl
