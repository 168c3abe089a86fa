#include <cstring>

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

class DrawTest : public Rig {
 public:
  Ref<backend::Texture> color;
  Ref<backend::Framebuffer> fbo;
  void make(u32 width, u32 height, Format f = Format::RGBA8) {
    color = storage(pipe::TextureTarget::Tex2D, f, width, height);
    fbo = framebuffer(color);
    target(fbo, width, height);
  }
  void TearDown() override {
    color = nullptr;
    fbo = nullptr;
    Rig::TearDown();
  }
};

}  // namespace

TEST_F(DrawTest, ClearIsReadBack) {
  make(8, 4);
  clearColor(fbo, 1, 0, 0, 1);
  const Texels texels = readRgba(fbo, 8, 4);
  for (u32 i = 0; i < 32; ++i) EXPECT_EQ(texels.at(i % 8, i / 8), (Rgba{255, 0, 0, 255}));
}

TEST_F(DrawTest, TriangleCoversTheLowerLeftHalf) {
  make(16, 16);
  clearColor(fbo, 0, 0, 1, 1);
  auto p = program(kFlat, kColor);
  setUniform<f32>(*p, "color", {0, 1, 0, 1});
  auto vertices = bufferOf<f32>({-1, -1, 1, -1, -1, 1});
  auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  draw(*p, *array, Primitive::Triangles, 0, 3);
  const Texels texels = readRgba(fbo, 16, 16);
  EXPECT_EQ(texels.at(0, 0), (Rgba{0, 255, 0, 255}));
  EXPECT_EQ(texels.at(15, 15), (Rgba{0, 0, 255, 255}));
  EXPECT_EQ(texels.at(13, 0), (Rgba{0, 255, 0, 255}));
  EXPECT_EQ(texels.at(0, 13), (Rgba{0, 255, 0, 255}));
}

TEST_F(DrawTest, UniformsChangeBetweenDraws) {
  make(4, 1);
  auto p = program(kFlat, kColor);
  auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
  auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  for (u32 i = 0; i < 4; ++i) {
    context->scissorCount = 1;
    context->scissorEnable = 1;
    context->scissors[0] = {static_cast<i32>(i), 0, 1, 1};
    ++context->epoch;
    setUniform<f32>(*p, "color", {static_cast<f32>(i) / 3, 1, 0, 1});
    draw(*p, *array, Primitive::Triangles, 0, 3);
  }
  const Texels texels = readRgba(fbo, 4, 1);
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(texels.at(i, 0), (Rgba{static_cast<u8>(85 * i), 255, 0, 255}));
}

TEST_F(DrawTest, FrontFaceIsCounterClockwise) {
  make(2, 2);
  clearColor(fbo, 0, 0, 0, 1);
  state().cullMode = pipe::CullMode::Back;
  stateChanged();
  auto p = program(kFlat, kColor);
  setUniform<f32>(*p, "color", {1, 1, 1, 1});
  auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3, -1, -1, -1, 3, 3, -1});
  auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  draw(*p, *array, Primitive::Triangles, 3, 3);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(0, 0), (Rgba{0, 0, 0, 255}));
  draw(*p, *array, Primitive::Triangles, 0, 3);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(0, 0), (Rgba{255, 255, 255, 255}));
}

TEST_F(DrawTest, DepthRunsFromMinusOne) {
  make(2, 2);
  auto depth = storage(pipe::TextureTarget::Tex2D, Format::D24_S8, 2, 2);
  auto both = framebuffer(color, depth);
  target(both, 2, 2);
  pipe::Clear clear = colorClear(0, 0, 0, 1);
  clear.clearDepth = clear.clearStencil = 1;
  clear.depth = 0.5f;
  clear.stencilMask = 0xff;
  backend->clear(*context, both.get(), clear);
  state().depthTest = 1;
  stateChanged();
  auto p = program(R"(#version 330
layout(location = 0) in vec2 position;
uniform float z;
void main() { gl_Position = vec4(position, z, 1.0); })",
                   kColor);
  setUniform<f32>(*p, "color", {1, 0, 0, 1});
  auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
  auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  setUniform<f32>(*p, "z", {0.1f});  // window depth 0.55: behind
  draw(*p, *array, Primitive::Triangles, 0, 3);
  EXPECT_EQ(readRgba(both, 2, 2).at(1, 1), (Rgba{0, 0, 0, 255}));
  setUniform<f32>(*p, "z", {-0.1f});  // 0.45: in front
  draw(*p, *array, Primitive::Triangles, 0, 3);
  EXPECT_EQ(readRgba(both, 2, 2).at(1, 1), (Rgba{255, 0, 0, 255}));
  const auto bytes = read(both, {0, 0, 1, 1}, format::TransferFormat::Depth, format::TransferType::Float);
  f32 value;
  std::memcpy(&value, bytes.data(), 4);
  EXPECT_NEAR(value, 0.45f, 1e-5f);
}

TEST_F(DrawTest, TextureIsSampledUnflipped) {
  make(2, 2);
  auto texture = storage(pipe::TextureTarget::Tex2D, Format::RGBA8, 2, 2);
  const u8 texels[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255};
  upload(*texture, 0, {0, 0, 0, 2, 2, 1}, format::TransferFormat::RGBA, format::TransferType::UByte,
         std::as_bytes(std::span(texels)));
  auto p = program(R"(#version 330
layout(location = 0) in vec2 position;
out vec2 coord;
void main() { gl_Position = vec4(position, 0.0, 1.0); coord = position * 0.5 + 0.5; })",
                   R"(#version 330
uniform sampler2D image;
in vec2 coord;
out vec4 result;
void main() { result = texture(image, coord); })");
  bindTexture(0, texture, sampler(nearestState()));
  auto vertices = bufferOf<f32>({-1, -1, 3, -1, -1, 3});
  auto array = vertexArray(vertices, {attrib(0, pipe::VertexType::Float, 2, 0)}, 8);
  draw(*p, *array, Primitive::Triangles, 0, 3);
  const Texels out = readRgba(fbo, 2, 2);
  EXPECT_EQ(out.at(0, 0), (Rgba{255, 0, 0, 255}));
  EXPECT_EQ(out.at(1, 0), (Rgba{0, 255, 0, 255}));
  EXPECT_EQ(out.at(0, 1), (Rgba{0, 0, 255, 255}));
  EXPECT_EQ(out.at(1, 1), (Rgba{255, 255, 0, 255}));
  context->views[0] = nullptr;
  ++context->epoch;
  draw(*p, *array, Primitive::Triangles, 0, 3);
  EXPECT_EQ(readRgba(fbo, 2, 2).at(0, 0), (Rgba{0, 0, 0, 255}));
}

}  // namespace mgl::magma::test
