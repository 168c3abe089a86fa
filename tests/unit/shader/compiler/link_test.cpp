// What must not link, and what must although it looks as if it should not.
#include <thread>

#include "programs.h"

namespace mgl::shader {
namespace {

using test::expectLinkError;
using test::kFragment140;
using test::kVertex140;
using test::linkValid;

constexpr Stage kVs = Stage::Vertex, kFs = Stage::Fragment, kGs = Stage::Geometry;

TEST(Link, NothingAttached) { expectLinkError({}, "no shaders"); }

TEST(Link, MissingMain) { expectLinkError({{kVs, "#version 330\nvoid f() {}\n"}}, "no main"); }

TEST(Link, UnresolvedFunction) {
  expectLinkError({{kVs, "#version 330\nvec4 gone(float x);\nvoid main() { gl_Position = gone(1.0); }\n"}}, "`gone'");
}

TEST(Link, TwoBodies) {
  expectLinkError({{kVs, "#version 330\nfloat f() { return 1.0; }\nvoid main() { gl_Position = vec4(f()); }\n"},
                   {kVs, "#version 330\nfloat f() { return 2.0; }\n"}},
                  "more than one");
}

TEST(Link, Recursion) {
  expectLinkError({{kFs,
                    "#version 330\nout vec4 c;\nint a(int n);\nint b(int n) { return a(n - 1); }\nint a(int n) { "
                    "return n > 0 ? b(n) : 0; }\n"
                    "void main() { c = vec4(a(3)); }\n"}},
                  "recursion");
}

TEST(Link, GeometryAlone) {
  expectLinkError({{kGs, "#version 150\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\nvoid main() {}\n"}},
                  "vertex shader");
  expectLinkError(
      {{kVs, kVertex140},
       {kGs, "#version 150\nlayout(points) in;\nvoid main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }\n"}},
      "output primitive");
}

TEST(Link, VaryingTypes) {
  expectLinkError({{kVs, "#version 330\nout vec3 v;\nvoid main() { gl_Position = vec4(v = vec3(1.0), 1.0); }\n"},
                   {kFs, "#version 330\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }\n"}},
                  "`v' has different types");
}

TEST(Link, VaryingInterpolationUntil430) {
  const auto vs = [](const char* version) {
    return std::string("#version ") + version + "\nflat out vec4 v;\nvoid main() { gl_Position = v = vec4(1.0); }\n";
  };
  const auto fs = [](const char* version) {
    return std::string("#version ") + version + "\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }\n";
  };
  expectLinkError({{kVs, vs("330")}, {kFs, fs("330")}}, "flat");
  linkValid({{kVs, vs("440")}, {kFs, fs("440")}});
}

TEST(Link, AnInputThatNoOneDeclares) {
  expectLinkError({{kVs, kVertex140}, {kFs, "#version 140\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }\n"}}, "`v'");
  // Declared and not read is allowed, and so is declared on the other side and not written.
  linkValid({{kVs, kVertex140}, {kFs, "#version 140\nin vec4 v;\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n"}});
  linkValid({{kVs, "#version 140\nout vec4 v;\nvoid main() { gl_Position = vec4(1.0); }\n"},
             {kFs, "#version 140\nin vec4 v;\nout vec4 c;\nvoid main() { c = v; }\n"}});
}

TEST(Link, UniformTypes) {
  expectLinkError({{kVs, "#version 330\nuniform vec4 u;\nvoid main() { gl_Position = u; }\n"},
                   {kFs, "#version 330\nuniform vec3 u;\nout vec4 c;\nvoid main() { c = vec4(u, 1.0); }\n"}},
                  "uniform `u' has different types");
}

TEST(Link, UniformBlocks) {
  constexpr std::string_view kVsBlock =
      "#version 330\nlayout(std140) uniform B { vec4 a; vec4 b; };\nvoid main() { gl_Position = a + b; }\n";
  expectLinkError(
      {{kVs, kVsBlock},
       {kFs,
        "#version 330\nlayout(std140) uniform B { vec4 a; vec3 b; };\nout vec4 c;\nvoid main() { c = a + b.x; }\n"}},
      "block `B'");
  expectLinkError({{kVs, kVsBlock},
                   {kFs, "#version 330\nlayout(std140) uniform B { vec4 a; };\nout vec4 c;\nvoid main() { c = a; }\n"}},
                  "block `B'");
  expectLinkError(
      {{kVs, kVsBlock}, {kFs, "#version 330\nuniform B { vec4 a; vec4 b; };\nout vec4 c;\nvoid main() { c = a; }\n"}},
      "layouts");
}

TEST(Link, UniformLocations) {
  expectLinkError(
      {{kVs, "#version 430\nlayout(location = 1) uniform vec4 a[2];\nvoid main() { gl_Position = a[0]; }\n"},
       {kFs, "#version 430\nlayout(location = 2) uniform vec4 b;\nout vec4 c;\nvoid main() { c = b; }\n"}},
      "overlap");
  LinkOptions options;
  options.limits.maxUniformLocations = 16;
  expectLinkError(
      {{kVs, "#version 430\nlayout(location = 15) uniform vec4 a[2];\nvoid main() { gl_Position = a[0]; }\n"}},
      "location 15", options);
}

TEST(Link, Limits) {
  LinkOptions options;
  options.limits.maxVertexAttribs = 2;
  expectLinkError({{kVs, "#version 330\nin vec4 a, b, c;\nvoid main() { gl_Position = a + b + c; }\n"}},
                  "too many vertex attributes", options);
  options = {};
  options.limits.maxVertexUniformComponents = 64;
  expectLinkError({{kVs, "#version 330\nuniform vec4 a[17];\nvoid main() { gl_Position = a[gl_VertexID]; }\n"}},
                  "uniform components", options);
  options = {};
  options.limits.maxFragmentTextureUnits = 2;
  expectLinkError(
      {{kFs,
        "#version 330\nuniform sampler2D a[3];\nout vec4 c;\n"
        "void main() { c = texture(a[0], vec2(0.0)) + texture(a[1], vec2(0.0)) + texture(a[2], vec2(0.0)); }\n"}},
      "samplers", options);
  options = {};
  options.limits.maxUniformBlockBytes = 1024;
  expectLinkError({{kVs, "#version 330\nuniform B { vec4 a[65]; };\nvoid main() { gl_Position = a[gl_VertexID]; }\n"}},
                  "too large", options);
  options = {};
  options.limits.maxVaryingComponents = options.limits.maxFragmentInputComponents = 16;
  expectLinkError({{kVs,
                    "#version 330\nout vec4 v[5];\nvoid main() { gl_Position = vec4(1.0); for (int i = 0; i < 5; ++i) "
                    "v[i] = vec4(i); }\n"},
                   {kFs, "#version 330\nin vec4 v[5];\nout vec4 c;\nvoid main() { c = v[0] + v[4]; }\n"}},
                  "input components", options);
  options = {};
  options.limits.maxDrawBuffers = 2;
  expectLinkError({{kFs, "#version 330\nout vec4 a, b, c;\nvoid main() { a = b = c = vec4(1.0); }\n"}},
                  "too many fragment outputs", options);
}

TEST(Link, FragmentOutputsThatOverlap) {
  LinkOptions options;
  options.fragDataBindings["a"] = {1, 0};
  options.fragDataBindings["b"] = {1, 0};
  expectLinkError({{kFs, "#version 330\nout vec4 a, b;\nvoid main() { a = b = vec4(1.0); }\n"}}, "overlap", options);
}

TEST(Link, ComputeStandsAlone) {
  expectLinkError({{Stage::Compute, "#version 430\nlayout(local_size_x = 1) in;\nvoid main() {}\n"}, {kVs, kVertex140}},
                  "compute");
}

TEST(Link, HugeArraysAreRefused) {
  expectLinkError(
      {{kVs, "#version 330\nuniform float a[500000000];\nvoid main() { gl_Position = vec4(a[gl_VertexID]); }\n"}},
      "too large");
  expectLinkError({{kVs, "#version 330\nout vec4 a[500000000];\nvoid main() { a[0] = gl_Position = vec4(1.0); }\n"}},
                  "too large");
}

TEST(Link, WhatIsNotDoneIsRefused) {
  expectLinkError(
      {{kFs,
        "#version 430\nuniform sampler2D s[2][3];\nout vec4 c;\nvoid main() { c = texture(s[1][2], vec2(0.0)); }\n"}},
      "not support");
  expectLinkError(
      {{kFs, "#version 430\nuniform B { vec4 a; } b[2][2];\nout vec4 c;\nvoid main() { c = b[1][0].a; }\n"}},
      "not support");
  expectLinkError({{kVs,
                    "#version 410\nlayout(location = 0) in dvec4 a;\nlayout(location = 1) in vec4 b;\n"
                    "void main() { gl_Position = vec4(a) + b; }\n"}},
                  "overlap");
  linkValid({{kVs, "#version 410\nin dvec4 a;\nin vec4 b;\nvoid main() { gl_Position = vec4(a) + b; }\n"}});
}

TEST(Link, XfbInterleaved) {
  LinkOptions options;
  options.xfbVaryings = {"a", "gl_SkipComponents2", "m", "gl_NextBuffer", "gl_Position", "list[1]"};
  const LinkResult program = linkValid(
      {{kVs,
        "#version 400\nout vec3 a;\nout mat2 m;\nout vec2 list[3];\n"
        "void main() { gl_Position = vec4(1.0); a = vec3(1.0); m = mat2(1.0); list[1] = list[0] = vec2(1.0); }\n"}},
      options);
  const Xfb& xfb = program.archive.xfb;
  EXPECT_EQ(xfb.stage, kVs);
  ASSERT_EQ(xfb.varyings.size(), 6u);
  EXPECT_EQ(xfb.strides, (std::vector<u32>{12 + 8 + 16, 16 + 8}));
  EXPECT_EQ(xfb.varyings[2].offset, 20u);
  EXPECT_EQ(xfb.varyings[2].type, UniformType::FloatMat2);
  EXPECT_EQ(xfb.varyings[2].sizeBytes, 16u);
  EXPECT_EQ(xfb.varyings[4].source, XfbSource::Position);
  EXPECT_EQ(xfb.varyings[4].buffer, 1u);
  EXPECT_EQ(xfb.varyings[5].offset, 16u);
  EXPECT_EQ(xfb.varyings[5].firstElement, 1u);
  EXPECT_FALSE(xfb.varyings[5].wholeVariable);
  EXPECT_GE(xfb.varyings[0].location, 0);
}

TEST(Link, XfbSeparateAndErrors) {
  constexpr std::string_view kSource =
      "#version 330\nout vec4 a;\nout vec2 b;\nout mat4 m;\nvoid main() { gl_Position = a = vec4(1.0); b = a.xy; m = "
      "mat4(1.0); }\n";
  LinkOptions options;
  options.xfbMode = XfbMode::Separate;
  options.xfbVaryings = {"b", "a"};
  const LinkResult program = linkValid({{kVs, kSource}}, options);
  EXPECT_EQ(program.archive.xfb.strides, (std::vector<u32>{8, 16}));
  EXPECT_EQ(program.archive.xfb.varyings[1].buffer, 1u);
  options.xfbVaryings = {"a", "a"};
  expectLinkError({{kVs, kSource}}, "more than once", options);
  options.xfbVaryings = {"nothing"};
  expectLinkError({{kVs, kSource}}, "`nothing'", options);
  options.xfbVaryings = {"m"};
  expectLinkError({{kVs, kSource}}, "too many components", options);
}

TEST(Link, ManyThreads) {
  std::vector<std::thread> threads;
  std::vector<std::vector<u32>> words(4);
  for (u32 t = 0; t < words.size(); ++t) {
    threads.emplace_back([&, t] {
      for (u32 round = 0; round < 8; ++round) {
        const CompileResult vertex =
            test::compile(kVs, "#version 330\nin vec4 a;\nuniform mat4 m;\nvoid main() { gl_Position = m * a; }\n");
        const CompileResult bad = test::compile(kFs, "#version 330\nvoid main() { nothing; }\n");
        EXPECT_FALSE(bad.ok);
        ASSERT_TRUE(vertex.ok);
        words[t] = linkProgram(std::span(&vertex.shader, 1), {}).spirv[0];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& module : words) {
    EXPECT_FALSE(module.empty());
    EXPECT_EQ(module, words[0]);
  }
}

}  // namespace
}  // namespace mgl::shader
