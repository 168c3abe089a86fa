// What the applier holds records to beyond the catalogue's own rules: shapes of objects, order, windows, epochs,
// replies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "backend/null/null_backend.h"
#include "base/counters.h"
#include "world.h"

namespace mgl::server {
namespace {

using namespace pipe;

// Remembers the last draw.
class Spy final : public null::NullBackend {
 public:
  using NullBackend::NullBackend;
  void draw(backend::ContextState& context, const backend::DrawCall& call) override {
    ++draws;
    ranges.assign(call.ranges.begin(), call.ranges.end());
    uniforms = call.program->uniforms;
    NullBackend::draw(context, call);
  }
  void switchContext(backend::ContextState* from, backend::ContextState& to) override {
    switches.push_back({from != nullptr ? from->slot : 0, to.slot});
  }
  void destroyed(backend::Object&) override { ++destroyedObjects; }
  u32 draws = 0, destroyedObjects = 0;
  std::vector<DrawRange> ranges;
  std::vector<std::byte> uniforms;
  std::vector<std::pair<u32, u32>> switches;
};

struct Fixture {
  Fixture() {
    std::string error;
    session = Session::open(
        [this](backend::EventSink& events) {
          backend::OpenResult result;
          auto made = std::make_unique<Spy>(events);
          spy = made.get();
          result.backend = std::move(made);
          return result;
        },
        &error);
    for (const Emitted& emitted : setUp()) EXPECT_TRUE(apply(emitted)) << session->fault().text();
  }
  bool apply(const Emitted& emitted) { return session->apply(emitted.header(), emitted.spans()).ok; }
  std::unique_ptr<Session> session;
  Spy* spy = nullptr;
};

// ---- Records that keep the catalogue's rules and still may not reach a backend

struct BadCase {
  const char* where;  // the fault
  std::function<Emitted()> make;
};

std::vector<std::byte> zeros(std::size_t bytes) { return std::vector<std::byte>(bytes); }
constexpr TexelBox kBox{0, 0, 0, 8, 8, 1};
constexpr TexelLayout kLayout{32, 256, TransferFormat::RGBA, TransferType::UByte, 0, 0, 0};
constexpr TexelBox boxAt(u32 x, u32 y, u32 z, u32 width, u32 height, u32 depth) {
  return {x, y, z, width, height, depth};
}

Emitted updateFramebuffer(const std::function<void(UpdateFramebuffer&)>& change) {
  UpdateFramebuffer update{};
  update.framebuffer = kFramebuffer;
  update.drawBuffers.fill(kNoColor);
  update.readBuffer = kNoColor;
  change(update);
  return record(update);
}

std::vector<BadCase> badCases() {
  return {
      // Identity
      {"CreateBuffer.buffer", [] { return record(CreateBuffer{kBuffer}); }},
      {"CreateBuffer.buffer",
       [] {
         return record(CreateBuffer{{0, 1}});
       }},
      {"CreateBuffer.buffer",
       [] {
         return record(CreateBuffer{{kMaxSlot, 1}});
       }},
      {"CreateBuffer.buffer",
       [] {
         return record(CreateBuffer{{9, 0}});
       }},
      {"DestroyBuffer.buffer",
       [] {
         return record(DestroyBuffer{{kBuffer.slot, 2}});
       }},
      {"DestroyBuffer.buffer", [] { return record(DestroyBuffer{}); }},
      {"SwitchContext.context",
       [] {
         return record(SwitchContext{{5, 1}});
       }},
      {"ReleaseContext.context",
       [] {
         return record(ReleaseContext{{5, 1}});
       }},
      {"BindContext.read",
       [] {
         return record(BindContext{kContext, kSurface, {2, 1}});
       }},
      // Buffers
      {"BufferSubData.offset",
       [] {
         return record(BufferSubData{kBuffer, kBufferBytes - 3, hostBlob(0, 4)}, {zeros(4)});
       }},
      {"BufferSubData.offset",
       [] {
         return record(BufferSubData{kBuffer, ~u64{0}, hostBlob(0, 4)}, {zeros(4)});
       }},
      {"BufferSubData.data",
       [] {
         return record(BufferSubData{kBuffer, 0, hostBlob(0, 5)}, {zeros(4)});
       }},
      {"BufferSubData.data",
       [] {
         return record(BufferSubData{kBuffer, 0, hostBlob(1, 4)}, {zeros(4)});
       }},
      {"BufferStorage.data",
       [] {
         return record(BufferStorage{kBuffer, 4, 0, 0, hostBlob(0, 8)}, {zeros(8)});
       }},
      {"CopyBuffer.srcOffset",
       [] {
         return record(CopyBuffer{kBuffer, kIndices, 1, 0, kBufferBytes});
       }},
      {"CopyBuffer.dstOffset",
       [] {
         return record(CopyBuffer{kBuffer, kIndices, 0, ~u64{0} - 4, 8});
       }},
      {"CopyBuffer.bytes",
       [] {
         return record(CopyBuffer{kBuffer, kBuffer, 0, 255, 256});
       }},
      {"ClearBuffer.patternBytes",
       [] {
         return record(ClearBuffer{kBuffer, 0, 10, 4, 0, {}});
       }},
      {"ClearBuffer.offset",
       [] {
         return record(ClearBuffer{kBuffer, kBufferBytes, 4, 4, 0, {}});
       }},
      {"InvalidateBuffer.offset",
       [] {
         return record(InvalidateBuffer{kBuffer, 8, kBufferBytes});
       }},
      {"ReadBuffer.offset",
       [] {
         return record(ReadBuffer{kBuffer, 1, kBufferBytes, 0, 0});
       }},
      {"MapBuffer.offset",
       [] {
         return record(MapBuffer{kBuffer, 0, kBufferBytes + 1, 0, 0});
       }},
      {"FlushMappedRange.offset",
       [] {
         return record(FlushMappedRange{kBuffer, kBufferBytes, {0, 1, BlobWhere::None}});
       }},
      // Textures: kTexture is 16 x 16 with 3 levels
      {"TextureStorage.depth",
       [] {
         return record(TextureStorage{kMutable, Format::RGBA8, 1, 4, 4, 2, 0, 0});
       }},
      {"TextureStorage.levels",
       [] {
         return record(TextureStorage{kMutable, Format::RGBA8, 4, 4, 4, 1, 0, 0});
       }},
      {"TextureStorage.format",
       [] {
         return record(TextureStorage{kMutable, Format::None, 1, 4, 4, 1, 0, 0});
       }},
      {"TextureStorage.samples",
       [] {
         return record(TextureStorage{kMutable, Format::RGBA8, 1, 4, 4, 1, 4, 0});
       }},
      {"TextureLevel.texture",
       [] {
         return record(TextureLevel{kTexture, Format::RGBA8, 0, 0, 4, 4, 1});
       }},
      {"TextureLevel.face",
       [] {
         return record(TextureLevel{kMutable, Format::RGBA8, 0, 1, 4, 4, 1});
       }},
      {"TextureLevel.depth",
       [] {
         return record(TextureLevel{kCube, Format::RGBA8, 0, 1, 4, 8, 1});
       }},
      {"TextureSubData.box",
       [] {
         return record(TextureSubData{kTexture, 0, 0, boxAt(9, 0, 0, 8, 8, 1), kLayout, hostBlob(0, 256)},
                       {zeros(256)});
       }},
      {"TextureSubData.box",
       [] {
         return record(TextureSubData{kTexture, 2, 0, kBox, kLayout, hostBlob(0, 256)}, {zeros(256)});
       }},
      {"TextureSubData.box",
       [] {
         return record(TextureSubData{kTexture, 3, 0, boxAt(0, 0, 0, 1, 1, 1), kLayout, hostBlob(0, 256)},
                       {zeros(256)});
       }},
      {"TextureSubData.box",
       [] {
         return record(TextureSubData{kMutable, 0, 0, boxAt(0, 0, 0, 1, 1, 1), kLayout, hostBlob(0, 256)},
                       {zeros(256)});
       }},
      {"TextureSubData.data",
       [] {
         return record(TextureSubData{kTexture, 0, 0, kBox, kLayout, hostBlob(0, 255)}, {zeros(255)});
       }},
      {"TextureSubData.data",
       [] {
         TexelLayout layout = kLayout;
         layout.rowBytes = 64;
         return record(TextureSubData{kTexture, 0, 0, kBox, layout, hostBlob(0, 256)}, {zeros(256)});
       }},
      {"TextureSubData.layout",
       [] {
         TexelLayout layout = kLayout;
         layout.rowBytes = ~u64{0} / 2;
         return record(TextureSubData{kTexture, 0, 0, kBox, layout, hostBlob(0, 256)}, {zeros(256)});
       }},
      {"TextureSubData.layout",
       [] {
         TexelLayout layout = kLayout;
         layout.format = TransferFormat::Depth;
         return record(TextureSubData{kTexture, 0, 0, kBox, layout, hostBlob(0, 256)}, {zeros(256)});
       }},
      {"TextureSubData.layout",
       [] {
         TexelLayout layout = kLayout;
         layout.compressed = 1;
         return record(TextureSubData{kTexture, 0, 0, kBox, layout, hostBlob(0, 256)}, {zeros(256)});
       }},
      {"TextureSubDataFromBuffer.offset",
       [] {
         return record(TextureSubDataFromBuffer{kTexture, 0, 0, kBox, kLayout, kBuffer, kBufferBytes - 255});
       }},
      {"ReadTextureToBuffer.offset",
       [] {
         return record(ReadTextureToBuffer{kTexture, 0, 0, kBox, kLayout, kBuffer, kBufferBytes - 255});
       }},
      {"ReadTexture.box",
       [] {
         return record(ReadTexture{kTexture, 1, 0, boxAt(1, 0, 0, 8, 8, 1), kLayout});
       }},
      {"ClearTexture.texelBytes",
       [] {
         return record(ClearTexture{kTexture, 0, 8, kBox, {}});
       }},
      {"CopyImage.dstOrigin",
       [] {
         return record(CopyImage{kTexture, kTexture, 0, 1, kBox, {1, 0, 0}, 0});
       }},
      {"CopyImage.srcBox",
       [] {
         return record(CopyImage{kTexture, kTexture, 2, 0, kBox, {0, 0, 0}, 0});
       }},
      {"GenerateMipmap.lastLevel",
       [] {
         return record(GenerateMipmap{kTexture, 0, 3});
       }},
      {"GenerateMipmap.baseLevel",
       [] {
         return record(GenerateMipmap{kMutable, 0, 1});
       }},
      {"SetTextureBuffer.texture",
       [] {
         return record(SetTextureBuffer{kTexture, kBuffer, 0, 4, Format::RGBA8, {}});
       }},
      {"CreateTextureView.levels",
       [] {
         return record(CreateTextureView{kView, kTexture, TextureTarget::Tex2D, 1, Format::RGBA8, 3, 0, 1});
       }},
      {"CreateTextureView.layers",
       [] {
         return record(CreateTextureView{kView, kTexture, TextureTarget::Tex2DArray, 0, Format::RGBA8, 1, 1, 1});
       }},
      {"CreateTextureView.format",
       [] {
         return record(CreateTextureView{kView, kTexture, TextureTarget::Tex2D, 0, Format::R8, 1, 0, 1});
       }},
      {"CreateTextureView.source",
       [] {
         return record(CreateTextureView{kView, kMutable, TextureTarget::Tex2D, 0, Format::RGBA8, 1, 0, 1});
       }},
      // Framebuffers
      {"UpdateFramebuffer.drawBuffers",
       [] { return updateFramebuffer([](auto& update) { update.drawBuffers[3] = 8; }); }},
      {"UpdateFramebuffer.readBuffer", [] { return updateFramebuffer([](auto& update) { update.readBuffer = 8; }); }},
      {"UpdateFramebuffer.color",
       [] { return updateFramebuffer([](auto& update) {
              update.color[7].texture = {9, 9};
            }); }},
      {"UpdateFramebuffer.depth",
       [] { return updateFramebuffer([](auto& update) { update.depth.texture = kTexels; }); }},
      {"ReadPixels.rect",
       [] {
         return record(ReadPixels{kFramebuffer, {9, 0, 8, 8}, kLayout, 0, 0});
       }},
      {"ReadPixels.rect",
       [] {
         return record(ReadPixels{kFramebuffer, {-1, 0, 8, 8}, kLayout, 0, 0});
       }},
      {"ReadPixels.rect",
       [] {
         return record(ReadPixels{{}, {60, 0, 8, 8}, kLayout, 0, 0});
       }},
      {"ReadPixelsToBuffer.offset",
       [] {
         return record(ReadPixelsToBuffer{kFramebuffer, {0, 0, 8, 8}, kLayout, kBuffer, kBufferBytes - 8, 0, 0});
       }},
      {"CopyFramebufferToTexture.origin",
       [] {
         return record(CopyFramebufferToTexture{kFramebuffer, kTexture, {0, 0, 8, 8}, {9, 0, 0}, 0});
       }},
      {"CopyFramebufferToTexture.rect",
       [] {
         return record(CopyFramebufferToTexture{kFramebuffer, kTexture, {12, 0, 8, 8}, {0, 0, 0}, 0});
       }},
      // Vertex arrays and draws
      {"UpdateVertexArray.count",
       [] {
         return record(UpdateVertexArray{kVertexArray, kFormat, {}, 0, 0}, std::span<const VertexBinding>());
       }},
      {"Draw.vertexArray",
       [] {
         Draw d = drawPayload();
         d.vertexArray = {4, 1};
         return drawRecord(d, {}, {}, {});
       }},
      {"Draw.program",
       [] {
         Draw d = drawPayload();
         d.program = {4, 1};
         return drawRecord(d, {}, {}, {});
       }},
      {"Draw.UniformPatch.offset",
       [] {
         const UniformPatch patch{kUniformBytes - 8, 12};
         const std::array<u8, 12> bytes{};
         return drawRecord(drawPayload(), {}, std::span(&patch, 1), bytes);
       }},
      {"Draw.UniformPatch.bytes",
       [] {
         const UniformPatch patches[] = {{0, 8}, {8, 8}};
         const std::array<u8, 12> bytes{};
         return drawRecord(drawPayload(), {}, patches, bytes);
       }},
      {"UpdateUniforms.UniformPatch.bytes",
       [] {
         const UniformPatch patch{0, 8};
         return record(UpdateUniforms{kProgram, 1, 0, hostBlob(0, 16)}, {zeros(16)}, std::span(&patch, 1));
       }},
      {"DrawIndirect.offset",
       [] {
         DrawIndirect draw{};
         draw.vertexArray = kVertexArray;
         draw.program = kProgram;
         draw.buffer = kBuffer;
         draw.offset = kBufferBytes - 16;
         draw.maxDraws = 2;
         return record(draw, std::span<const UniformPatch>(), std::span<const u8>());
       }},
      {"CreateProgram.archive",
       [] {
         Emitted emitted = createProgram(kProgram);
         emitted.blobs[2].back() ^= std::byte{0xff};
         emitted.blobs[2][0] ^= std::byte{0xff};
         return emitted;
       }},
      {"CreateProgram.spirv",
       [] {
         Emitted emitted = createProgram(kProgram);
         emitted.blobs[1][0] ^= std::byte{0xff};
         return emitted;
       }},
      {"SetProgramBindings.samplerCount",
       [] {
         const SamplerUnit units[2] = {};
         return record(SetProgramBindings{kProgram, 0, 0, 2, 0}, std::span<const BindingIndex>(),
                       std::span<const BindingIndex>(), std::span(units), std::span<const SamplerUnit>());
       }},
      // Order
      {"Present.frameSerial",
       [] {
         return record(Present{kSurface, 2, 0, 0}, std::span<const Rect>());
       }},
      {"Flush.serial", [] { return record(Flush{0}); }},
      {"EndQuery.query", [] { return record(EndQuery{kQuery}); }},
      {"BeginQuery.query",
       [] {
         return record(BeginQuery{kTimestamp, 1});
       }},
      {"WaitQuery.active",
       [] {
         return record(WaitQuery{kQuery, 0, 0});
       }},
      {"EndStreamOutput.streamOutput", [] { return record(EndStreamOutput{kStreamOutput}); }},
      {"PopDebugGroup.depth", [] { return record(PopDebugGroup{}); }},
  };
}

class BadCases : public testing::TestWithParam<u32> {};
INSTANTIATE_TEST_SUITE_P(Session, BadCases, testing::Range(0u, static_cast<u32>(badCases().size())),
                         [](const auto& row) {
                           std::string name = badCases()[row.param].where + std::to_string(row.param);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST_P(BadCases, EndsTheSessionByName) {
  const BadCase bad = badCases()[GetParam()];
  Fixture world;
  // What the cases read from.
  ASSERT_TRUE(world.apply(updateFramebuffer([](auto& update) {
    update.color[0].texture = kTexture;
    update.readBuffer = 0;
  })));
  EXPECT_FALSE(world.apply(bad.make()));
  EXPECT_EQ(world.session->fault().text(), std::string("ProtocolCorruption \"") + bad.where + '"');
}

// ---- Windows

TEST(Windows, ADrawNeedsThemAsWideAsItsProgram) {
  const SamplerUnit unit{kSamplerUnit + 1};
  const Emitted bindings = record(SetProgramBindings{kProgram, 0, 0, 1, 0}, std::span<const BindingIndex>(),
                                  std::span<const BindingIndex>(), std::span(&unit, 1), std::span<const SamplerUnit>());
  const std::vector<ViewBinding> views(kSamplerUnit + 2);
  {
    Fixture world;
    EXPECT_TRUE(world.apply(warmDraw()));
    EXPECT_TRUE(world.apply(bindings));
    EXPECT_FALSE(world.apply(warmDraw()));
    EXPECT_EQ(world.session->fault().text(), "ProtocolCorruption \"SetSamplerViews.count\"");
    EXPECT_EQ(world.spy->draws, 1u);
  }
  Fixture world;
  EXPECT_TRUE(world.apply(bindings));
  EXPECT_TRUE(world.apply(record(SetSamplerViews{kSamplerUnit + 2, 0}, views)));
  EXPECT_FALSE(world.apply(warmDraw()));
  EXPECT_EQ(world.session->fault().text(), "ProtocolCorruption \"BindSamplerStates.count\"");
}

TEST(Windows, APipelineNeedsThoseOfItsPrograms) {
  Fixture world;
  CreatePipeline pipeline{};
  pipeline.pipeline = kPipeline;
  pipeline.stages[0] = pipeline.stages[4] = kProgram;
  ASSERT_TRUE(world.apply(record(pipeline)));
  Draw draw = drawPayload();
  draw.program = kPipeline;
  const DrawRange range{0, 3, 0};
  ASSERT_TRUE(world.apply(drawRecord(draw, std::span(&range, 1), {}, {})));
  EXPECT_EQ(world.spy->draws, 1u);
  ASSERT_TRUE(world.apply(record(SetSamplerViews{0, 0}, std::span<const ViewBinding>())));
  EXPECT_FALSE(world.apply(drawRecord(draw, std::span(&range, 1), {}, {})));
  EXPECT_EQ(world.session->fault().where, "SetSamplerViews.count");
}

// ---- Draws

TEST(Draws, PatchUniformsInOrder) {
  Fixture world;
  std::array<u8, 24> bytes;
  for (u32 i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(i + 1);
  const UniformPatch patches[] = {{0, 16}, {4, 8}};
  ASSERT_TRUE(world.apply(drawRecord(drawPayload(), {}, patches, bytes)));
  std::vector<std::byte> expected(kUniformBytes);
  std::memcpy(expected.data(), bytes.data(), 16);
  std::memcpy(expected.data() + 4, bytes.data() + 16, 8);
  EXPECT_EQ(world.spy->uniforms, expected);
  for (u32 size = 1; size <= 24; ++size) {
    const UniformPatch patch{32, size};
    ASSERT_TRUE(world.apply(drawRecord(drawPayload(), {}, std::span(&patch, 1), std::span(bytes).first(size))));
    std::memcpy(expected.data() + 32, bytes.data(), size);
    EXPECT_EQ(world.spy->uniforms, expected) << size;
  }
}

TEST(Draws, ThatCanDrawNothingAreDeclinedAndCounted) {
  Fixture world;
  const u64 before = counted(Counter::DrawsDeclined);
  Draw draw = drawPayload();
  draw.program = {};
  EXPECT_TRUE(world.apply(drawRecord(draw, {}, {}, {})));
  CreateProgram failed{};
  failed.program = kProgram;
  ASSERT_TRUE(world.apply(record(failed, {})));
  EXPECT_TRUE(world.apply(drawRecord(drawPayload(), {}, {}, {})));
  ASSERT_TRUE(world.apply(createProgram(kProgram)));
  ASSERT_TRUE(world.apply(record(BindContext{kContext, {}, {}})));
  EXPECT_TRUE(world.apply(drawRecord(drawPayload(), {}, {}, {})));
  EXPECT_EQ(counted(Counter::DrawsDeclined) - before, 3u);
  EXPECT_EQ(world.spy->draws, 0u);
  ASSERT_TRUE(world.apply(record(BindContext{kContext, kSurface, kSurface})));
  EXPECT_TRUE(world.apply(drawRecord(drawPayload(), {}, {}, {})));
  EXPECT_EQ(world.spy->draws, 1u);
}

TEST(Counters, SayHowManyRecordsWereApplied) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(Flush{2})));
  const u64 before = counted(Counter::RecordsApplied);
  for (u32 i = 0; i < 10; ++i) ASSERT_TRUE(world.apply(warmDraw()));
  ASSERT_TRUE(world.apply(record(Flush{3})));
  EXPECT_EQ(counted(Counter::RecordsApplied) - before, 11u);
}

TEST(Draws, ReadNoIndexBeyondTheBuffer) {
  Fixture world;
  Draw draw = drawPayload();
  draw.indexType = IndexType::U32;
  const DrawRange ranges[] = {{0, 6, 0}, {kBufferBytes - 8, 6, 1}, {kBufferBytes, 3, 2}, {~u64{0}, 3, 3}};
  ASSERT_TRUE(world.apply(drawRecord(draw, ranges, {}, {})));
  ASSERT_EQ(world.spy->ranges.size(), 2u);
  EXPECT_EQ(world.spy->ranges[0], ranges[0]);
  EXPECT_EQ(world.spy->ranges[1], (DrawRange{kBufferBytes - 8, 2, 1}));
}

TEST(Draws, NeedAnIndexBufferForIndices) {
  Fixture world;
  const VertexBinding binding{kBuffer, 0, 12, 0};
  ASSERT_TRUE(world.apply(record(UpdateVertexArray{kVertexArray, kFormat, {}, 1, 0}, std::span(&binding, 1))));
  EXPECT_FALSE(world.apply(warmDraw()));
  EXPECT_EQ(world.session->fault().where, "Draw.indexType");
}

TEST(Draws, AnAttachmentThatIsNotThereNeverReachesTheBackend) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(TextureLevel{kMutable, Format::RGBA8, 0, 0, 8, 8, 1})));
  ASSERT_TRUE(world.apply(updateFramebuffer([](auto& update) {
    update.color[0].texture = kMutable;
    update.drawBuffers[0] = 0;
  })));
  ASSERT_TRUE(world.apply(record(BindFramebuffer{kFramebuffer})));
  ASSERT_TRUE(world.apply(warmDraw()));
  ASSERT_TRUE(world.apply(warmDraw()));
  ASSERT_TRUE(world.apply(record(TextureLevel{kMutable, Format::None, 0, 0, 0, 0, 0})));
  EXPECT_FALSE(world.apply(warmDraw()));
  EXPECT_EQ(world.session->fault().where, "Draw.framebuffer");
  EXPECT_EQ(world.spy->draws, 2u);
}

// ---- Epochs and contexts

TEST(Epochs, MoveWithTheCataloguesColumn) {
  for (const Emitted& emitted : everything()) {
    if (emitted.call == Call::SwitchContext || emitted.call == Call::DestroyContext) continue;
    const auto session = openNull();
    for (const Emitted& before : everything()) {
      const bool reached = before.words == emitted.words && before.blobs == emitted.blobs;
      const u64 epoch = session->currentContext() != nullptr ? session->currentContext()->epoch : 0;
      ASSERT_TRUE(session->apply(before.header(), before.spans()).ok);
      if (!reached || epoch == 0) continue;
      const bool moved = session->currentContext()->epoch != epoch;
      EXPECT_EQ(moved, callInfo(emitted.call).epoch == Epoch::Moves) << callInfo(emitted.call).name;
      break;
    }
  }
}

TEST(Epochs, AnotherContextsChangesCountAtTheSwitch) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(CreateContext{kOtherContext, 0, 0})));
  auto visit = [&](const std::vector<Emitted>& there) {
    const u64 before = world.session->currentContext()->epoch;
    EXPECT_TRUE(world.apply(record(SwitchContext{kOtherContext})));
    for (const Emitted& emitted : there) EXPECT_TRUE(world.apply(emitted));
    EXPECT_TRUE(world.apply(record(SwitchContext{kContext})));
    return world.session->currentContext()->epoch - before;
  };
  EXPECT_EQ(visit({}), 0u);
  EXPECT_EQ(visit({record(BufferSubData{kBuffer, 0, hostBlob(0, 4)}, {zeros(4)})}), 0u);
  EXPECT_GT(visit({record(ClearTexture{kTexture, 0, 4, kBox, {}})}), 0u);
  EXPECT_EQ(world.spy->switches.size(), 7u);
  EXPECT_EQ(world.spy->switches.back(), (std::pair<u32, u32>{2, 1}));
}

TEST(Contexts, KeepTheirOwnState) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(CreateContext{kOtherContext, 0, 0})));
  ASSERT_TRUE(world.apply(record(SetBlendColor{{1, 2, 3, 4}})));
  ASSERT_TRUE(world.apply(record(SwitchContext{kOtherContext})));
  EXPECT_EQ(world.session->currentContext()->blendColor[0], 0.0f);
  EXPECT_EQ(world.session->currentContext()->viewCount, 0u);
  EXPECT_FALSE(world.apply(warmDraw())) << "the windows of one context do not serve another";
}

TEST(Contexts, TheDeadAreNotCurrent) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(DestroyContext{kContext})));
  EXPECT_EQ(world.session->currentContext(), nullptr);
  EXPECT_TRUE(world.apply(record(BufferSubData{kBuffer, 0, hostBlob(0, 4)}, {zeros(4)})));
  EXPECT_FALSE(world.apply(warmDraw()));
  EXPECT_EQ(world.session->fault().where, "Draw.context");
}

// ---- Lifetime

TEST(Lifetime, WhatIsBoundOutlivesItsHandle) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(DestroyTexture{kTexture})));
  ASSERT_TRUE(world.apply(record(DestroyBuffer{kIndices})));
  EXPECT_EQ(world.spy->destroyedObjects, 2u);
  EXPECT_TRUE(world.apply(warmDraw()));
  EXPECT_EQ(world.session->currentContext()->views[0]->width, kTextureSize);
  EXPECT_FALSE(world.apply(record(DestroyTexture{kTexture})));
}

TEST(Lifetime, ASlotComesBackUnderALaterGenerationOnly) {
  for (u32 gen : {1u, 0u, 2u}) {
    Fixture world;
    ASSERT_TRUE(world.apply(record(DestroyBuffer{kBuffer})));
    EXPECT_EQ(world.apply(record(CreateBuffer{{kBuffer.slot, gen}})), gen == 2) << gen;
  }
}

TEST(Lifetime, TheBackendHearsOfEveryObject) {
  Fixture world;
  u32 live = 0;
  for (u32 kind = 0; kind < countOf<Kind>(); ++kind) {
    if (static_cast<Kind>(kind) != Kind::Context) live += world.session->liveObjects(static_cast<Kind>(kind));
  }
  // Counted where the spy's end does not take it along.
  static u32 heard;
  heard = 0;
  struct Last final : null::NullBackend {
    using NullBackend::NullBackend;
    void destroyed(backend::Object&) override { ++heard; }
  };
  std::string error;
  auto session = Session::open(
      [](backend::EventSink& events) {
        backend::OpenResult result;
        result.backend = std::make_unique<Last>(events);
        return result;
      },
      &error);
  for (const Emitted& emitted : setUp()) ASSERT_TRUE(session->apply(emitted.header(), emitted.spans()).ok);
  session.reset();
  EXPECT_EQ(heard, live);
}

// ---- Replies, events, opening

TEST(Replies, SayWhatTheyNeed) {
  Fixture world;
  const Emitted read = record(ReadTexture{kTexture, 0, 7, boxAt(0, 0, 0, 3, 2, 1), kLayout});
  const ApplyResult result = world.session->apply(read.header());
  ASSERT_NE(result.reply, nullptr);
  EXPECT_EQ(result.reply->replySlot, 7u);
  EXPECT_EQ(result.reply->bytes, 32u + 12) << "one row apart, then three texels";
  const Emitted fence = record(WaitFence{kSync, 5, 0, 0});
  const ApplyResult wait = world.session->apply(fence.header());
  ASSERT_NE(wait.reply, nullptr);
  EXPECT_EQ(wait.reply->value, 1u);
  EXPECT_EQ(world.session->finishReply(*wait.reply, {}).value, 1u);
}

TEST(Events, ComeInOrderAndOnce) {
  Fixture world;
  ASSERT_TRUE(world.apply(record(Flush{2})));
  ASSERT_TRUE(world.apply(record(BeginQuery{kQuery, 77})));
  ASSERT_TRUE(world.apply(record(EndQuery{kQuery})));
  ASSERT_TRUE(world.apply(record(Flush{3})));
  ASSERT_TRUE(world.apply(record(Present{kSurface, 1, 0, 0}, std::span<const Rect>())));
  EXPECT_EQ(world.session->completedSerial(), 3u);
  EXPECT_TRUE(world.session->events().hasEvents());
  std::vector<Event> types;
  std::vector<u64> serials;
  auto take = [&](const ServerEvent& event) {
    types.push_back(event.type);
    serials.push_back(event.serial);
  };
  EXPECT_TRUE(world.session->events().drain(take));
  EXPECT_EQ(types,
            (std::vector<Event>{Event::OnCompleted, Event::OnQueryResult, Event::OnCompleted, Event::OnPresented}));
  EXPECT_EQ(serials, (std::vector<u64>{2, 77, 3, 1})) << "fence 1 and flush 2 are one event";
  EXPECT_FALSE(world.session->events().drain(take));
}

TEST(Events, NoneIsLostBetweenThreads) {
  constexpr u32 kThreads = 3, kEach = 2000;
  EventQueue queue;
  std::vector<std::thread> threads;
  std::atomic<u32> running{kThreads};
  for (u32 t = 0; t < kThreads; ++t) {
    threads.emplace_back([&queue, &running, t] {
      for (u32 i = 1; i <= kEach; ++i) {
        queue.queryResult(t, 1, i, i);
        queue.completed(i);
      }
      --running;
    });
  }
  std::array<u64, kThreads> last{};
  u64 completed = 0;
  auto take = [&](const ServerEvent& event) {
    if (event.type == Event::OnCompleted) {
      EXPECT_GT(event.serial, completed);
      completed = event.serial;
    } else {
      EXPECT_EQ(event.serial, ++last[event.slot]);
    }
  };
  while (running.load() != 0) queue.drain(take);
  for (std::thread& thread : threads) thread.join();
  queue.drain(take);
  for (u64 serial : last) EXPECT_EQ(serial, kEach);
  EXPECT_EQ(completed, kEach);
  EXPECT_EQ(queue.completedSerial(), kEach);
  EXPECT_FALSE(queue.hasEvents());
}

TEST(Events, OnlyLowLogsAreDropped) {
  EventQueue queue;
  for (u32 i = 0; i < EventQueue::kMaxLogs + 10; ++i) queue.log(DebugSeverity::Low, "low");
  queue.log(DebugSeverity::High, "high");
  queue.glError(GlError::OutOfMemory, Call::BufferStorage);
  u32 low = 0, high = 0, errors = 0;
  queue.drain([&](const ServerEvent& event) {
    low += event.text == "low";
    high += event.text == "high";
    errors +=
        event.type == Event::OnGlError && event.error == GlError::OutOfMemory && event.call == Call::BufferStorage;
  });
  EXPECT_EQ(low, EventQueue::kMaxLogs);
  EXPECT_EQ(high, 1u);
  EXPECT_EQ(errors, 1u);
}

TEST(Open, AWrongNameIsToldWithTheRightOnes) {
  std::string error;
  EXPECT_EQ(Session::open(OpenOptions{"nul", ""}, &error), nullptr);
  EXPECT_NE(error.find("\"nul\""), std::string::npos) << error;
  EXPECT_NE(error.find("did you mean \"null\""), std::string::npos) << error;
  error.clear();
  const auto session = Session::open(OpenOptions{"Null", ""}, &error);
  ASSERT_NE(session, nullptr) << error;
  EXPECT_EQ(session->caps().backendName, "Null");
  EXPECT_FALSE(listDevices("null", &error).empty());
}

}  // namespace
}  // namespace mgl::server
