#include "gl/object.h"

namespace mgl::gl {

u64 nextLifetimeId() {
  static std::atomic<u64> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace mgl::gl
