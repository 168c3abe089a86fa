// Vulkan as this folder sees it: volk's types and tables, no prototypes.
#pragma once

#include <volk.h>

#include "base/types.h"

namespace mgl::magma {

// "VK_ERROR_…", or "VkResult".
const char* resultName(VkResult result);

}  // namespace mgl::magma
