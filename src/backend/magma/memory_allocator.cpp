#include "backend/magma/memory_allocator.h"

#include <algorithm>

#include "base/assert.h"
#include "base/counters.h"

namespace mgl::magma {

MemoryAllocator::MemoryAllocator(MemorySource& source, Options options) : source_(source), options_(options) {}

MemoryAllocator::~MemoryAllocator() {
  for (u32 i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].memory.handle != 0) dropBlock(i);
  }
}

u32 MemoryAllocator::newBlock(u32 type, MemoryContent content, u64 bytes, bool own) {
  const MemoryBlock memory = source_.allocateBlock(type, bytes);
  if (memory.handle == 0) return ~0u;
  count(Counter::DeviceAllocations);
  count(Counter::DeviceBytes, bytes);
  u32 index = 0;
  while (index < blocks_.size() && blocks_[index].memory.handle != 0) ++index;
  if (index == blocks_.size()) blocks_.emplace_back();
  Block& block = blocks_[index];
  block.memory = memory;
  block.bytes = bytes;
  block.type = type;
  block.content = content;
  block.ranges = own ? nullptr : std::make_unique<RangeAllocator>(bytes);
  ++live_;
  held_ += bytes;
  return index;
}

void MemoryAllocator::dropBlock(u32 index) {
  Block& block = blocks_[index];
  source_.freeBlock(block.type, block.memory, block.bytes);
  --live_;
  held_ -= block.bytes;
  block = Block{};
}

Allocation MemoryAllocator::place(u32 index, u64 bytes, u64 alignment) {
  Block& block = blocks_[index];
  const RangeAllocator::Range range = block.ranges->allocate(bytes, alignment);
  if (!range.ok()) return {};
  used_ += range.bytes;
  count(Counter::SubAllocations);
  return {.memory = block.memory.handle,
          .offset = range.offset,
          .bytes = range.bytes,
          .mapped = block.memory.mapped == nullptr ? nullptr : block.memory.mapped + range.offset,
          .type = block.type,
          .block = index,
          .node = range.node};
}

Allocation MemoryAllocator::allocate(u32 type, MemoryContent content, u64 bytes, u64 alignment, bool own) {
  if (own || bytes > options_.blockBytes / 2) {
    const u32 index = newBlock(type, content, bytes, true);
    if (index == ~0u) return {};
    used_ += bytes;
    return {.memory = blocks_[index].memory.handle,
            .offset = 0,
            .bytes = bytes,
            .mapped = blocks_[index].memory.mapped,
            .type = type,
            .block = index,
            .node = RangeAllocator::kNone};
  }
  u64 largest = options_.firstBlockBytes / 2;
  for (u32 i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    if (block.ranges == nullptr || block.type != type || block.content != content) continue;
    largest = std::max(largest, block.bytes);
    if (Allocation allocation = place(i, bytes, alignment)) return allocation;
  }
  u64 blockBytes = std::min(largest * 2, options_.blockBytes);
  while (blockBytes < 2 * (bytes + alignment) && blockBytes < options_.blockBytes) blockBytes *= 2;
  u32 index = newBlock(type, content, blockBytes, false);
  if (index == ~0u) return allocate(type, content, bytes, alignment, true);
  return place(index, bytes, alignment);
}

void MemoryAllocator::trim() {
  for (u32 i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].ranges != nullptr && blocks_[i].ranges->empty()) dropBlock(i);
  }
}

void MemoryAllocator::free(const Allocation& allocation) {
  if (!allocation) return;
  Block& block = blocks_[allocation.block];
  MGL_CHECK(block.memory.handle == allocation.memory);
  used_ -= allocation.bytes;
  if (block.ranges == nullptr) {
    dropBlock(allocation.block);
    return;
  }
  block.ranges->free(allocation.node);
  if (!block.ranges->empty()) return;
  // One empty block of a pool stays, so that a program which frees and allocates each frame meets no device allocation.
  for (u32 i = 0; i < blocks_.size(); ++i) {
    const Block& other = blocks_[i];
    if (i != allocation.block && other.ranges != nullptr && other.ranges->empty() && other.type == block.type &&
        other.content == block.content) {
      dropBlock(other.bytes < block.bytes ? i : allocation.block);
      return;
    }
  }
}

}  // namespace mgl::magma
