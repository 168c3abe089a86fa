// Gives out ranges of a span of bytes: two-level segregated fit, so that both operations take constant time and nothing
// is allocated once the node table has grown. Knows nothing of memory; one thread.
#pragma once

#include <array>
#include <vector>

#include "base/types.h"

namespace mgl::magma {

class RangeAllocator {
 public:
  explicit RangeAllocator(u64 bytes);

  struct Range {
    u64 offset = 0;
    u64 bytes = 0;
    u32 node = kNone;
    bool ok() const { return node != kNone; }
  };
  static constexpr u32 kNone = ~0u;

  // alignment: a power of two. Not ok() when no free range fits.
  Range allocate(u64 bytes, u64 alignment);
  // REQUIRES: given out by this allocator and not freed since.
  void free(u32 node);

  u64 capacity() const { return capacity_; }
  u64 usedBytes() const { return used_; }
  bool empty() const { return used_ == 0; }
  // Bytes of the largest free range; walks the free ranges. For tests and reports.
  u64 largestFree() const;
  // Every node lies between its neighbours, free ranges are joined, the lists hold exactly the free ones. For tests.
  bool consistent() const;

 private:
  static constexpr u32 kGrainBits = 6;  // 64 bytes: sizes and offsets are multiples of it
  static constexpr u32 kSecondBits = 3;
  static constexpr u32 kFirst = 40;
  static constexpr u32 kSecond = 1u << kSecondBits;

  struct Node {
    u64 offset = 0, bytes = 0;
    u32 before = kNone, after = kNone;   // neighbours in the span
    u32 previous = kNone, next = kNone;  // in the free list, or of the spare nodes
    bool free = false;
  };
  struct Bin {
    u32 first, second;
  };
  static Bin binOf(u64 bytes);

  u32 newNode();
  void link(u32 node);
  void unlink(u32 node);
  u32 find(u64 bytes);
  u32 splitFront(u32 node, u64 bytes);

  u64 capacity_, used_ = 0;
  std::vector<Node> nodes_;
  u32 spare_ = kNone;
  u64 firstMap_ = 0;
  std::array<u32, kFirst> secondMap_{};
  std::array<std::array<u32, kSecond>, kFirst> heads_;
};

}  // namespace mgl::magma
