// Faults that a backend commits on purpose, so that a test can be seen red (MOBILEGL_TEST_MUTATION).
#pragma once

#include <cstdlib>

#include "base/knobs.h"

namespace mgl::backend {

// `name`:N, N being a batch, counted from 1 for each device opened. 0: not asked for.
inline u64 faultyBatch(std::string_view name) {
  const std::string& asked = knobs().testMutation;
  const bool ours = asked.starts_with(name) && asked.size() > name.size() && asked[name.size()] == ':';
  return ours ? std::strtoull(asked.c_str() + name.size() + 1, nullptr, 10) : 0;
}

inline u64 deviceLostAt() { return faultyBatch("device-lost"); }  // its submission fails
inline u64 gpuHangsAt() { return faultyBatch("gpu-hang"); }       // it never completes, as far as anybody can see

}  // namespace mgl::backend
