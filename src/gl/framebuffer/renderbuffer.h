#pragma once

#include "gl/texture/texture.h"

namespace mgl::gl {

// A renderbuffer: a texture of target Renderbuffer on the pipe.
struct Renderbuffer : Object {
  // Emits CreateTexture: never under an open group.
  Renderbuffer(u32 glName, ShareGroup& group);
  ~Renderbuffer() override;

  const std::shared_ptr<client::Session> session;
  pipe::TextureHandle handle;
  TextureImage image;
  bool storeFailed = false;  // as a texture's
};

}  // namespace mgl::gl
