#include "gl/object.h"

#include "gl/context.h"

namespace mgl::gl {

u64 nextLifetimeId() {
  static std::atomic<u64> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

ObjectGroup::ObjectGroup(client::Session& session) {
  Context* const current = currentContext();
  if (current != nullptr && current->session.get() == &session)
    group_.emplace(session, current->stream);
  else
    own_.emplace(session);
}

}  // namespace mgl::gl
