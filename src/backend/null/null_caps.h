// The caps of a good desktop device, for a backend that has none.
#pragma once

#include "pipe/caps.h"

namespace mgl::null {

// What an OpenGL 4.6 frontend asks of a device, except for features whose records no session applies yet (compute,
// shared images, sync files): what the caps allow must not be refused.
pipe::Caps makeCaps();

}  // namespace mgl::null
