// The stubs that libEGL hands to programs for extension functions it does not know how to dispatch.
#pragma once

#include <string_view>

#include "winsys/egl/vendor_abi.h"

namespace mgl::winsys::egl {

// libEGL's exports, or null in a process without it. Written once by __egl_Main.
extern const __EGLapiExports* libEglExports;

// The stub of a function, or null when libEGL needs none of ours.
void* dispatchAddress(std::string_view name);

// libEGL's index of a function; names without a stub are ignored.
void setDispatchIndex(std::string_view name, int index);

}  // namespace mgl::winsys::egl
