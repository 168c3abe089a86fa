#include "base/log.h"
#include "winsys/egl/functions.h"
#include "winsys/egl/objects.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl::api {
namespace {

// A fence sync takes no attributes, in neither of the two types that lists come in.
template <class T>
EGLSync createFence(EGLDisplay dpy, EGLenum type, const T* attribs) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_NO_SYNC;
  if (type != EGL_SYNC_FENCE) {
    // An event of OpenCL would be named by the list, and there is no OpenCL to have made it.
    return fail<EGLSync>(type == EGL_SYNC_CL_EVENT ? EGL_BAD_ATTRIBUTE : EGL_BAD_PARAMETER, EGL_NO_SYNC);
  }
  if (attribs != nullptr && attribs[0] != EGL_NONE) return fail<EGLSync>(EGL_BAD_ATTRIBUTE, EGL_NO_SYNC);
  const std::shared_ptr<Context>& current = thread().context;
  if (current == nullptr || current->display != display) return fail<EGLSync>(EGL_BAD_MATCH, EGL_NO_SYNC);
  GlFence* gl = current->session->createFence();
  if (gl == nullptr) return fail<EGLSync>(EGL_BAD_ALLOC, EGL_NO_SYNC);
  auto sync = std::make_shared<Sync>(current->session, gl);
  const std::lock_guard lock(objectsMutex());
  display->syncs.emplace(sync.get(), sync);
  return succeed<EGLSync>(sync.get());
}

EGLBoolean serverWait(EGLDisplay dpy, EGLSync handle, EGLint flags) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Sync> sync = findSync(display, handle);
  if (sync == nullptr) return fail(EGL_BAD_PARAMETER);
  if (flags != 0) return fail(EGL_BAD_PARAMETER);
  const std::shared_ptr<Context>& current = thread().context;
  if (current == nullptr) return fail(EGL_BAD_MATCH);
  current->session->serverWait(sync->gl);
  return succeed();
}

template <class T>
EGLBoolean syncAttrib(EGLDisplay dpy, EGLSync handle, EGLint attribute, T* value) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Sync> sync = findSync(display, handle);
  if (sync == nullptr || value == nullptr) return fail(EGL_BAD_PARAMETER);
  switch (attribute) {
    case EGL_SYNC_TYPE: *value = EGL_SYNC_FENCE; break;
    case EGL_SYNC_STATUS: *value = sync->session->signaled(sync->gl) ? EGL_SIGNALED : EGL_UNSIGNALED; break;
    case EGL_SYNC_CONDITION: *value = EGL_SYNC_PRIOR_COMMANDS_COMPLETE; break;
    default: return fail(EGL_BAD_ATTRIBUTE);
  }
  return succeed();
}

}  // namespace

EGLSync CreateSync(EGLDisplay dpy, EGLenum type, const EGLAttrib* attrib_list) {
  return createFence(dpy, type, attrib_list);
}
EGLSyncKHR CreateSyncKHR(EGLDisplay dpy, EGLenum type, const EGLint* attrib_list) {
  return createFence(dpy, type, attrib_list);
}

EGLBoolean DestroySync(EGLDisplay dpy, EGLSync handle) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Sync> sync = findSync(display, handle);  // a thread that waits keeps it
  if (sync == nullptr) return fail(EGL_BAD_PARAMETER);
  const std::lock_guard lock(objectsMutex());
  display->syncs.erase(sync.get());
  return succeed();
}
EGLBoolean DestroySyncKHR(EGLDisplay dpy, EGLSyncKHR sync) { return DestroySync(dpy, sync); }

EGLint ClientWaitSync(EGLDisplay dpy, EGLSync handle, EGLint flags, EGLTime timeout) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Sync> sync = findSync(display, handle);
  if (sync == nullptr || (flags & ~EGL_SYNC_FLUSH_COMMANDS_BIT) != 0) return fail<EGLint>(EGL_BAD_PARAMETER, EGL_FALSE);
  const bool flush = (flags & EGL_SYNC_FLUSH_COMMANDS_BIT) != 0;
  // A lost session signals every fence.
  const FenceWait result = sync->session->clientWait(sync->gl, flush, timeout);
  return succeed<EGLint>(result == FenceWait::TimedOut ? EGL_TIMEOUT_EXPIRED : EGL_CONDITION_SATISFIED);
}
EGLint ClientWaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags, EGLTimeKHR timeout) {
  return ClientWaitSync(dpy, sync, flags, timeout);
}

EGLBoolean WaitSync(EGLDisplay dpy, EGLSync sync, EGLint flags) { return serverWait(dpy, sync, flags); }
EGLint WaitSyncKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint flags) {
  return static_cast<EGLint>(serverWait(dpy, sync, flags));
}

EGLBoolean GetSyncAttrib(EGLDisplay dpy, EGLSync sync, EGLint attribute, EGLAttrib* value) {
  return syncAttrib(dpy, sync, attribute, value);
}
EGLBoolean GetSyncAttribKHR(EGLDisplay dpy, EGLSyncKHR sync, EGLint attribute, EGLint* value) {
  return syncAttrib(dpy, sync, attribute, value);
}

// No target of EGL 1.5 can be had: no OpenGL texture or renderbuffer becomes an image yet, and nothing would take one.
EGLImage CreateImage(EGLDisplay dpy, EGLContext ctx, EGLenum, EGLClientBuffer, const EGLAttrib*) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_NO_IMAGE;
  if (ctx != EGL_NO_CONTEXT && findContext(display, ctx) == nullptr) return fail<EGLImage>(EGL_BAD_CONTEXT, EGL_NO_IMAGE);
  MGL_LOG_ONCE(Warning, "eglCreateImage: images of textures and renderbuffers are not there yet");
  return fail<EGLImage>(EGL_BAD_PARAMETER, EGL_NO_IMAGE);
}

EGLBoolean DestroyImage(EGLDisplay dpy, EGLImage) {
  if (liveDisplay(dpy) == nullptr) return EGL_FALSE;
  return fail(EGL_BAD_PARAMETER);
}

}  // namespace mgl::winsys::egl::api
