// Sync objects (OpenGL 4.6 section 4.1). A GLsync is the object's name, so that a wild pointer is an error and no crash.
#include "gl/context.h"
#include "gl/query/query.h"

namespace mgl::gl {

Sync::Sync(u32 glName, std::shared_ptr<client::Session> s) : Object(glName), session(std::move(s)) {}
Sync::~Sync() { session->retire(handle); }

namespace {

Ref<Sync> find(Context& ctx, GLsync sync, const char* command) {
  const auto value = reinterpret_cast<uintptr_t>(sync);
  Ref<Sync> found;
  if (value != 0 && value <= ~u32{0}) found = lookUp<Sync>(*ctx.share, ctx.share->syncs, static_cast<u32>(value));
  if (!found) ctx.error(GL_INVALID_VALUE, "%s: not a sync object", command);
  return found;
}

}  // namespace

MGL_GL(GLsync, FenceSync)(Context& ctx, GLenum condition, GLbitfield flags) {
  if (condition != GL_SYNC_GPU_COMMANDS_COMPLETE) {
    ctx.error(GL_INVALID_ENUM, "glFenceSync: 0x%04x is not a condition", condition);
    return nullptr;
  }
  if (flags != 0) {
    ctx.error(GL_INVALID_VALUE, "glFenceSync: flags must be 0");
    return nullptr;
  }
  Ref<Sync> sync;
  {
    const std::scoped_lock lock(ctx.share->mutex);
    const u32 name = ctx.share->syncs.reserve();
    sync = Ref<Sync>(new Sync(name, ctx.session));
    ctx.share->syncs.insert(name, sync);
  }
  client::Group group(*ctx.session, ctx.stream);
  sync->handle = group.allocate<pipe::Kind::Sync>();
  sync->serial = group.nextSerial();
  group.emit(pipe::CreateFence{sync->handle, sync->serial});
  return reinterpret_cast<GLsync>(static_cast<uintptr_t>(sync->name));
}
MGL_GL(GLboolean, IsSync)(Context& ctx, GLsync sync) {
  const auto value = reinterpret_cast<uintptr_t>(sync);
  return value != 0 && value <= ~u32{0} &&
         static_cast<bool>(lookUp<Sync>(*ctx.share, ctx.share->syncs, static_cast<u32>(value)));
}
MGL_GL(void, DeleteSync)(Context& ctx, GLsync sync) {
  if (sync == nullptr) return;
  const auto found = find(ctx, sync, "glDeleteSync");
  if (!found) return;
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->syncs.erase(found->name);
}
MGL_GL(GLenum, ClientWaitSync)(Context& ctx, GLsync sync, GLbitfield flags, GLuint64 timeout) {
  if ((flags & ~static_cast<GLbitfield>(GL_SYNC_FLUSH_COMMANDS_BIT)) != 0) {
    ctx.error(GL_INVALID_VALUE, "glClientWaitSync: unknown flags");
    return GL_WAIT_FAILED;
  }
  const auto found = find(ctx, sync, "glClientWaitSync");
  if (!found) return GL_WAIT_FAILED;
  if (ctx.lost() || found->serial <= ctx.session->completedSerial()) return GL_ALREADY_SIGNALED;
  ctx.session->flushUpTo(found->serial, &ctx.stream);
  if (timeout == 0) return found->serial <= ctx.session->completedSerial() ? GL_ALREADY_SIGNALED : GL_TIMEOUT_EXPIRED;
  const ScopedStall stall(Stall::FenceWait);
  return ctx.session->waitCompleted(found->serial, timeout, &ctx.stream) ? GL_CONDITION_SATISFIED : GL_TIMEOUT_EXPIRED;
}
MGL_GL(void, WaitSync)(Context& ctx, GLsync sync, GLbitfield flags, GLuint64 timeout) {
  if (flags != 0 || timeout != GL_TIMEOUT_IGNORED)
    return ctx.error(GL_INVALID_VALUE, "glWaitSync: flags must be 0 and the timeout GL_TIMEOUT_IGNORED");
  const auto found = find(ctx, sync, "glWaitSync");
  if (!found) return;
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::ServerWaitFence{found->handle});
}
MGL_GL(void, GetSynciv)(Context& ctx, GLsync sync, GLenum pname, GLsizei count, GLsizei* length, GLint* values) {
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glGetSynciv: a negative count");
  const auto found = find(ctx, sync, "glGetSynciv");
  if (!found) return;
  GLint value;
  switch (pname) {
    case GL_OBJECT_TYPE: value = GL_SYNC_FENCE; break;
    case GL_SYNC_CONDITION: value = GL_SYNC_GPU_COMMANDS_COMPLETE; break;
    case GL_SYNC_FLAGS: value = 0; break;
    case GL_SYNC_STATUS:
      if (found->serial > ctx.session->completedSerial()) ctx.session->flushUpTo(found->serial, &ctx.stream);
      value = ctx.lost() || found->serial <= ctx.session->completedSerial() ? GL_SIGNALED : GL_UNSIGNALED;
      break;
    default: return ctx.error(GL_INVALID_ENUM, "glGetSynciv: 0x%04x is not a property of a sync", pname);
  }
  if (count > 0) *values = value;
  if (length != nullptr) *length = count > 0 ? 1 : 0;
}

}  // namespace mgl::gl
