#include "base/glvnd.h"

#include <mutex>

namespace mgl {

namespace {

constinit std::mutex mutex;
constinit GlvndEgl egl;

}  // namespace

void setGlvndEgl(const GlvndEgl& given) {
  const std::scoped_lock lock(mutex);
  egl = given;
}

GlvndEgl glvndEgl() {
  const std::scoped_lock lock(mutex);
  return egl;
}

}  // namespace mgl
