// Framebuffers and the verbs that name one: clears, blits, read-backs.
#include <algorithm>
#include <optional>

#include "format/convert.h"
#include "server/image_checks.h"
#include "server/session_tables.h"

namespace mgl::server {

using backend::Framebuffer;

namespace {

bool isColorTarget(u8 index) { return index < pipe::kMaxColorTargets || index == pipe::kNoColor; }

}  // namespace

bool Session::applyCreateFramebuffer(pipe::RecordView<pipe::CreateFramebuffer> record) {
  const pipe::FramebufferHandle handle = record.head.framebuffer;
  if (!framebuffers_.isFresh(handle.slot, handle.gen)) return corrupt("CreateFramebuffer.framebuffer");
  Framebuffer& framebuffer = framebuffers_.insert(handle, backend_->makeFramebuffer());
  framebuffer.drawBuffers.fill(pipe::kNoColor);
  framebuffer.readBuffer = pipe::kNoColor;
  return true;
}

bool Session::applyUpdateFramebuffer(pipe::RecordView<pipe::UpdateFramebuffer> record) {
  const pipe::UpdateFramebuffer& head = record.head;
  Framebuffer* framebuffer = framebuffers_.find(head.framebuffer);
  if (framebuffer == nullptr) return corrupt("UpdateFramebuffer.framebuffer");
  for (u8 buffer : head.drawBuffers) {
    if (!isColorTarget(buffer)) return corrupt("UpdateFramebuffer.drawBuffers");
  }
  if (!isColorTarget(head.readBuffer)) return corrupt("UpdateFramebuffer.readBuffer");
  auto attach = [this](const pipe::Attachment& from, backend::Attachment* to) {
    backend::Texture* texture = nullptr;
    if (!lookUp(textures_, from.texture, &texture)) return false;
    if (texture != nullptr && texture->target == pipe::TextureTarget::Buffer) return false;
    *to = {Ref(texture), from.level, from.layer, from.layered != 0};
    return true;
  };
  for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) {
    if (!attach(head.color[i], &framebuffer->color[i])) return corrupt("UpdateFramebuffer.color");
  }
  if (!attach(head.depth, &framebuffer->depth)) return corrupt("UpdateFramebuffer.depth");
  if (!attach(head.stencil, &framebuffer->stencil)) return corrupt("UpdateFramebuffer.stencil");
  std::copy(head.drawBuffers.begin(), head.drawBuffers.end(), framebuffer->drawBuffers.begin());
  framebuffer->readBuffer = head.readBuffer;
  framebuffer->defaultWidth = head.defaultWidth;
  framebuffer->defaultHeight = head.defaultHeight;
  framebuffer->defaultLayers = head.defaultLayers;
  framebuffer->defaultSamples = head.defaultSamples;
  ++framebuffer->serial;
  backend_->framebufferChanged(*framebuffer);
  return true;
}
bool Session::applyDestroyFramebuffer(pipe::RecordView<pipe::DestroyFramebuffer> record) {
  return destroy(framebuffers_, record.head.framebuffer, "DestroyFramebuffer.framebuffer");
}

// Incomplete framebuffers are the client's to refuse; what must never reach a backend is an attachment that names a
// level or layer that is not there.
Session::Target Session::drawTarget(const backend::ContextState& context, const Framebuffer* framebuffer) const {
  if (framebuffer == nullptr) return context.drawSurface ? Target::Drawable : Target::Missing;
  bool any = framebuffer->defaultWidth != 0 && framebuffer->defaultHeight != 0;
  auto good = [&any](const backend::Attachment& attachment) {
    if (!attachment.texture) return true;
    any = true;
    return attachmentShape(attachment).has_value();
  };
  for (const backend::Attachment& attachment : framebuffer->color) {
    if (!good(attachment)) return Target::Corrupt;
  }
  if (!good(framebuffer->depth) || !good(framebuffer->stencil)) return Target::Corrupt;
  return any ? Target::Drawable : Target::Missing;
}

bool Session::pixelSource(const Framebuffer* framebuffer, pipe::TransferFormat format, PixelSource* source) const {
  using pipe::TransferFormat;
  const bool depth = format == TransferFormat::Depth || format == TransferFormat::DepthStencil;
  const bool stencil = format == TransferFormat::Stencil || format == TransferFormat::DepthStencil;
  if (framebuffer == nullptr) {
    const backend::Surface* surface = current_->readSurface.get();
    if (surface == nullptr) return false;
    if (!depth && !stencil && current_->defaultReadBuffer == 0) return false;
    *source = {depth || stencil ? surface->depthStencilFormat : surface->colorFormat, surface->width, surface->height};
    return source->format != pipe::Format::None;
  }
  if (drawTarget(*current_, framebuffer) == Target::Corrupt) return false;
  const backend::Attachment* attachment = nullptr;
  if (depth) {
    attachment = &framebuffer->depth;
  } else if (stencil) {
    attachment = &framebuffer->stencil;
  } else if (framebuffer->readBuffer < pipe::kMaxColorTargets) {
    attachment = &framebuffer->color[framebuffer->readBuffer];
  }
  if (attachment == nullptr || !attachment->texture) return false;
  const auto shape = attachmentShape(*attachment);
  if (!shape) return false;
  *source = {shape->format, shape->width, shape->height};
  return true;
}

// The common checks of a read-back: what is read is there, the rectangle inside of it, the layout has a meaning. Null:
// good.
const char* Session::checkPixels(const Framebuffer* framebuffer, const pipe::Rect& rect,
                                 const pipe::TexelLayout& layout, u64* bytes) const {
  PixelSource source;
  if (layout.compressed != 0) return "layout";
  if (!pixelSource(framebuffer, layout.format, &source)) return "framebuffer";
  if (rect.x < 0 || rect.y < 0 || rect.width < 0 || rect.height < 0) return "rect";
  const auto [x, y, width, height] = std::array{static_cast<u32>(rect.x), static_cast<u32>(rect.y),
                                                static_cast<u32>(rect.width), static_cast<u32>(rect.height)};
  if (!rangeFits(x, width, source.width) || !rangeFits(y, height, source.height)) return "rect";
  if (!format::canTransfer(source.format, layout.format, layout.type)) return "layout";
  const auto needed = layoutBytes(layout, source.format, width, height, 1);
  if (!needed) return "layout";
  *bytes = *needed;
  return nullptr;
}

bool Session::applyClear(pipe::RecordView<pipe::Clear> record) {
  Framebuffer* framebuffer = nullptr;
  if (!lookUp(framebuffers_, record.head.framebuffer, &framebuffer)) return corrupt("Clear.framebuffer");
  if (drawTarget(*current_, framebuffer) != Target::Drawable) return corrupt("Clear.framebuffer");
  backend_->clear(*current_, framebuffer, record.head);
  return true;
}

bool Session::applyBlit(pipe::RecordView<pipe::Blit> record) {
  const pipe::Blit& head = record.head;
  Framebuffer* read = nullptr;
  Framebuffer* draw = nullptr;
  if (!lookUp(framebuffers_, head.read, &read)) return corrupt("Blit.read");
  if (!lookUp(framebuffers_, head.draw, &draw)) return corrupt("Blit.draw");
  if (read == nullptr ? !current_->readSurface : drawTarget(*current_, read) != Target::Drawable)
    return corrupt("Blit.read");
  if (drawTarget(*current_, draw) != Target::Drawable) return corrupt("Blit.draw");
  backend_->blit(*current_, read, draw, head);
  return true;
}

bool Session::applyReadPixels(pipe::RecordView<pipe::ReadPixels> record) {
  const pipe::ReadPixels& head = record.head;
  Framebuffer* framebuffer = nullptr;
  if (!lookUp(framebuffers_, head.framebuffer, &framebuffer)) return corrupt("ReadPixels.framebuffer");
  u64 needed = 0;
  if (const char* field = checkPixels(framebuffer, head.rect, head.layout, &needed))
    return corruptField(pipe::Call::ReadPixels, field);
  const backend::Pending pending =
      needed != 0 ? backend_->beginReadPixels(*current_, framebuffer, head.rect, head.layout, head.clampColor != 0)
                  : backend::Pending{};
  return reply(pipe::Call::ReadPixels, head.replySlot, pending, needed);
}

bool Session::applyReadPixelsToBuffer(pipe::RecordView<pipe::ReadPixelsToBuffer> record) {
  const pipe::ReadPixelsToBuffer& head = record.head;
  Framebuffer* framebuffer = nullptr;
  if (!lookUp(framebuffers_, head.framebuffer, &framebuffer)) return corrupt("ReadPixelsToBuffer.framebuffer");
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("ReadPixelsToBuffer.buffer");
  u64 needed = 0;
  if (const char* field = checkPixels(framebuffer, head.rect, head.layout, &needed))
    return corruptField(pipe::Call::ReadPixelsToBuffer, field);
  if (!rangeFits(head.offset, needed, buffer->bytes)) return corrupt("ReadPixelsToBuffer.offset");
  if (needed != 0)
    backend_->readPixelsToBuffer(*current_, framebuffer, head.rect, head.layout, head.clampColor != 0, *buffer,
                                 head.offset);
  return true;
}

bool Session::applyCopyFramebufferToTexture(pipe::RecordView<pipe::CopyFramebufferToTexture> record) {
  const pipe::CopyFramebufferToTexture& head = record.head;
  Framebuffer* framebuffer = nullptr;
  if (!lookUp(framebuffers_, head.framebuffer, &framebuffer)) return corrupt("CopyFramebufferToTexture.framebuffer");
  backend::Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->target == pipe::TextureTarget::Buffer)
    return corrupt("CopyFramebufferToTexture.texture");
  const pipe::Rect& rect = head.rect;
  if (rect.x < 0 || rect.y < 0 || rect.width < 0 || rect.height < 0) return corrupt("CopyFramebufferToTexture.rect");
  const pipe::TexelBox box{
      head.origin[0], head.origin[1], head.origin[2], static_cast<u32>(rect.width), static_cast<u32>(rect.height), 1};
  pipe::Format format = pipe::Format::None;
  if (!boxFits(*texture, head.level, box, &format) || format::formatInfo(format).compressed)
    return corrupt("CopyFramebufferToTexture.origin");
  const format::FormatInfo& info = format::formatInfo(format);
  const auto aspect = info.isDepth()     ? pipe::TransferFormat::Depth
                      : info.isStencil() ? pipe::TransferFormat::Stencil
                                         : pipe::TransferFormat::RGBA;
  PixelSource source;
  if (!pixelSource(framebuffer, aspect, &source)) return corrupt("CopyFramebufferToTexture.framebuffer");
  const format::FormatInfo& from = format::formatInfo(source.format);
  if (from.isColor() != info.isColor() || from.isInteger() != info.isInteger())
    return corrupt("CopyFramebufferToTexture.framebuffer");
  if (!rangeFits(static_cast<u32>(rect.x), box.width, source.width) ||
      !rangeFits(static_cast<u32>(rect.y), box.height, source.height))
    return corrupt("CopyFramebufferToTexture.rect");
  if (box.width != 0 && box.height != 0)
    backend_->copyFramebufferToTexture(*current_, framebuffer, rect, *texture, head.level, head.origin);
  return true;
}

bool Session::applyInvalidateFramebuffer(pipe::RecordView<pipe::InvalidateFramebuffer> record) {
  const pipe::InvalidateFramebuffer& head = record.head;
  Framebuffer* framebuffer = nullptr;
  if (!lookUp(framebuffers_, head.framebuffer, &framebuffer)) return corrupt("InvalidateFramebuffer.framebuffer");
  // A hint: where there is nothing to lose there is nothing to do.
  switch (drawTarget(*current_, framebuffer)) {
    case Target::Corrupt:
      return corrupt("InvalidateFramebuffer.framebuffer");
    case Target::Missing:
      return true;
    case Target::Drawable:
      break;
  }
  backend_->invalidateFramebuffer(*current_, framebuffer, head.colorAttachments, head.aspects, head.rect);
  return true;
}

}  // namespace mgl::server
