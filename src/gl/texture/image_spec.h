// Specifying images: what glTexImage*, glCompressedTexImage*, glCopyTexImage* and glTexStorage* have in common
// (OpenGL 4.6 sections 8.5-8.7 and 8.19). Checks set the error and return false or null.
#pragma once

#include "gl/texture/internal_format.h"
#include "gl/texture/target.h"

namespace mgl::gl {

// An internal format that this context takes for textures, and the pipe's format for it. Null after `code`.
struct ChosenFormat {
  const InternalFormat* row = nullptr;
  pipe::Format format = pipe::Format::None;
  GLenum reported = GL_NONE;  // what GL_TEXTURE_INTERNAL_FORMAT answers
};
std::optional<ChosenFormat> chooseTextureFormat(Context& ctx, GLenum internalFormat, GLenum code, const char* call);
// For texels that come uncompressed: a block format becomes the format that its blocks decode to, as GL lets a driver
// choose, and nothing here compresses. The queries tell what was chosen.
ChosenFormat uncompressed(const ChosenFormat& chosen);
// Whether textures of the target can have the format: no depth or blocks in what cannot have them. INVALID_OPERATION or _ENUM.
bool checkFormatForTarget(Context& ctx, TextureTarget target, pipe::Format format, const char* call);

// The target of an image call of that many dimensions.
std::optional<ImageTarget> checkImageTarget(Context& ctx, GLenum target, u32 dimensions, const char* call);
bool checkLevel(Context& ctx, TextureTarget target, GLint level, const char* call);

enum class Fit : u8 { Bad, TooLarge, Fits };
// Bad: an error was set (negative, or not the target's shape). TooLarge: no error yet, for a proxy it is none.
Fit checkExtent(Context& ctx, TextureTarget target, bool proxy, GLint level, GLsizei width, GLsizei height, GLsizei depth,
                const char* call);

// TooLarge where the device could never hold it: an error (GL_OUT_OF_MEMORY), but for a proxy.
Fit checkImageMemory(Context& ctx, TextureTarget target, bool proxy, const TextureImage& base, u32 levels, const char* call);

// Gives one level of one face a new shape and tells the server. The contents are undefined.
Moved defineImage(Context& ctx, Texture& texture, u32 face, u32 level, const TextureImage& image);
// Gives all levels a shape at once; immutable or not.
Moved defineStorage(Context& ctx, Texture& texture, u32 levels, const TextureImage& base, bool immutable);

// After the base level changed: GL_GENERATE_MIPMAP of the compatibility profile.
Moved generateIfAsked(Context& ctx, Texture& texture, u32 level);
// Section 8.14.4; the texture was checked. Specifies levels of mutable textures.
Moved generateMipmap(Context& ctx, Texture& texture);

}  // namespace mgl::gl
