// What the compiler links, the translator takes: programs in plain OpenGL GLSL through both, with every adaptation on,
// and by each stage's convention of archive.h.
#include <gtest/gtest.h>

#include "interpreter.h"
#include "shader/compiler/compiler.h"
#include "shader/translator/translate.h"
#include "shader/translator/validate.h"

namespace mgl::shader {
namespace {

using test::builtin;
using test::Interpreter;
using test::location;
using test::Value;

struct Source {
  Stage stage;
  const char* text;
};

LinkResult link(std::initializer_list<Source> sources, const LinkOptions& options = {}) {
  CompileOptions compile;
  compile.maxGlslVersion = 460;
  compile.allExtensions = true;
  std::vector<std::shared_ptr<const CompiledShader>> shaders;
  for (const Source& s : sources) {
    const std::string_view text = s.text;
    CompileResult r = compileShader(s.stage, {&text, 1}, compile);
    EXPECT_TRUE(r.ok) << r.infoLog;
    if (r.ok) shaders.push_back(r.shader);
  }
  LinkResult linked = linkProgram(shaders, options);
  EXPECT_TRUE(linked.ok) << linked.infoLog;
  return linked;
}

// One set per class, bindings moved up by ten, so that a resource left alone would be seen.
std::vector<BindingRemap> remaps(const Archive& a) {
  std::vector<BindingRemap> table;
  const auto add = [&](DescriptorSet set, std::size_t count) {
    for (u32 i = 0; i < count; ++i) table.push_back({indexOf(set), i, indexOf(set), i + 10});
  };
  add(DescriptorSet::DefaultBlock, a.defaultBlockBytes != 0 ? 1 : 0);
  add(DescriptorSet::UniformBlocks, a.uniformBlocks.size());
  add(DescriptorSet::StorageBlocks, a.storageBlocks.size());
  add(DescriptorSet::Samplers, a.samplers.size());
  add(DescriptorSet::Images, a.images.size());
  add(DescriptorSet::AtomicBuffers, a.atomicBuffers.size());
  return table;
}

std::vector<u32> translateStage(const LinkResult& linked, Stage stage, bool lastVertexStage) {
  const std::vector<BindingRemap> table = remaps(linked.archive);
  TranslateInput in;
  in.spirv = linked.spirv[indexOf(stage)];
  in.stage = stage;
  in.bindings = table;
  in.transformWindow = true;
  in.broadcastOutputs = stage == Stage::Fragment && linked.archive.fragColorBroadcast ? 8 : 0;
  if (lastVertexStage) {
    in.convertClipDepth = true;
    in.writePointSize = true;
    in.maskClipDistances = true;
    in.xfb = &linked.archive.xfb;
  }
  TranslateResult r = translate(in);
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(validateSpirv(r.spirv, SpirvTarget::Vulkan1_1), "");
  EXPECT_EQ(validateSpirv(r.spirv, SpirvTarget::Vulkan1_3), "");
  return std::move(r.spirv);
}

// Translates and validates every stage.
void translateAll(const LinkResult& linked) {
  Stage last = Stage::Vertex;
  for (Stage s : {Stage::TessEval, Stage::Geometry})
    if (!linked.spirv[indexOf(s)].empty()) last = s;
  for (u32 i = 0; i < indexOf(Stage::Count); ++i) {
    const auto stage = static_cast<Stage>(i);
    if (!linked.spirv[i].empty()) translateStage(linked, stage, stage == last);
  }
}

constexpr const char* kPlainFragment = "#version 330\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n";

TEST(Linked, UniformsSamplersAndBlocks) {
  translateAll(link({{Stage::Vertex, R"(#version 330
uniform mat4 mvp; uniform vec3 offsets[4];
layout(std140) uniform Camera { mat4 view; vec4 eye; } cameras[2];
in vec4 position; in vec2 uv; out vec2 vUv; flat out int id;
void main() {
  gl_Position = mvp * cameras[0].view * position + vec4(offsets[gl_InstanceID & 3], 0.0) + cameras[1].eye;
  vUv = uv; id = gl_InstanceID;
})"},
                     {Stage::Fragment, R"(#version 330
uniform sampler2D base; uniform samplerCube cubes[3]; uniform sampler2DRect flat2; uniform isamplerBuffer ints;
uniform bool lit; uniform struct Light { vec3 at; float power; } lights[2];
in vec2 vUv; flat in int id; out vec4 color; out uvec4 other;
void main() {
  color = texture(base, vUv) + texture(cubes[1], vec3(vUv, 1.0)) + texture(flat2, gl_FragCoord.xy);
  if (lit) color.rgb += lights[1].at * lights[0].power;
  color.a = float(texelFetch(ints, id).x);
  other = uvec4(id);
})"}}));
}

TEST(Linked, OldGlsl) {
  translateAll(link({{Stage::Vertex, R"(#version 120
attribute vec4 position; varying vec2 v;
void main() { gl_Position = position; v = position.xy; })"},
                     {Stage::Fragment, R"(#version 120
uniform sampler2D t; varying vec2 v;
void main() { gl_FragColor = texture2D(t, v) * gl_FragCoord.y + vec4(gl_PointCoord, dFdy(v)); })"}}));
}

TEST(Linked, FragColorReachesEveryOutput) {
  const LinkResult linked = link({{Stage::Vertex, "#version 120\nvoid main() { gl_Position = vec4(0.0); }\n"},
                                  {Stage::Fragment, "#version 120\nvoid main() { gl_FragColor = vec4(0.5); }\n"}});
  ASSERT_TRUE(linked.archive.fragColorBroadcast);
  Interpreter machine(translateStage(linked, Stage::Fragment, false));
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(machine.outputs().at(0).at(location(0)).f(1), 0.5f);
  EXPECT_EQ(machine.outputs().at(0).at(location(7)).f(1), 0.5f);
}

TEST(Linked, InstanceIdHasNoBase) {
  const LinkResult linked =
      link({{Stage::Vertex, "#version 330\nvoid main() { gl_Position = vec4(float(gl_InstanceID), 0.0, 0.0, 1.0); }\n"},
            {Stage::Fragment, kPlainFragment}});
  Interpreter machine(translateStage(linked, Stage::Vertex, true));
  machine.inputs[builtin(spv::BuiltIn::InstanceIndex)] = {12, {}};
  machine.inputs[builtin(spv::BuiltIn::BaseInstance)] = {10, {}};
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(machine.outputs().at(0).at(builtin(spv::BuiltIn::Position)).f(0), 2.0f);
}

TEST(Linked, GeometryAndClipDistances) {
  translateAll(link({{Stage::Vertex, R"(#version 330
in vec4 position; out vec3 normal; out float gl_ClipDistance[2];
void main() { gl_Position = position; normal = position.xyz; gl_ClipDistance[0] = position.x; gl_ClipDistance[1] = 1.0; })"},
                     {Stage::Geometry, R"(#version 330
layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
in vec3 normal[]; out vec3 n; out float gl_ClipDistance[2];
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position; n = normal[i]; gl_Layer = i;
    gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[1]; gl_ClipDistance[1] = 0.5;
    EmitVertex();
  }
  EndPrimitive();
})"},
                     {Stage::Fragment, "#version 330\nin vec3 n;\nout vec4 c;\nvoid main() { c = vec4(n, 1.0); }\n"}}));
}

TEST(Linked, Tessellation) {
  translateAll(link({{Stage::Vertex, "#version 400\nin vec4 p;\nvoid main() { gl_Position = p; }\n"},
                     {Stage::TessControl, R"(#version 400
layout(vertices = 3) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;
})"},
                     {Stage::TessEval, R"(#version 400
layout(triangles) in;
void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y; })"},
                     {Stage::Fragment, kPlainFragment}}));
}

TEST(Linked, StorageImagesAndCounters) {
  translateAll(link({{Stage::Compute, R"(#version 430
layout(local_size_x = 8) in;
layout(std430, binding = 1) buffer Data { vec4 values[]; };
layout(rgba8, binding = 0) uniform image2D picture;
layout(binding = 0) uniform atomic_uint count;
uniform float scale;
void main() {
  values[gl_GlobalInvocationID.x] *= scale * float(atomicCounterIncrement(count)) * float(values.length());
  imageStore(picture, ivec2(gl_GlobalInvocationID.xy), values[0]);
})"}}));
}

TEST(Linked, CaptureByNameGivesWhatTheProgramWrote) {
  LinkOptions options;
  options.xfbVaryings = {"gl_Position",        "pair",         "array[1]", "gl_SkipComponents2", "Block.deep",
                         "gl_ClipDistance[1]", "gl_PointSize", "s.member"};
  const LinkResult linked = link({{Stage::Vertex, R"(#version 430
struct S { float first; vec2 member; };
out vec2 pair; out vec3 array[2]; out Block { float shallow; vec2 deep; } block; out S s; out float gl_ClipDistance[2];
void main() {
  gl_Position = vec4(1.0, 2.0, -4.0, 4.0);
  pair = vec2(5.0, 6.0);
  array[0] = vec3(0.0); array[1] = vec3(7.0, 8.0, 9.0);
  block.shallow = 0.0; block.deep = vec2(10.0, 11.0);
  gl_ClipDistance[0] = 0.0; gl_ClipDistance[1] = 12.0;
  gl_PointSize = 13.0;
  s.first = 0.0; s.member = vec2(14.0, 15.0);
})"},
                                  {Stage::Fragment, kPlainFragment}},
                                 options);
  ASSERT_TRUE(linked.ok);
  Interpreter machine(translateStage(linked, Stage::Vertex, true));
  machine.constants.clipMask = 0;  // what is clipped and rasterised differs from what is captured
  machine.constants.pointSize = 2;
  ASSERT_TRUE(machine.run());
  std::map<u32, f32> words;  // by offset
  for (const auto& c : machine.captured().at(0)) {
    EXPECT_EQ(c.stride, 4u * 17);
    EXPECT_EQ(c.buffer, 0u);
    if (c.value.parts.empty()) words[c.offset] = c.value.f();
    for (u32 i = 0; i < c.value.parts.size(); ++i) words[c.offset + 4 * i] = c.value.f(i);
  }
  // 4 + 2 + 3 + (2 skipped) + 2 + 1 + 1 + 2 components.
  const std::map<u32, f32> expected = {{0, 1},  {4, 2},   {8, -4},  {12, 4},  {16, 5},  {20, 6},  {24, 7}, {28, 8},
                                       {32, 9}, {44, 10}, {48, 11}, {52, 12}, {56, 13}, {60, 14}, {64, 15}};
  EXPECT_EQ(words, expected);
  EXPECT_EQ(machine.outputs().at(0).at(builtin(spv::BuiltIn::PointSize)).f(), 2.0f);
  EXPECT_EQ(machine.outputs().at(0).at(builtin(spv::BuiltIn::ClipDistance)).f(1), 0.0f);
}

}  // namespace
}  // namespace mgl::shader
