#include "gl/memory.h"

#include "base/counters.h"
#include "format/format.h"
#include "gl/buffer/buffer.h"
#include "gl/framebuffer/renderbuffer.h"
#include "gl/texture/target.h"
#include "gl/verb.h"

namespace mgl::gl {

namespace {

GLenum errorToken(pipe::GlError error) {
  switch (error) {
    case pipe::GlError::InvalidEnum: return GL_INVALID_ENUM;
    case pipe::GlError::InvalidValue: return GL_INVALID_VALUE;
    case pipe::GlError::InvalidOperation: return GL_INVALID_OPERATION;
    case pipe::GlError::InvalidFramebufferOperation: return GL_INVALID_FRAMEBUFFER_OPERATION;
    default: return GL_OUT_OF_MEMORY;
  }
}

// The store that the event names is not there: what the object tells of itself, and a specification that repeats the
// last one, must not take it for granted.
void forgetStore(Context& ctx, const pipe::OnGlError& told) {
  const auto named = [&told](const auto& handle) { return handle.slot == told.slot && handle.gen == told.gen; };
  if (told.call == indexOf(pipe::Call::BufferStorage)) {
    Ref<Buffer> found;
    {
      const std::scoped_lock lock(ctx.share->mutex);
      ctx.share->buffers.forEach([&](u32, Buffer& buffer) {
        if (named(buffer.handle)) found = Ref<Buffer>(&buffer);
      });
    }
    const Verb verb(ctx);
    if (found && found->stores == told.store) found->size = 0;
    return;
  }
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->textures.forEach([&](u32, Texture& texture) {
    if (named(texture.handle)) texture.storeFailed = true;
  });
  ctx.share->renderbuffers.forEach([&](u32, Renderbuffer& renderbuffer) {
    if (named(renderbuffer.handle)) renderbuffer.storeFailed = true;
  });
  for (const Ref<Texture>& texture : ctx.defaultTextures) {
    if (texture && named(texture->handle)) texture->storeFailed = true;
  }
}

}  // namespace

u64 imageBytes(pipe::TextureTarget target, const TextureImage& base, u32 levels) {
  u64 bytes = 0;
  for (u32 level = 0; level < levels; ++level) {
    const TextureImage image = levelOf(target, base, level);
    bytes += format::boxBytes(image.format, image.width, image.height, image.depth);
  }
  return bytes * std::max(base.samples, 1u) * (target == pipe::TextureTarget::Cube && levels > 1 ? 6 : 1);
}

bool checkMemory(Context& ctx, u64 bytes, const char* call) {
  if (canHold(ctx, bytes)) return true;
  count(Counter::OutOfMemory);
  ctx.error(GL_OUT_OF_MEMORY, "%s: no memory of the device holds %llu bytes", call, static_cast<unsigned long long>(bytes));
  return false;
}

void takeServerErrors(Context& ctx) {
  for (;;) {
    const pipe::OnGlError told = ctx.session->takeServerError(ctx.stream.handle);
    if (told.error == pipe::GlError::None) return;
    if (told.slot != 0) forgetStore(ctx, told);
    const bool known = told.call < countOf<pipe::Call>();
    const std::string_view name = known ? pipe::callInfo(static_cast<pipe::Call>(told.call)).name : "a call";
    ctx.error(errorToken(told.error), "the server could not do what was asked for (%.*s): there was no memory for it",
              static_cast<int>(name.size()), name.data());
  }
}

void acknowledgeStores(Context& ctx) {
  takeServerErrors(ctx);
  if (!ctx.unacknowledged || ctx.firstError != GL_NO_ERROR) return;
  ctx.unacknowledged = false;
  {
    const ScopedStall stall(Stall::Allocation);
    ctx.session->awaitServerErrors(ctx.stream);
  }
  takeServerErrors(ctx);
}

}  // namespace mgl::gl
