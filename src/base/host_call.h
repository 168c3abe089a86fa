// Whether this thread is inside the host's own graphics stack.
//
// A Vulkan or GL driver may call libEGL while it is loaded or asked for its devices (NVIDIA's lists EGL's devices when the
// Vulkan loader negotiates with it), and libEGL asks every vendor, us among them. To answer we would ask that same
// stack again, which holds its locks: so we have nothing to tell while a HostCall is open.
#pragma once

#include "base/types.h"

namespace mgl {

class HostCall {
 public:
  HostCall() { ++depth_; }
  ~HostCall() { --depth_; }
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;

  static bool isOpen() { return depth_ != 0; }

 private:
  static thread_local constinit inline u32 depth_ [[gnu::tls_model("initial-exec")]] = 0;
};

}  // namespace mgl
