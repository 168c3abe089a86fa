// Work whose size comes from the program's numbers takes no host memory of that size.
#include <cstring>

#include "base/counters.h"
#include "limited_new.h"
#include "rig.h"

namespace mgl::magma::test {

using format::Format;
using pipe::Primitive;
using Rgba = std::array<u8, 4>;

namespace {

constexpr std::size_t kLimit = 6u << 20;

class ExhaustionTest : public Rig {
 public:
  void expectNoError() {
    const std::lock_guard lock(sink.mutex);
    EXPECT_TRUE(sink.errors.empty());
    for (const std::string& text : sink.logs) ADD_FAILURE() << text;
  }
  std::vector<std::byte> readBuffer(backend::Buffer& buffer, u64 offset, u64 bytes) {
    std::vector<std::byte> data(bytes);
    EXPECT_TRUE(backend->finish(backend->beginReadBuffer(buffer, offset, bytes), data));
    return data;
  }
  Ref<backend::Buffer> sized(u64 bytes) {
    Ref<backend::Buffer> made = backend->makeBuffer();
    made->bytes = bytes;
    backend->bufferStorage(*made, {});
    return made;
  }
};

}  // namespace

// The closing segment is its own draw; the sides of the triangle are all there.
TEST_F(ExhaustionTest, ALongLoopIsItsStripAndTheSegmentThatClosesIt) {
  constexpr u32 kCount = (4u << 20) + 5;
  auto color = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 64, 64);
  auto fbo = framebuffer(color);
  target(fbo, 64, 64);
  clearColor(fbo, 0, 0, 0, 1);
  auto p = program(R"(#version 330
void main() {
  vec2 corner = vec2(-0.734375, 0.734375);
  if (gl_VertexID == 7) corner = vec2(-0.734375, -0.734375);
  if (gl_VertexID == 4194315) corner = vec2(0.734375, -0.734375);
  gl_Position = vec4(corner, 0.0, 1.0);
})",
                   R"(#version 330
layout(location = 0) out vec4 result;
void main() { result = vec4(1.0); })");
  static_assert(kCount + 6 == 4194315);
  auto array = vertexArray(nullptr, {}, 0);
  {
    const LimitedNew limit(kLimit);
    draw(*p, *array, Primitive::LineLoop, 7, kCount);
  }
  const Texels texels = readRgba(fbo, 64, 64);
  EXPECT_EQ(texels.at(32, 8), (Rgba{255, 255, 255, 255}));
  EXPECT_EQ(texels.at(8, 32), (Rgba{255, 255, 255, 255}));
  EXPECT_EQ(texels.at(32, 40), (Rgba{0, 0, 0, 255}));
  expectNoError();
}

TEST_F(ExhaustionTest, ABufferIsClearedAPieceAtATime) {
  constexpr u64 kBytes = 24u << 20;
  const std::array<u32, 3> pattern{1, 2, 3};
  const std::array<u16, 1> half{0x1234};
  // Idle, then in use by the copy before it.
  for (const bool busy : {false, true}) {
    auto buffer = sized(kBytes + 64), other = sized(kBytes + 64);
    const LimitedNew limit(kLimit);
    backend->clearBuffer(*buffer, 0, kBytes + 64, std::as_bytes(std::span(half)));
    if (busy) backend->copyBuffer(*buffer, *other, 0, 0, kBytes + 64);
    backend->clearBuffer(*buffer, 16, kBytes / 12 * 12, std::as_bytes(std::span(pattern)));
    std::array<u32, 8> words;
    std::memcpy(words.data(), readBuffer(*buffer, 8, 32).data(), 32);
    EXPECT_EQ(words, (std::array<u32, 8>{0x12341234, 0x12341234, 1, 2, 3, 1, 2, 3})) << busy;
    std::memcpy(words.data(), readBuffer(*buffer, 16 + kBytes / 12 * 12 - 16, 32).data(), 32);
    EXPECT_EQ(words, (std::array<u32, 8>{3, 1, 2, 3, 0x12341234, 0x12341234, 0x12341234, 0x12341234})) << busy;
    if (busy) {
      std::memcpy(words.data(), readBuffer(*other, kBytes, 32).data(), 32);
      EXPECT_EQ(words[7], 0x12341234u);
    }
  }
  expectNoError();
}

TEST_F(ExhaustionTest, ATextureIsClearedAPieceAtATime) {
  auto texture = storage(pipe::TextureTarget::Tex2DArray, Format::RGBA32F, 512, 700, 3);
  auto small = storage(pipe::TextureTarget::Tex2DArray, Format::RGBA8, 64, 64, 100);
  auto depth = storage(pipe::TextureTarget::Tex2D, Format::D24_S8, 1024, 1023);
  const std::array<f32, 4> value{1, 2, 3, 4};
  const std::array<u8, 4> bytes{9, 8, 7, 6};
  const u32 both = 0x80000000u | 0x55u;
  {
    const LimitedNew limit(kLimit);
    backend->clearTexture(*texture, 0, {0, 0, 0, 512, 700, 3}, std::as_bytes(std::span(value)));
    backend->clearTexture(*small, 0, {1, 0, 0, 63, 64, 100}, std::as_bytes(std::span(bytes)));
    backend->clearTexture(*depth, 0, {0, 0, 0, 1024, 1023, 1}, std::as_bytes(std::span(&both, 1)));
  }
  for (const u32 y : {0u, 127u, 128u, 699u}) {
    std::array<f32, 4> got{};
    const auto read =
        readTexture(*texture, 0, {511, y, 2, 1, 1, 1}, format::TransferFormat::RGBA, format::TransferType::Float);
    std::memcpy(got.data(), read.data(), sizeof got);
    EXPECT_EQ(got, value) << y;
  }
  for (const u32 z : {0u, 63u, 64u, 99u}) {
    const auto read = readTexture(*small, 0, {0, 63, z, 2, 1, 1}, format::TransferFormat::RGBA,
                                  format::TransferType::UByte);
    EXPECT_EQ(std::to_integer<u32>(read[0]), 0u) << z;
    EXPECT_EQ(std::to_integer<u32>(read[4]), 9u) << z;
  }
  for (const u32 y : {0u, 255u, 256u, 1022u}) {
    u32 got = 0;
    const auto read = readTexture(*depth, 0, {1023, y, 0, 1, 1, 1}, format::TransferFormat::DepthStencil,
                                  format::TransferType::UInt248);
    std::memcpy(&got, read.data(), 4);
    EXPECT_EQ(got, both) << y;
  }
  expectNoError();
}

// What no heap holds is refused before the driver hears of it: no validation message, an error, and no store.
TEST_F(ExhaustionTest, AStoreThatNoHeapHoldsIsToldAndSkipped) {
  const u64 failures = backend->allocationFailures();
  auto buffer = sized(u64{1} << 46);
  const std::array<u32, 1> word{7};
  backend->bufferSubData(*buffer, 64, std::as_bytes(std::span(word)));
  backend->clearBuffer(*buffer, 0, u64{1} << 46, std::as_bytes(std::span(word)));
  EXPECT_EQ(readBuffer(*buffer, 64, 4), std::vector<std::byte>(4));
  EXPECT_EQ(backend->allocationFailures(), failures + 1);
  auto texture = storage(pipe::TextureTarget::Tex3D, Format::RGBA32F, 2048, 2048, 2048);
  EXPECT_EQ(backend->allocationFailures(), failures + 2);
  const std::lock_guard lock(sink.mutex);
  EXPECT_EQ(sink.errors, (std::vector<pipe::GlError>{pipe::GlError::OutOfMemory, pipe::GlError::OutOfMemory}));
}

}  // namespace mgl::magma::test
