// Space for blobs in the stage segment, given out in order and taken back by reservation: each is bound to the record that
// carries it, and free once that record was applied. The client's own bookkeeping, under the stream's lock.
#pragma once

#include <deque>

#include "base/types.h"

namespace mgl::wire {

class Stage {
 public:
  explicit Stage(u64 bytes) : bytes_(bytes) {}

  // Room for so many bytes in one piece. False: not now.
  bool reserve(u64 bytes, u64* offset, u64* reservation) {
    const u64 size = alignUp<u64>(bytes, 16), at = head_ % bytes_, toEnd = bytes_ - at;
    const u64 needed = toEnd < size ? toEnd + size : size;
    if (head_ + needed - tail_ > bytes_) return false;
    head_ += needed;
    *offset = toEnd < size ? 0 : at;
    *reservation = first_ + held_.size();
    held_.push_back({kUnbound, head_});
    return true;
  }
  // The record with that ordinal (from 1) carries it.
  void bind(u64 reservation, u64 ordinal) { held_[static_cast<std::size_t>(reservation - first_)].ordinal = ordinal; }
  // So many records were applied.
  void reclaim(u64 applied) {
    while (!held_.empty() && held_.front().ordinal <= applied) {
      tail_ = held_.front().end;
      held_.pop_front();
      ++first_;
    }
  }
  bool canEverFit(u64 bytes) const { return alignUp<u64>(bytes, 16) <= bytes_ / 2; }

 private:
  static constexpr u64 kUnbound = ~u64{0};
  struct Held {
    u64 ordinal, end;
  };
  const u64 bytes_;
  u64 head_ = 0, tail_ = 0, first_ = 0;  // first_: the reservation that held_ begins with
  std::deque<Held> held_;
};

}  // namespace mgl::wire
