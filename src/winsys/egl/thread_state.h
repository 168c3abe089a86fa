// What EGL keeps per thread: the error, the bound API, and what is current.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <memory>

#include "base/types.h"

namespace mgl::winsys::egl {

struct Context;
struct Surface;

struct ThreadState {
  EGLint error = EGL_SUCCESS;
  EGLenum api = EGL_OPENGL_ES_API;
  // All three or, surfaceless, the context alone. Written by this thread under objectsMutex().
  std::shared_ptr<Context> context;
  std::shared_ptr<Surface> draw, read;
};

// The calling thread's. It is made at the first use and released, with what is current, when the thread ends.
ThreadState& thread();

// Releases what is current on the calling thread and forgets its state, as eglReleaseThread does.
void releaseThread();

// How an EGL function ends: with success, or with an error and what it returns then.
template <class T>
T succeed(T value) {
  thread().error = EGL_SUCCESS;
  return value;
}
template <class T>
T fail(EGLint error, T value) {
  thread().error = error;
  return value;
}
inline EGLBoolean succeed() { return succeed<EGLBoolean>(EGL_TRUE); }
inline EGLBoolean fail(EGLint error) { return fail<EGLBoolean>(error, EGL_FALSE); }

}  // namespace mgl::winsys::egl
