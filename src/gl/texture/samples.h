// Bounds of sample counts, by format (OpenGL 4.6 sections 8.8 and 9.2.4).
#pragma once

#include "gl/texture/internal_format.h"
#include "gl/context.h"

namespace mgl::gl {

// The most samples that a multisample texture of this format may ask for.
u32 textureSamplesLimit(const Context& ctx, pipe::Format format);

}  // namespace mgl::gl
