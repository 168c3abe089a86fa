#include "base/log.h"
#include "winsys/egl/context_request.h"
#include "winsys/egl/functions.h"
#include "winsys/egl/objects.h"
#include "winsys/egl/proc_address.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl::api {
namespace {

bool compatible(const Context& context, const Surface& surface) {
  const Config* a = context.config;
  const Config* b = surface.config;
  // EGL 1.5, section 2.2: the same buffer types and sizes, where the context was made with a config at all.
  return context.session == surface.session &&
         (a == nullptr || (a->red == b->red && a->alpha == b->alpha && a->depth == b->depth && a->stencil == b->stencil &&
                           a->samples == b->samples));
}

bool takenElsewhere(const ThreadState* owner) { return owner != nullptr && owner != &thread(); }

EGLBoolean release() {
  ThreadState& mine = thread();
  if (mine.context == nullptr) return succeed();
  driver().releaseCurrent();
  std::shared_ptr<Context> context;
  std::shared_ptr<Surface> draw, read;
  // Declared before the lock, so that the objects may end after it.
  const std::lock_guard lock(objectsMutex());
  context.swap(mine.context);
  draw.swap(mine.draw);
  read.swap(mine.read);
  context->currentOn = nullptr;
  if (draw != nullptr) draw->currentOn = read->currentOn = nullptr;
  return succeed();
}

}  // namespace

EGLContext CreateContext(EGLDisplay dpy, EGLConfig config, EGLContext share_context, const EGLint* attrib_list) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_NO_CONTEXT;
  const Config* found = findConfig(display, config);
  if (found == nullptr && config != EGL_NO_CONFIG_KHR) return fail<EGLContext>(EGL_BAD_CONFIG, EGL_NO_CONTEXT);
  const EGLenum api = boundApi();
  if (api == EGL_NONE) return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
  if (api != EGL_OPENGL_API) {
    MGL_LOG_ONCE(Warning, "eglCreateContext: only OpenGL is there, not OpenGL ES; call eglBindAPI(EGL_OPENGL_API) first");
    return fail<EGLContext>(found == nullptr ? EGL_BAD_MATCH : EGL_BAD_CONFIG, EGL_NO_CONTEXT);
  }
  std::shared_ptr<Context> share;
  if (share_context != EGL_NO_CONTEXT) {
    share = findContext(display, share_context);
    if (share == nullptr) return fail<EGLContext>(EGL_BAD_CONTEXT, EGL_NO_CONTEXT);
  }
  ContextRequest request;
  const EGLint error = parseContextAttribs(attrib_list, &request);
  if (error != EGL_SUCCESS) return fail<EGLContext>(error, EGL_NO_CONTEXT);

  std::string why;
  const std::shared_ptr<Session> session = workingSession(*display, why);
  if (session == nullptr) {
    MGL_LOGE("eglCreateContext: %s", why.c_str());
    return fail<EGLContext>(EGL_BAD_ALLOC, EGL_NO_CONTEXT);
  }
  const std::optional<ContextSpec> spec = grant(request, session->info().gl, &why);
  if (!spec) {
    MGL_LOGW("eglCreateContext: %s", why.c_str());
    return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
  }
  if (share != nullptr && (share->session != session || share->spec.loseOnReset != spec->loseOnReset ||
                           share->spec.noError != spec->noError)) {
    return fail<EGLContext>(EGL_BAD_MATCH, EGL_NO_CONTEXT);
  }
  GlContext* gl = session->createContext(*spec, share == nullptr ? nullptr : share->gl, why);
  if (gl == nullptr) {
    MGL_LOGE("eglCreateContext: %s", why.c_str());
    return fail<EGLContext>(EGL_BAD_ALLOC, EGL_NO_CONTEXT);
  }
  auto context = std::make_shared<Context>(display, session, gl);
  context->config = found;
  context->spec = *spec;
  const std::lock_guard lock(objectsMutex());
  display->contexts.emplace(context.get(), context);
  return succeed<EGLContext>(context.get());
}

EGLBoolean DestroyContext(EGLDisplay dpy, EGLContext ctx) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Context> context = findContext(display, ctx);  // current somewhere: that thread keeps it
  if (context == nullptr) return fail(EGL_BAD_CONTEXT);
  const std::lock_guard lock(objectsMutex());
  display->contexts.erase(context.get());
  return succeed();
}

EGLBoolean QueryContext(EGLDisplay dpy, EGLContext ctx, EGLint attribute, EGLint* value) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const std::shared_ptr<Context> context = findContext(display, ctx);
  if (context == nullptr) return fail(EGL_BAD_CONTEXT);
  if (value == nullptr) return fail(EGL_BAD_PARAMETER);
  switch (attribute) {
    case EGL_CONFIG_ID: *value = context->config == nullptr ? 0 : context->config->id; break;
    case EGL_CONTEXT_CLIENT_TYPE: *value = EGL_OPENGL_API; break;
    case EGL_CONTEXT_CLIENT_VERSION: *value = static_cast<EGLint>(context->spec.version.major); break;
    case EGL_CONTEXT_PRIORITY_LEVEL_IMG: *value = EGL_CONTEXT_PRIORITY_MEDIUM_IMG; break;
    case EGL_RENDER_BUFFER: {
      const std::lock_guard lock(objectsMutex());
      const ThreadState& mine = thread();
      *value = mine.context == context && mine.draw != nullptr ? EGL_BACK_BUFFER : EGL_NONE;
      break;
    }
    default: return fail(EGL_BAD_ATTRIBUTE);
  }
  return succeed();
}

EGLBoolean MakeCurrent(EGLDisplay dpy, EGLSurface draw, EGLSurface read, EGLContext ctx) {
  Display* display = findDisplay(dpy);
  if (display == nullptr) return fail(EGL_BAD_DISPLAY);
  if (ctx == EGL_NO_CONTEXT && draw == EGL_NO_SURFACE && read == EGL_NO_SURFACE) return release();  // initialised or not
  display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  if (ctx == EGL_NO_CONTEXT) return fail(EGL_BAD_MATCH);
  std::shared_ptr<Context> context = findContext(display, ctx);
  if (context == nullptr) return fail(EGL_BAD_CONTEXT);
  std::shared_ptr<Surface> drawSurface, readSurface;
  if (draw != EGL_NO_SURFACE && (drawSurface = findSurface(display, draw)) == nullptr) return fail(EGL_BAD_SURFACE);
  if (read != EGL_NO_SURFACE && (readSurface = findSurface(display, read)) == nullptr) return fail(EGL_BAD_SURFACE);
  if ((drawSurface == nullptr) != (readSurface == nullptr)) return fail(EGL_BAD_MATCH);
  if (drawSurface != nullptr && (!compatible(*context, *drawSurface) || !compatible(*context, *readSurface))) {
    return fail(EGL_BAD_MATCH);
  }

  ThreadState& mine = thread();
  {
    const std::lock_guard lock(objectsMutex());
    if (takenElsewhere(context->currentOn)) return fail(EGL_BAD_ACCESS);
    if (drawSurface != nullptr && (takenElsewhere(drawSurface->currentOn) || takenElsewhere(readSurface->currentOn))) {
      return fail(EGL_BAD_ACCESS);
    }
    // Claimed before the lock goes, so that no other thread makes them current meanwhile.
    context->currentOn = &mine;
    if (drawSurface != nullptr) drawSurface->currentOn = readSurface->currentOn = &mine;
  }
  std::string why;
  const bool made = context->session->lost()
                        ? (why = "the session is lost", false)
                        : context->session->makeCurrent(context->gl, drawSurface == nullptr ? nullptr : drawSurface->gl,
                                                        readSurface == nullptr ? nullptr : readSurface->gl, why);
  {
    const std::lock_guard lock(objectsMutex());
    if (made) {
      mine.context.swap(context);
      mine.draw.swap(drawSurface);
      mine.read.swap(readSurface);
    }
    // Now the locals hold what is no longer current; what stayed current is claimed again below.
    if (context != nullptr) context->currentOn = nullptr;
    if (drawSurface != nullptr) drawSurface->currentOn = nullptr;
    if (readSurface != nullptr) readSurface->currentOn = nullptr;
    if (mine.context != nullptr) mine.context->currentOn = &mine;
    if (mine.draw != nullptr) mine.draw->currentOn = &mine;
    if (mine.read != nullptr) mine.read->currentOn = &mine;
  }
  if (!made) {
    MGL_LOGE("eglMakeCurrent: %s", why.c_str());
    return fail(EGL_CONTEXT_LOST);
  }
  return succeed();
}

EGLBoolean WaitClient() {
  ThreadState& mine = thread();
  if (mine.context != nullptr) mine.context->session->finish();
  return succeed();
}

// As eglWaitClient with OpenGL bound, and OpenGL is all there is.
EGLBoolean WaitGL() { return WaitClient(); }

EGLBoolean WaitNative(EGLint engine) {
  if (engine != EGL_CORE_NATIVE_ENGINE) return fail(EGL_BAD_PARAMETER);
  return succeed();  // no native rendering reaches a pbuffer
}

}  // namespace mgl::winsys::egl::api
