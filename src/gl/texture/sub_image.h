// A box of one level, as the sub-image commands give it (OpenGL 4.6 section 8.6).
#pragma once

#include "gl/texture/target.h"

namespace mgl::gl {

// In GL's words; what a command lacks is 0 and 1.
struct SubBox {
  GLint level = 0;
  GLint x = 0, y = 0, z = 0;
  GLsizei width = 1, height = 1, depth = 1;
};

// The image that the box lies in; null after an error. A named cube map (face 0) counts its faces as z.
const TextureImage* checkSubBox(Context& ctx, const Texture& texture, u32 face, const SubBox& box, const char* call);
// Boxes of blocks begin at blocks and end at blocks or the image's edge.
bool checkBlocks(Context& ctx, const TextureImage& image, const SubBox& box, const char* call);
// For commands that name the texture: whether commands of that many dimensions take it (a cube map is three-dimensional there).
bool checkDimensions(Context& ctx, const Texture& texture, u32 dimensions, const char* call);

// REQUIRES: checked.
pipe::TexelBox toPipe(pipe::TextureTarget target, u32 face, const SubBox& box);

}  // namespace mgl::gl
