// Renderbuffers (OpenGL 4.6 section 9.2.4).

#include "gl/framebuffer/renderbuffer.h"

#include "format/format.h"
#include "gl/framebuffer/target.h"
#include "gl/memory.h"
#include "gl/texture/internal_format.h"
#include "gl/verb.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

Ref<Renderbuffer> renderbufferToBind(Context& ctx, GLuint name, bool anyName, const char* call) {
  const std::scoped_lock lock(ctx.share->mutex);
  auto& table = ctx.share->renderbuffers;
  if (Renderbuffer* const found = table.find(name)) return Ref<Renderbuffer>(found);
  if (!anyName && !table.isUsed(name)) {
    ctx.error(GL_INVALID_OPERATION, "%s: %u was not returned by glGenRenderbuffers", call, name);
    return {};
  }
  auto renderbuffer = makeRef<Renderbuffer>(name, *ctx.share);
  table.insert(name, renderbuffer);
  return renderbuffer;
}

Ref<Renderbuffer> named(Context& ctx, GLuint name, const char* call) {
  Ref<Renderbuffer> found = lookUp<Renderbuffer>(*ctx.share, ctx.share->renderbuffers, name);
  if (!found) ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a renderbuffer", call, name);
  return found;
}

// The one bound to GL_RENDERBUFFER; null after an error.
Ref<Renderbuffer> bound(Context& ctx, GLenum target, const char* call) {
  if (target != GL_RENDERBUFFER) {
    ctx.error(GL_INVALID_ENUM, "%s: the target is GL_RENDERBUFFER, not 0x%04x", call, target);
    return {};
  }
  if (!ctx.renderbuffer) ctx.error(GL_INVALID_OPERATION, "%s: no renderbuffer is bound", call);
  return ctx.renderbuffer;
}

Moved storage(Context& ctx, const Ref<Renderbuffer>& renderbuffer, GLsizei samples, GLenum internalFormat, GLsizei width,
              GLsizei height, const char* call) {
  if (!renderbuffer) return Moved::No;
  const InternalFormat* const row = findInternalFormat(internalFormat);
  const bool known = row != nullptr && !row->isCompressed() && !(ctx.isCore() && row->is(InternalFormat::CompatOnly));
  const pipe::Format format = known ? renderFormat(ctx.caps(), *row) : pipe::Format::None;
  if (format == pipe::Format::None)
    return ctx.error(GL_INVALID_ENUM, "%s: internal format 0x%04x cannot be rendered to", call, internalFormat), Moved::No;
  const i64 limit = ctx.info->limits.maxRenderbufferSize;
  if (width < 0 || height < 0 || width > limit || height > limit)
    return ctx.error(GL_INVALID_VALUE, "%s: %dx%d is no size of a renderbuffer here (at most %lld)", call, width, height,
                     static_cast<long long>(limit)),
           Moved::No;
  if (samples < 0) return ctx.error(GL_INVALID_VALUE, "%s: the sample count is negative", call), Moved::No;
  const bool integer = format::formatInfo(format).isInteger();
  if (integer && samples > ctx.info->limits.maxIntegerSamples)
    return ctx.error(GL_INVALID_OPERATION, "%s: integer formats have at most GL_MAX_INTEGER_SAMPLES samples", call), Moved::No;
  if (samples > ctx.info->limits.maxSamples)
    return ctx.error(GL_INVALID_VALUE, "%s: %d is more than GL_MAX_SAMPLES", call, samples), Moved::No;
  if (static_cast<u32>(samples) > maxSamples(ctx.caps(), format) && samples > 0)
    return ctx.error(GL_INVALID_OPERATION, "%s: internal format 0x%04x has at most %u samples", call, internalFormat,
                     maxSamples(ctx.caps(), format)),
           Moved::No;

  TextureImage image{format, internalFormat, static_cast<u32>(width), static_cast<u32>(height), 1};
  image.samples = samples == 0 ? 0 : chooseSamples(ctx.caps(), format, static_cast<u32>(samples));
  const u64 bytes = imageBytes(pipe::TextureTarget::Renderbuffer, image);
  if (!checkMemory(ctx, bytes, call)) return Moved::No;
  const Verb verb(ctx);
  const bool same = renderbuffer->image == image && !renderbuffer->storeFailed;
  renderbuffer->image = image;
  // Storage of size 0 is no storage: attachments of it are incomplete, so the server need not hear of it.
  if (!image.isEmpty()) {
    client::Group out(*ctx.session, ctx.stream);
    if (!same)
      out.emit(pipe::TextureStorage{renderbuffer->handle, format, 1, image.width, image.height, 1, image.samples,
                                    pipe::kTextureRenderable});
    renderbuffer->storeFailed = false;
  }
  if (same) return Moved::No;
  noteStore(ctx, bytes);
  renderbuffer->touch();
  return Moved::Yes;
}

void answer(Context& ctx, const Ref<Renderbuffer>& renderbuffer, GLenum pname, GLint* params, const char* call) {
  if (!renderbuffer) return;
  const TextureImage& image = renderbuffer->image;
  const format::FormatInfo& info = format::formatInfo(image.format);
  const auto set = [&](u32 value) { *params = static_cast<GLint>(value); };
  switch (pname) {
    case GL_RENDERBUFFER_WIDTH: return set(image.width);
    case GL_RENDERBUFFER_HEIGHT: return set(image.height);
    case GL_RENDERBUFFER_INTERNAL_FORMAT:
      return set(image.internalFormat != GL_NONE ? image.internalFormat : static_cast<u32>(GL_RGBA));
    case GL_RENDERBUFFER_SAMPLES: return set(image.samples);
    case GL_RENDERBUFFER_RED_SIZE: return set(info.bits.red);
    case GL_RENDERBUFFER_GREEN_SIZE: return set(info.bits.green);
    case GL_RENDERBUFFER_BLUE_SIZE: return set(info.bits.blue);
    case GL_RENDERBUFFER_ALPHA_SIZE: return set(info.bits.alpha);
    case GL_RENDERBUFFER_DEPTH_SIZE: return set(info.bits.depth);
    case GL_RENDERBUFFER_STENCIL_SIZE: return set(info.bits.stencil);
    default: return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no renderbuffer parameter", call, pname);
  }
}

}  // namespace

MGL_GL(void, GenRenderbuffers)(Context& ctx, GLsizei n, GLuint* renderbuffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenRenderbuffers: n is negative");
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->renderbuffers.reserve(std::span<u32>(renderbuffers, static_cast<std::size_t>(n)));
}

MGL_GL(void, CreateRenderbuffers)(Context& ctx, GLsizei n, GLuint* renderbuffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateRenderbuffers: n is negative");
  const std::scoped_lock lock(ctx.share->mutex);
  for (GLsizei i = 0; i < n; ++i) {
    renderbuffers[i] = ctx.share->renderbuffers.reserve();
    ctx.share->renderbuffers.insert(renderbuffers[i], makeRef<Renderbuffer>(renderbuffers[i], *ctx.share));
  }
}

MGL_GL(Moved, DeleteRenderbuffers)(Context& ctx, GLsizei n, const GLuint* renderbuffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteRenderbuffers: n is negative"), Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < n; ++i) {
    Ref<Renderbuffer> renderbuffer;
    {
      const std::scoped_lock lock(ctx.share->mutex);
      renderbuffer = ctx.share->renderbuffers.erase(renderbuffers[i]);
    }
    if (!renderbuffer) continue;
    renderbuffer->deleted = true;
    if (ctx.renderbuffer == renderbuffer) ctx.renderbuffer.reset();
    for (Framebuffer* const framebuffer : {ctx.drawFramebuffer.get(), ctx.readFramebuffer.get()})
      if (framebuffer != nullptr) moved = moved | detachRenderbuffer(*framebuffer, *renderbuffer);
  }
  return moved;
}

MGL_GL(GLboolean, IsRenderbuffer)(Context& ctx, GLuint renderbuffer) {
  const std::scoped_lock lock(ctx.share->mutex);
  return ctx.share->renderbuffers.find(renderbuffer) != nullptr ? GL_TRUE : GL_FALSE;
}

namespace {
void bindRenderbuffer(Context& ctx, GLenum target, GLuint name, bool anyName, const char* call) {
  if (target != GL_RENDERBUFFER)
    return ctx.error(GL_INVALID_ENUM, "%s: the target is GL_RENDERBUFFER, not 0x%04x", call, target);
  if (name == 0) return ctx.renderbuffer.reset();
  if (Ref<Renderbuffer> object = renderbufferToBind(ctx, name, anyName, call)) ctx.renderbuffer = std::move(object);
}
}  // namespace

MGL_GL(void, BindRenderbuffer)(Context& ctx, GLenum target, GLuint renderbuffer) {
  bindRenderbuffer(ctx, target, renderbuffer, false, "glBindRenderbuffer");
}
MGL_GL(void, BindRenderbufferEXT)(Context& ctx, GLenum target, GLuint renderbuffer) {
  bindRenderbuffer(ctx, target, renderbuffer, true, "glBindRenderbufferEXT");
}

MGL_GL(Moved, RenderbufferStorage)(Context& ctx, GLenum target, GLenum internalformat, GLsizei width, GLsizei height) {
  return storage(ctx, bound(ctx, target, "glRenderbufferStorage"), 0, internalformat, width, height, "glRenderbufferStorage");
}
MGL_GL(Moved, RenderbufferStorageMultisample)(Context& ctx, GLenum target, GLsizei samples, GLenum internalformat,
                                              GLsizei width, GLsizei height) {
  return storage(ctx, bound(ctx, target, "glRenderbufferStorageMultisample"), samples, internalformat, width, height,
                 "glRenderbufferStorageMultisample");
}
MGL_GL(Moved, NamedRenderbufferStorage)(Context& ctx, GLuint renderbuffer, GLenum internalformat, GLsizei width,
                                        GLsizei height) {
  return storage(ctx, named(ctx, renderbuffer, "glNamedRenderbufferStorage"), 0, internalformat, width, height,
                 "glNamedRenderbufferStorage");
}
MGL_GL(Moved, NamedRenderbufferStorageMultisample)(Context& ctx, GLuint renderbuffer, GLsizei samples,
                                                   GLenum internalformat, GLsizei width, GLsizei height) {
  return storage(ctx, named(ctx, renderbuffer, "glNamedRenderbufferStorageMultisample"), samples, internalformat, width,
                 height, "glNamedRenderbufferStorageMultisample");
}
MGL_GL(void, GetRenderbufferParameteriv)(Context& ctx, GLenum target, GLenum pname, GLint* params) {
  answer(ctx, bound(ctx, target, "glGetRenderbufferParameteriv"), pname, params, "glGetRenderbufferParameteriv");
}
MGL_GL(void, GetNamedRenderbufferParameteriv)(Context& ctx, GLuint renderbuffer, GLenum pname, GLint* params) {
  answer(ctx, named(ctx, renderbuffer, "glGetNamedRenderbufferParameteriv"), pname, params,
         "glGetNamedRenderbufferParameteriv");
}

}  // namespace mgl::gl
