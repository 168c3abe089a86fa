#include <gtest/gtest.h>

#include <cstring>

#include "backend/index_stream.h"
#include "backend/magma/access.h"
#include "backend/vertex_convert.h"

namespace mgl::magma {
namespace {

using namespace backend;

using Words = std::vector<u32>;

// What comes out; never more than was announced.
Words converted(const IndexSource& source, u64 first, u32 count) {
  const u64 most = mostIndices(source, first, count);
  Words out(most + 1, 0xfeedbeef);
  const u64 made = convertIndices(source, first, count, out.data());
  EXPECT_LE(made, most);
  EXPECT_EQ(out[most], 0xfeedbeef);
  out.resize(std::min(made, most));
  return out;
}

TEST(IndexStream, ClosesLineLoops) {
  IndexSource source;
  source.mode = pipe::Primitive::LineLoop;
  EXPECT_EQ(converted(source, 5, 3), (Words{5, 6, 7, 5}));
}

TEST(IndexStream, PartsLoopsAtAnyRestartIndex) {
  const u16 indices[] = {1, 2, 3, 9, 4, 5};
  IndexSource source{.indices = std::as_bytes(std::span(indices)),
                     .bytesPerIndex = 2,
                     .mode = pipe::Primitive::LineLoop,
                     .restart = true,
                     .restartIndex = 9};
  EXPECT_EQ(converted(source, 0, 6), (Words{1, 2, 3, 1, ~0u, 4, 5, 4}));
}

TEST(IndexStream, NeverMakesMoreThanItSays) {
  // Every third index restarts: loops of two vertices, the dearest there are.
  Words indices;
  for (u32 i = 0; i < 31; ++i) indices.push_back(i % 3 == 2 ? 9u : i);
  for (const auto mode : {pipe::Primitive::LineLoop, pipe::Primitive::LineStrip, pipe::Primitive::Quads,
                          pipe::Primitive::TriangleFan, pipe::Primitive::TrianglesAdjacency}) {
    const IndexSource source{.indices = std::as_bytes(std::span(indices)),
                             .bytesPerIndex = 4,
                             .mode = mode,
                             .restart = true,
                             .restartIndex = 9};
    for (u32 count = 0; count <= 33; ++count) converted(source, 0, count);
  }
  EXPECT_TRUE(needsRestart(pipe::Primitive::LineLoop));
  EXPECT_FALSE(needsRestart(pipe::Primitive::Quads));
}

TEST(IndexStream, DropsWhatARestartCutsFromLists) {
  const u8 indices[] = {0, 1, 2, 3, 255, 4, 5, 6};
  IndexSource source{.indices = std::as_bytes(std::span(indices)),
                     .bytesPerIndex = 1,
                     .mode = pipe::Primitive::Triangles,
                     .restart = true,
                     .restartIndex = 255};
  EXPECT_EQ(converted(source, 0, 8), (Words{0, 1, 2, 4, 5, 6}));
}

TEST(IndexStream, StopsAtTheEndOfTheBuffer) {
  const u16 indices[] = {7, 8};
  IndexSource source{.indices = std::as_bytes(std::span(indices)), .bytesPerIndex = 2, .mode = pipe::Primitive::Points};
  EXPECT_EQ(converted(source, 1, 5), (Words{0x0800}));
}

TEST(IndexStream, SplitsQuadsWithTheProvokingVertexInBothHalves) {
  IndexSource source;
  source.mode = pipe::Primitive::Quads;
  EXPECT_EQ(converted(source, 0, 4), (Words{0, 1, 3, 1, 2, 3}));
  source.provokingLast = false;
  EXPECT_EQ(converted(source, 0, 4), (Words{0, 1, 2, 0, 2, 3}));
}

TEST(IndexStream, TurnsAroundWhatProvokesFirst) {
  IndexSource source;
  source.provokingLast = false;
  source.hostProvokesLast = true;
  const auto made = [&source](pipe::Primitive mode, u32 count) {
    source.mode = mode;
    Words out;
    EXPECT_FALSE(convertIndices(source, 0, count, &out));
    return out;
  };
  EXPECT_EQ(made(pipe::Primitive::Triangles, 6), (Words{1, 2, 0, 4, 5, 3}));
  EXPECT_EQ(convertedMode(source), pipe::Primitive::Triangles);
  // 10.1: triangle i of a strip is (i, i + 1, i + 2), turned where i is odd; its first vertex is i.
  EXPECT_EQ(made(pipe::Primitive::TriangleStrip, 4), (Words{1, 2, 0, 3, 2, 1}));
  EXPECT_EQ(made(pipe::Primitive::TriangleFan, 4), (Words{2, 0, 1, 3, 0, 2}));
  EXPECT_EQ(made(pipe::Primitive::LineLoop, 3), (Words{1, 0, 2, 1, 0, 2}));
  EXPECT_EQ(convertedMode(source), pipe::Primitive::Lines);
  source.provokingLast = true;
  source.mode = pipe::Primitive::LineLoop;
  EXPECT_EQ(convertedMode(source), pipe::Primitive::LineStrip);
}

pipe::VertexAttrib attribOf(pipe::VertexType type, u32 components, bool normalized) {
  pipe::VertexAttrib a{};
  a.type = type;
  a.components = static_cast<u8>(components);
  a.normalized = normalized;
  return a;
}

std::vector<f32> convertOne(const pipe::VertexAttrib& a, Bytes bytes) {
  std::vector<f32> out(convertedBytes(a) / 4);
  convertAttributes(a, bytes, 0, 1, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

TEST(VertexConvert, TakesFixedScaledAndNormalised) {
  const i32 fixed[] = {0x18000, -0x10000};
  EXPECT_EQ(convertOne(attribOf(pipe::VertexType::Fixed, 2, false), std::as_bytes(std::span(fixed))),
            (std::vector<f32>{1.5f, -1}));
  const i8 bytes[] = {-128, 127, 0};
  EXPECT_EQ(convertOne(attribOf(pipe::VertexType::Byte, 3, true), std::as_bytes(std::span(bytes))),
            (std::vector<f32>{-1, 1, 0}));
  EXPECT_EQ(convertOne(attribOf(pipe::VertexType::Byte, 3, false), std::as_bytes(std::span(bytes))),
            (std::vector<f32>{-128, 127, 0}));
  const f64 doubles[] = {0.25};
  EXPECT_EQ(convertOne(attribOf(pipe::VertexType::Double, 1, false), std::as_bytes(std::span(doubles))),
            (std::vector<f32>{0.25f}));
}

TEST(VertexConvert, TakesPackedWords) {
  const u32 word = 1023u | 0u << 10 | 511u << 20 | 3u << 30;
  const auto out = convertOne(attribOf(pipe::VertexType::UInt2101010Rev, 4, true), std::as_bytes(std::span(&word, 1)));
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], 0.0f);
  EXPECT_NEAR(out[2], 511.0f / 1023, 1e-6f);
  EXPECT_EQ(out[3], 1.0f);
  const u32 low = 0x200u | 0x1ffu << 10 | 0x3ffu << 20 | 2u << 30;  // -512, 511, -1, -2
  EXPECT_EQ(convertOne(attribOf(pipe::VertexType::Int2101010Rev, 4, false), std::as_bytes(std::span(&low, 1))),
            (std::vector<f32>{-512, 511, -1, -2}));
}

TEST(Access, ReadsAfterReadsNeedNothing) {
  AccessState state;
  const Usage vertex = usage::kVertexRead, index = usage::kIndexRead;
  EXPECT_FALSE(state.use(vertex).needed);
  EXPECT_FALSE(state.use(index).needed);
}

TEST(Access, AWriteIsMadeVisibleOnceToEachReader) {
  AccessState state;
  EXPECT_FALSE(state.use(usage::kTransferWrite).needed);
  const auto first = state.use(usage::kVertexRead);
  EXPECT_TRUE(first.needed);
  EXPECT_EQ(first.access, VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT});
  EXPECT_FALSE(state.use(usage::kVertexRead).needed);
  EXPECT_TRUE(state.use(usage::kIndirectRead).needed);
  // Another access at a stage that has seen the write: not covered by the two barriers above.
  EXPECT_TRUE(state.use(usage::kIndexRead).needed);
}

TEST(Access, AWriteWaitsForReadersAndWriters) {
  AccessState state;
  state.use(usage::kVertexRead);
  const auto after = state.use(usage::kTransferWrite);
  EXPECT_TRUE(after.needed);
  EXPECT_EQ(after.access, 0u);
  const auto again = state.use(usage::kTransferWrite);
  EXPECT_TRUE(again.needed);
  EXPECT_EQ(again.access, VkAccessFlags{VK_ACCESS_TRANSFER_WRITE_BIT});
}

}  // namespace
}  // namespace mgl::magma
