// The backend epoch: grows when the backend itself wrote anything that draws look at. While it and the context's own epoch
// stand, a draw looks at its vertex array, program and uniforms alone (draw.cpp).
//
// Every writer has a row in backend_epoch.def; MOBILEGL_MAGMA_DROP_EPOCH takes rows out, the control. Apply thread only.
#pragma once

#include <algorithm>

#include "base/knobs.h"

namespace mgl::magma {

enum class EpochWriter : u8 {
#define MGL_EPOCH_WRITER(id, what) id,
#include "backend/magma/backend_epoch.def"
  Count
};

class BackendEpoch {
 public:
  BackendEpoch() {
    constexpr std::string_view kNames[] = {
#define MGL_EPOCH_WRITER(id, what) #id,
#include "backend/magma/backend_epoch.def"
    };
    for (const std::string& name : knobs().magmaDropEpoch) {
      const auto at = std::find(std::begin(kNames), std::end(kNames), name);
      if (at != std::end(kNames)) dropped_ |= 1u << (at - std::begin(kNames));
    }
  }
  u64 value() const { return value_; }
  void move(EpochWriter writer) {
    if (((dropped_ >> indexOf(writer)) & 1) == 0) [[likely]]
      ++value_;
  }

 private:
  static_assert(countOf<EpochWriter>() <= 32);
  u64 value_ = 1;
  u32 dropped_ = 0;
};

}  // namespace mgl::magma
