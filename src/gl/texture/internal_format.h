// GL's internal formats: what each is, and which pipe format holds it (OpenGL 4.6 tables 8.11-8.14 and 8.18-8.20 of the
// compatibility profile). The one place that knows them.
#pragma once

#include "gl/api.h"
#include "pipe/caps.h"

namespace mgl::gl {

struct InternalFormat {
  enum Flag : u16 {
    Sized = 1,              // names its resolution: what glTexStorage takes
    CompatOnly = 2,         // gone in the core profile
    Buffer = 4,             // table 8.15: buffer textures
    GenericCompressed = 8,  // the driver chooses
    Image = 16,             // table 8.27: image units
    RequiredRender = 32,    // colour-renderable everywhere (section 9.4)
  };
  GLenum gl;    // GL_RGBA8
  GLenum base;  // GL_RGBA: the base internal format
  u16 flags;
  std::array<pipe::Format, 3> formats;  // the first that the device has is taken; None: no more

  bool is(Flag flag) const { return (flags & flag) != 0; }
  bool isCompressed() const;  // specific or generic
};

// Null for what is no internal format. Constant; any thread.
const InternalFormat* findInternalFormat(GLenum internalFormat);
// The sized token whose first choice this format is; GL_NONE when there is none.
GLenum sizedToken(pipe::Format format);
// All rows, sorted by token.
std::span<const InternalFormat> internalFormats();

// The pipe's format for textures: the first one that can be sampled, None when the device has none of them.
pipe::Format textureFormat(const pipe::Caps& caps, const InternalFormat& row);
// For renderbuffers and multisample textures: the first one that can be rendered to.
pipe::Format renderFormat(const pipe::Caps& caps, const InternalFormat& row);

bool isColorRenderable(const pipe::Caps& caps, pipe::Format format);
bool isDepthStencilRenderable(const pipe::Caps& caps, pipe::Format format);
inline bool isRenderable(const pipe::Caps& caps, pipe::Format format) {
  return isColorRenderable(caps, format) || isDepthStencilRenderable(caps, format);
}

// The sample count used when the program asks for `wanted`: the smallest the format has that is not less. 0 when it has none.
u32 chooseSamples(const pipe::Caps& caps, pipe::Format format, u32 wanted);
u32 maxSamples(const pipe::Caps& caps, pipe::Format format);

// The view class of table 8.22 (GL_VIEW_CLASS_128_BITS …), or GL_NONE.
GLenum viewClass(pipe::Format format);

}  // namespace mgl::gl
