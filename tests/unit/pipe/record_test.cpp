#include <gtest/gtest.h>

#include <vector>

#include "pipe/record_writer.h"

namespace mgl::pipe {
namespace {

TEST(Record, DrawLiesAsTheGrammarSays) {
  alignas(8) std::array<std::byte, 256> memory;
  memory.fill(std::byte{0xaa});
  Draw draw{};
  draw.vertexArray = {7, 3};
  draw.program = {5, 2};
  draw.mode = Primitive::TriangleStrip;
  draw.indexType = IndexType::U16;
  draw.rangeCount = 1;
  draw.instanceCount = 1;
  draw.patchCount = 1;
  draw.patchBytes = 12;
  const DrawRange range{48, 6, -2};
  const UniformPatch patch{32, 12};
  const std::array<u8, 12> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  ASSERT_EQ(recordBytes(draw), 8u + 40 + 16 + 8 + 16);
  std::byte* end = writeRecord(memory.data(), draw, std::span(&range, 1), std::span(&patch, 1), bytes,
                               std::span<const ClientArray>());
  ASSERT_EQ(end - memory.data(), 88);
  EXPECT_EQ(*end, std::byte{0xaa}) << "written beyond the record";

  const auto* record = reinterpret_cast<const RecordHeader*>(memory.data());
  EXPECT_EQ(callOf(record), Call::Draw);
  EXPECT_EQ(record->flags, 0);
  EXPECT_EQ(record->bytes, 88u);
  u64 word = 0;
  std::memcpy(&word, memory.data() + 48, 8);
  EXPECT_EQ(word, 48u);  // the range's first, right after header and payload
  std::memcpy(&word, memory.data() + 80, 8);
  EXPECT_EQ(word, 0x0c0b0a09u) << "the padding of the last tail is zero";

  const RecordView<Draw> view(record);
  EXPECT_EQ(view.head, draw);
  ASSERT_EQ(view.tail<0>().size(), 1u);
  EXPECT_EQ(view.tail<0>()[0], range);
  EXPECT_EQ(view.tail<1>()[0], patch);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), view.tail<2>().begin(), view.tail<2>().end()));
  EXPECT_TRUE(view.tail<3>().empty());
}

// The worked example of docs/pipe.md, byte by byte.
TEST(Record, LiesAsTheDocumentSays) {
  constexpr u8 kBytes[88] = {0x54, 0, 0,    0,    0x58, 0, 0,  0,    7, 0, 0,    0,    3,    0, 0,  0, 5, 0,
                             0,    0, 2,    0,    0,    0, 4,  2,    0, 0, 1,    0,    0,    0, 1,  0, 0, 0,
                             0,    0, 0,    0,    1,    0, 12, 0,    0, 0, 0,    0,    0x60, 0, 0,  0, 0, 0,
                             0,    0, 0x24, 0,    0,    0, 0,  0,    0, 0, 16,   0,    0,    0, 12, 0, 0, 0,
                             0,    0, 0x80, 0x3f, 0,    0, 0,  0x3f, 0, 0, 0x80, 0x3e, 0,    0, 0,  0};
  Draw draw{};
  draw.vertexArray = {7, 3};
  draw.program = {5, 2};
  draw.mode = Primitive::Triangles;
  draw.indexType = IndexType::U16;
  draw.rangeCount = draw.instanceCount = draw.patchCount = 1;
  draw.patchBytes = 12;
  const DrawRange range{96, 36, 0};
  const UniformPatch patch{16, 12};
  const f32 values[3] = {1.0f, 0.5f, 0.25f};
  std::array<u8, 12> bytes;
  std::memcpy(bytes.data(), values, 12);
  alignas(8) std::array<u8, 88> memory;
  ASSERT_EQ(recordBytes(draw), memory.size());
  writeRecord(memory.data(), draw, std::span(&range, 1), std::span(&patch, 1), bytes, std::span<const ClientArray>());
  EXPECT_EQ(std::memcmp(memory.data(), kBytes, sizeof kBytes), 0);
}

TEST(Record, TailsOfEveryLengthComeBack) {
  for (u32 count = 0; count <= kMaxLabelBytes; count += count < 70 ? 1 : 97) {
    std::vector<u8> text(count);
    for (u32 i = 0; i < count; ++i) text[i] = static_cast<u8>(i * 7 + 1);
    Label label{};
    label.slot = 4;
    label.gen = 1;
    label.bytes = count;
    std::vector<u64> memory(recordBytes(label) / 8 + 1, 0x5555555555555555);
    std::byte* end = writeRecord(memory.data(), label, text);
    ASSERT_EQ(end, reinterpret_cast<std::byte*>(&memory.back()));
    EXPECT_EQ(memory.back(), 0x5555555555555555u);
    const RecordView<Label> view(reinterpret_cast<RecordHeader*>(memory.data()));
    EXPECT_TRUE(std::equal(text.begin(), text.end(), view.tail<0>().begin(), view.tail<0>().end())) << count;
    for (const auto* at = view.tail<0>().data() + count; at != reinterpret_cast<const u8*>(end); ++at)
      EXPECT_EQ(*at, 0);
  }
}

}  // namespace
}  // namespace mgl::pipe
