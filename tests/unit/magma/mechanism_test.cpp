// That the mechanisms engage: each is proven by its counter beside the picture.
#include <cstring>

#include "base/counters.h"
#include "rig.h"

namespace mgl::magma::test {

using format::Format;
using pipe::Primitive;
using Rgba = std::array<u8, 4>;

namespace {

const char* kFlat = R"(#version 330
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); })";
const char* kColor = R"(#version 330
uniform vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; })";

class MechanismTest : public Rig {
 public:
  void make(u32 width, u32 height) {
    color = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, width, height);
    fbo = framebuffer(color);
    target(fbo, width, height);
    flat = program(kFlat, kColor);
    vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
    array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  }
  void fill(f32 r, f32 g, f32 b) {
    setUniform<f32>(*flat, "color", {r, g, b, 1});
    draw(*flat, *array, Primitive::Triangles, 0, 3);
  }
  void drop() {
    color = nullptr;
    fbo = nullptr;
    flat = nullptr;
    vertices = nullptr;
    array = nullptr;
  }
  void TearDown() override {
    drop();
    Rig::TearDown();
  }
  Ref<backend::Texture> color;
  Ref<backend::Framebuffer> fbo;
  Ref<backend::Program> flat;
  Ref<backend::Buffer> vertices;
  Ref<backend::VertexArray> array;
};

}  // namespace

TEST_F(MechanismTest, ClearBeforeADrawIsALoad) {
  make(4, 4);
  const CounterSnapshot before = CounterSnapshot::take();
  clearColor(fbo, 0, 1, 0, 1);
  context->scissorCount = context->scissorEnable = 1;
  context->scissors[0] = {0, 0, 2, 4};
  ++context->epoch;
  fill(1, 0, 0);
  EXPECT_EQ(before.since(Counter::ClearsPended), 1u);
  EXPECT_EQ(before.since(Counter::ClearsLoaded), 1u);
  EXPECT_EQ(before.since(Counter::ClearsMaterialised), 0u);
  EXPECT_EQ(before.since(Counter::Passes), 1u);
  const Texels texels = readRgba(fbo, 4, 4);
  EXPECT_EQ(texels.at(0, 0), (Rgba{255, 0, 0, 255}));
  EXPECT_EQ(texels.at(3, 3), (Rgba{0, 255, 0, 255}));
}

TEST_F(MechanismTest, ClearThroughAnotherFramebufferStaysInThePass) {
  make(4, 4);
  fill(1, 0, 0);
  const auto other = framebuffer(color);
  const CounterSnapshot before = CounterSnapshot::take();
  clearColor(other, 0, 0, 1, 1);
  fill(1, 1, 0);
  EXPECT_EQ(before.since(Counter::ClearsInPass), 1u);
  EXPECT_EQ(before.since(Counter::Passes), 0u);
  EXPECT_EQ(readRgba(fbo, 4, 4).at(1, 1), (Rgba{255, 255, 0, 255}));
}

TEST_F(MechanismTest, PendingClearIsExecutedBeforeSampling) {
  make(2, 2);
  const auto texture = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 2, 2);
  const auto cleared = framebuffer(texture);
  clearColor(cleared, 0, 1, 1, 1);
  const CounterSnapshot before = CounterSnapshot::take();
  const auto p = program(kFlat, R"(#version 330
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); })");
  bindTexture(0, texture, sampler(nearestState()));
  draw(*p, *array, Primitive::Triangles, 0, 3);
  EXPECT_EQ(before.since(Counter::ClearsMaterialised), 1u);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(1, 0), (Rgba{0, 255, 255, 255}));
}

TEST_F(MechanismTest, PartialWriteToABusyBufferRenames) {
  make(2, 2);
  fill(1, 0, 0);
  const CounterSnapshot before = CounterSnapshot::take();
  const f32 away[] = {9, 9};
  backend->bufferSubData(*vertices, 0, std::as_bytes(std::span(away)));
  EXPECT_EQ(before.since(Counter::BufferRenames), 1u);
  EXPECT_EQ(before.since(Counter::PassSplits), 0u);
  const f32 back[] = {-1, -1, 3, -1, -1, 3};
  backend->bufferSubData(*vertices, 0, std::as_bytes(std::span(back)));
  fill(0, 1, 0);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(0, 0), (Rgba{0, 255, 0, 255}));
}

TEST_F(MechanismTest, UploadOfAnUnusedTextureGoesAheadOfThePass) {
  make(2, 2);
  const auto texture = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 1, 1);
  fill(1, 0, 0);
  const CounterSnapshot before = CounterSnapshot::take();
  const u8 texel[] = {1, 2, 3, 4};
  upload(*texture, 0, {0, 0, 0, 1, 1, 1}, format::TransferFormat::RGBA, format::TransferType::UByte,
         std::as_bytes(std::span(texel)));
  EXPECT_EQ(before.since(Counter::StagedAhead), 1u);
  fill(0, 0, 1);
  EXPECT_EQ(before.since(Counter::Passes), 0u);
  const auto bytes =
      readTexture(*texture, 0, {0, 0, 0, 1, 1, 1}, format::TransferFormat::RGBA, format::TransferType::UByte);
  EXPECT_EQ(std::memcmp(bytes.data(), texel, 4), 0);
}

TEST_F(MechanismTest, StateRarelyMeansAPipeline) {
  make(4, 4);
  fill(1, 0, 0);
  const CounterSnapshot before = CounterSnapshot::take();
  for (u32 i = 0; i < 4; ++i) {
    state().blend[0].enable = i & 1;
    state().depthTest = (i >> 1) & 1;
    state().cullMode = i & 1 ? pipe::CullMode::Front : pipe::CullMode::None;
    stateChanged();
    fill(0, 1, 0);
  }
  EXPECT_EQ(before.since(Counter::PipelinesCreated), 0u);
}

// Of two draws with nothing between that moves an epoch the second looks at vertex array, program and uniforms alone.
TEST_F(MechanismTest, DrawsUnderTheSameEpochsAreShort) {
  make(4, 4);
  fill(1, 0, 0);
  fill(0, 1, 0);
  const auto hits = [this](auto&& change) {
    const CounterSnapshot before = CounterSnapshot::take();
    change();
    fill(0, 0, 1);
    return before.since(Counter::ServerEpochHits);
  };
  EXPECT_EQ(hits([] {}), 1u);
  EXPECT_EQ(hits([this] { array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8); }), 1u);
  EXPECT_EQ(hits([this] { ++context->epoch; }), 0u);
  EXPECT_EQ(hits([this] { backend->framebufferChanged(*fbo); }), 0u);
  const auto unused = bufferOf<f32>({0, 0});
  EXPECT_EQ(hits([&] { backend->copyBuffer(*vertices, *unused, 0, 0, 4); }), 0u) << "the pass ended";
  EXPECT_EQ(hits([this] { finish(); }), 0u) << "another command buffer";
}

TEST_F(MechanismTest, PipelinesAreAtHand) {
  make(4, 4);
  fill(1, 0, 0);
  CounterSnapshot before = CounterSnapshot::take();
  finish();
  fill(0, 1, 0);
  EXPECT_EQ(before.since(Counter::PipelinesCreated), 0u);
  EXPECT_EQ(before.since(Counter::PipelineHits), 1u);
  // Another program is another pipeline.
  const auto other = program(kFlat, "#version 330\nout vec4 result;\nvoid main() { result = vec4(1.0); }");
  before = CounterSnapshot::take();
  draw(*other, *array, Primitive::Triangles, 0, 3);
  EXPECT_EQ(before.since(Counter::PipelinesCreated), 1u);
  EXPECT_EQ(before.since(Counter::PipelineHits), 0u);
}

TEST_F(MechanismTest, DescriptorsThatComeBackAreReused) {
  make(2, 2);
  const auto p = program(kFlat, R"(#version 330
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); })");
  const auto one = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 2, 2);
  const auto two = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 2, 2);
  const auto nearest = sampler(nearestState());
  const auto drawWith = [&](const Ref<backend::Texture>& texture) {
    bindTexture(0, texture, nearest);
    const CounterSnapshot before = CounterSnapshot::take();
    draw(*p, *array, Primitive::Triangles, 0, 3);
    return std::pair(before.since(Counter::DescriptorReuses) != 0, before.since(Counter::DescriptorWrites) != 0);
  };
  EXPECT_TRUE(drawWith(one).second);
  EXPECT_TRUE(drawWith(two).second);
  EXPECT_EQ(drawWith(one), (std::pair(true, false)));
  EXPECT_EQ(drawWith(two), (std::pair(true, false)));
  finish();  // a set belongs to its batch
  EXPECT_TRUE(drawWith(one).second);
}

// What waits is executed before the batch goes, for whoever looks at the image from elsewhere.
TEST_F(MechanismTest, PendingClearIsExecutedBeforeAFlush) {
  make(2, 2);
  clearColor(fbo, 0, 1, 0, 1);
  const CounterSnapshot before = CounterSnapshot::take();
  finish();
  EXPECT_EQ(before.since(Counter::ClearsMaterialised), 1u);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(1, 1), (Rgba{0, 255, 0, 255}));
}

// Without dynamic rendering: objects for the pass and the framebuffer are made once. With the cache hidden, each time.
TEST_F(MechanismTest, RenderPassesAreKeptAcrossFrames) {
  for (const bool kept : {true, false}) {
    SCOPED_TRACE(kept);
    drop();
    std::vector<std::string> limit = {"VK_KHR_dynamic_rendering"};
    if (!kept) limit.emplace_back("renderPassCache");
    openWith(limit);
    make(4, 4);
    fill(1, 0, 0);
    finish();
    const CounterSnapshot before = CounterSnapshot::take();
    for (u32 frame = 0; frame < 3; ++frame) {
      fill(0, 1, 0);
      finish();
    }
    EXPECT_EQ(before.since(Counter::Passes), 3u);
    EXPECT_EQ(before.since(Counter::RenderPassesCreated) == 0, kept);
    EXPECT_EQ(before.since(Counter::FramebuffersCreated) == 0, kept);
  }
}

// A framebuffer goes with its image, and a new image at the same place gets its own.
TEST_F(MechanismTest, FramebuffersGoWithTheirImages) {
  drop();
  openWith({"VK_KHR_dynamic_rendering"});
  make(4, 4);
  for (u32 i = 0; i < 4; ++i) {
    const CounterSnapshot before = CounterSnapshot::take();
    color = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 4, 4);
    const auto next = framebuffer(color);
    target(next, 4, 4);
    fill(0, 1, 0);
    finish();
    EXPECT_EQ(before.since(Counter::FramebuffersCreated), 1u);
  }
}

TEST_F(MechanismTest, OcclusionCountsAcrossPasses) {
  make(4, 4);
  const auto other = framebuffer(storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 2, 2));
  const auto q = query(pipe::QueryKind::SamplesPassed);
  backend->beginQuery(*context, *q);
  fill(1, 0, 0);  // 16
  target(other, 2, 2);
  fill(1, 0, 0);  // 4
  backend->flush(100);
  fill(1, 0, 0);  // 4, in another command buffer
  backend->endQuery(*context, *q);
  fill(0, 1, 0);
  u64 value = 0;
  ASSERT_TRUE(backend->finish(backend->beginWaitQuery(*q), std::as_writable_bytes(std::span(&value, 1))));
  EXPECT_EQ(value, 24u);
  const std::lock_guard lock(sink.mutex);
  ASSERT_EQ(sink.results.size(), 1u);
  EXPECT_EQ(sink.results[0].value, 24u);
}

TEST_F(MechanismTest, FlushesAndFencesCompleteInOrder) {
  make(2, 2);
  fill(1, 0, 0);
  const auto sync = backend->makeSync();
  backend->createFence(*sync, 7);
  backend->flush(8);
  backend->flush(9);
  EXPECT_TRUE(backend->waitCompleted(9, ~u64{0}));
  const std::lock_guard lock(sink.mutex);
  EXPECT_EQ(sink.completions, (std::vector<u64>{7, 8, 9}));
}

TEST_F(MechanismTest, MaskedClearLeavesTheOtherChannels) {
  make(2, 2);
  clearColor(fbo, 1, 1, 1, 1);
  pipe::Clear clear = colorClear(0, 0, 0, 0);
  clear.colorMasks = 2;
  backend->clear(*context, fbo.get(), clear);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(1, 1), (Rgba{255, 0, 255, 255}));
}

// The same picture with parts of the device hidden: every fallback runs.
TEST_F(MechanismTest, FallbacksDrawTheSame) {
  const std::vector<std::vector<std::string>> limits = {
      {},
      {"VK_EXT_extended_dynamic_state3"},
      {"VK_EXT_extended_dynamic_state2", "VK_EXT_extended_dynamic_state3"},
      {"VK_EXT_extended_dynamic_state", "VK_EXT_extended_dynamic_state2", "VK_EXT_extended_dynamic_state3",
       "VK_EXT_vertex_input_dynamic_state"},
      {"VK_EXT_vertex_input_dynamic_state"},
      {"VK_KHR_timeline_semaphore"},
      {"VK_EXT_depth_clip_control"},
      {"VK_EXT_index_type_uint8", "VK_EXT_primitive_topology_list_restart"},
      {"VK_EXT_provoking_vertex", "VK_EXT_line_rasterization", "VK_EXT_robustness2"},
  };
  for (const auto& limit : limits) {
    SCOPED_TRACE(limit.empty() ? "all" : limit.front());
    drop();
    openWith(limit);
    make(8, 8);
    const auto depth = storage(pipe::TextureTarget::Tex2D, Format::D32F, 8, 8);
    const auto both = framebuffer(color, depth);
    target(both, 8, 8);
    pipe::Clear clear = colorClear(0, 0, 0, 1);
    clear.clearDepth = 1;
    clear.depth = 1;
    backend->clear(*context, both.get(), clear);
    state().depthTest = 1;
    state().cullMode = pipe::CullMode::Back;
    stateChanged();
    const auto p = program(R"(#version 330
layout(location = 0) in vec2 position;
layout(location = 1) in vec3 tint;
uniform float z;
out vec3 shade;
void main() { gl_Position = vec4(position, z, 1.0); shade = tint; })",
                           R"(#version 330
in vec3 shade;
out vec4 result;
void main() { result = vec4(shade, 1.0); })");
    setUniform<f32>(*p, "z", {-0.75f});
    struct Vertex {
      f32 x, y;
      u8 r, g, b, a;
    };
    const Vertex corners[] = {{-1, -1, 255, 0, 0, 0}, {0, -1, 255, 0, 0, 0}, {-1, 1, 255, 0, 0, 0},
                              {0, 1, 255, 0, 0, 0},   {1, -1, 0, 255, 0, 0}, {1, 1, 0, 255, 0, 0}};
    const auto mesh = buffer(std::as_bytes(std::span(corners)));
    const auto indices = bufferOf<u8>({0, 1, 2, 3, 255, 1, 4, 3, 5});
    const auto strip =
        vertexArray(mesh, {attrib(0, pipe::VertexType::Float, 2, 0), attrib(1, pipe::VertexType::UByte, 3, 8, true)},
                    sizeof(Vertex), indices);
    state().restart = pipe::RestartMode::Fixed;
    stateChanged();
    drawIndexed(*p, *strip, Primitive::TriangleStrip, pipe::IndexType::U8, 0, 9);
    const Texels texels = readRgba(both, 8, 8);
    EXPECT_EQ(texels.at(1, 4), (Rgba{255, 0, 0, 255}));
    EXPECT_EQ(texels.at(7, 7)[1], texels.at(7, 0)[1]);
    EXPECT_GT(texels.at(7, 4)[1], 200);
    const auto bytes = read(both, {0, 0, 1, 1}, format::TransferFormat::Depth, format::TransferType::Float);
    f32 value;
    std::memcpy(&value, bytes.data(), 4);
    EXPECT_NEAR(value, 0.125f, 1e-6f);
  }
}

TEST_F(MechanismTest, DriverIsNamedAsTheHostNamesIt) {
  std::string error;
  const auto devices = listDevices(&error);
  ASSERT_FALSE(devices.empty()) << error;
  EXPECT_EQ(backend->caps().driverName.find(devices[0].driver + " (Vulkan 1."), 0u) << backend->caps().driverName;
  EXPECT_NE(devices[0].driver.find("Mesa"), std::string::npos) << devices[0].driver;
  openWith({"VK_KHR_driver_properties"});
  EXPECT_EQ(backend->caps().driverName.find("vendor 0x10005 driver 0x"), 0u) << backend->caps().driverName;
}

TEST_F(MechanismTest, WrongDeviceNamesThoseThereAre) {
  OpenOptions wanted = options();
  wanted.device = "nonesuch";
  const backend::OpenResult opened = magma::open(wanted, sink);
  EXPECT_EQ(opened.backend, nullptr);
  EXPECT_NE(opened.error.find("nonesuch"), std::string::npos);
  EXPECT_NE(opened.error.find("llvmpipe"), std::string::npos);
}

}  // namespace mgl::magma::test
