// SPIR-V from a peer is checked by SPIRV-Tools' validator before anything else reads it.
#pragma once

#include <span>
#include <string>

#include "base/types.h"

namespace mgl::shader {

enum class SpirvTarget : u8 { Vulkan1_1, Vulkan1_2, Vulkan1_3 };

// Empty when valid, else the validator's message. Any thread.
[[nodiscard]] std::string validateSpirv(std::span<const u32> words, SpirvTarget target = SpirvTarget::Vulkan1_1);

}  // namespace mgl::shader
