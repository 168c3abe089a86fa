#include <algorithm>

#include "shader/compiler/deep_stack.h"
#include "shader/compiler/frontend.h"
#include "shader/compiler/link_program.h"

namespace mgl::shader {
namespace {

void collectStages(std::span<const std::shared_ptr<const CompiledShader>> shaders, LinkProgram& program) {
  for (u32 i = 0; i < countOf<Stage>(); ++i) {
    LinkStage stage;
    stage.stage = static_cast<Stage>(i);
    for (const auto& shader : shaders) {
      if (shader && shader->stage() == stage.stage)
        stage.shaders.push_back(static_cast<const ShaderObject*>(shader.get()));
    }
    if (!stage.shaders.empty()) program.stages.push_back(std::move(stage));
  }
}

void copyModes(LinkProgram& program) {
  Archive& archive = program.archive;
  archive.separable = program.options->separable;
  for (const LinkStage& stage : program.stages) {
    archive.stages |= stageBit(stage.stage);
    archive.glslVersion = std::max<u16>(archive.glslVersion, static_cast<u16>(stage.merged.version));
    switch (stage.stage) {
      case Stage::Geometry:
        archive.geometry = stage.merged.geometry;
        break;
      case Stage::TessControl:
        archive.tess.outputVertices = stage.merged.tess.outputVertices;
        break;
      case Stage::TessEval: {
        const u32 vertices = archive.tess.outputVertices;
        archive.tess = stage.merged.tess;
        archive.tess.outputVertices = vertices;
        break;
      }
      case Stage::Fragment:
        archive.originUpperLeft = stage.merged.originUpperLeft;
        archive.pixelCenterInteger = stage.merged.pixelCenterInteger;
        archive.earlyFragmentTests = stage.merged.earlyFragmentTests;
        archive.depthLayout = stage.merged.depthLayout;
        break;
      case Stage::Compute:
        std::copy(stage.merged.localSize, stage.merged.localSize + 3, archive.localSize);
        break;
      default:
        break;
    }
  }
}

bool generate(LinkProgram& program) {
  std::vector<CodeUnit> units;
  for (const LinkStage& stage : program.stages) {
    for (const ShaderObject* shader : stage.shaders) units.push_back({stage.stage, &shader->code, &shader->limits});
  }
  CodeResult code;
  const bool deep = std::any_of(units.begin(), units.end(), [](const CodeUnit& unit) { return unit.code->deep; });
  runOnStack(deep, [&] { code = generateCode(units); });
  if (!code.ok) {
    program.error("no code can be generated for the program:\n" + code.log);
    return false;
  }
  for (LinkStage& stage : program.stages) {
    const std::vector<u32>& words = code.spirv[indexOf(stage.stage)];
    if (words.empty()) {
      program.error(std::string("no code was generated for the ") + stageName(stage.stage) + " shader");
      return false;
    }
    stage.module.emplace(words);
  }
  return true;
}

// Runs the steps; stops at the first group of steps that fails, since the next relies on it.
bool link(LinkProgram& program) {
  if (program.stages.empty()) {
    program.error("no shaders are attached");
    return false;
  }
  mergeStages(program);
  if (program.failed) return false;
  checkStages(program);
  checkUniforms(program);
  checkVaryings(program);
  if (program.failed) return false;
  resolveXfb(program);
  assignAttributes(program);
  assignVaryings(program);
  assignFragmentOutputs(program);
  if (program.failed) return false;
  if (!generate(program)) return false;
  copyModes(program);
  describeUniforms(program);
  describeInterfaces(program);
  if (program.failed) return false;
  for (LinkStage& stage : program.stages) {
    finishModule(program, stage);
    lowerRectangles(*stage.module);
    lowerInstanceIndex(*stage.module);
  }
  describeModules(program);
  describeXfb(program);
  return !program.failed;
}

}  // namespace

LinkResult linkProgram(std::span<const std::shared_ptr<const CompiledShader>> shaders, const LinkOptions& options) {
  LinkProgram program;
  program.options = &options;
  collectStages(shaders, program);
  LinkResult result;
  result.ok = link(program);
  result.infoLog = std::move(program.log);
  if (!result.ok) return result;
  for (const LinkStage& stage : program.stages) result.spirv[indexOf(stage.stage)] = stage.module->words();
  result.archive = std::move(program.archive);
  return result;
}

}  // namespace mgl::shader
