#include "backend/magma/range_allocator.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace mgl::magma {

RangeAllocator::RangeAllocator(u64 bytes) : capacity_(bytes >> kGrainBits << kGrainBits) {
  for (auto& row : heads_) row.fill(kNone);
  if (capacity_ == 0) return;
  const u32 node = newNode();
  nodes_[node].bytes = capacity_;
  link(node);
}

RangeAllocator::Bin RangeAllocator::binOf(u64 bytes) {
  const u64 grains = bytes >> kGrainBits;
  const u32 top = static_cast<u32>(std::bit_width(grains)) - 1;
  if (top < kSecondBits) return {0, static_cast<u32>(grains)};
  return {top - kSecondBits + 1, static_cast<u32>(grains >> (top - kSecondBits)) & (kSecond - 1)};
}

u32 RangeAllocator::newNode() {
  if (spare_ != kNone) {
    const u32 node = spare_;
    spare_ = nodes_[node].next;
    nodes_[node] = Node{};
    return node;
  }
  nodes_.emplace_back();
  return static_cast<u32>(nodes_.size() - 1);
}

void RangeAllocator::link(u32 node) {
  Node& n = nodes_[node];
  const Bin bin = binOf(n.bytes);
  u32& head = heads_[bin.first][bin.second];
  n.free = true;
  n.previous = kNone;
  n.next = head;
  if (head != kNone) nodes_[head].previous = node;
  head = node;
  firstMap_ |= u64{1} << bin.first;
  secondMap_[bin.first] |= 1u << bin.second;
}

void RangeAllocator::unlink(u32 node) {
  Node& n = nodes_[node];
  const Bin bin = binOf(n.bytes);
  if (n.previous != kNone) {
    nodes_[n.previous].next = n.next;
  } else {
    heads_[bin.first][bin.second] = n.next;
    if (n.next == kNone) {
      secondMap_[bin.first] &= ~(1u << bin.second);
      if (secondMap_[bin.first] == 0) firstMap_ &= ~(u64{1} << bin.first);
    }
  }
  if (n.next != kNone) nodes_[n.next].previous = n.previous;
  n.free = false;
  n.previous = n.next = kNone;
}

// The head of the first bin all of whose ranges have at least so many bytes.
u32 RangeAllocator::find(u64 bytes) {
  const u64 grains = bytes >> kGrainBits;
  const u32 top = static_cast<u32>(std::bit_width(grains)) - 1;
  u64 rounded = grains;
  if (top >= kSecondBits) rounded += (u64{1} << (top - kSecondBits)) - 1;
  Bin bin = binOf(rounded << kGrainBits);
  if (bin.first >= kFirst) return kNone;
  u32 seconds = secondMap_[bin.first] & (~0u << bin.second);
  if (seconds == 0) {
    const u64 firsts = bin.first + 1 >= 64 ? 0 : firstMap_ & (~u64{0} << (bin.first + 1));
    if (firsts == 0) return kNone;
    bin.first = static_cast<u32>(std::countr_zero(firsts));
    seconds = secondMap_[bin.first];
  }
  return heads_[bin.first][static_cast<u32>(std::countr_zero(seconds))];
}

// Cuts `bytes` off the front into a new node, which is returned; neither is in a list.
u32 RangeAllocator::splitFront(u32 node, u64 bytes) {
  const u32 front = newNode();
  Node& n = nodes_[node];
  Node& f = nodes_[front];
  f.offset = n.offset;
  f.bytes = bytes;
  f.before = n.before;
  f.after = node;
  if (n.before != kNone) nodes_[n.before].after = front;
  n.before = front;
  n.offset += bytes;
  n.bytes -= bytes;
  return front;
}

RangeAllocator::Range RangeAllocator::allocate(u64 bytes, u64 alignment) {
  constexpr u64 kGrain = u64{1} << kGrainBits;
  MGL_ASSERT(std::has_single_bit(alignment));
  bytes = alignUp(std::max<u64>(bytes, 1), kGrain);
  const u64 slack = alignment > kGrain ? alignment - kGrain : 0;
  if (bytes + slack > capacity_) return {};
  u32 node = find(bytes + slack);
  if (node == kNone) return {};
  unlink(node);
  const u64 pad = alignUp(nodes_[node].offset, std::max(alignment, kGrain)) - nodes_[node].offset;
  if (pad != 0) link(splitFront(node, pad));
  if (nodes_[node].bytes > bytes) {
    const u32 taken = splitFront(node, bytes);
    link(node);
    node = taken;
  }
  used_ += nodes_[node].bytes;
  return {nodes_[node].offset, nodes_[node].bytes, node};
}

void RangeAllocator::free(u32 node) {
  MGL_CHECK(node < nodes_.size() && !nodes_[node].free);
  used_ -= nodes_[node].bytes;
  const auto absorbAfter = [this](u32 into) {
    const u32 gone = nodes_[into].after;
    nodes_[into].bytes += nodes_[gone].bytes;
    nodes_[into].after = nodes_[gone].after;
    if (nodes_[gone].after != kNone) nodes_[nodes_[gone].after].before = into;
    nodes_[gone] = Node{};
    nodes_[gone].next = spare_;
    spare_ = gone;
  };
  const u32 after = nodes_[node].after;
  if (after != kNone && nodes_[after].free) {
    unlink(after);
    absorbAfter(node);
  }
  const u32 before = nodes_[node].before;
  if (before != kNone && nodes_[before].free) {
    unlink(before);
    absorbAfter(before);
    node = before;
  }
  link(node);
}

u64 RangeAllocator::largestFree() const {
  u64 largest = 0;
  for (const auto& row : heads_) {
    for (u32 head : row) {
      for (u32 node = head; node != kNone; node = nodes_[node].next) largest = std::max(largest, nodes_[node].bytes);
    }
  }
  return largest;
}

bool RangeAllocator::consistent() const {
  u32 first = kNone;
  u64 listed = 0;
  for (const auto& row : heads_) {
    for (u32 head : row) {
      for (u32 node = head; node != kNone; node = nodes_[node].next) {
        if (!nodes_[node].free) return false;
        listed += nodes_[node].bytes;
      }
    }
  }
  u64 total = 0;
  for (u32 i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].bytes != 0 && nodes_[i].before == kNone) {
      if (first != kNone) return false;
      first = i;
    }
  }
  bool wasFree = false;
  for (u32 node = first; node != kNone; node = nodes_[node].after) {
    const Node& n = nodes_[node];
    if (n.offset != total || n.bytes == 0 || (n.free && wasFree)) return false;
    if (n.after != kNone && nodes_[n.after].before != node) return false;
    wasFree = n.free;
    total += n.bytes;
  }
  return total == capacity_ && listed + used_ == capacity_;
}

}  // namespace mgl::magma
