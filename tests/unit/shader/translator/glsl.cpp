#include "glsl.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <gtest/gtest.h>

namespace mgl::shader::test {
namespace {

EShLanguage languageOf(Stage stage) {
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

struct Process {
  Process() { glslang::InitializeProcess(); }
  ~Process() { glslang::FinalizeProcess(); }
};

}  // namespace

std::vector<u32> compileGlsl(Stage stage, const std::string& source) {
  static Process process;
  const EShLanguage language = languageOf(stage);
  glslang::TShader shader(language);
  const std::string text = "#version 460\n" + source;
  const char* strings[] = {text.c_str()};
  shader.setStrings(strings, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (!shader.parse(GetDefaultResources(), 460, false, messages)) {
    ADD_FAILURE() << shader.getInfoLog();
    return {};
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) {
    ADD_FAILURE() << program.getInfoLog();
    return {};
  }
  std::vector<u32> words;
  glslang::GlslangToSpv(*program.getIntermediate(language), words);
  return words;
}

}  // namespace mgl::shader::test
