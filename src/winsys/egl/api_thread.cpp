#include "winsys/egl/functions.h"
#include "winsys/egl/objects.h"
#include "winsys/egl/proc_address.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl::api {

EGLint GetError() {
  const EGLint error = thread().error;
  thread().error = EGL_SUCCESS;
  return error;
}

EGLBoolean BindAPI(EGLenum api) {
  if (!supportsApi(api)) return fail(EGL_BAD_PARAMETER);
  thread().api = api;
  return succeed();
}

EGLenum QueryAPI() { return succeed(thread().api); }

EGLBoolean ReleaseThread() {
  releaseThread();
  return succeed();
}

EGLContext GetCurrentContext() { return succeed<EGLContext>(thread().context.get()); }

EGLDisplay GetCurrentDisplay() {
  const auto& context = thread().context;
  return succeed<EGLDisplay>(context == nullptr ? EGL_NO_DISPLAY : context->display);
}

EGLSurface GetCurrentSurface(EGLint readdraw) {
  if (readdraw != EGL_DRAW && readdraw != EGL_READ) return fail<EGLSurface>(EGL_BAD_PARAMETER, EGL_NO_SURFACE);
  return succeed<EGLSurface>((readdraw == EGL_DRAW ? thread().draw : thread().read).get());
}

__eglMustCastToProperFunctionPointerType GetProcAddress(const char* procname) {
  return succeed(reinterpret_cast<__eglMustCastToProperFunctionPointerType>(procAddress(procname)));
}

}  // namespace mgl::winsys::egl::api
