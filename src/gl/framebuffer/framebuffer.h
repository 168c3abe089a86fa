// A framebuffer object: attachments and buffers. A container: not shared between contexts.
#pragma once

#include "gl/api.h"
#include "gl/framebuffer/renderbuffer.h"

namespace mgl::gl {

struct Attachment {
  Ref<Texture> texture;
  Ref<Renderbuffer> renderbuffer;
  u32 level = 0;
  u32 layer = 0;  // z, array layer, cube face, 6·layer + face
  bool layered = false;
  GLenum textureTarget = GL_NONE;  // GL_TEXTURE_CUBE_MAP_POSITIVE_X … as attached, for queries

  bool isSet() const { return texture || renderbuffer; }
  const TextureImage* image() const;  // null when the level is not specified
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

struct Framebuffer : Object {
  // Emits CreateFramebuffer: never under an open group.
  Framebuffer(u32 glName, std::shared_ptr<client::Session> session);
  ~Framebuffer() override;

  const std::shared_ptr<client::Session> session;
  pipe::FramebufferHandle handle;
  std::array<Attachment, pipe::kMaxColorTargets> color;
  Attachment depth, stencil;
  std::array<GLenum, 8> drawBuffers{GL_COLOR_ATTACHMENT0};
  GLenum readBuffer = GL_COLOR_ATTACHMENT0;
  u32 defaultWidth = 0, defaultHeight = 0, defaultLayers = 0, defaultSamples = 0;
  bool defaultFixedSampleLocations = false;

  // GL_FRAMEBUFFER_COMPLETE or why not (OpenGL 4.6 section 9.4.2). Cached by own version and share-group shape epoch.
  GLenum status(ShareGroup& group) const;
  // Of the attachments, valid while complete; samples 0: not multisampled.
  mutable u32 width = 0, height = 0, samples = 0, layers = 0;

  // ---- The tracker's
  u64 emittedVersion = 0;

 private:
  GLenum computeStatus() const;
  mutable u64 statusVersion_ = 0, statusShape_ = 0;
  mutable GLenum status_ = GL_NONE;
};

// Takes the texture or renderbuffer off every attachment point. Moves the framebuffer's version when it was on one.
Moved detachTexture(Framebuffer& framebuffer, const Texture& texture);
Moved detachRenderbuffer(Framebuffer& framebuffer, const Renderbuffer& renderbuffer);

}  // namespace mgl::gl
