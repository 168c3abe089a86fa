// Conversions on the host of what the GPU made: right, and the apply thread never waits for them. The control hides the
// mechanism ("hostSteps"): the same values, and the stall's counter shows the wait.
#include <cstring>

#include "base/counters.h"
#include "rig.h"

namespace mgl::magma::test {

using format::Format;
using format::TransferFormat;
using format::TransferType;
using pipe::Primitive;
using Rgba = std::array<u8, 4>;

namespace {

const char* kFragment = R"(#version 330
layout(location = 0) out vec4 result;
void main() { result = vec4(0.0, 1.0, 0.0, 1.0); })";
const char* kVertex = R"(#version 330
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); })";

// What the host cannot take is converted: the device is made to lack 8-bit indices.
class HostStepTest : public Rig, public ::testing::WithParamInterface<bool> {
 public:
  void SetUp() override {
    Rig::SetUp();
    std::vector<std::string> hidden{"VK_EXT_index_type_uint8"};
    if (!GetParam()) hidden.emplace_back("hostSteps");
    openWith(hidden);
    color = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 4, 4);
    fbo = framebuffer(color);
    target(fbo, 4, 4);
    clearColor(fbo, 1, 0, 0, 1);
  }
  void TearDown() override {
    color = nullptr;
    fbo = nullptr;
    Rig::TearDown();
  }
  // A buffer whose contents a command writes, in the batch that is open.
  template <class T>
  Ref<backend::Buffer> madeByGpu(std::initializer_list<T> values) {
    const auto from = bufferOf<T>(values);
    const auto to = buffer({});
    to->bytes = from->bytes;
    backend->bufferStorage(*to, {});
    backend->copyBuffer(*from, *to, 0, 0, from->bytes);
    return to;
  }
  void expectNoApplyWait(const CounterSnapshot& before, u64 steps) {
    EXPECT_EQ(before.since(Counter::HostSteps), steps);
    if (GetParam()) {
      EXPECT_EQ(before.since(Stall::ApplyGpu), 0u);
    } else {
      EXPECT_GE(before.since(Stall::ApplyGpu), 1u);
    }
  }
  std::vector<std::byte> bytesOf(backend::Buffer& from) {
    std::vector<std::byte> out(from.bytes);
    EXPECT_TRUE(backend->finish(backend->beginReadBuffer(from, 0, from.bytes), out));
    return out;
  }
  Ref<backend::Texture> color;
  Ref<backend::Framebuffer> fbo;
};

pipe::TexelLayout rows(TransferFormat format, TransferType type, u64 rowBytes, u64 imageBytes) {
  pipe::TexelLayout layout{};
  layout.format = format;
  layout.type = type;
  layout.rowBytes = rowBytes;
  layout.imageBytes = imageBytes;
  return layout;
}

}  // namespace

TEST_P(HostStepTest, VerticesInAFormatOfOurs) {
  const auto p = program(kVertex, kFragment);
  const CounterSnapshot before = CounterSnapshot::take();
  {
    const auto vertices = madeByGpu<f64>({-1, -1, 3, -1, -1, 3});
    const auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Double, 2, 0)}, 16);
    draw(*p, *array, Primitive::Triangles, 0, 3);
    // Written anew while the step may still have to read: the draw above keeps what it saw.
    const f64 away[] = {9, 9, 9, 9, 9, 9};
    backend->bufferSubData(*vertices, 0, std::as_bytes(std::span(away)));
  }
  expectNoApplyWait(before, 1);
  EXPECT_EQ(readRgba(fbo, 4, 4).at(2, 2), (Rgba{0, 255, 0, 255}));
}

TEST_P(HostStepTest, IndicesOfEightBitsWithRestart) {
  const auto p = program(kVertex, kFragment);
  const auto vertices = bufferOf<f32>({-1, -1, 0, -1, -1, 1, 0, 1, 0, -1, 1, -1, 1, 1});
  const CounterSnapshot before = CounterSnapshot::take();
  state().restart = pipe::RestartMode::Fixed;
  stateChanged();
  const auto indices = madeByGpu<u8>({0, 1, 2, 255, 1, 2, 3, 255});
  const auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8, indices);
  drawIndexed(*p, *array, Primitive::TriangleStrip, pipe::IndexType::U8, 0, 8);
  expectNoApplyWait(before, 1);
  const Texels texels = readRgba(fbo, 4, 4);
  for (u32 y = 0; y < 4; ++y) {
    for (u32 x = 0; x < 4; ++x) EXPECT_EQ(texels.at(x, y), x < 2 ? (Rgba{0, 255, 0, 255}) : (Rgba{255, 0, 0, 255}));
  }
}

TEST_P(HostStepTest, PixelsPackedInAnotherFormat) {
  const auto pack = bufferOf<u8>({7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7});
  const CounterSnapshot before = CounterSnapshot::take();
  // Two rows of two 16-bit 565 texels from byte 2 on, a gap of two bytes between them.
  backend->readPixelsToBuffer(*context, fbo.get(), {0, 0, 2, 2},
                              rows(TransferFormat::RGB, TransferType::UShort565, 6, 12), false, *pack, 2);
  expectNoApplyWait(before, 1);
  const std::vector<std::byte> bytes = bytesOf(*pack);
  const u8 expected[] = {7, 7, 0, 0xf8, 0, 0xf8, 7, 7, 0, 0xf8, 0, 0xf8, 7, 7, 7, 7};
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof expected), 0);
}

TEST_P(HostStepTest, TexelsUnpackedFromAnotherFormat) {
  const auto texture = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 2, 1);
  const CounterSnapshot before = CounterSnapshot::take();
  const auto unpack = madeByGpu<u16>({0xf800, 0x07e0});
  backend->textureSubDataFromBuffer(*texture, 0, {0, 0, 0, 2, 1, 1},
                                    rows(TransferFormat::RGB, TransferType::UShort565, 4, 4), *unpack, 0);
  expectNoApplyWait(before, 1);
  const auto bytes = readTexture(*texture, 0, {0, 0, 0, 2, 1, 1}, TransferFormat::RGBA, TransferType::UByte);
  const u8 expected[] = {255, 0, 0, 255, 0, 255, 0, 255};
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof expected), 0);
}

TEST_P(HostStepTest, QueryResultsThatAreWaitedFor) {
  const auto p = program(kVertex, kFragment);
  const auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
  const auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  const auto q = query(pipe::QueryKind::SamplesPassed);
  backend->beginQuery(*context, *q);
  draw(*p, *array, Primitive::Triangles, 0, 3);
  backend->endQuery(*context, *q);
  const auto results = bufferOf<u32>({5, 5, 5, 5});
  const CounterSnapshot before = CounterSnapshot::take();
  backend->queryResultToBuffer(*q, *results, 4, true, true, false);
  expectNoApplyWait(before, 1);
  const std::vector<std::byte> bytes = bytesOf(*results);
  const u32 expected[] = {5, 16, 0, 5};
  EXPECT_EQ(std::memcmp(bytes.data(), expected, sizeof expected), 0);
}

// A waiting conditional render: draws and clears under a predicate that a host step fills.
TEST_P(HostStepTest, ConditionsThatAreWaitedFor) {
  const auto p = program(kVertex, kFragment);
  const auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
  const auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  for (const bool counts : {false, true}) {
    for (const bool inverted : {false, true}) {
      SCOPED_TRACE(counts * 2 + inverted);
      clearColor(fbo, 1, 0, 0, 1);
      const auto q = query(pipe::QueryKind::SamplesPassed);
      q->runSerial = 1;
      backend->beginQuery(*context, *q);
      if (counts) draw(*p, *array, Primitive::Triangles, 0, 3);
      backend->endQuery(*context, *q);
      clearColor(fbo, 1, 0, 0, 1);
      const CounterSnapshot before = CounterSnapshot::take();
      context->conditionQuery = q;
      context->conditionMode = pipe::ConditionMode::Wait;
      context->conditionInverted = inverted;
      draw(*p, *array, Primitive::Triangles, 0, 3);
      clearColor(fbo, 0, 1, 0, 1);
      context->conditionQuery = nullptr;
      if (GetParam()) {
        EXPECT_EQ(before.since(Stall::ConditionalRender), 0u);
      } else {
        EXPECT_GE(before.since(Stall::ConditionalRender), 1u);
      }
      const Texels texels = readRgba(fbo, 4, 4);
      const Rgba expected = counts != inverted ? Rgba{0, 255, 0, 255} : Rgba{255, 0, 0, 255};
      for (u32 y = 0; y < 4; ++y) {
        for (u32 x = 0; x < 4; ++x) EXPECT_EQ(texels.at(x, y), expected);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Control, HostStepTest, ::testing::Values(true, false));

}  // namespace mgl::magma::test
