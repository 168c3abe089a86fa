#include "programs.h"

namespace mgl::shader {
namespace {

using test::compile;
using test::coreOptions;

constexpr Stage kVs = Stage::Vertex, kFs = Stage::Fragment;

TEST(Compile, SuccessHasNoLog) {
  for (const char* version : {"110", "120", "130", "140", "150", "330", "400", "420", "450", "460"}) {
    const std::string text =
        std::string("#version ") + version + "\nuniform vec4 c;\nvoid main() { gl_Position = c; }\n";
    const CompileResult result = compile(kVs, text);
    EXPECT_TRUE(result.ok) << version << result.infoLog;
    EXPECT_EQ(result.infoLog, "") << version;
    ASSERT_NE(result.shader, nullptr);
    EXPECT_EQ(result.shader->stage(), kVs);
  }
}

TEST(Compile, ErrorsNameTheProgramsOwnLines) {
  const CompileResult result = compile(kFs, "#version 330\nout vec4 color;\n\nvoid main() {\n  color = nothing;\n}\n");
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.shader, nullptr);
  EXPECT_EQ(result.infoLog.find("ERROR: 0:5: 'nothing'"), 0u) << result.infoLog;
}

TEST(Compile, ErrorsNameTheStringToo) {
  const std::string_view strings[] = {"#version 330\nout vec4 color;\n", "vec4 f() { return vec4(1.0); }\n",
                                      "void main() {\n  color = g();\n}\n"};
  const CompileResult result = compileShader(kFs, strings, coreOptions());
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.infoLog.find("ERROR: 2:2: 'g'"), std::string::npos) << result.infoLog;
}

TEST(Compile, LinesAfterAContinuedLineKeepTheirNumbers) {
  const CompileResult result =
      compile(kFs, "#version 150\n#define TWO \\\n  2.0\nout vec4 color;\nvoid main() { color = vec4(TWO) + x; }\n");
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.infoLog.find("ERROR: 0:5: 'x'"), std::string::npos) << result.infoLog;
  EXPECT_TRUE(
      compile(kFs, "#version 150\n#define TWO \\\n  2.0\nout vec4 color;\nvoid main() { color = vec4(TWO); }\n").ok);
}

TEST(Compile, LineDirectivesHold) {
  const CompileResult result = compile(kFs, "#version 330\n#line 100\nvoid main() { x; }\n");
  EXPECT_NE(result.infoLog.find("0:100: 'x'"), std::string::npos) << result.infoLog;
}

TEST(Compile, VersionsAboveTheGrantAreRefused) {
  CompileOptions options = coreOptions();
  options.maxGlslVersion = 330;
  EXPECT_TRUE(compile(kVs, "#version 330\nvoid main() {}\n", options).ok);
  const CompileResult result = compile(kVs, "#version 400\nvoid main() {}\n", options);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.infoLog.find("400"), std::string::npos);
  EXPECT_FALSE(compile(kVs, "#version 135\nvoid main() {}\n", options).ok);
  EXPECT_FALSE(compile(kVs, "#version 330 compatibility\nvoid main() {}\n", options).ok);
  EXPECT_FALSE(compile(kVs, "#version 300 es\nvoid main() {}\n", options).ok);
}

TEST(Compile, ExtensionsThatAreNotGrantedDoNotExist) {
  const std::string_view granted[] = {"GL_ARB_explicit_attrib_location", "GL_ARB_conservative_depth"};
  CompileOptions options = coreOptions();
  options.allExtensions = false;
  options.extensions = granted;
  constexpr std::string_view kMacro =
      "#version 150\n#ifdef GL_ARB_gpu_shader5\n#error granted\n#endif\n#ifndef "
      "GL_ARB_explicit_attrib_location\n#error missing\n#endif\n"
      "#ifndef GL_ARB_conservative_depth\n#error missing\n#endif\nvoid main() {}\n";
  const CompileResult macros = compile(kFs, kMacro, options);
  EXPECT_TRUE(macros.ok) << macros.infoLog;
  EXPECT_TRUE(compile(kFs, "#version 150\n#extension GL_ARB_gpu_shader5 : enable\nvoid main() {}\n", options).ok);
  EXPECT_TRUE(
      compile(kFs, "#version 150\n#extension GL_ARB_conservative_depth : require\nvoid main() {}\n", options).ok);
  const CompileResult required =
      compile(kFs, "#version 150\n#extension GL_ARB_gpu_shader5 : require\nvoid main() {}\n", options);
  EXPECT_FALSE(required.ok);
  EXPECT_NE(required.infoLog.find("GL_ARB_gpu_shader5"), std::string::npos) << required.infoLog;
}

TEST(Compile, VersionMacroIsTheProgramsVersion) {
  EXPECT_TRUE(compile(kVs,
                      "#version 140\n#ifndef __VERSION__\n#error\n#endif\n#if __VERSION__ != 140\n#error\n#endif\n"
                      "void main() { gl_Position = vec4(inverse(mat2(1.0))[0], 0.0, 1.0); }\n")
                  .ok);
}

// An array's size accepts or refuses the value: 1 when it is right, else -1.
TEST(Compile, ConstantExpressionsOfBuiltIns) {
  const auto holds = [](const std::string& condition) {
    return compile(kFs, "#version 140\nvoid main() {\n float a[" + condition +
                            " ? 1 : -1];\n gl_FragColor = vec4(a.length()); }\n")
        .ok;
  };
  EXPECT_TRUE(holds("inverse(mat2(2.0, 0.0, 0.0, 4.0))[1][1] == 0.25"));
  EXPECT_FALSE(holds("inverse(mat2(2.0, 0.0, 0.0, 4.0))[1][1] == 0.5"));
  EXPECT_TRUE(
      holds("distance(inverse(mat3(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -2.0))[2], vec3(0.0, 0.0, -0.5)) < 1e-6"));
  EXPECT_TRUE(holds("transpose(mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0))[2][1] == 6.0"));
  EXPECT_TRUE(holds("transpose(mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0))[0][1] == 4.0"));
  EXPECT_TRUE(holds("matrixCompMult(mat2(1.0, 2.0, 3.0, 4.0), mat2(5.0, 6.0, 7.0, 8.0))[1][0] == 21.0"));
  EXPECT_TRUE(holds("abs(cosh(1.0) - 1.5430806) < 1e-5"));
  EXPECT_TRUE(holds("(bvec2(true, false) == bvec2(true, false))"));
  EXPECT_FALSE(holds("(bvec2(true, false) == bvec2(true, true))"));
  EXPECT_TRUE(holds("(mat2(1.0, 2.0, 3.0, 4.0) != mat2(1.0, 2.0, 3.0, 5.0))"));
}

TEST(Compile, Core140HasNoFixedFunction) {
  const CompileResult result = compile(kVs, "#version 140\nvoid main() { gl_Position = gl_Vertex; }\n");
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.infoLog.find("'gl_Vertex'"), std::string::npos) << result.infoLog;
}

TEST(Compile, IntegerInputsOfTheFragmentStageAreFlat) {
  EXPECT_FALSE(compile(kFs, "#version 330\nin uvec2 a;\nout vec4 c;\nvoid main() { c = vec4(a.xyxy); }\n").ok);
  const CompileResult block =
      compile(kFs, "#version 330\nin B { int a; } b;\nout vec4 c;\nvoid main() { c = vec4(b.a); }\n");
  EXPECT_FALSE(block.ok);
  EXPECT_NE(block.infoLog.find("0:2: 'a'"), std::string::npos) << block.infoLog;
  EXPECT_TRUE(compile(kFs, "#version 330\nin B { flat int a; } b;\nout vec4 c;\nvoid main() { c = vec4(b.a); }\n").ok);
}

TEST(Compile, KindsOfColourOutputsDoNotMix) {
  EXPECT_FALSE(
      compile(kFs, "#version 130\nvoid main() { gl_FragColor = vec4(1.0); gl_FragData[0] = vec4(1.0); }\n").ok);
  EXPECT_FALSE(
      compile(kFs, "#version 130\nout vec4 c;\nvoid main() { gl_FragColor = vec4(1.0); c = vec4(1.0); }\n").ok);
}

// Sources that crashed glslang, and bytes that are no GLSL at all.
TEST(Compile, SurvivesWhatIsNoShader) {
  EXPECT_FALSE(
      compile(kVs, "#version 150\nvec4 block() { return vec4(0); }\nout block { vec4 a; } inst;\nvoid main() {}\n").ok);
  EXPECT_TRUE(compile(kVs, "").ok);  // no main: a matter of linking
  EXPECT_FALSE(compile(kVs, "#version").ok);
  EXPECT_FALSE(compile(kVs, "#version 330\n/* void main() {}").ok);
  EXPECT_FALSE(compile(kVs, "\xff\xfe\x01 #version 330 \\").ok);
  EXPECT_TRUE(compileShader(kVs, {}, coreOptions()).ok);
}

}  // namespace
}  // namespace mgl::shader
