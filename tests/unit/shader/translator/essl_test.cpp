// GLSL ES of translated modules, and the level-of-detail bias, which is there for it.
#include "shader/translator/essl.h"

#include <gtest/gtest.h>

#include "glsl.h"
#include "shader/translator/translate.h"
#include "shader/translator/validate.h"

namespace mgl::shader {
namespace {

using test::compileGlsl;

constexpr const char* kVertex = R"(
  layout(location = 0) in vec4 p;
  layout(location = 0) out vec2 uv;
  layout(set = 0, binding = 0, std140) uniform Defaults { mat4 m; bool on; };
  void main() { gl_Position = m * p * float(gl_VertexIndex); uv = on ? p.xy : p.zw; })";

constexpr const char* kFragment = R"(
  layout(location = 0) in vec2 uv;
  layout(location = 3) flat in ivec3 nobodysOwn;
  layout(location = 0) out vec4 c;
  layout(set = 3, binding = 0) uniform sampler1D line;
  layout(set = 3, binding = 1) uniform sampler2D images[2];
  void main() {
    c = texture(line, uv.x) + texture(images[1], uv) + textureLod(images[0], uv, 1.0) + vec4(nobodysOwn, 1);
  })";

std::vector<u32> translated(Stage stage, const char* source, std::span<const f32> biases = {}) {
  static const BindingRemap table[] = {{0, 0, 0, 2}, {3, 0, 3, 4}, {3, 1, 3, 5}};
  const std::vector<u32> words = compileGlsl(stage, source);
  TranslateInput input;
  input.spirv = words;
  input.stage = stage;
  input.bindings = table;
  input.lodBiases = biases;
  const TranslateResult result = translate(input);
  EXPECT_TRUE(result.ok()) << result.error;
  EXPECT_EQ(validateSpirv(result.spirv), "");
  return result.spirv;
}

EsslResult esslOf(std::span<const f32> biases = {}) {
  const auto vertex = translated(Stage::Vertex, kVertex), fragment = translated(Stage::Fragment, kFragment, biases);
  EsslInput input;
  input.spirv[indexOf(Stage::Vertex)] = vertex;
  input.spirv[indexOf(Stage::Fragment)] = fragment;
  return translateToEssl(input);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Essl, HasTheHostsBindingPoints) {
  const EsslResult result = esslOf();
  ASSERT_TRUE(result.ok()) << result.error;
  const std::string& vertex = result.source[indexOf(Stage::Vertex)];
  const std::string& fragment = result.source[indexOf(Stage::Fragment)];
  EXPECT_TRUE(has(vertex, "#version 320 es"));
  EXPECT_TRUE(has(vertex, "layout(binding = 2, std140) uniform mglBlock_v2")) << vertex;
  EXPECT_TRUE(has(fragment, "layout(binding = 4) uniform highp sampler2D mglSampler4")) << fragment;
  EXPECT_TRUE(has(fragment, "layout(binding = 5) uniform highp sampler2D mglSampler5[2]")) << fragment;
}

TEST(Essl, DeclaresWhatNobodyWrites) {
  const EsslResult result = esslOf();
  ASSERT_TRUE(result.ok()) << result.error;
  EXPECT_TRUE(has(result.source[indexOf(Stage::Vertex)], "layout(location = 3) flat out highp ivec3"));
}

TEST(Essl, SaysWhichStageItCannotTake) {
  EsslInput input;
  const u32 nothing[] = {1, 2, 3, 4, 5};
  input.spirv[indexOf(Stage::Fragment)] = nothing;
  const EsslResult result = translateToEssl(input);
  EXPECT_FALSE(result.ok());
  EXPECT_TRUE(has(result.error, "fragment")) << result.error;
}

// OpenGL ES has neither array inputs of the vertex stage nor a base instance in it.
TEST(Essl, LowersInputsOfTheVertexStage) {
  const std::vector<u32> words = compileGlsl(Stage::Vertex, R"(
    layout(location = 2) in vec3 values[3];
    void main() { gl_Position = vec4(values[gl_VertexIndex % 3], float(gl_InstanceIndex - gl_BaseInstance)); })");
  TranslateInput input;
  input.spirv = words;
  input.splitInputArrays = input.zeroBaseInstance = true;
  const TranslateResult module = translate(input);
  ASSERT_TRUE(module.ok()) << module.error;
  EXPECT_EQ(validateSpirv(module.spirv), "");
  EsslInput essl;
  essl.spirv[indexOf(Stage::Vertex)] = module.spirv;
  const EsslResult result = translateToEssl(essl);
  ASSERT_TRUE(result.ok()) << result.error;
  const std::string& text = result.source[indexOf(Stage::Vertex)];
  for (const char* line : {"layout(location = 2) in vec3", "layout(location = 3) in vec3", "layout(location = 4) in vec3"})
    EXPECT_TRUE(has(text, line)) << text;
  EXPECT_FALSE(has(text, "BaseInstance"));
}

TEST(LodBias, IsAddedToEachAccessOfItsSampler) {
  const f32 biases[] = {0, 0, 0, 0, 1.5f, -0.25f, 0};
  const EsslResult result = esslOf(biases);
  ASSERT_TRUE(result.ok()) << result.error;
  const std::string& fragment = result.source[indexOf(Stage::Fragment)];
  EXPECT_TRUE(has(fragment, "vec2(uv.x, 0.0), 1.5)")) << fragment;
  EXPECT_TRUE(has(fragment, "uv, -0.25)")) << fragment;
  EXPECT_TRUE(has(fragment, "1.0 + (-0.25)") || has(fragment, "0.75")) << fragment;
  EXPECT_FALSE(has(esslOf().source[indexOf(Stage::Fragment)], "1.5)"));
}

}  // namespace
}  // namespace mgl::shader
