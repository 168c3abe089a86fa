// Faults that a backend commits on purpose, so that a test can be seen red (MOBILEGL_TEST_MUTATION).
#pragma once

#include <cstdlib>

#include "base/knobs.h"

namespace mgl::backend {

// device-lost:N: the batch, counted from 1 for each device opened, at which the device is to be lost. 0: none.
inline u64 deviceLostAt() {
  constexpr std::string_view kName = "device-lost:";
  const std::string& asked = knobs().testMutation;
  return asked.starts_with(kName) ? std::strtoull(asked.c_str() + kName.size(), nullptr, 10) : 0;
}

}  // namespace mgl::backend
