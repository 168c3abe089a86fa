// Words from nowhere: the translator gives an error or some module, and touches nothing that is not its own. Run under
// the address sanitizer this is a fuzz test with a fixed seed.
#include <gtest/gtest.h>

#include <random>

#include "glsl.h"
#include "shader/translator/translate.h"

namespace mgl::shader {
namespace {

using test::compileGlsl;

struct Case {
  std::vector<u32> words;
  TranslateInput input;
};

// Everything on, so that each pass meets the damage.
std::vector<Case> cases() {
  static const BindingRemap table[] = {{0, 0, 0, 0}, {3, 0, 0, 1}};
  static const OutputRemap outputs[] = {{0, 0, 2, 0}};
  static const Xfb xfb = [] {
    Xfb x;
    XfbVarying position, element, member;
    position.source = XfbSource::Position;
    position.type = UniformType::FloatVec4;
    element.type = UniformType::Float;
    element.location = 1;
    element.firstElement = 1;
    element.offset = 16;
    member.type = UniformType::FloatVec3;
    member.location = 4;
    member.offset = 20;
    x.varyings = {position, element, member};
    x.strides = {32};
    return x;
  }();
  std::vector<Case> all(2);
  all[0].words = compileGlsl(Stage::Vertex, R"(
    struct S { float f; vec3 v; };
    layout(set = 0, binding = 0) uniform Defaults { mat4 m; };
    layout(location = 0) in vec4 p;
    layout(location = 0) out float array[3];
    layout(location = 3) out S s;
    out float gl_ClipDistance[2];
    void main() {
      gl_Position = m * p; gl_PointSize = 2.0;
      gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = p.y;
      array[0] = float(gl_InstanceIndex); array[1] = 1.0; array[2] = 2.0;
      s.f = 1.0; s.v = p.xyz;
    })");
  all[0].input.stage = Stage::Vertex;
  all[0].input.bindings = table;
  all[0].input.subtractBaseInstance = true;
  all[0].input.convertClipDepth = true;
  all[0].input.writePointSize = true;
  all[0].input.maskClipDistances = true;
  all[0].input.xfb = &xfb;
  all[1].words = compileGlsl(Stage::Fragment, R"(
    layout(set = 3, binding = 0) uniform sampler2D t;
    layout(location = 0) in vec2 v;
    layout(location = 0) out vec4 c;
    void main() {
      c = texture(t, gl_FragCoord.xy) + vec4(dFdy(v), gl_PointCoord) + vec4(interpolateAtOffset(v, vec2(0.5)), gl_SamplePosition);
    })");
  all[1].input.stage = Stage::Fragment;
  all[1].input.bindings = table;
  all[1].input.transformWindow = true;
  all[1].input.broadcastOutputs = 4;
  all[1].input.outputs = outputs;
  return all;
}

TEST(Hostile, TheUndamagedCasesTranslate) {
  for (Case& c : cases()) {
    c.input.spirv = c.words;
    EXPECT_EQ(translate(c.input).error, "");
  }
}

TEST(Hostile, EveryTruncation) {
  for (Case& c : cases())
    for (std::size_t n = 0; n < c.words.size(); ++n) {
      const std::vector<u32> cut(c.words.begin(), c.words.begin() + static_cast<std::ptrdiff_t>(n));
      c.input.spirv = cut;
      const TranslateResult r = translate(c.input);
      EXPECT_EQ(r.ok(), !r.spirv.empty());
      if (n < 5) {
        EXPECT_EQ(r.error, "Spirv.Header");
      }
    }
}

TEST(Hostile, DamagedWords) {
  std::mt19937 random(12345);
  for (Case& c : cases())
    for (u32 round = 0; round < 6000; ++round) {
      std::vector<u32> words = c.words;
      for (u32 hits = 1 + random() % 4; hits > 0; --hits) {
        u32& w = words[random() % words.size()];
        switch (random() % 5) {
          case 0:
            w = random();
            break;
          case 1:
            w ^= 1u << (random() % 32);
            break;
          case 2:
            w = words[random() % words.size()];
            break;
          case 3:
            w = random() % 64;
            break;
          default:
            w = (w & 0xffffu) | (random() % 8) << 16;
        }
      }
      c.input.spirv = words;
      const TranslateResult r = translate(c.input);
      EXPECT_EQ(r.ok(), !r.spirv.empty());
    }
}

TEST(Hostile, TypesThatContainThemselves) {
  // An output whose struct type is its own member and its own array element.
  const std::vector<u32> words = {
      0x07230203,
      0x00010300,
      0,
      20,
      0,
      (2u << 16) | 17,
      1,  // OpCapability Shader
      (3u << 16) | 14,
      0,
      1,  // OpMemoryModel Logical GLSL450
      (6u << 16) | 15,
      0,
      1,
      0x6e69616d,
      0,
      5,  // OpEntryPoint Vertex %1 "main" %5
      (4u << 16) | 71,
      5,
      30,
      0,  // OpDecorate %5 Location 0
      (4u << 16) | 21,
      7,
      32,
      0,  // %7 = OpTypeInt 32 0
      (4u << 16) | 43,
      7,
      8,
      0,  // (a constant, its length cut short)
      (4u << 16) | 28,
      3,
      2,
      8,  // %3 = OpTypeArray %2 %8
      (5u << 16) | 30,
      2,
      2,
      3,
      2,  // %2 = OpTypeStruct %2 %3 %2
      (4u << 16) | 32,
      4,
      3,
      2,  // %4 = OpTypePointer Output %2
      (4u << 16) | 59,
      4,
      5,
      3,  // %5 = OpVariable %4 Output
  };
  Xfb xfb;
  xfb.strides = {16};
  xfb.varyings.resize(1);
  xfb.varyings[0].type = UniformType::FloatVec4;
  xfb.varyings[0].location = 3;
  TranslateInput in;
  in.spirv = words;
  in.stage = Stage::Vertex;
  in.xfb = &xfb;
  EXPECT_NE(translate(in).error, "");
}

}  // namespace
}  // namespace mgl::shader
