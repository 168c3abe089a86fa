// Changing what texture units have bound. Each touches Group::Textures or Group::Samplers when something changed.
#pragma once

#include "gl/context.h"

namespace mgl::gl {

// Null binds the target's default texture. The texture has that target.
Moved bindTexture(Context& ctx, u32 unit, pipe::TextureTarget target, Ref<Texture> texture);
// Every target of the unit to its default texture.
Moved unbindUnit(Context& ctx, u32 unit);

Moved bindSampler(Context& ctx, u32 unit, Ref<Sampler> sampler);

}  // namespace mgl::gl
