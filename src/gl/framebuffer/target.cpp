#include "gl/framebuffer/target.h"

#include "format/format.h"
#include "gl/surface.h"

namespace mgl::gl {
namespace {

const Surface* surfaceOf(const Context& ctx, Side side) {
  return side == Side::Draw ? ctx.drawSurface.get() : ctx.readSurface.get();
}

pipe::Format imageFormat(const Attachment& a) {
  const TextureImage* const image = a.image();
  return image != nullptr ? image->format : pipe::Format::None;
}

const Attachment* colorAttachment(const Framebuffer& framebuffer, GLenum buffer) {
  const u32 i = buffer - GL_COLOR_ATTACHMENT0;
  return buffer >= GL_COLOR_ATTACHMENT0 && i < framebuffer.color.size() ? &framebuffer.color[i] : nullptr;
}

}  // namespace

bool framebufferSide(GLenum target, Side* side) {
  switch (target) {
    case GL_FRAMEBUFFER:
    case GL_DRAW_FRAMEBUFFER: *side = Side::Draw; return true;
    case GL_READ_FRAMEBUFFER: *side = Side::Read; return true;
    default: return false;
  }
}

Ref<Framebuffer> namedFramebuffer(Context& ctx, GLuint name, const char* call) {
  Ref<Framebuffer> framebuffer(ctx.framebuffers.find(name));
  if (!framebuffer) ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a framebuffer", call, name);
  return framebuffer;
}

GLenum framebufferStatus(const Context& ctx, const Framebuffer* framebuffer, Side side) {
  if (framebuffer != nullptr) return framebuffer->status(*ctx.share);
  return surfaceOf(ctx, side) != nullptr ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNDEFINED;
}

bool checkComplete(Context& ctx, const Framebuffer* framebuffer, Side side, const char* call) {
  const GLenum status = framebufferStatus(ctx, framebuffer, side);
  if (status == GL_FRAMEBUFFER_COMPLETE) return true;
  if (framebuffer == nullptr)
    ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, "%s: the context has no surface, and no framebuffer object is bound", call);
  else
    ctx.error(GL_INVALID_FRAMEBUFFER_OPERATION, "%s: framebuffer %u is not complete (0x%04x)", call, framebuffer->name, status);
  return false;
}

TargetShape targetShape(const Context& ctx, const Framebuffer* framebuffer, Side side) {
  if (framebuffer != nullptr) return {framebuffer->width, framebuffer->height, framebuffer->samples};
  const Surface* const surface = surfaceOf(ctx, side);
  if (surface == nullptr) return {};
  return {surface->width(), surface->height(), surface->config().samples};
}

pipe::Format readFormat(const Context& ctx, const Framebuffer* framebuffer) {
  if (framebuffer != nullptr) {
    const Attachment* const a = colorAttachment(*framebuffer, framebuffer->readBuffer);
    return a != nullptr ? imageFormat(*a) : pipe::Format::None;
  }
  if (!ctx.readSurface || ctx.defaultReadBuffer == GL_NONE) return pipe::Format::None;
  return ctx.readSurface->config().colorFormat;
}

pipe::Format outputFormat(const Context& ctx, const Framebuffer* framebuffer, u32 output) {
  if (framebuffer != nullptr) {
    const Attachment* const a = colorAttachment(*framebuffer, framebuffer->drawBuffers[output]);
    return a != nullptr ? imageFormat(*a) : pipe::Format::None;
  }
  if (!ctx.drawSurface || ctx.defaultDrawBuffers[output] == GL_NONE) return pipe::Format::None;
  return ctx.drawSurface->config().colorFormat;
}

pipe::Format depthFormat(const Context& ctx, const Framebuffer* framebuffer, Side side) {
  if (framebuffer != nullptr) return imageFormat(framebuffer->depth);
  const Surface* const surface = surfaceOf(ctx, side);
  if (surface == nullptr) return pipe::Format::None;
  const pipe::Format format = surface->config().depthStencilFormat;
  return format::formatInfo(format).isDepth() ? format : pipe::Format::None;
}

pipe::Format stencilFormat(const Context& ctx, const Framebuffer* framebuffer, Side side) {
  if (framebuffer != nullptr) return imageFormat(framebuffer->stencil);
  const Surface* const surface = surfaceOf(ctx, side);
  if (surface == nullptr) return pipe::Format::None;
  const pipe::Format format = surface->config().depthStencilFormat;
  return format::formatInfo(format).isStencil() ? format : pipe::Format::None;
}

Moved framebufferChanged(Context& ctx, Framebuffer* framebuffer) {
  if (framebuffer != nullptr)
    framebuffer->touch();
  else
    ctx.touch(Group::DefaultTargets);
  if (framebuffer == ctx.drawFramebuffer.get()) ctx.touch(Group::DrawFramebuffer);
  if (framebuffer == ctx.readFramebuffer.get()) ctx.touch(Group::ReadFramebuffer);
  return Moved::Yes;
}

bool verbScissor(const Context& ctx, pipe::Scissor* box) {
  if ((ctx.scissorEnable & 1) == 0) return false;
  const auto& s = ctx.scissors[0];
  *box = {s[0], s[1], static_cast<u32>(s[2]), static_cast<u32>(s[3])};
  return true;
}

}  // namespace mgl::gl
