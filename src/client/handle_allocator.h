// Mints handles: the lowest cost way to a fresh {slot, gen}. Used under the session's lock.
#pragma once

#include <vector>

#include "base/knobs.h"
#include "pipe/handle.h"

namespace mgl::client {

class HandleAllocator {
 public:
  struct Pair {
    u32 slot, gen;
  };

  // Slot 0 when all kMaxSlot are in use.
  Pair allocate() {
    if (!free_.empty()) {
      const u32 slot = free_.back();
      free_.pop_back();
      return {slot, gens_[slot] += step_};
    }
    if (gens_.size() >= pipe::kMaxSlot) return {0, 0};
    gens_.push_back(1);
    return {static_cast<u32>(gens_.size() - 1), 1};
  }

  // After the record that destroys the object: the ring keeps the order. A slot whose generation would wrap is not used again.
  void release(u32 slot) {
    if (gens_[slot] != ~0u) free_.push_back(slot);
  }

  u32 inUse() const { return static_cast<u32>(gens_.size() - 1 - free_.size()); }

 private:
  const u32 step_ = knobs().pipeHandleGenerations ? 1 : 0;
  std::vector<u32> gens_ = {0};
  std::vector<u32> free_;
};

}  // namespace mgl::client
