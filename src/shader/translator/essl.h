// SPIR-V of a whole program to GLSL ES, by SPIRV-Cross. The modules come from translate(): bindings are the host's binding
// points already, descriptor sets are not looked at. Pure; any thread.
#pragma once

#include <array>
#include <span>
#include <string>

#include "base/types.h"
#include "shader/archive/archive.h"

namespace mgl::shader {

struct EsslInput {
  std::array<std::span<const u32>, countOf<Stage>()> spirv;  // empty: no such stage
  u32 version = 320;                                         // 310, 320
  bool dualSource = false;
};

struct EsslResult {
  std::array<std::string, countOf<Stage>()> source;
  std::string error;  // names the stage and what was wrong; empty on success
  bool ok() const { return error.empty(); }
};

// Uniform blocks and samplers have the binding points in the source. The push-constant block of translate() is the uniform
// structure kEsslDriver with the members of DriverConstants under their own names.
inline constexpr const char* kEsslDriver = "mglDriver";

[[nodiscard]] EsslResult translateToEssl(const EsslInput& input);

}  // namespace mgl::shader
