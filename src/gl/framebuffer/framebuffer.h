// A framebuffer object: attachments and buffers. A container: not shared between contexts.
#pragma once

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
};

struct Framebuffer : Object {
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
  // Of the attachments, valid while complete.
  u32 width = 0, height = 0, samples = 0, layers = 0;

  // ---- The tracker's
  u64 emittedVersion = 0;
};

}  // namespace mgl::gl
