// Offsets computed by hand from the rules of std140 (OpenGL 4.6 core, section 7.6.2.2; the numbers in brackets are its
// rules).
#include <cstring>

#include "programs.h"

namespace mgl::shader {
namespace {

using test::findUniform;
using test::linkValid;

constexpr Stage kVs = Stage::Vertex, kFs = Stage::Fragment;

void expectPlace(const Archive& archive, std::string_view name, i32 offset, i32 arrayStride = 0, i32 matrixStride = 0) {
  const Uniform* uniform = findUniform(archive, name);
  ASSERT_NE(uniform, nullptr) << name;
  EXPECT_EQ(uniform->offset, offset) << name;
  EXPECT_EQ(uniform->arrayStride, arrayStride) << name;
  EXPECT_EQ(uniform->matrixStride, matrixStride) << name;
}

// The example in the specification of ARB_uniform_buffer_object, with its own offsets.
TEST(Layout, ExampleOfTheSpecification) {
  const LinkResult program = linkValid({{kVs, R"(#version 140
struct F { int d; bvec2 e; };
struct O { uvec3 j; vec2 k; float l[2]; vec2 m; mat3 n[2]; };
layout(std140) uniform Example {
  float a; vec2 b; vec3 c; F f; float g; float h[2]; mat2x3 i; O o[2];
};
void main() { gl_Position = vec4(a); }
)"}});
  const Archive& archive = program.archive;
  expectPlace(archive, "a", 0);
  expectPlace(archive, "b", 8);
  expectPlace(archive, "c", 16);
  expectPlace(archive, "f.d", 32);
  expectPlace(archive, "f.e", 40);
  expectPlace(archive, "g", 48);
  expectPlace(archive, "h[0]", 64, 16);
  expectPlace(archive, "i", 96, 0, 16);
  expectPlace(archive, "o[0].j", 128);
  expectPlace(archive, "o[0].k", 144);
  expectPlace(archive, "o[0].l[0]", 160, 16);
  expectPlace(archive, "o[0].m", 192);
  expectPlace(archive, "o[0].n[0]", 208, 48, 16);
  expectPlace(archive, "o[1].j", 304);
  expectPlace(archive, "o[1].k", 320);
  expectPlace(archive, "o[1].l[0]", 336, 16);
  expectPlace(archive, "o[1].m", 368);
  expectPlace(archive, "o[1].n[0]", 384, 48, 16);
  ASSERT_EQ(archive.uniformBlocks.size(), 1u);
  EXPECT_EQ(archive.uniformBlocks[0].name, "Example");
  EXPECT_EQ(archive.uniformBlocks[0].sizeBytes, 480u);
  EXPECT_EQ(archive.uniformBlocks[0].members.size(), archive.uniforms.size());
  EXPECT_EQ(findUniform(archive, "f.e")->type, UniformType::BoolVec2);
  EXPECT_EQ(findUniform(archive, "f.e")->location, -1);
}

TEST(Layout, RowMajorMatrices) {
  const LinkResult program = linkValid({{kVs, R"(#version 140
layout(std140, row_major) uniform M { mat2x4 a; layout(column_major) mat2x4 b; mat3 c[2]; float d; };
void main() { gl_Position = vec4(a[0]); }
)"}});
  const Archive& archive = program.archive;
  // Row-major with two columns and four rows: four vectors of two, each aligned to 16 [7].
  expectPlace(archive, "a", 0, 0, 16);
  EXPECT_TRUE(findUniform(archive, "a")->rowMajor);
  expectPlace(archive, "b", 64, 0, 16);  // two columns of four
  EXPECT_FALSE(findUniform(archive, "b")->rowMajor);
  expectPlace(archive, "c[0]", 96, 48, 16);
  expectPlace(archive, "d", 192);
  EXPECT_EQ(archive.uniformBlocks[0].sizeBytes, 208u);
}

// The default block is std140 as well, with members in the order in which the stages bring them.
TEST(Layout, NestedArraysOfStructuresInTheDefaultBlock) {
  const LinkResult program = linkValid({{kVs, R"(#version 330
struct In { vec3 p; float w[2]; };
struct Out { In in_[2]; mat2 m; bool flag; };
uniform Out u[2];
uniform int after;
void main() { gl_Position = vec4(u[1].in_[1].p, u[0].in_[0].w[1]) * u[1].m[0][0] * float(u[0].flag) * float(after); }
)"}});
  const Archive& archive = program.archive;
  // In: p at 0, w at 16 with stride 16, size 48. Out: in_ at 0 (96), m at 96 (32), flag at 128, size 144.
  expectPlace(archive, "u[0].in_[0].p", 0);
  expectPlace(archive, "u[0].in_[0].w[0]", 16, 16);
  expectPlace(archive, "u[0].in_[1].p", 48);
  expectPlace(archive, "u[0].m", 96, 0, 16);
  expectPlace(archive, "u[0].flag", 128);
  expectPlace(archive, "u[1].in_[1].w[0]", 144 + 48 + 16, 16);
  expectPlace(archive, "u[1].flag", 144 + 128);
  expectPlace(archive, "after", 288);
  EXPECT_EQ(archive.defaultBlockBytes, 304u);
  EXPECT_EQ(archive.defaultBlockStages, stageBit(kVs));
}

TEST(Layout, StagesShareOneDefaultBlock) {
  const LinkResult program = linkValid(
      {{kVs, "#version 330\nuniform mat4 m;\nuniform float shared_;\nvoid main() { gl_Position = m[0] * shared_; }\n"},
       {kFs,
        "#version 330\nuniform vec2 f;\nuniform float shared_;\nout vec4 c;\n"
        "void main() { c = vec4(f, shared_, 1.0); }\n"}});
  const Archive& archive = program.archive;
  expectPlace(archive, "m", 0, 0, 16);
  expectPlace(archive, "shared_", 64);
  expectPlace(archive, "f", 72);
  EXPECT_EQ(findUniform(archive, "shared_")->stages, stageBit(kVs) | stageBit(kFs));
  EXPECT_EQ(findUniform(archive, "m")->stages, stageBit(kVs));
  EXPECT_EQ(archive.defaultBlockStages, stageBit(kVs) | stageBit(kFs));
}

TEST(Layout, InitialValues) {
  const LinkResult program = linkValid({{kVs, R"(#version 330
uniform vec3 a = vec3(1.0, -2.0, 0.5);
uniform int b = 7;
uniform mat2 m = mat2(1.0, 2.0, 3.0, 4.0);
uniform float list[] = float[](5.0, 6.0, 7.0);
uniform bool flag = true;
uniform float none;
void main() { gl_Position = vec4(a, float(b)) * m[1][0] * list[gl_VertexID] * float(flag) * none; }
)"}});
  const Archive& archive = program.archive;
  ASSERT_EQ(archive.defaultBlockInitial.size(), archive.defaultBlockBytes);
  const auto word = [&](std::string_view name, u32 more) {
    u32 value = 0;
    std::memcpy(&value, &archive.defaultBlockInitial[static_cast<u32>(findUniform(archive, name)->offset) + more], 4);
    return value;
  };
  const auto number = [&](std::string_view name, u32 more) {
    const u32 bits = word(name, more);
    f32 value = 0;
    std::memcpy(&value, &bits, 4);
    return value;
  };
  EXPECT_EQ(number("a", 0), 1.0f);
  EXPECT_EQ(number("a", 4), -2.0f);
  EXPECT_EQ(number("a", 8), 0.5f);
  EXPECT_EQ(word("b", 0), 7u);
  EXPECT_EQ(number("m", 4), 2.0f);
  EXPECT_EQ(number("m", 16), 3.0f);
  EXPECT_EQ(number("m", 20), 4.0f);
  EXPECT_EQ(findUniform(archive, "list[0]")->arraySize, 3u);
  EXPECT_EQ(number("list[0]", 32), 7.0f);
  EXPECT_EQ(word("flag", 0), 1u);
  EXPECT_EQ(word("none", 0), 0u);
}

TEST(Layout, BlockNamesAndArrays) {
  const LinkResult program = linkValid({{kVs, R"(#version 420
layout(std140, binding = 3) uniform Named { vec4 a; } n[2];
layout(std140) uniform Plain { vec4 b; };
void main() { gl_Position = n[1].a + b; }
)"}});
  const Archive& archive = program.archive;
  ASSERT_EQ(archive.uniformBlocks.size(), 3u);
  EXPECT_EQ(archive.uniformBlocks[0].name, "Named[0]");
  EXPECT_EQ(archive.uniformBlocks[1].name, "Named[1]");
  EXPECT_EQ(archive.uniformBlocks[2].name, "Plain");
  EXPECT_EQ(archive.uniformBlocks[0].binding, 3u);
  EXPECT_EQ(archive.uniformBlocks[1].binding, 4u);
  EXPECT_EQ(archive.uniformBlocks[2].binding, 0u);
  EXPECT_EQ(archive.uniformBlocks[1].arrayIndex, 1u);
  EXPECT_EQ(archive.uniformBlocks[1].arraySize, 2u);
  EXPECT_NE(findUniform(archive, "Named.a"), nullptr);
  EXPECT_NE(findUniform(archive, "b"), nullptr);
  // The array takes binding 0 with two descriptors, the next block follows at 2.
  constexpr u32 kUniform = 2, kBinding = 33, kDescriptorSet = 34;
  EXPECT_EQ(test::decorationsOf(program.spirv[0], kUniform, kBinding), (std::vector<u32>{0, 2}));
  EXPECT_EQ(test::decorationsOf(program.spirv[0], kUniform, kDescriptorSet), (std::vector<u32>{1, 1}));
}

// std430: arrays of scalars are tight, structures align to their widest member.
TEST(Layout, StorageBlocks) {
  const LinkResult program = linkValid({{Stage::Compute, R"(#version 430
layout(local_size_x = 4, local_size_y = 2) in;
struct P { vec3 p; float m; };
layout(std430, binding = 2) buffer B { int n; float t[4]; P first[3]; P rest[]; } b;
layout(std430) readonly buffer R { uint data[]; };
void main() { b.rest[gl_GlobalInvocationID.x].m = b.t[1] + float(b.n) + float(data[0]) + b.first[0].m; }
)"}});
  const Archive& archive = program.archive;
  ASSERT_EQ(archive.storageBlocks.size(), 2u);
  EXPECT_EQ(archive.storageBlocks[0].name, "B");
  EXPECT_EQ(archive.storageBlocks[0].binding, 2u);
  EXPECT_FALSE(archive.storageBlocks[0].readOnly);
  EXPECT_TRUE(archive.storageBlocks[1].readOnly);
  const auto variable = [&](std::string_view name) -> const BufferVariable* {
    for (const BufferVariable& v : archive.bufferVariables) {
      if (v.name == name) return &v;
    }
    return nullptr;
  };
  ASSERT_NE(variable("B.t[0]"), nullptr);
  EXPECT_EQ(variable("B.t[0]")->offset, 4);
  EXPECT_EQ(variable("B.t[0]")->arrayStride, 4);
  ASSERT_NE(variable("B.first[0].m"), nullptr);
  EXPECT_EQ(variable("B.first[0].m")->offset, 32 + 12);
  EXPECT_EQ(variable("B.first[0].m")->topLevelArraySize, 3u);
  EXPECT_EQ(variable("B.first[0].m")->topLevelArrayStride, 16);
  EXPECT_EQ(variable("B.first[1].m"), nullptr);
  ASSERT_NE(variable("B.rest[0].p"), nullptr);
  EXPECT_EQ(variable("B.rest[0].p")->offset, 80);
  EXPECT_EQ(variable("B.rest[0].p")->topLevelArraySize, 0u);
  EXPECT_EQ(archive.localSize[0], 4u);
  EXPECT_EQ(archive.localSize[1], 2u);
  EXPECT_EQ(archive.localSize[2], 1u);
  EXPECT_EQ(archive.sideEffectStages, stageBit(Stage::Compute));
}

TEST(Layout, DepthRangeIsAHiddenUniform) {
  const LinkResult program =
      linkValid({{kVs, "#version 140\nuniform vec4 u;\nvoid main() { gl_Position = u * gl_DepthRange.diff; }\n"}});
  const Archive& archive = program.archive;
  ASSERT_EQ(archive.builtinUniforms.size(), 1u);
  EXPECT_EQ(archive.builtinUniforms[0].kind, BuiltinUniformKind::DepthRange);
  ASSERT_EQ(archive.uniforms.size(), 1u);  // not active in the program's eyes
  const u32 hidden = archive.builtinUniforms[0].offset, own = static_cast<u32>(archive.uniforms[0].offset);
  EXPECT_TRUE((hidden == 0 && own == 16) || (hidden == 16 && own == 0)) << hidden << " " << own;
  EXPECT_EQ(archive.defaultBlockBytes, 32u);
}

}  // namespace
}  // namespace mgl::shader
