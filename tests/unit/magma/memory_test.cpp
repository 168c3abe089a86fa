#include <gtest/gtest.h>

#include <map>
#include <random>

#include "backend/magma/memory_allocator.h"

namespace mgl::magma {
namespace {

// Memory that is only counted, up to a budget.
class FakeSource final : public MemorySource {
 public:
  MemoryBlock allocateBlock(u32, u64 bytes) override {
    if (held + bytes > budget) return {};
    held += bytes;
    ++blocks;
    return {++next, reinterpret_cast<std::byte*>(next << 32)};
  }
  void freeBlock(u32, MemoryBlock, u64 bytes) override {
    held -= bytes;
    --blocks;
  }
  u64 budget = ~u64{0} >> 1, held = 0, blocks = 0, next = 0;
};

TEST(RangeAllocator, FillsCompletelyAndJoinsAgain) {
  RangeAllocator ranges(64 * 64);
  std::vector<RangeAllocator::Range> taken;
  for (u32 i = 0; i < 64; ++i) {
    taken.push_back(ranges.allocate(64, 64));
    ASSERT_TRUE(taken.back().ok());
  }
  EXPECT_FALSE(ranges.allocate(1, 1).ok());
  EXPECT_EQ(ranges.usedBytes(), ranges.capacity());
  for (u32 i = 0; i < 64; i += 2) ranges.free(taken[i].node);
  EXPECT_EQ(ranges.largestFree(), 64u);
  for (u32 i = 1; i < 64; i += 2) ranges.free(taken[i].node);
  EXPECT_EQ(ranges.largestFree(), 64u * 64);
  EXPECT_TRUE(ranges.consistent());
}

TEST(RangeAllocator, AlignsWithoutLosingTheGap) {
  RangeAllocator ranges(1 << 20);
  const auto first = ranges.allocate(100, 1);
  const auto second = ranges.allocate(4096, 65536);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second.offset % 65536, 0u);
  const auto gap = ranges.allocate(32768, 64);
  ASSERT_TRUE(gap.ok());
  EXPECT_LT(gap.offset, second.offset);
  EXPECT_TRUE(ranges.consistent());
  ranges.free(first.node);
  ranges.free(second.node);
  ranges.free(gap.node);
  EXPECT_TRUE(ranges.empty());
  EXPECT_TRUE(ranges.consistent());
}

TEST(RangeAllocator, KeepsRangesApartUnderRandomUse) {
  RangeAllocator ranges(1 << 22);
  std::mt19937 random(7);
  std::map<u64, RangeAllocator::Range> live;  // by offset
  for (u32 step = 0; step < 20000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      const u64 bytes = 1 + random() % (random() % 8 == 0 ? 60000 : 2000);
      const u64 alignment = u64{1} << (random() % 13);
      const auto range = ranges.allocate(bytes, alignment);
      if (!range.ok()) continue;
      ASSERT_EQ(range.offset % alignment, 0u);
      ASSERT_GE(range.bytes, bytes);
      const auto after = live.lower_bound(range.offset);
      if (after != live.end()) {
        ASSERT_LE(range.offset + range.bytes, after->first);
      }
      if (after != live.begin()) {
        ASSERT_LE(std::prev(after)->first + std::prev(after)->second.bytes, range.offset);
      }
      live[range.offset] = range;
    } else {
      auto at = live.begin();
      std::advance(at, random() % live.size());
      ranges.free(at->second.node);
      live.erase(at);
    }
    if (step % 1000 == 0) {
      ASSERT_TRUE(ranges.consistent());
    }
  }
  for (auto& [offset, range] : live) ranges.free(range.node);
  EXPECT_TRUE(ranges.consistent());
  EXPECT_EQ(ranges.largestFree(), ranges.capacity());
}

TEST(MemoryAllocator, SharesBlocksByTypeAndContent) {
  FakeSource source;
  MemoryAllocator memory(source, {.blockBytes = 1 << 20, .firstBlockBytes = 1 << 16});
  const Allocation a = memory.allocate(0, MemoryContent::Linear, 1000, 16);
  const Allocation b = memory.allocate(0, MemoryContent::Linear, 1000, 16);
  const Allocation c = memory.allocate(0, MemoryContent::Optimal, 1000, 16);
  const Allocation d = memory.allocate(1, MemoryContent::Linear, 1000, 16);
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_NE(a.offset, b.offset);
  EXPECT_NE(a.memory, c.memory);
  EXPECT_NE(a.memory, d.memory);
  EXPECT_NE(c.memory, d.memory);
  EXPECT_EQ(a.mapped + (b.offset - a.offset), b.mapped);
  for (const Allocation& allocation : {a, b, c, d}) memory.free(allocation);
  EXPECT_EQ(memory.usedBytes(), 0u);
}

TEST(MemoryAllocator, GivesLargeOnesABlockOfTheirOwn) {
  FakeSource source;
  MemoryAllocator memory(source, {.blockBytes = 1 << 20, .firstBlockBytes = 1 << 16});
  const Allocation large = memory.allocate(0, MemoryContent::Optimal, (1 << 20) - 1, 256);
  ASSERT_TRUE(static_cast<bool>(large));
  EXPECT_EQ(large.offset, 0u);
  EXPECT_EQ(source.held, (1u << 20) - 1);
  memory.free(large);
  EXPECT_EQ(source.held, 0u);
}

TEST(MemoryAllocator, KeepsOneEmptyBlockOfAPool) {
  FakeSource source;
  MemoryAllocator memory(source, {.blockBytes = 1 << 20, .firstBlockBytes = 1 << 16});
  std::vector<Allocation> many;
  for (u32 i = 0; i < 300; ++i) many.push_back(memory.allocate(0, MemoryContent::Linear, 10000, 64));
  EXPECT_GT(source.blocks, 1u);
  for (const Allocation& allocation : many) memory.free(allocation);
  EXPECT_EQ(source.blocks, 1u);
  const u64 made = source.next;
  memory.free(memory.allocate(0, MemoryContent::Linear, 10000, 64));
  EXPECT_EQ(source.next, made);
}

TEST(MemoryAllocator, TrimGivesEmptyBlocksBackAndNoOthers) {
  FakeSource source;
  MemoryAllocator allocator(source, {.blockBytes = 1 << 20, .firstBlockBytes = 1 << 16});
  const Allocation kept = allocator.allocate(0, MemoryContent::Linear, 100, 4);
  allocator.free(allocator.allocate(1, MemoryContent::Linear, 100, 4));
  EXPECT_EQ(source.blocks, 2u);
  allocator.trim();
  EXPECT_EQ(source.blocks, 1u);
  EXPECT_EQ(allocator.blockCount(), 1u);
  allocator.free(kept);
  allocator.trim();
  EXPECT_EQ(source.held, 0u);
  EXPECT_TRUE(static_cast<bool>(allocator.allocate(0, MemoryContent::Linear, 100, 4)));
}

TEST(MemoryAllocator, FallsBackToASmallBlockAndThenSaysNo) {
  FakeSource source;
  source.budget = 40000;
  MemoryAllocator memory(source, {.blockBytes = 1 << 20, .firstBlockBytes = 1 << 16});
  const Allocation fits = memory.allocate(0, MemoryContent::Linear, 30000, 64);
  EXPECT_TRUE(static_cast<bool>(fits));
  EXPECT_FALSE(static_cast<bool>(memory.allocate(0, MemoryContent::Linear, 30000, 64)));
  memory.free(fits);
}

}  // namespace
}  // namespace mgl::magma
