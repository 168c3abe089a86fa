// Texture targets: from GL's tokens and back, and what each allows (OpenGL 4.6 chapter 8).
#pragma once

#include <optional>

#include "gl/context.h"
#include "gl/texture/texture.h"

namespace mgl::gl {

using pipe::TextureTarget;

// A target of the glTexImage family: a face of a cube and a proxy have tokens of their own.
struct ImageTarget {
  TextureTarget target = TextureTarget::Tex2D;
  u8 face = 0;
  bool proxy = false;
  bool faceToken = false;  // GL_TEXTURE_CUBE_MAP_POSITIVE_X …
};

// For glBindTexture, glTexParameter …: no faces, no proxies. Empty: no texture target of this context.
std::optional<TextureTarget> bindTarget(const Context& ctx, GLenum target);
// For images: faces instead of the cube itself, and proxies.
std::optional<ImageTarget> imageTarget(const Context& ctx, GLenum target);
GLenum targetToken(TextureTarget target);

// How many of width, height and depth an image call for the target takes: 1D array images are two-dimensional.
u32 imageDimensions(TextureTarget target);
inline bool isMultisample(TextureTarget t) {
  return t == TextureTarget::Tex2DMultisample || t == TextureTarget::Tex2DMultisampleArray;
}
inline bool isLayeredTarget(TextureTarget t) {
  return t == TextureTarget::Tex3D || t == TextureTarget::Cube || t == TextureTarget::Tex1DArray ||
         t == TextureTarget::Tex2DArray || t == TextureTarget::CubeArray || t == TextureTarget::Tex2DMultisampleArray;
}
inline bool hasMipmaps(TextureTarget t) {
  return t != TextureTarget::Rectangle && t != TextureTarget::Buffer && !isMultisample(t) && t != TextureTarget::Renderbuffer;
}

// The largest width (and height, but of 1D arrays), depth or layer count of level 0, and the number of levels.
u32 maxSize(const Context& ctx, TextureTarget target);
u32 maxDepth(const Context& ctx, TextureTarget target);
u32 maxLevels(const Context& ctx, TextureTarget target);
bool levelFits(const Context& ctx, TextureTarget target, GLint level);

// GL's extent of an image in the words of the pipe: layers are z, also those of one-dimensional arrays.
struct PipeExtent {
  u32 width = 0, height = 0, depth = 0;
};
inline PipeExtent pipeExtent(TextureTarget target, u32 width, u32 height, u32 depth) {
  return target == TextureTarget::Tex1DArray ? PipeExtent{width, 1, height} : PipeExtent{width, height, depth};
}
// A box in GL's words (offsets of dimensions that the target lacks are 0, extents 1); face: of a cube image.
pipe::TexelBox pipeBox(TextureTarget target, u32 face, u32 x, u32 y, u32 z, u32 width, u32 height, u32 depth);

// The size of a level when level 0 is so large (section 8.14.3). Layers do not shrink.
TextureImage levelOf(TextureTarget target, const TextureImage& base, u32 levelsUp);
// Levels down to 1x1x1.
u32 fullLevels(TextureTarget target, u32 width, u32 height, u32 depth);

// The texture bound to the active unit: never null, as name 0 is an object too.
Texture& boundTexture(Context& ctx, TextureTarget target);
Texture& boundTexture(Context& ctx, u32 unit, TextureTarget target);
// A named texture with a target; null after INVALID_OPERATION.
Ref<Texture> namedTexture(Context& ctx, GLuint name, const char* call);

}  // namespace mgl::gl
