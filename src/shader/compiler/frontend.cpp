#include "shader/compiler/frontend.h"

#include <mutex>

#include "shader/compiler/extract.h"
#include "shader/compiler/glslang_headers.h"

namespace mgl::shader {
namespace {

// glslang keeps its symbol tables until the process ends; tearing them down at exit could race with threads that still
// compile.
void initializeOnce() {
  static std::once_flag once;
  std::call_once(once, [] { glslang::InitializeProcess(); });
}

EShLanguage language(Stage stage) {
  switch (stage) {
    case Stage::TessControl:
      return EShLangTessControl;
    case Stage::TessEval:
      return EShLangTessEvaluation;
    case Stage::Geometry:
      return EShLangGeometry;
    case Stage::Fragment:
      return EShLangFragment;
    case Stage::Compute:
      return EShLangCompute;
    default:
      return EShLangVertex;
  }
}

TBuiltInResource resources(const Limits& l) {
  const auto n = [](u32 value) { return static_cast<int>(value); };
  TBuiltInResource r{};
  r.maxLights = n(l.maxLights);
  r.maxClipPlanes = n(l.maxClipPlanes);
  r.maxTextureUnits = n(l.maxTextureCoords);
  r.maxTextureCoords = n(l.maxTextureCoords);
  r.maxVertexAttribs = n(l.maxVertexAttribs);
  r.maxVertexUniformComponents = n(l.maxVertexUniformComponents);
  r.maxVaryingFloats = n(l.maxVaryingComponents);
  r.maxVertexTextureImageUnits = n(l.maxVertexTextureUnits);
  r.maxCombinedTextureImageUnits = n(l.maxCombinedTextureUnits);
  r.maxTextureImageUnits = n(l.maxFragmentTextureUnits);
  r.maxFragmentUniformComponents = n(l.maxFragmentUniformComponents);
  r.maxDrawBuffers = n(l.maxDrawBuffers);
  r.maxVertexUniformVectors = n(l.maxVertexUniformComponents / 4);
  r.maxVaryingVectors = n(l.maxVaryingComponents / 4);
  r.maxFragmentUniformVectors = n(l.maxFragmentUniformComponents / 4);
  r.maxVertexOutputVectors = n(l.maxVertexOutputComponents / 4);
  r.maxFragmentInputVectors = n(l.maxFragmentInputComponents / 4);
  r.minProgramTexelOffset = l.minTexelOffset;
  r.maxProgramTexelOffset = l.maxTexelOffset;
  r.maxClipDistances = n(l.maxClipDistances);
  r.maxComputeWorkGroupCountX = n(l.maxComputeWorkGroupCount[0]);
  r.maxComputeWorkGroupCountY = n(l.maxComputeWorkGroupCount[1]);
  r.maxComputeWorkGroupCountZ = n(l.maxComputeWorkGroupCount[2]);
  r.maxComputeWorkGroupSizeX = n(l.maxComputeWorkGroupSize[0]);
  r.maxComputeWorkGroupSizeY = n(l.maxComputeWorkGroupSize[1]);
  r.maxComputeWorkGroupSizeZ = n(l.maxComputeWorkGroupSize[2]);
  r.maxComputeUniformComponents = n(l.maxComputeUniformComponents);
  r.maxComputeTextureImageUnits = n(l.maxComputeTextureUnits);
  r.maxComputeImageUniforms = n(l.maxImageUniformsPerStage);
  r.maxComputeAtomicCounters = n(l.maxAtomicCountersPerStage);
  r.maxComputeAtomicCounterBuffers = n(l.maxAtomicBuffersPerStage);
  r.maxVaryingComponents = n(l.maxVaryingComponents);
  r.maxVertexOutputComponents = n(l.maxVertexOutputComponents);
  r.maxGeometryInputComponents = n(l.maxGeometryInputComponents);
  r.maxGeometryOutputComponents = n(l.maxGeometryOutputComponents);
  r.maxFragmentInputComponents = n(l.maxFragmentInputComponents);
  r.maxImageUnits = n(l.maxImageUnits);
  r.maxCombinedImageUnitsAndFragmentOutputs = n(l.maxCombinedShaderOutputResources);
  r.maxCombinedShaderOutputResources = n(l.maxCombinedShaderOutputResources);
  r.maxImageSamples = n(l.maxImageSamples);
  r.maxVertexImageUniforms = n(l.maxImageUniformsPerStage);
  r.maxTessControlImageUniforms = n(l.maxImageUniformsPerStage);
  r.maxTessEvaluationImageUniforms = n(l.maxImageUniformsPerStage);
  r.maxGeometryImageUniforms = n(l.maxImageUniformsPerStage);
  r.maxFragmentImageUniforms = n(l.maxImageUniformsPerStage);
  r.maxCombinedImageUniforms = n(l.maxCombinedImageUniforms);
  r.maxGeometryTextureImageUnits = n(l.maxGeometryTextureUnits);
  r.maxGeometryOutputVertices = n(l.maxGeometryOutputVertices);
  r.maxGeometryTotalOutputComponents = n(l.maxGeometryTotalOutputComponents);
  r.maxGeometryUniformComponents = n(l.maxGeometryUniformComponents);
  r.maxGeometryVaryingComponents = n(l.maxGeometryOutputComponents);
  r.maxTessControlInputComponents = n(l.maxTessControlInputComponents);
  r.maxTessControlOutputComponents = n(l.maxTessControlOutputComponents);
  r.maxTessControlTextureImageUnits = n(l.maxTessControlTextureUnits);
  r.maxTessControlUniformComponents = n(l.maxTessControlUniformComponents);
  r.maxTessControlTotalOutputComponents = n(l.maxTessControlOutputComponents * l.maxPatchVertices);
  r.maxTessEvaluationInputComponents = n(l.maxTessEvalInputComponents);
  r.maxTessEvaluationOutputComponents = n(l.maxTessEvalOutputComponents);
  r.maxTessEvaluationTextureImageUnits = n(l.maxTessEvalTextureUnits);
  r.maxTessEvaluationUniformComponents = n(l.maxTessEvalUniformComponents);
  r.maxTessPatchComponents = n(l.maxTessPatchComponents);
  r.maxPatchVertices = n(l.maxPatchVertices);
  r.maxTessGenLevel = n(l.maxTessGenLevel);
  r.maxViewports = n(l.maxViewports);
  r.maxVertexAtomicCounters = n(l.maxAtomicCountersPerStage);
  r.maxTessControlAtomicCounters = n(l.maxAtomicCountersPerStage);
  r.maxTessEvaluationAtomicCounters = n(l.maxAtomicCountersPerStage);
  r.maxGeometryAtomicCounters = n(l.maxAtomicCountersPerStage);
  r.maxFragmentAtomicCounters = n(l.maxAtomicCountersPerStage);
  r.maxCombinedAtomicCounters = n(l.maxCombinedAtomicCounters);
  r.maxAtomicCounterBindings = n(l.maxAtomicBufferBindings);
  r.maxVertexAtomicCounterBuffers = n(l.maxAtomicBuffersPerStage);
  r.maxTessControlAtomicCounterBuffers = n(l.maxAtomicBuffersPerStage);
  r.maxTessEvaluationAtomicCounterBuffers = n(l.maxAtomicBuffersPerStage);
  r.maxGeometryAtomicCounterBuffers = n(l.maxAtomicBuffersPerStage);
  r.maxFragmentAtomicCounterBuffers = n(l.maxAtomicBuffersPerStage);
  r.maxCombinedAtomicCounterBuffers = n(l.maxCombinedAtomicBuffers);
  r.maxAtomicCounterBufferSize = n(l.maxAtomicBufferBytes);
  r.maxTransformFeedbackBuffers = n(l.maxXfbBuffers);
  r.maxTransformFeedbackInterleavedComponents = n(l.maxXfbInterleavedComponents);
  r.maxCullDistances = n(l.maxCullDistances);
  r.maxCombinedClipAndCullDistances = n(l.maxCombinedClipAndCullDistances);
  r.maxSamples = n(l.maxSamples);
  r.maxDualSourceDrawBuffersEXT = n(l.maxDualSourceDrawBuffers);
  r.limits.nonInductiveForLoops = true;
  r.limits.whileLoops = true;
  r.limits.doWhileLoops = true;
  r.limits.generalUniformIndexing = true;
  r.limits.generalAttributeMatrixVectorIndexing = true;
  r.limits.generalVaryingIndexing = true;
  r.limits.generalSamplerIndexing = true;
  r.limits.generalVariableIndexing = true;
  r.limits.generalConstantMatrixVectorIndexing = true;
  return r;
}

}  // namespace

PlainParse parsePlain(Stage stage, const SourceText& source, const CompileOptions& options) {
  initializeOnce();
  const std::vector<std::string> strings = plainStrings(source, options);
  std::vector<const char*> pointers;
  std::vector<int> lengths;
  for (const std::string& string : strings) {
    pointers.push_back(string.data());
    lengths.push_back(static_cast<int>(string.size()));
  }
  const std::string preamble = plainPreamble(source, options);
  const TBuiltInResource limits = resources(options.limits);
  glslang::TShader shader(language(stage));
  shader.setStringsWithLengths(pointers.data(), lengths.data(), static_cast<int>(pointers.size()));
  if (!preamble.empty()) shader.setPreamble(preamble.c_str());
  PlainParse result;
  const u32 version = source.parseVersion;
  const bool raised = version != source.version;
  // A raised version must not take away what the program's own version still has.
  const EProfile profile = !raised || version < 150 ? ENoProfile : ECompatibilityProfile;
  result.ok = shader.parse(&limits, raised ? static_cast<int>(version) : 110, profile, raised,
                           options.forwardCompatible, EShMsgSuppressWarnings);
  result.log = shader.getInfoLog();
  if (result.ok) result.interface = extractInterface(*shader.getIntermediate(), stage);
  return result;
}

CodeResult generateCode(const std::vector<CodeUnit>& units) {
  initializeOnce();
  CodeResult result;
  constexpr auto kMessages =
      static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgRelaxedErrors | EShMsgSuppressWarnings);
  // The program goes before its shaders.
  std::vector<std::unique_ptr<glslang::TShader>> shaders;
  glslang::TProgram program;
  for (const CodeUnit& unit : units) {
    auto shader = std::make_unique<glslang::TShader>(language(unit.stage));
    const char* text = unit.code->text.data();
    const int length = static_cast<int>(unit.code->text.size());
    shader->setStringsWithLengths(&text, &length, 1);
    if (!unit.code->preamble.empty()) shader->setPreamble(unit.code->preamble.c_str());
    shader->setEnvInput(glslang::EShSourceGlsl, language(unit.stage), glslang::EShClientVulkan, 100);
    shader->setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
    shader->setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
    shader->setEnvInputVulkanRulesRelaxed();
    shader->setAutoMapBindings(true);
    shader->setAutoMapLocations(true);
    shader->setGlobalUniformBlockName(kDefaultBlockName);
    shader->setGlobalUniformSet(0);
    shader->setGlobalUniformBinding(0);
    shader->setAtomicCounterBlockName(kAtomicBlockName);
    shader->setAtomicCounterBlockSet(indexOf(DescriptorSet::AtomicBuffers));
    const TBuiltInResource limits = resources(*unit.limits);
    const EProfile profile = unit.code->coreProfile ? ECoreProfile : ENoProfile;
    const bool ok = shader->parse(&limits, unit.code->version, profile, false, false, kMessages);
    if (!ok) {
      result.log = shader->getInfoLog();
      return result;
    }
    program.addShader(shader.get());
    shaders.push_back(std::move(shader));
  }
  if (!program.link(kMessages)) {
    result.log = program.getInfoLog();
    return result;
  }
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  for (u32 i = 0; i < countOf<Stage>(); ++i) {
    const glslang::TIntermediate* intermediate = program.getIntermediate(language(static_cast<Stage>(i)));
    if (!intermediate) continue;
    spv::SpvBuildLogger logger;
    glslang::GlslangToSpv(*intermediate, result.spirv[i], &logger, &options);
    const std::string messages = logger.getAllMessages();
    if (messages.find("error") != std::string::npos || messages.find("Missing functionality") != std::string::npos) {
      result.log = messages;
      return result;
    }
  }
  result.ok = true;
  return result;
}

}  // namespace mgl::shader
