// Which functions there are, by name: EGL's own and GL's.
#pragma once

#include <EGL/egl.h>

namespace mgl::winsys::egl {

// Null for what there is not.
void* procAddress(const char* name);

// OpenGL. OpenGL ES contexts are not there yet, so that its API cannot be bound.
bool supportsApi(EGLenum api);

// The API that the calling thread bound, as libEGL knows it when it is there.
EGLenum boundApi();

}  // namespace mgl::winsys::egl
