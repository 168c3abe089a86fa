// GLSL to SPIR-V: what glCompileShader and glLinkProgram do. Both functions are pure, thread safe and may run on worker
// threads at the same time; glslang's process-wide state is set up on first use (about 25 ms per GLSL version for its
// built-ins). They never throw and never abort on any source text; a source that cannot be compiled has ok = false and
// an info log.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shader/archive/archive.h"

namespace mgl::shader {

enum class Profile : u8 { Core, Compatibility, Es };

// The implementation limits that GLSL sees as gl_Max… constants and that link checks use. Defaults are the minima of
// GL 3.3, or of the version that introduced them.
struct Limits {
  u32 maxVertexAttribs = 16;
  u32 maxVertexUniformComponents = 1024;
  u32 maxGeometryUniformComponents = 1024;
  u32 maxFragmentUniformComponents = 1024;
  u32 maxTessControlUniformComponents = 1024;
  u32 maxTessEvalUniformComponents = 1024;
  u32 maxComputeUniformComponents = 1024;
  u32 maxVaryingComponents = 60;
  u32 maxVertexOutputComponents = 64;
  u32 maxGeometryInputComponents = 64;
  u32 maxGeometryOutputComponents = 128;
  u32 maxFragmentInputComponents = 128;
  u32 maxTessControlInputComponents = 128;
  u32 maxTessControlOutputComponents = 128;
  u32 maxTessEvalInputComponents = 128;
  u32 maxTessEvalOutputComponents = 128;
  u32 maxTessPatchComponents = 120;
  u32 maxVertexTextureUnits = 16;
  u32 maxGeometryTextureUnits = 16;
  u32 maxFragmentTextureUnits = 16;
  u32 maxTessControlTextureUnits = 16;
  u32 maxTessEvalTextureUnits = 16;
  u32 maxComputeTextureUnits = 16;
  u32 maxCombinedTextureUnits = 48;
  u32 maxDrawBuffers = 8;
  u32 maxDualSourceDrawBuffers = 1;
  u32 maxClipDistances = 8;
  u32 maxCullDistances = 8;
  u32 maxCombinedClipAndCullDistances = 8;
  u32 maxGeometryOutputVertices = 256;
  u32 maxGeometryTotalOutputComponents = 1024;
  u32 maxGeometryInvocations = 32;
  u32 maxPatchVertices = 32;
  u32 maxTessGenLevel = 64;
  u32 maxTextureCoords = 8;
  u32 maxLights = 8;
  u32 maxClipPlanes = 8;
  u32 maxUniformBlocksPerStage = 12;
  u32 maxCombinedUniformBlocks = 36;
  u32 maxUniformBufferBindings = 36;
  u32 maxUniformBlockBytes = 16384;
  u32 maxUniformLocations = 1024;
  u32 maxStorageBlocksPerStage = 8;
  u32 maxCombinedStorageBlocks = 8;
  u32 maxStorageBufferBindings = 8;
  u32 maxImageUnits = 8;
  u32 maxImageUniformsPerStage = 8;
  u32 maxCombinedImageUniforms = 8;
  u32 maxCombinedShaderOutputResources = 8;
  u32 maxImageSamples = 0;
  u32 maxSamples = 4;
  u32 maxAtomicCountersPerStage = 8;
  u32 maxCombinedAtomicCounters = 8;
  u32 maxAtomicBuffersPerStage = 1;
  u32 maxCombinedAtomicBuffers = 1;
  u32 maxAtomicBufferBindings = 1;
  u32 maxAtomicBufferBytes = 16384;
  u32 maxXfbBuffers = 4;
  u32 maxXfbInterleavedComponents = 64;
  u32 maxXfbSeparateAttribs = 4;
  u32 maxXfbSeparateComponents = 4;
  u32 maxVertexStreams = 4;
  u32 maxViewports = 16;
  u32 maxComputeWorkGroupCount[3] = {65535, 65535, 65535};
  u32 maxComputeWorkGroupSize[3] = {1024, 1024, 64};
  i32 minTexelOffset = -8;
  i32 maxTexelOffset = 7;
  i32 minGatherOffset = -8;
  i32 maxGatherOffset = 7;
};

struct CompileOptions {
  Profile profile = Profile::Core;
  u32 maxGlslVersion = 330;  // a higher #version is an error
  bool forwardCompatible = false;
  // GLSL extensions granted, by their names ("GL_ARB_explicit_attrib_location"): macros of others are undefined,
  // `require` of others is an error, `enable` a warning. Viewed during the call only. With `allExtensions` every name
  // is granted.
  std::span<const std::string_view> extensions;
  bool allExtensions = false;
  Limits limits;
};

// A compiled shader object: immutable, shareable among threads and programs; its content is the compiler's own
// business.
class CompiledShader {
 public:
  virtual ~CompiledShader() = default;
  Stage stage() const { return stage_; }

 protected:
  explicit CompiledShader(Stage stage) : stage_(stage) {}

 private:
  Stage stage_;
};

struct CompileResult {
  bool ok = false;
  std::string
      infoLog;  // empty on success without warnings; lines "ERROR: string:line: …" in the program's own numbering
  std::shared_ptr<const CompiledShader> shader;  // null when not ok
};

// `sources` are the strings of glShaderSource, in order. Nothing of the arguments is kept by reference.
CompileResult compileShader(Stage stage, std::span<const std::string_view> sources, const CompileOptions& options);

struct FragDataBinding {
  u32 location = 0;
  u32 index = 0;
};

struct LinkOptions {
  std::map<std::string, u32, std::less<>> attributeBindings;             // glBindAttribLocation
  std::map<std::string, FragDataBinding, std::less<>> fragDataBindings;  // glBindFragDataLocation(Indexed)
  std::vector<std::string> xfbVaryings;                                  // glTransformFeedbackVaryings
  XfbMode xfbMode = XfbMode::Interleaved;
  bool separable = false;
  Profile profile = Profile::Core;
  Limits limits;
};

struct LinkResult {
  bool ok = false;
  std::string infoLog;
  std::array<std::vector<u32>, countOf<Stage>()> spirv;  // empty for stages that the program has not
  Archive archive;
};

// Links any set of compiled shaders, several per stage allowed. With ok = false only the info log has meaning.
LinkResult linkProgram(std::span<const std::shared_ptr<const CompiledShader>> shaders, const LinkOptions& options);

}  // namespace mgl::shader
