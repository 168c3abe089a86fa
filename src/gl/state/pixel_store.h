// glPixelStore state, one for each direction (OpenGL 4.6 section 8.4.1), and how it lays out client memory.
#pragma once

#include "format/transfer.h"

namespace mgl::gl {

struct PixelStore {
  format::PixelStore layout;  // row length, image height, skips, alignment, byte order
  i32 blockWidth = 0, blockHeight = 0, blockDepth = 0, blockBytes = 0;  // compressed
};

}  // namespace mgl::gl
