// The translator on modules made from GLSL: the result is valid, and computes what OpenGL says under the driver
// constants at hand.
#include "shader/translator/translate.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "glsl.h"
#include "interpreter.h"
#include "shader/translator/validate.h"

namespace mgl::shader {
namespace {

using test::builtin;
using test::compileGlsl;
using test::Interpreter;
using test::location;
using test::Value;

// Translates and validates for both ends of the range of hosts.
std::vector<u32> translated(TranslateInput input, const std::vector<u32>& words, bool* usesConstants = nullptr) {
  input.spirv = words;
  TranslateResult r = translate(input);
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(validateSpirv(r.spirv, SpirvTarget::Vulkan1_1), "");
  EXPECT_EQ(validateSpirv(r.spirv, SpirvTarget::Vulkan1_3), "");
  if (usesConstants != nullptr) *usesConstants = r.usesDriverConstants;
  return std::move(r.spirv);
}

std::string errorOf(TranslateInput input, const std::vector<u32>& words) {
  input.spirv = words;
  const TranslateResult r = translate(input);
  EXPECT_EQ(r.ok(), !r.spirv.empty());
  return r.error;
}

// The words of (set, binding) that a variable of the module has.
bool hasBinding(std::span<const u32> words, u32 set, u32 binding) {
  std::map<u32, std::pair<i64, i64>> found;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if (static_cast<spv::Op>(words[at] & 0xffff) != spv::Op::OpDecorate) continue;
    auto& entry = found.try_emplace(words[at + 1], -1, -1).first->second;
    if (words[at + 2] == static_cast<u32>(spv::Decoration::DescriptorSet)) entry.first = words[at + 3];
    if (words[at + 2] == static_cast<u32>(spv::Decoration::Binding)) entry.second = words[at + 3];
  }
  for (const auto& [id, entry] : found)
    if (entry == std::pair<i64, i64>(set, binding)) return true;
  return false;
}

u32 countOf(std::span<const u32> words, spv::Op op) {
  u32 n = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) n += (words[at] & 0xffff) == static_cast<u32>(op);
  return n;
}

TranslateInput stageInput(Stage stage) {
  TranslateInput in;
  in.stage = stage;
  return in;
}

const char* const kResources = R"(
layout(set = 0, binding = 0) uniform Defaults { vec4 tint; };
layout(set = 3, binding = 2) uniform sampler2D picture;
layout(set = 3, binding = 5) uniform sampler2D unused;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = tint * texture(picture, uv); }
)";

TEST(Bindings, FollowTheTable) {
  const auto words = compileGlsl(Stage::Fragment, kResources);
  const BindingRemap table[] = {{0, 0, 1, 7}, {3, 2, 0, 4}};
  TranslateInput in = stageInput(Stage::Fragment);
  in.bindings = table;
  bool constants = true;
  const auto out = translated(in, words, &constants);
  EXPECT_FALSE(constants);
  EXPECT_TRUE(hasBinding(out, 1, 7));
  EXPECT_TRUE(hasBinding(out, 0, 4));
  EXPECT_FALSE(hasBinding(out, 3, 2));
  // The unused, unlisted sampler went.
  ASSERT_TRUE(hasBinding(words, 3, 5));
  EXPECT_FALSE(hasBinding(out, 3, 5));
  EXPECT_EQ(countOf(out, spv::Op::OpVariable) + 1, countOf(words, spv::Op::OpVariable));
}

TEST(Bindings, AUsedResourceThatIsNotListedIsAnError) {
  const auto words = compileGlsl(Stage::Fragment, kResources);
  const BindingRemap table[] = {{0, 0, 1, 7}};
  TranslateInput in = stageInput(Stage::Fragment);
  in.bindings = table;
  EXPECT_NE(errorOf(in, words).find("set 3 binding 2"), std::string::npos);
}

TEST(Module, AnotherStageIsRefused) {
  const auto words = compileGlsl(Stage::Vertex, "void main() { gl_Position = vec4(0); }");
  EXPECT_NE(errorOf(stageInput(Stage::Fragment), words), "");
}

TEST(Module, NothingAskedChangesNothing) {
  const auto words = compileGlsl(Stage::Vertex, R"(
    layout(location = 0) in vec4 p; layout(location = 3) out vec2 v;
    void main() { gl_Position = p; v = p.xy; })");
  EXPECT_EQ(translated(stageInput(Stage::Vertex), words), words);
}

struct FragmentRun {
  explicit FragmentRun(const std::string& source) : words(compileGlsl(Stage::Fragment, source)) {
    TranslateInput in = stageInput(Stage::Fragment);
    in.transformWindow = true;
    out = translated(in, words, &usesConstants);
    machine.emplace(out);
  }
  Value color() {
    EXPECT_TRUE(machine->run());
    return machine->outputs().at(0).at(location(0));
  }
  std::vector<u32> words, out;
  bool usesConstants = false;
  std::optional<Interpreter> machine;
};

TEST(Window, FragCoordIsScaledAndOffset) {
  FragmentRun r("layout(location = 0) out vec4 c; void main() { c = gl_FragCoord; }");
  EXPECT_TRUE(r.usesConstants);
  r.machine->inputs[builtin(spv::BuiltIn::FragCoord)] = Value::of({10.5f, 20.5f, 0.25f, 2.0f});
  r.machine->constants.fragYScale = -1;
  r.machine->constants.fragYOffset = 100;
  r.machine->constants.fragXOffset = -0.5f;
  const Value c = r.color();
  EXPECT_EQ(c.f(0), 10.0f);
  EXPECT_EQ(c.f(1), 79.5f);
  EXPECT_EQ(c.f(2), 0.25f);
  EXPECT_EQ(c.f(3), 2.0f);
}

TEST(Window, FragCoordComponentsAndFunctionsSeeIt) {
  FragmentRun r(R"(
    layout(location = 0) out vec4 c;
    float y() { return gl_FragCoord.y; }
    void main() { c = vec4(gl_FragCoord.x, gl_FragCoord.y, y(), 1.0); })");
  r.machine->inputs[builtin(spv::BuiltIn::FragCoord)] = Value::of({1, 2, 3, 4});
  r.machine->constants.fragYScale = -1;
  r.machine->constants.fragYOffset = 10;
  const Value c = r.color();
  EXPECT_EQ(c.f(0), 1.0f);
  EXPECT_EQ(c.f(1), 8.0f);
  EXPECT_EQ(c.f(2), 8.0f);
}

TEST(Window, PointCoordTurnsOver) {
  FragmentRun r("layout(location = 0) out vec4 c; void main() { c = vec4(gl_PointCoord, 0, 1); }");
  r.machine->inputs[builtin(spv::BuiltIn::PointCoord)] = Value::of({0.25f, 0.125f});
  r.machine->constants.pointYScale = -1;
  r.machine->constants.pointYOffset = 1;
  const Value c = r.color();
  EXPECT_EQ(c.f(0), 0.25f);
  EXPECT_EQ(c.f(1), 0.875f);
}

TEST(Window, SamplePositionFollowsTheRows) {
  FragmentRun r("layout(location = 0) out vec4 c; void main() { c = vec4(gl_SamplePosition, 0, 1); }");
  r.machine->inputs[builtin(spv::BuiltIn::SamplePosition)] = Value::of({0.25f, 0.125f});
  r.machine->constants.windowYSign = 1;
  EXPECT_EQ(r.color().f(1), 0.125f);
  Interpreter flipped(r.out);
  flipped.inputs = r.machine->inputs;
  flipped.constants.windowYSign = -1;
  ASSERT_TRUE(flipped.run());
  EXPECT_EQ(flipped.outputs().at(0).at(location(0)).f(1), 0.875f);
}

// The interpreter gives a derivative's operand.
TEST(Window, DerivativesInYChangeSign) {
  FragmentRun r(R"(
    layout(location = 0) in vec3 v; layout(location = 0) out vec4 c;
    void main() { c = vec4(dFdx(v).x, dFdy(v).y, dFdyFine(v.z), dFdyCoarse(v.x)); })");
  r.machine->inputs[location(0)] = Value::of({1, 2, 3});
  r.machine->constants.windowYSign = -1;
  const Value c = r.color();
  EXPECT_EQ(c.f(0), 1.0f);
  EXPECT_EQ(c.f(1), -2.0f);
  EXPECT_EQ(c.f(2), -3.0f);
  EXPECT_EQ(c.f(3), -1.0f);
}

// The interpreter gives the offset.
TEST(Window, InterpolationOffsetsTurnOver) {
  FragmentRun r(R"(
    layout(location = 0) in vec2 v; layout(location = 0) out vec4 c;
    void main() { c = vec4(interpolateAtOffset(v, vec2(0.25, 0.125)), 0, 1); })");
  r.machine->constants.windowYSign = -1;
  const Value c = r.color();
  EXPECT_EQ(c.f(0), 0.25f);
  EXPECT_EQ(c.f(1), -0.125f);
}

TEST(Window, WhatIsNotUsedCostsNothing) {
  FragmentRun r("layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
  EXPECT_FALSE(r.usesConstants);
  EXPECT_EQ(r.out, r.words);
}

TEST(Fragment, OutputsMove) {
  const auto words = compileGlsl(Stage::Fragment, R"(
    layout(location = 0) out vec4 a; layout(location = 2) out vec4 b; layout(location = 5) out vec4 same;
    void main() { a = vec4(1); b = vec4(2); same = vec4(5); })");
  const OutputRemap table[] = {{0, 0, 1, 0}, {2, 0, 0, 0}};
  TranslateInput in = stageInput(Stage::Fragment);
  in.outputs = table;
  Interpreter machine(translated(in, words));
  ASSERT_TRUE(machine.run());
  const auto& out = machine.outputs().at(0);
  EXPECT_EQ(out.at(location(1)).f(0), 1.0f);
  EXPECT_EQ(out.at(location(0)).f(0), 2.0f);
  EXPECT_EQ(out.at(location(5)).f(0), 5.0f);
}

TEST(Fragment, DualSourceIsFoundByIndex) {
  const auto words = compileGlsl(Stage::Fragment, R"(
    layout(location = 0, index = 0) out vec4 a; layout(location = 0, index = 1) out vec4 b;
    void main() { a = vec4(1); b = vec4(2); })");
  const OutputRemap table[] = {{0, 1, 1, 0}};
  TranslateInput in = stageInput(Stage::Fragment);
  in.outputs = table;
  Interpreter machine(translated(in, words));
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(machine.outputs().at(0).at(location(1)).f(0), 2.0f);
  EXPECT_EQ(machine.outputs().at(0).at(location(0)).f(0), 1.0f);
}

TEST(Fragment, FragColorGoesToEveryOutput) {
  const auto words = compileGlsl(Stage::Fragment, "layout(location = 0) out vec4 c; void main() { c = vec4(3); }");
  TranslateInput in = stageInput(Stage::Fragment);
  in.broadcastOutputs = 4;
  Interpreter machine(translated(in, words));
  ASSERT_TRUE(machine.run());
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(machine.outputs().at(0).at(location(i)).f(2), 3.0f) << i;
  EXPECT_EQ(machine.outputs().at(0).count(location(4)), 0u);
}

TEST(Vertex, InstanceIdLosesTheBase) {
  const auto words = compileGlsl(Stage::Vertex, R"(
    void main() { gl_Position = vec4(float(gl_InstanceIndex), float(gl_VertexIndex), 0, 1); })");
  TranslateInput in = stageInput(Stage::Vertex);
  in.subtractBaseInstance = true;
  Interpreter machine(translated(in, words));
  machine.inputs[builtin(spv::BuiltIn::InstanceIndex)] = {12, {}};
  machine.inputs[builtin(spv::BuiltIn::BaseInstance)] = {10, {}};
  machine.inputs[builtin(spv::BuiltIn::VertexIndex)] = {30, {}};
  ASSERT_TRUE(machine.run());
  const Value p = machine.outputs().at(0).at(builtin(spv::BuiltIn::Position));
  EXPECT_EQ(p.f(0), 2.0f);
  EXPECT_EQ(p.f(1), 30.0f);
}

TEST(Vertex, InstanceIdUsesTheModulesOwnBaseInstance) {
  const auto words = compileGlsl(Stage::Vertex, R"(
    void main() { gl_Position = vec4(float(gl_InstanceIndex), float(gl_BaseInstance), 0, 1); })");
  TranslateInput in = stageInput(Stage::Vertex);
  in.subtractBaseInstance = true;
  const auto out = translated(in, words);
  EXPECT_EQ(countOf(out, spv::Op::OpCapability), countOf(words, spv::Op::OpCapability));
  Interpreter machine(out);
  machine.inputs[builtin(spv::BuiltIn::InstanceIndex)] = {12, {}};
  machine.inputs[builtin(spv::BuiltIn::BaseInstance)] = {10, {}};
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(machine.outputs().at(0).at(builtin(spv::BuiltIn::Position)).f(0), 2.0f);
}

TEST(Vertex, ClipDepthBecomesHalf) {
  const auto words = compileGlsl(Stage::Vertex, "layout(location = 0) in vec4 p; void main() { gl_Position = p; }");
  TranslateInput in = stageInput(Stage::Vertex);
  in.convertClipDepth = true;
  const auto out = translated(in, words);
  for (const auto& [z, expected] : {std::pair{-2.0f, 0.0f}, {0.0f, 1.0f}, {2.0f, 2.0f}, {1.0f, 1.5f}}) {
    Interpreter machine(out);
    machine.inputs[location(0)] = Value::of({3, 4, z, 2});
    ASSERT_TRUE(machine.run());
    const Value p = machine.outputs().at(0).at(builtin(spv::BuiltIn::Position));
    EXPECT_EQ(p.f(0), 3.0f);
    EXPECT_EQ(p.f(1), 4.0f);
    EXPECT_EQ(p.f(2), expected);
    EXPECT_EQ(p.f(3), 2.0f);
  }
}

TEST(Vertex, EveryReturnIsAdapted) {
  const auto words = compileGlsl(Stage::Vertex, R"(
    layout(location = 0) in vec4 p;
    void main() { gl_Position = p; if (p.x > 0.0) return; gl_Position.z = 1.0; })");
  ASSERT_EQ(countOf(words, spv::Op::OpReturn), 2u);
  TranslateInput in = stageInput(Stage::Vertex);
  in.convertClipDepth = true;
  EXPECT_EQ(countOf(translated(in, words), spv::Op::OpCompositeInsert), countOf(words, spv::Op::OpCompositeInsert) + 2);
}

TEST(Geometry, EveryEmittedVertexIsAdapted) {
  const auto words = compileGlsl(Stage::Geometry, R"(
    layout(points) in; layout(points, max_vertices = 2) out;
    void emitOne(float z) { gl_Position = vec4(0, 0, z, 1); EmitVertex(); }
    void main() { emitOne(-1.0); gl_Position = vec4(0, 0, 1, 1); EmitVertex(); EndPrimitive(); })");
  TranslateInput in = stageInput(Stage::Geometry);
  in.convertClipDepth = true;
  Interpreter machine(translated(in, words));
  ASSERT_TRUE(machine.run());
  ASSERT_EQ(machine.outputs().size(), 2u);
  EXPECT_EQ(machine.outputs()[0].at(builtin(spv::BuiltIn::Position)).f(2), 0.0f);
  EXPECT_EQ(machine.outputs()[1].at(builtin(spv::BuiltIn::Position)).f(2), 1.0f);
}

TEST(PointSize, TheStatesWhereProgramsDoNotSayIt) {
  const auto silent = compileGlsl(Stage::Vertex, "void main() { gl_Position = vec4(0); }");
  const auto writes = compileGlsl(Stage::Vertex, "void main() { gl_Position = vec4(0); gl_PointSize = 5.0; }");
  TranslateInput in = stageInput(Stage::Vertex);
  in.writePointSize = true;
  const auto size = [&](const std::vector<u32>& words, f32 constant) {
    Interpreter machine(translated(in, words));
    machine.constants.pointSize = constant;
    EXPECT_TRUE(machine.run());
    return machine.outputs().at(0).at(builtin(spv::BuiltIn::PointSize)).f();
  };
  EXPECT_EQ(size(silent, 0.0f), 1.0f);
  EXPECT_EQ(size(silent, 7.0f), 7.0f);
  EXPECT_EQ(size(writes, 0.0f), 5.0f);
  EXPECT_EQ(size(writes, 7.0f), 7.0f);
}

TEST(PointSize, IsAddedToABlockThatLacksIt) {
  const auto words = compileGlsl(Stage::Vertex, R"(
    out gl_PerVertex { vec4 gl_Position; };
    void main() { gl_Position = vec4(0); })");
  TranslateInput in = stageInput(Stage::Vertex);
  in.writePointSize = true;
  Interpreter machine(translated(in, words));
  machine.constants.pointSize = 3;
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(machine.outputs().at(0).at(builtin(spv::BuiltIn::PointSize)).f(), 3.0f);
}

TEST(ClipDistances, DisabledPlanesAreZero) {
  const auto words = compileGlsl(Stage::Vertex, R"(
    out float gl_ClipDistance[3];
    void main() { gl_Position = vec4(0); gl_ClipDistance[0] = -1.0; gl_ClipDistance[1] = -2.0; gl_ClipDistance[2] = -3.0; })");
  TranslateInput in = stageInput(Stage::Vertex);
  in.maskClipDistances = true;
  Interpreter machine(translated(in, words));
  machine.constants.clipMask = 0b101;
  ASSERT_TRUE(machine.run());
  const Value d = machine.outputs().at(0).at(builtin(spv::BuiltIn::ClipDistance));
  EXPECT_EQ(d.f(0), -1.0f);
  EXPECT_EQ(d.f(1), 0.0f);
  EXPECT_EQ(d.f(2), -3.0f);
}

TEST(ClipDistances, AModuleWithoutThemIsLeftAlone) {
  const auto words = compileGlsl(Stage::Vertex, "void main() { gl_Position = vec4(0); }");
  TranslateInput in = stageInput(Stage::Vertex);
  in.maskClipDistances = true;
  EXPECT_EQ(translated(in, words), words);
}

XfbVarying varying(const char* name, UniformType type, i32 at, u32 offset) {
  XfbVarying v;
  v.name = name;
  v.type = type;
  v.location = at;
  v.offset = offset;
  v.sizeBytes = uniformTypeInfo(type).components() * 4;
  return v;
}

struct CaptureRun {
  CaptureRun(Stage stage, const std::string& source, Xfb xfbOf, bool clipDepth = false)
      : words(compileGlsl(stage, source)), xfb(std::move(xfbOf)) {
    xfb.stage = stage;
    TranslateInput in = stageInput(stage);
    in.xfb = &xfb;
    in.convertClipDepth = clipDepth;
    machine.emplace(translated(in, words));
  }
  // What the first vertex captured at this place.
  std::optional<Value> at(u32 buffer, u32 offset) {
    for (const auto& c : machine->captured().at(0))
      if (c.buffer == buffer && c.offset == offset) {
        EXPECT_EQ(c.stride, xfb.strides.at(buffer));
        return c.value;
      }
    return std::nullopt;
  }
  std::vector<u32> words;
  Xfb xfb;
  std::optional<Interpreter> machine;
};

TEST(Capture, WholeVariablesAndPosition) {
  Xfb xfb;
  XfbVarying position = varying("gl_Position", UniformType::FloatVec4, -1, 0);
  position.source = XfbSource::Position;
  XfbVarying b = varying("b", UniformType::FloatVec2, 4, 16);
  XfbVarying other = varying("a", UniformType::Float, 1, 0);
  other.buffer = 1;
  xfb.varyings = {position, b, other};
  xfb.strides = {24, 4};
  CaptureRun r(Stage::Vertex, R"(
    layout(location = 1) out float a; layout(location = 4) out vec2 b;
    void main() { gl_Position = vec4(1, 2, 3, 4); a = 5.0; b = vec2(6, 7); })",
               xfb);
  ASSERT_TRUE(r.machine->run());
  ASSERT_TRUE(r.at(0, 0) && r.at(0, 16) && r.at(1, 0));
  EXPECT_EQ(r.at(0, 0)->f(2), 3.0f);
  EXPECT_EQ(r.at(0, 16)->f(1), 7.0f);
  EXPECT_EQ(r.at(1, 0)->f(), 5.0f);
}

TEST(Capture, PositionIsWhatTheProgramWrote) {
  Xfb xfb;
  xfb.varyings = {varying("gl_Position", UniformType::FloatVec4, -1, 0)};
  xfb.varyings[0].source = XfbSource::Position;
  xfb.strides = {16};
  CaptureRun r(Stage::Vertex, "void main() { gl_Position = vec4(1, 2, -4, 4); }", xfb, true);
  ASSERT_TRUE(r.machine->run());
  EXPECT_EQ(r.machine->outputs().at(0).at(builtin(spv::BuiltIn::Position)).f(2), 0.0f);
  ASSERT_TRUE(r.at(0, 0));
  EXPECT_EQ(r.at(0, 0)->f(2), -4.0f);
}

TEST(Capture, PartsHaveOutputsOfTheirOwn) {
  Xfb xfb;
  XfbVarying element = varying("array[2]", UniformType::Float, 2, 0);
  element.firstElement = 2;
  element.wholeVariable = false;
  XfbVarying member = varying("s.v", UniformType::FloatVec3, 6, 4);
  member.wholeVariable = false;
  xfb.varyings = {element, member};
  xfb.strides = {16};
  CaptureRun r(Stage::Vertex, R"(
    struct S { float f; vec3 v; };
    layout(location = 0) out float array[4];
    layout(location = 5) out S s;
    void main() {
      gl_Position = vec4(0);
      array[0] = 1.0; array[1] = 2.0; array[2] = 3.0; array[3] = 4.0;
      s.f = 5.0; s.v = vec3(6, 7, 8);
    })",
               xfb);
  ASSERT_TRUE(r.machine->run());
  ASSERT_TRUE(r.at(0, 0) && r.at(0, 4));
  EXPECT_EQ(r.at(0, 0)->f(), 3.0f);
  EXPECT_EQ(r.at(0, 4)->f(1), 7.0f);
}

TEST(Capture, TheFirstElementIsNotTheArray) {
  Xfb xfb;
  XfbVarying element = varying("array[0]", UniformType::Float, 0, 0);
  element.wholeVariable = false;
  XfbVarying inner = varying("grid[1]", UniformType::Float, 6, 4);
  inner.arraySize = 2;
  inner.wholeVariable = false;
  XfbVarying grid = varying("whole", UniformType::Float, 8, 12);
  grid.arraySize = 2;
  xfb.varyings = {element, inner, grid};
  xfb.strides = {36};
  CaptureRun r(Stage::Vertex, R"(
    layout(location = 0) out float array[4];
    layout(location = 4) out float grid[2][2];
    layout(location = 8) out float whole[2][3];
    void main() {
      gl_Position = vec4(0);
      array[0] = 1.0; array[1] = 2.0; array[2] = 3.0; array[3] = 4.0;
      grid[0][0] = 5.0; grid[0][1] = 6.0; grid[1][0] = 7.0; grid[1][1] = 8.0;
      whole[1][2] = 9.0;
    })",
               xfb);
  ASSERT_TRUE(r.machine->run());
  ASSERT_TRUE(r.at(0, 0) && r.at(0, 4) && r.at(0, 12));
  EXPECT_EQ(r.at(0, 0)->f(), 1.0f);
  EXPECT_EQ(r.at(0, 4)->f(0), 7.0f);
  EXPECT_EQ(r.at(0, 4)->f(1), 8.0f);
  EXPECT_EQ(r.at(0, 12)->parts.at(1).f(2), 9.0f);
}

TEST(Capture, ComponentsShareALocation) {
  Xfb xfb;
  XfbVarying second = varying("b", UniformType::FloatVec2, 0, 0);
  second.component = 2;
  xfb.varyings = {second};
  xfb.strides = {8};
  CaptureRun r(Stage::Vertex, R"(
    layout(location = 0, component = 0) out vec2 a; layout(location = 0, component = 2) out vec2 b;
    void main() { gl_Position = vec4(0); a = vec2(1, 2); b = vec2(3, 4); })",
               xfb);
  ASSERT_TRUE(r.machine->run());
  ASSERT_TRUE(r.at(0, 0));
  EXPECT_EQ(r.at(0, 0)->f(0), 3.0f);
}

TEST(Capture, WholeArraysMatricesAndBlockMembers) {
  Xfb xfb;
  XfbVarying array = varying("array", UniformType::FloatVec2, 0, 0);
  array.arraySize = 2;
  XfbVarying matrix = varying("m", UniformType::FloatMat2, 2, 16);
  XfbVarying member = varying("Block.b", UniformType::Int, 9, 32);
  member.wholeVariable = false;
  xfb.varyings = {array, matrix, member};
  xfb.strides = {36};
  CaptureRun r(Stage::Vertex, R"(
    layout(location = 0) out vec2 array[2];
    layout(location = 2) out mat2 m;
    layout(location = 8) out Block { vec4 a; flat int b; } block;
    void main() {
      gl_Position = vec4(0);
      array[0] = vec2(1, 2); array[1] = vec2(3, 4);
      m[0] = vec2(5, 6); m[1] = vec2(7, 8);
      block.a = vec4(0); block.b = 9;
    })",
               xfb);
  ASSERT_TRUE(r.machine->run());
  ASSERT_TRUE(r.at(0, 0) && r.at(0, 16) && r.at(0, 32));
  EXPECT_EQ(r.at(0, 0)->parts.at(1).f(0), 3.0f);
  EXPECT_EQ(r.at(0, 16)->parts.at(1).f(1), 8.0f);
  EXPECT_EQ(r.at(0, 32)->word, 9u);
}

TEST(Capture, GeometryCapturesEachEmittedVertex) {
  Xfb xfb;
  XfbVarying element = varying("array[1]", UniformType::Float, 1, 0);
  element.firstElement = 1;
  element.wholeVariable = false;
  xfb.varyings = {element};
  xfb.strides = {4};
  CaptureRun r(Stage::Geometry, R"(
    layout(points) in; layout(points, max_vertices = 2) out;
    layout(location = 0) out float array[2];
    void main() {
      gl_Position = vec4(0); array[0] = 0.0;
      array[1] = 1.0; EmitVertex();
      array[1] = 2.0; EmitVertex();
    })",
               xfb);
  ASSERT_TRUE(r.machine->run());
  ASSERT_EQ(r.machine->captured().size(), 2u);
  EXPECT_EQ(r.machine->captured()[1].at(0).value.f(), 2.0f);
}

TEST(Capture, WhatIsNotThereIsAnError) {
  const auto words = compileGlsl(Stage::Vertex, "layout(location = 0) out vec4 v; void main() { v = vec4(0); }");
  TranslateInput in = stageInput(Stage::Vertex);
  Xfb xfb;
  xfb.strides = {16};
  xfb.varyings = {varying("v", UniformType::FloatVec4, 3, 0)};
  in.xfb = &xfb;
  EXPECT_NE(errorOf(in, words), "");
  xfb.varyings = {varying("v", UniformType::FloatVec2, 0, 0)};
  EXPECT_NE(errorOf(in, words), "");
  xfb.varyings = {varying("v", UniformType::FloatVec4, 0, 0)};
  xfb.varyings[0].arraySize = 2;
  EXPECT_NE(errorOf(in, words), "");
  xfb.varyings[0].arraySize = 1;
  xfb.stage = Stage::Geometry;
  EXPECT_NE(errorOf(in, words), "");
  xfb.stage = Stage::Vertex;
  EXPECT_EQ(errorOf(in, words), "");
}

TEST(TessEval, DepthAndCapture) {
  Xfb xfb;
  xfb.stage = Stage::TessEval;
  xfb.varyings = {varying("gl_Position", UniformType::FloatVec4, -1, 0)};
  xfb.varyings[0].source = XfbSource::Position;
  xfb.strides = {16};
  const auto words = compileGlsl(Stage::TessEval, R"(
    layout(triangles) in;
    void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position; })");
  TranslateInput in = stageInput(Stage::TessEval);
  in.xfb = &xfb;
  in.convertClipDepth = true;
  translated(in, words);
}

TEST(Validate, SaysWhatIsWrong) {
  auto words = compileGlsl(Stage::Vertex, "void main() { gl_Position = vec4(0); }");
  EXPECT_EQ(validateSpirv(words), "");
  words[3] = 4;  // bound below the ids in use
  EXPECT_NE(validateSpirv(words), "");
  EXPECT_NE(validateSpirv({}), "");
  EXPECT_NE(validateSpirv(std::vector<u32>{1, 2, 3}), "");
}

}  // namespace
}  // namespace mgl::shader
