#include <set>

#include "programs.h"

namespace mgl::shader {
namespace {

using test::find;
using test::findUniform;
using test::link;
using test::linkValid;

constexpr Stage kVs = Stage::Vertex, kFs = Stage::Fragment, kGs = Stage::Geometry;
constexpr u32 kInput = 1, kOutput = 3, kUniformConstant = 0;
constexpr u32 kLocation = 30, kIndex = 32, kBinding = 33, kDescriptorSet = 34;

TEST(Interface, ExplicitUniformLocationsAreKeptAndOthersGoAround) {
  const LinkResult program = linkValid({{kVs, R"(#version 430
layout(location = 2) uniform vec4 a[3];
layout(location = 7) uniform mat4 m;
uniform float x, y, z;
uniform vec2 pair[2];
uniform float unused;
void main() { gl_Position = m * (a[0] + a[2]) * x * y * z + pair[1].xyxy; }
)"}});
  const Archive& archive = program.archive;
  EXPECT_EQ(findUniform(archive, "a[0]")->location, 2);
  EXPECT_EQ(findUniform(archive, "m")->location, 7);
  EXPECT_EQ(findUniform(archive, "unused"), nullptr);
  std::set<i32> taken;
  for (const Uniform& uniform : archive.uniforms) {
    ASSERT_GE(uniform.location, 0) << uniform.name;
    for (u32 i = 0; i < uniform.arraySize; ++i)
      EXPECT_TRUE(taken.insert(uniform.location + static_cast<i32>(i)).second) << uniform.name;
  }
  EXPECT_EQ(static_cast<u32>(*taken.rbegin()) + 1, archive.uniformLocationCount);
}

TEST(Interface, ExplicitLocationsOfStructuresRunThroughTheirMembers) {
  const LinkResult program = linkValid({{kVs, R"(#version 430
struct S { vec4 a; float b[2]; };
layout(location = 10) uniform S s[2];
void main() { gl_Position = s[0].a * s[1].b[1] * s[0].b[0] + s[1].a; }
)"}});
  EXPECT_EQ(findUniform(program.archive, "s[0].a")->location, 10);
  EXPECT_EQ(findUniform(program.archive, "s[0].b[0]")->location, 11);
  EXPECT_EQ(findUniform(program.archive, "s[1].a")->location, 13);
  EXPECT_EQ(findUniform(program.archive, "s[1].b[0]")->location, 14);
}

TEST(Interface, AttributeLocationsByLayoutBindingAndRest) {
  LinkOptions options;
  options.attributeBindings["bound"] = 3;
  options.attributeBindings["placed"] = 9;  // layout() wins
  options.attributeBindings["absent"] = 1;
  const LinkResult program = linkValid({{kVs, R"(#version 330
layout(location = 1) in vec4 fixed_;
layout(location = 5) in vec2 placed;
in vec4 bound;
in mat3 matrix;
in vec4 free_;
in vec4 unused;
void main() { gl_Position = fixed_ + bound + free_ + vec4(matrix[2], placed.x); }
)"}},
                                       options);
  const auto& inputs = program.archive.inputs;
  EXPECT_EQ(find(inputs, "fixed_")->location, 1);
  EXPECT_EQ(find(inputs, "placed")->location, 5);
  EXPECT_EQ(find(inputs, "bound")->location, 3);
  EXPECT_EQ(find(inputs, "matrix")->location, 6);  // the first gap of three
  EXPECT_EQ(find(inputs, "free_")->location, 0);
  EXPECT_EQ(find(inputs, "unused"), nullptr);
  EXPECT_EQ(program.archive.attributeMask, 0b111101011u);
  EXPECT_EQ(test::decorationsOf(program.spirv[0], kInput, kLocation), (std::vector<u32>{0, 1, 3, 5, 6}));
}

TEST(Interface, FragmentOutputsByLayoutBindingAndRest) {
  LinkOptions options;
  options.fragDataBindings["bound"] = {2, 0};
  const LinkResult program =
      linkValid({{kFs,
                  "#version 330\nlayout(location = 1) out vec4 fixed_;\nout vec4 bound;\nout ivec4 rest;\n"
                  "void main() { fixed_ = vec4(1.0); bound = vec4(2.0); rest = ivec4(3); }\n"}},
                options);
  EXPECT_EQ(find(program.archive.outputs, "fixed_")->location, 1);
  EXPECT_EQ(find(program.archive.outputs, "bound")->location, 2);
  EXPECT_EQ(find(program.archive.outputs, "rest")->location, 0);
  EXPECT_EQ(find(program.archive.outputs, "rest")->type, UniformType::IntVec4);
  EXPECT_EQ(program.archive.colorOutputMask, 7u);
  EXPECT_FALSE(program.archive.dualSource);
  EXPECT_EQ(test::decorationsOf(program.spirv[4], kOutput, kLocation), (std::vector<u32>{0, 1, 2}));
}

TEST(Interface, DualSourceOutputs) {
  LinkOptions options;
  options.fragDataBindings["one"] = {0, 0};
  options.fragDataBindings["two"] = {0, 1};
  const LinkResult program = linkValid(
      {{kFs, "#version 330\nout vec4 one;\nout vec4 two;\nvoid main() { one = vec4(1.0); two = vec4(0.5); }\n"}},
      options);
  EXPECT_TRUE(program.archive.dualSource);
  EXPECT_EQ(find(program.archive.outputs, "two")->index, 1);
  EXPECT_EQ(program.archive.colorOutputMask, 1u);
  EXPECT_EQ(test::decorationsOf(program.spirv[4], kOutput, kIndex), (std::vector<u32>{1}));
}

TEST(Interface, FragColorAndFragData) {
  const LinkResult color = linkValid({{kFs, "#version 110\nvoid main() { gl_FragColor = vec4(1.0); }\n"}});
  EXPECT_TRUE(color.archive.fragColorBroadcast);
  EXPECT_EQ(test::decorationsOf(color.spirv[4], kOutput, kLocation), (std::vector<u32>{0}));
  const LinkResult data =
      linkValid({{kFs, "#version 130\nvoid main() { gl_FragData[0] = vec4(1.0); gl_FragData[2] = vec4(1.0); }\n"}});
  EXPECT_FALSE(data.archive.fragColorBroadcast);
  EXPECT_EQ(data.archive.colorOutputMask, 7u);
}

TEST(Interface, VaryingsMeetAtTheirLocations) {
  const LinkResult program = linkValid(
      {{kVs,
        "#version 330\nin vec4 p;\nout vec4 only_vertex;\nout mat2 m;\nflat out ivec3 i;\nout Block { vec2 t; "
        "noperspective float d; } b;\n"
        "void main() { gl_Position = p; only_vertex = p; m = mat2(1.0); i = ivec3(1); b.t = p.xy; b.d = 1.0; }\n"},
       {kFs,
        "#version 330\nin Block { vec2 t; noperspective float d; } other;\nflat in ivec3 i;\nin mat2 m;\nout vec4 c;\n"
        "void main() { c = vec4(other.t, other.d, float(i.x)) + m[0].xyxy; }\n"}});
  const auto inputs = test::decorationsOf(program.spirv[4], kInput, kLocation);
  const auto outputs = test::decorationsOf(program.spirv[0], kOutput, kLocation);
  ASSERT_EQ(inputs.size(), 3u);
  for (u32 location : inputs) EXPECT_EQ(std::count(outputs.begin(), outputs.end(), location), 1) << location;
  // Block: two locations; i: one; m: two. In the fragment shader's order.
  EXPECT_EQ(inputs, (std::vector<u32>{0, 2, 3}));
}

TEST(Interface, ExplicitVaryingLocationsMatchWithoutNames) {
  const LinkResult program = linkValid(
      {{kVs,
        "#version 330\n#extension GL_ARB_separate_shader_objects : require\nlayout(location = 3) out vec4 a;\n"
        "void main() { gl_Position = a = vec4(1.0); }\n"},
       {kFs,
        "#version 330\n#extension GL_ARB_separate_shader_objects : require\nlayout(location = 3) in vec4 b;\nout vec4 "
        "c;\n"
        "void main() { c = b; }\n"}});
  EXPECT_EQ(test::decorationsOf(program.spirv[0], kOutput, kLocation), (std::vector<u32>{3}));
  EXPECT_EQ(test::decorationsOf(program.spirv[4], kInput, kLocation), (std::vector<u32>{3}));
}

TEST(Interface, SamplersHaveOneBindingInAllStages) {
  const LinkResult program = linkValid(
      {{kVs,
        "#version 420\nuniform sampler2D both;\nlayout(binding = 5) uniform sampler3D vol[2];\n"
        "void main() { gl_Position = textureLod(both, vec2(0.0), 0.0) + textureLod(vol[1], vec3(0.0), 0.0); }\n"},
       {kFs,
        "#version 420\nuniform isamplerCube cube;\nuniform sampler2D both;\nout vec4 c;\n"
        "void main() { c = texture(both, vec2(0.0)) + vec4(texture(cube, vec3(1.0))); }\n"}});
  const Archive& archive = program.archive;
  ASSERT_EQ(archive.samplers.size(), 3u);
  EXPECT_EQ(archive.uniforms[archive.samplers[0].uniformIndex].name, "both");
  EXPECT_EQ(archive.samplers[0].stages, stageBit(kVs) | stageBit(kFs));
  EXPECT_EQ(archive.samplers[1].arraySize, 2u);
  EXPECT_EQ(archive.samplers[1].type, UniformType::Sampler3D);
  EXPECT_TRUE(archive.samplers[1].hasBinding);
  EXPECT_EQ(archive.samplers[1].initialUnit, 5u);
  EXPECT_EQ(archive.samplers[2].type, UniformType::IntSamplerCube);
  EXPECT_GE(archive.uniforms[archive.samplers[1].uniformIndex].location, 0);
  EXPECT_EQ(test::decorationsOf(program.spirv[0], kUniformConstant, kBinding), (std::vector<u32>{0, 1}));
  EXPECT_EQ(test::decorationsOf(program.spirv[4], kUniformConstant, kBinding), (std::vector<u32>{0, 2}));
  EXPECT_EQ(test::decorationsOf(program.spirv[4], kUniformConstant, kDescriptorSet), (std::vector<u32>{3, 3}));
}

TEST(Interface, SamplersInStructures) {
  const LinkResult program = linkValid({{kFs, R"(#version 330
struct Light { vec3 color; sampler2DShadow shadow; };
struct Material { sampler2D diffuse, specular[2]; float shininess; };
struct Only { samplerCube sky; };
struct Scene { Light lights[2]; Material material; };
uniform Scene scene;
uniform Material plain;
uniform Only only;
out vec4 c;
void main() {
  c = texture(scene.material.diffuse, vec2(0.5)) * scene.material.shininess + texture(plain.specular[1], vec2(0.5)) +
      vec4(texture(scene.lights[0].shadow, vec3(0.5)) + texture(scene.lights[1].shadow, vec3(0.5))) +
      vec4(scene.lights[1].color, plain.shininess) + texture(only.sky, vec3(1.0));
}
)"}});
  const Archive& archive = program.archive;
  const Uniform* first = findUniform(archive, "scene.lights[0].shadow");
  const Uniform* second = findUniform(archive, "scene.lights[1].shadow");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->type, UniformType::Sampler2DShadow);
  EXPECT_EQ(first->samplerIndex, second->samplerIndex);
  EXPECT_EQ(first->opaqueElement, 0u);
  EXPECT_EQ(second->opaqueElement, 1u);
  EXPECT_EQ(archive.samplers[static_cast<u32>(first->samplerIndex)].arraySize, 2u);
  EXPECT_NE(first->location, second->location);
  ASSERT_NE(findUniform(archive, "plain.specular[0]"), nullptr);
  EXPECT_EQ(findUniform(archive, "plain.specular[0]")->arraySize, 2u);
  ASSERT_NE(findUniform(archive, "only.sky"), nullptr);
  // std140 without the samplers: a light is a vec3 (16 bytes), a material a float.
  EXPECT_EQ(findUniform(archive, "scene.lights[1].color")->offset, 16);
  EXPECT_EQ(findUniform(archive, "scene.material.shininess")->offset, 32);
  EXPECT_EQ(findUniform(archive, "only.mgl_none"), nullptr);
}

TEST(Interface, RectangleSamplersBecome2D) {
  const LinkResult program = linkValid(
      {{kFs,
        "#version 140\nuniform sampler2DRect r;\nuniform sampler2DRectShadow s;\nuniform sampler2D t;\nout vec4 c;\n"
        "vec4 at(sampler2DRect q, vec2 p) { return texture(q, p); }\n"
        "void main() { c = texture(r, vec2(3.0)) + at(r, vec2(1.0)) + texelFetch(r, ivec2(1)) + textureProj(r, "
        "vec3(1.0))\n"
        "  + vec4(texture(s, vec3(1.0))) + vec4(textureSize(r), 0, 0) + texture(t, vec2(0.5)); }\n"}});
  EXPECT_EQ(findUniform(program.archive, "r")->type, UniformType::Sampler2DRect);
  EXPECT_EQ(findUniform(program.archive, "s")->type, UniformType::Sampler2DRectShadow);
  constexpr u16 kOpTypeImage = 25, kOpCapability = 17, kOpImageQuerySizeLod = 103, kOpFDiv = 136;
  constexpr u32 kDimRect = 4, kSampledRect = 37;
  EXPECT_FALSE(test::hasInstruction(program.spirv[4], kOpTypeImage, kDimRect, 2));
  EXPECT_FALSE(test::hasInstruction(program.spirv[4], kOpCapability, kSampledRect));
  u32 queries = 0, divisions = 0;
  const std::vector<u32>& module = program.spirv[4];
  for (std::size_t at = 5; at < module.size(); at += module[at] >> 16) {
    queries += (module[at] & 0xffff) == kOpImageQuerySizeLod;
    divisions += (module[at] & 0xffff) == kOpFDiv;
  }
  EXPECT_EQ(queries, 5u);  // four look-ups with coordinates in texels, one textureSize
  EXPECT_EQ(divisions, 4u);
}

TEST(Interface, InstanceIdLeavesTheBaseInstanceOut) {
  const LinkResult program = linkValid({{kVs, "#version 330\nvoid main() { gl_Position = vec4(gl_InstanceID); }\n"}});
  EXPECT_TRUE(program.archive.usesInstanceId);
  EXPECT_TRUE(program.archive.usesBaseInstance);
  constexpr u16 kOpISub = 130, kOpCapability = 17;
  constexpr u32 kDrawParameters = 4427;
  EXPECT_TRUE(test::hasInstruction(program.spirv[0], kOpCapability, kDrawParameters));
  bool subtracts = false;
  const std::vector<u32>& module = program.spirv[0];
  for (std::size_t at = 5; at < module.size(); at += module[at] >> 16) subtracts |= (module[at] & 0xffff) == kOpISub;
  EXPECT_TRUE(subtracts);
  EXPECT_NE(find(program.archive.inputs, "gl_InstanceID"), nullptr);
}

TEST(Interface, GeometryStage) {
  const LinkResult program =
      linkValid({{kVs, "#version 150\nin vec4 p;\nout vec4 v;\nvoid main() { gl_Position = v = p; }\n"},
                 {kGs,
                  "#version 150\nlayout(lines_adjacency) in;\nlayout(line_strip, max_vertices = 12) out;\nin vec4 "
                  "v[];\nout vec2 g;\n"
                  "void main() { for (int i = 0; i < v.length(); ++i) { g = v[i].xy; gl_Position = "
                  "gl_in[i].gl_Position; gl_Layer = 1;\n"
                  "  gl_PrimitiveID = gl_PrimitiveIDIn; EmitVertex(); } EndPrimitive(); }\n"},
                 {kFs, "#version 150\nin vec2 g;\nout vec4 c;\nvoid main() { c = g.xyxy; }\n"}});
  EXPECT_EQ(program.archive.geometry.input, Primitive::LinesAdjacency);
  EXPECT_EQ(program.archive.geometry.output, Primitive::LineStrip);
  EXPECT_EQ(program.archive.geometry.maxVertices, 12u);
  EXPECT_TRUE(program.archive.writesLayer);
  EXPECT_FALSE(program.archive.writesPointSize);
}

TEST(Interface, ClipDistancesAndPointSize) {
  const LinkResult with =
      linkValid({{kVs,
                  "#version 150\nout float gl_ClipDistance[3];\n"
                  "void main() { gl_Position = vec4(1.0); gl_ClipDistance[2] = 1.0; gl_PointSize = 2.0; }\n"}});
  EXPECT_EQ(with.archive.clipDistances, 3);
  EXPECT_TRUE(with.archive.writesPointSize);
  const LinkResult without = linkValid({{kVs, "#version 450\nvoid main() { gl_Position = vec4(1.0); }\n"}});
  EXPECT_EQ(without.archive.clipDistances, 0);
  EXPECT_EQ(without.archive.cullDistances, 0);
  EXPECT_FALSE(without.archive.writesPointSize);
}

TEST(Interface, FragmentFacts) {
  const LinkResult program = linkValid({{kFs, R"(#version 420
layout(early_fragment_tests) in;
layout(origin_upper_left) in vec4 gl_FragCoord;
layout(binding = 1, r32ui) uniform uimage2D image;
out vec4 c;
void main() { imageStore(image, ivec2(gl_FragCoord.xy), uvec4(1)); if (gl_FragCoord.x > 3.0) discard; c = dFdx(gl_FragCoord) + gl_PointCoord.xyxy; }
)"}});
  const Archive& archive = program.archive;
  EXPECT_TRUE(archive.earlyFragmentTests && archive.originUpperLeft && archive.usesFragCoord && archive.usesDiscard);
  EXPECT_TRUE(archive.usesDerivatives && archive.usesPointCoord);
  EXPECT_FALSE(archive.writesFragDepth);
  EXPECT_EQ(archive.sideEffectStages, stageBit(kFs));
  ASSERT_EQ(archive.images.size(), 1u);
  EXPECT_EQ(archive.images[0].initialUnit, 1u);
  EXPECT_EQ(archive.images[0].format, 33u);  // R32ui in SPIR-V
  EXPECT_EQ(archive.images[0].type, UniformType::UintImage2D);
}

// Words of Vulkan's GLSL and of later versions are good names in older ones.
TEST(Interface, NamesThatAreKeywordsElsewhere) {
  const LinkResult program =
      linkValid({{kVs,
                  "#version 140\nin vec4 sample;\nout vec4 texture2D;\nuniform float sampler, buffer, patch;\n"
                  "void main() { texture2D = sample * sampler * buffer * patch; gl_Position = sample; }\n"},
                 {kFs, "#version 140\nin vec4 texture2D;\nout vec4 c;\nvoid main() { c = texture2D; }\n"}});
  EXPECT_NE(findUniform(program.archive, "sampler"), nullptr);
  EXPECT_NE(findUniform(program.archive, "buffer"), nullptr);
  EXPECT_NE(find(program.archive.inputs, "sample"), nullptr);
}

TEST(Interface, OldLookUps) {
  const LinkResult program = linkValid(
      {{kVs, "#version 110\nattribute vec4 p;\nvarying vec2 t;\nvoid main() { gl_Position = p; t = p.xy; }\n"},
       {kFs,
        "#version 110\nuniform sampler2D texture;\nuniform sampler2DShadow s;\nvarying vec2 t;\n#define LOOK "
        "texture2D\n"
        "void main() { gl_FragColor = LOOK(texture, t) + texture2DProj(texture, vec3(t, 1.0)) + shadow2D(s, vec3(t, "
        "0.5)); }\n"}});
  EXPECT_NE(findUniform(program.archive, "texture"), nullptr);
}

TEST(Interface, SeveralShadersOfAStage) {
  const LinkResult program = linkValid({{kVs,
                                         "#version 150\nuniform float scale;\nvec4 helper(vec4 x);\nin vec4 p;\nvoid "
                                         "main() { gl_Position = helper(p); }\n"},
                                        {kVs,
                                         "#version 150\nuniform float scale;\nuniform float dead;\nvec4 helper(vec4 x) "
                                         "{ return x * scale; }\nfloat unused() { return dead; }\n"}});
  EXPECT_NE(findUniform(program.archive, "scale"), nullptr);
  EXPECT_EQ(findUniform(program.archive, "dead"), nullptr);
}

TEST(Interface, AShaderServesManyPrograms) {
  const CompileResult vertex =
      test::compile(kVs, "#version 330\nin vec4 a, b;\nvoid main() { gl_Position = a + b; }\n");
  ASSERT_TRUE(vertex.ok);
  LinkOptions first, second;
  first.attributeBindings["a"] = 4;
  second.attributeBindings["a"] = 6;
  const LinkResult one = linkProgram(std::span(&vertex.shader, 1), first);
  const LinkResult two = linkProgram(std::span(&vertex.shader, 1), second);
  const LinkResult three = linkProgram(std::span(&vertex.shader, 1), first);
  EXPECT_EQ(find(one.archive.inputs, "a")->location, 4);
  EXPECT_EQ(find(two.archive.inputs, "a")->location, 6);
  EXPECT_EQ(one.spirv[0], three.spirv[0]);
  EXPECT_EQ(serialize(one.archive), serialize(three.archive));
}

}  // namespace
}  // namespace mgl::shader
