// Device memory: large blocks cut by RangeAllocator, and allocations of their own for what is large. Knows no Vulkan:
// blocks come from a MemorySource, so that tests need no device. One thread (the apply thread).
//
// Linear (buffers) and optimal (images) contents never share a block, which is what bufferImageGranularity asks for.
#pragma once

#include <memory>
#include <vector>

#include "backend/magma/range_allocator.h"

namespace mgl::magma {

struct MemoryBlock {
  u64 handle = 0;               // 0: not to be had
  std::byte* mapped = nullptr;  // host-visible types are mapped for good
};

class MemorySource {
 public:
  virtual ~MemorySource() = default;
  virtual MemoryBlock allocateBlock(u32 type, u64 bytes) = 0;
  virtual void freeBlock(u32 type, MemoryBlock block, u64 bytes) = 0;
};

enum class MemoryContent : u8 { Linear, Optimal };

struct Allocation {
  u64 memory = 0;  // the block's handle; 0: none
  u64 offset = 0, bytes = 0;
  std::byte* mapped = nullptr;  // of the range's start; null when the type is not host-visible
  u32 type = 0;
  u32 block = 0, node = 0;  // the allocator's own
  explicit operator bool() const { return memory != 0; }
};

class MemoryAllocator {
 public:
  // What pulls blockBytes up: fewer device allocations (hosts cap their number). What pulls it down: an idle session's
  // size.
  struct Options {
    u64 blockBytes = 32u << 20;
    u64 firstBlockBytes = 4u << 20;  // a pool's blocks double from here
  };
  MemoryAllocator(MemorySource& source, Options options);
  ~MemoryAllocator();
  MemoryAllocator(const MemoryAllocator&) = delete;
  MemoryAllocator& operator=(const MemoryAllocator&) = delete;

  // Empty when the source gives no block. own: a block for this range alone, whatever its size.
  Allocation allocate(u32 type, MemoryContent content, u64 bytes, u64 alignment, bool own = false);
  void free(const Allocation& allocation);
  // Gives the empty blocks that were kept back to the source.
  void trim();

  u64 blockCount() const { return live_; }
  u64 heldBytes() const { return held_; }
  u64 usedBytes() const { return used_; }

 private:
  struct Block {
    MemoryBlock memory;
    u64 bytes = 0;
    u32 type = 0;
    MemoryContent content = MemoryContent::Linear;
    std::unique_ptr<RangeAllocator> ranges;  // null: an allocation of its own, or a free row
  };
  u32 newBlock(u32 type, MemoryContent content, u64 bytes, bool own);
  void dropBlock(u32 index);
  Allocation place(u32 index, u64 bytes, u64 alignment);

  MemorySource& source_;
  Options options_;
  std::vector<Block> blocks_;
  u64 live_ = 0, held_ = 0, used_ = 0;
};

}  // namespace mgl::magma
