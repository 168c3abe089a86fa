// The state of the proxy targets (OpenGL 4.6 section 8.22): what the last image call on each would have made.
#pragma once

#include "gl/texture/texture.h"

namespace mgl::gl {

struct ProxyImages {
  std::array<std::array<TextureImage, pipe::kMaxTextureLevels>, countOf<pipe::TextureTarget>()> images;
};

// Made at the first use.
ProxyImages& proxyImages(Context& ctx);

}  // namespace mgl::gl
