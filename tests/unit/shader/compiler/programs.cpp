#include "programs.h"

#include <spirv-tools/libspirv.h>

#include <algorithm>
#include <map>

namespace mgl::shader::test {
namespace {

void expectValidSpirv(const std::vector<u32>& words) {
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvValidate(context, &binary, &diagnostic);
  EXPECT_EQ(result, SPV_SUCCESS) << (diagnostic ? diagnostic->error : "");
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
}

// Calls visit(opcode, operands) for each instruction.
template <class Visit>
void forEachInstruction(const std::vector<u32>& module, Visit visit) {
  for (std::size_t at = 5; at < module.size(); at += module[at] >> 16)
    visit(module[at] & 0xffff, std::vector<u32>(module.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                                module.begin() + static_cast<std::ptrdiff_t>(at + (module[at] >> 16))));
}

constexpr u32 kOpVariable = 59, kOpDecorate = 71;

}  // namespace

CompileOptions coreOptions() {
  CompileOptions options;
  options.maxGlslVersion = 460;
  options.allExtensions = true;
  return options;
}

CompileResult compile(Stage stage, std::string_view text, const CompileOptions& options) {
  return compileShader(stage, std::span(&text, 1), options);
}

LinkResult link(const std::vector<Source>& sources, const LinkOptions& options) {
  std::vector<std::shared_ptr<const CompiledShader>> shaders;
  CompileOptions compileOptions = coreOptions();
  compileOptions.limits = options.limits;
  compileOptions.profile = options.profile;
  for (const Source& source : sources) {
    CompileResult compiled = compile(source.stage, source.text, compileOptions);
    EXPECT_TRUE(compiled.ok) << compiled.infoLog << source.text;
    if (compiled.ok) shaders.push_back(compiled.shader);
  }
  return linkProgram(shaders, options);
}

LinkResult linkValid(const std::vector<Source>& sources, const LinkOptions& options) {
  LinkResult result = link(sources, options);
  EXPECT_TRUE(result.ok) << result.infoLog;
  EXPECT_EQ(result.infoLog, "");
  EXPECT_TRUE(isConsistent(result.archive));
  for (u32 i = 0; i < countOf<Stage>(); ++i) {
    const bool has = (result.archive.stages & stageBit(static_cast<Stage>(i))) != 0;
    EXPECT_EQ(!result.spirv[i].empty(), has);
    if (result.spirv[i].empty()) continue;
    EXPECT_EQ(result.spirv[i][1], 0x00010300u);
    expectValidSpirv(result.spirv[i]);
  }
  return result;
}

void expectLinkError(const std::vector<Source>& sources, std::string_view part, const LinkOptions& options) {
  const LinkResult result = link(sources, options);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.infoLog.find(part), std::string::npos) << "log: " << result.infoLog << " lacks: " << part;
}

const Uniform* findUniform(const Archive& archive, std::string_view name) {
  for (const Uniform& uniform : archive.uniforms) {
    if (uniform.name == name) return &uniform;
  }
  return nullptr;
}

const InterfaceVariable* find(const std::vector<InterfaceVariable>& list, std::string_view name) {
  for (const InterfaceVariable& variable : list) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

std::vector<u32> decorationsOf(const std::vector<u32>& module, u32 storageClass, u32 decoration) {
  std::map<u32, u32> literals;
  std::vector<u32> found;
  forEachInstruction(module, [&](u32 opcode, const std::vector<u32>& operands) {
    if (opcode == kOpDecorate && operands[1] == decoration)
      literals[operands[0]] = operands.size() > 2 ? operands[2] : 0;
    if (opcode == kOpVariable && operands[2] == storageClass && literals.count(operands[1]))
      found.push_back(literals[operands[1]]);
  });
  std::sort(found.begin(), found.end());
  return found;
}

bool hasInstruction(const std::vector<u32>& module, u16 opcode, u32 operand, u32 position) {
  bool found = false;
  forEachInstruction(module, [&](u32 at, const std::vector<u32>& operands) {
    found |= at == opcode && operands.size() > position && operands[position] == operand;
  });
  return found;
}

}  // namespace mgl::shader::test
