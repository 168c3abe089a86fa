#include "shader/translator/validate.h"

#include <spirv-tools/libspirv.h>

#include <memory>

namespace mgl::shader {
namespace {

spv_target_env environment(SpirvTarget target) {
  switch (target) {
    case SpirvTarget::Vulkan1_1:
      return SPV_ENV_VULKAN_1_1;
    case SpirvTarget::Vulkan1_2:
      return SPV_ENV_VULKAN_1_2;
    case SpirvTarget::Vulkan1_3:
      return SPV_ENV_VULKAN_1_3;
  }
  return SPV_ENV_VULKAN_1_1;
}

struct ContextDeleter {
  void operator()(spv_context c) const { spvContextDestroy(c); }
};
struct DiagnosticDeleter {
  void operator()(spv_diagnostic d) const { spvDiagnosticDestroy(d); }
};

}  // namespace

std::string validateSpirv(std::span<const u32> words, SpirvTarget target) {
  const std::unique_ptr<spv_context_t, ContextDeleter> context(spvContextCreate(environment(target)));
  spv_diagnostic raw = nullptr;
  const spv_result_t result = spvValidateBinary(context.get(), words.data(), words.size(), &raw);
  const std::unique_ptr<spv_diagnostic_t, DiagnosticDeleter> diagnostic(raw);
  if (result == SPV_SUCCESS) return {};
  if (diagnostic && diagnostic->error && diagnostic->error[0] != '\0') return diagnostic->error;
  return "invalid SPIR-V";
}

}  // namespace mgl::shader
