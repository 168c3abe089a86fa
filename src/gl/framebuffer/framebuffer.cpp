#include "gl/framebuffer/framebuffer.h"

#include <algorithm>

#include "format/format.h"
#include "gl/buffer/buffer.h"
#include "gl/texture/internal_format.h"
#include "gl/texture/target.h"

namespace mgl::gl {

Renderbuffer::Renderbuffer(u32 glName, ShareGroup& group) : Object(glName), session(group.session) {
  ObjectGroup making(*session);
  client::Group& out = *making;
  handle = out.allocate<pipe::Kind::Texture>();
  out.emit(pipe::CreateTexture{handle, pipe::TextureTarget::Renderbuffer, {}});
}

Renderbuffer::~Renderbuffer() { session->retire(handle); }

Framebuffer::Framebuffer(u32 glName, std::shared_ptr<client::Session> s) : Object(glName), session(std::move(s)) {
  ObjectGroup making(*session);
  client::Group& out = *making;
  handle = out.allocate<pipe::Kind::Framebuffer>();
  out.emit(pipe::CreateFramebuffer{handle});
}

Framebuffer::~Framebuffer() { session->retire(handle); }

const TextureImage* Attachment::image() const {
  if (renderbuffer) return renderbuffer->image.format != pipe::Format::None ? &renderbuffer->image : nullptr;
  if (!texture || level >= pipe::kMaxTextureLevels) return nullptr;
  const u32 face = texture->target == TextureTarget::Cube && !layered ? layer % 6 : 0;
  const TextureImage& found = texture->images[face][level];
  return found.format != pipe::Format::None ? &found : nullptr;
}

namespace {

// Layers of an attached image, in the pipe's sense.
u32 layersOf(const Attachment& a, const TextureImage& image) {
  switch (a.texture->target) {
    case TextureTarget::Cube: return 6;
    case TextureTarget::Tex1DArray: return image.height;
    default: return image.depth;
  }
}

// Section 9.4.1: framebuffer attachment completeness.
bool isAttachmentComplete(const pipe::Caps& caps, const Attachment& a, bool needsDepth, bool needsStencil) {
  const TextureImage* const image = a.image();
  if (image == nullptr || image->isEmpty()) return false;
  if (a.texture) {
    const Texture& t = *a.texture;
    if (a.layered ? !t.isCubeComplete() : a.layer >= layersOf(a, *image)) return false;
    if (t.immutable && a.level >= t.viewNumLevels) return false;
  }
  const format::FormatInfo& info = format::formatInfo(image->format);
  if (needsDepth) return info.isDepth() && isDepthStencilRenderable(caps, image->format);
  if (needsStencil) return info.isStencil() && isDepthStencilRenderable(caps, image->format);
  return isColorRenderable(caps, image->format);
}

bool sameImage(const Attachment& a, const Attachment& b) {
  return a.texture == b.texture && a.renderbuffer == b.renderbuffer && a.level == b.level && a.layer == b.layer &&
         a.layered == b.layered;
}

}  // namespace

GLenum Framebuffer::status(ShareGroup& group) const {
  const u64 version_ = currentVersion(), shape = group.shapeEpoch.load(std::memory_order_acquire);
  if (statusVersion_ == version_ && statusShape_ == shape) return status_;
  statusVersion_ = version_;
  statusShape_ = shape;
  status_ = computeStatus();
  return status_;
}

GLenum Framebuffer::computeStatus() const {
  const pipe::Caps& caps = session->caps();
  width = height = layers = samples = 0;
  bool any = false, layered = false, sameSamples = true, sameLayering = true;
  bool fixedLocations = true;
  TextureTarget layerTarget = TextureTarget::Count;
  const auto add = [&](const Attachment& a, bool isDepth, bool isStencil) {
    if (!a.isSet()) return true;
    if (!isAttachmentComplete(caps, a, isDepth, isStencil)) return false;
    const TextureImage& image = *a.image();
    const u32 imageHeight = a.texture && a.texture->target == TextureTarget::Tex1DArray ? 1 : image.height;
    const u32 imageLayers = a.layered ? layersOf(a, image) : 0;
    // Renderbuffers place samples as fixed locations do.
    const bool imageFixed = !a.texture || image.fixedSampleLocations || image.samples == 0;
    const bool isColor = !isDepth && !isStencil;
    if (!any) {
      width = image.width, height = imageHeight, layers = imageLayers, samples = image.samples;
      layered = a.layered;
      fixedLocations = imageFixed;
      if (isColor && a.layered) layerTarget = a.texture->target;
      any = true;
      return true;
    }
    width = std::min(width, image.width);
    height = std::min(height, imageHeight);
    layers = std::min(layers, imageLayers);
    sameSamples = sameSamples && samples == image.samples && fixedLocations == imageFixed;
    sameLayering = sameLayering && layered == a.layered;
    if (isColor && a.layered) {
      sameLayering = sameLayering && (layerTarget == TextureTarget::Count || layerTarget == a.texture->target);
      layerTarget = a.texture->target;
    }
    return true;
  };
  for (const Attachment& a : color)
    if (!add(a, false, false)) return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
  if (!add(depth, true, false) || !add(stencil, false, true)) return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
  if (!any) {
    if (defaultWidth == 0 || defaultHeight == 0) return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    width = defaultWidth, height = defaultHeight, layers = defaultLayers, samples = defaultSamples;
    return GL_FRAMEBUFFER_COMPLETE;
  }
  // INCOMPLETE_DRAW_BUFFER and INCOMPLETE_READ_BUFFER went with ARB_ES2_compatibility (OpenGL 4.1).
  if (!sameSamples) return GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
  if (!sameLayering) return GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS;
  // No host renders with depth and stencil in different images.
  if (depth.isSet() && stencil.isSet() && !sameImage(depth, stencil)) return GL_FRAMEBUFFER_UNSUPPORTED;
  return GL_FRAMEBUFFER_COMPLETE;
}

namespace {

template <class Match>
Moved detach(Framebuffer& framebuffer, Match&& match) {
  Moved moved = Moved::No;
  const auto drop = [&](Attachment& a) {
    if (!match(a)) return;
    a = {};
    moved = Moved::Yes;
  };
  for (Attachment& a : framebuffer.color) drop(a);
  drop(framebuffer.depth);
  drop(framebuffer.stencil);
  if (moved == Moved::Yes) framebuffer.touch();
  return moved;
}

}  // namespace

Moved detachTexture(Framebuffer& framebuffer, const Texture& texture) {
  return detach(framebuffer, [&](const Attachment& a) { return a.texture == &texture; });
}

Moved detachRenderbuffer(Framebuffer& framebuffer, const Renderbuffer& renderbuffer) {
  return detach(framebuffer, [&](const Attachment& a) { return a.renderbuffer == &renderbuffer; });
}

}  // namespace mgl::gl
