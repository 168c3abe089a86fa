// glPixelStore state, one for each direction (OpenGL 4.6 section 8.4.1), and how it lays out client memory.
#pragma once

#include "format/transfer.h"
#include "gl/api.h"

namespace mgl::gl {

struct PixelStore {
  format::PixelStore layout;  // row length, image height, skips, alignment, byte order
  i32 blockWidth = 0, blockHeight = 0, blockDepth = 0, blockBytes = 0;  // compressed
};

// What glGet answers for a GL_PACK_* or GL_UNPACK_* name; false when pname is none. Booleans are 0 or 1.
bool pixelStoreValue(const Context& ctx, GLenum pname, i32* value);

}  // namespace mgl::gl
