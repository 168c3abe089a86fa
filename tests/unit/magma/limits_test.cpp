// A device that lacks a feature: what it cannot draw is skipped, counted and told in words, and nothing invalid reaches it.
#include "base/counters.h"
#include "rig.h"

namespace mgl::magma::test {

using format::Format;
using pipe::Primitive;
using Rgba = std::array<u8, 4>;

namespace {

const char* kVertex = R"(#version 330
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); })";
const char* kFragment = R"(#version 330
layout(location = 0) out vec4 result;
void main() { result = vec4(0.0, 1.0, 0.0, 1.0); })";
const char* kGeometry = R"(#version 330
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
  for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; EmitVertex(); }
})";

struct Limit {
  const char* feature;
  const char* told;  // a part of what the program hears
  void (*use)(pipe::RenderState& state);
  bool geometry = false;
};

class LimitsTest : public Rig, public ::testing::WithParamInterface<Limit> {};

}  // namespace

TEST_P(LimitsTest, WhatCannotBeDrawnIsSkippedAndTold) {
  const Limit& limit = GetParam();
  for (const bool hidden : {false, true}) {
    SCOPED_TRACE(hidden);
    openWith(hidden ? std::vector<std::string>{limit.feature} : std::vector<std::string>{});
    auto color = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 4, 4);
    auto second = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 4, 4);
    auto fbo = framebuffer(color);
    fbo->color[1].texture = second;
    fbo->drawBuffers[1] = 1;
    target(fbo, 4, 4);
    clearColor(fbo, 1, 0, 0, 1);
    auto shaders = program(kVertex, kFragment, limit.geometry ? kGeometry : nullptr);
    auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
    auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
    limit.use(state());
    stateChanged();
    const CounterSnapshot before = CounterSnapshot::take();
    for (u32 i = 0; i < 3; ++i) draw(*shaders, *array, Primitive::Triangles, 0, 3);
    EXPECT_EQ(before.since(Counter::DrawsDeclined), hidden ? 3u : 0u);
    if (hidden) {
      EXPECT_EQ(readRgba(fbo, 4, 4).at(1, 1), (Rgba{255, 0, 0, 255}));
    }
    u32 told = 0;
    {
      const std::lock_guard lock(sink.mutex);
      for (const std::string& text : sink.logs) told += text.find(limit.told) != std::string::npos;
    }
    EXPECT_EQ(told, hidden ? 1u : 0u) << "once, and not for each draw";
    color = second = nullptr;
    fbo = nullptr;
    shaders = nullptr;
    vertices = nullptr;
    array = nullptr;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Features, LimitsTest,
    ::testing::Values(Limit{"geometryShader", "geometry shaders", [](pipe::RenderState&) {}, true},
                      Limit{"dualSrcBlend", "dual-source",
                            [](pipe::RenderState& s) {
                              s.blend[0].enable = 1;
                              s.blend[0].dstColor = pipe::BlendFactor::Src1Color;
                              s.blend[1] = {};
                            }},
                      Limit{"logicOp", "logic operations",
                            [](pipe::RenderState& s) {
                              s.logicOpEnable = 1;
                              s.logicOp = pipe::LogicOp::Xor;
                            }},
                      Limit{"depthClamp", "clamp depth", [](pipe::RenderState& s) { s.depthClamp = 1; }},
                      Limit{"fillModeNonSolid", "fills polygons",
                            [](pipe::RenderState& s) { s.polygonFront = s.polygonBack = pipe::PolygonMode::Line; }},
                      Limit{"independentBlend", "all targets in the same way",
                            [](pipe::RenderState& s) { s.blend[1].writeMask = 1; }}),
    [](const auto& which) { return std::string(which.param.feature); });

}  // namespace mgl::magma::test
