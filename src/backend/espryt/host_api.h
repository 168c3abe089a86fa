// Every call into the host's driver goes through these two tables: a word to count and a place to interpose.
#pragma once

#define GL_GLEXT_PROTOTYPES 1
#define EGL_EGLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>

#include "base/counters.h"

namespace mgl::espryt {

// One entry point. Null where the host has none: whoever calls it has asked.
template <class F>
class HostFn;
template <class R, class... A>
class HostFn<R(A...)> {
 public:
  using Pointer = R (*)(A...);
  R operator()(A... arguments) const {
    countHeld(Counter::HostCalls);
    return pointer(arguments...);
  }
  explicit operator bool() const { return pointer != nullptr; }
  Pointer pointer = nullptr;  // a test may put its own in front
};

struct Egl {
#define MGL_EGL(name) HostFn<decltype(::egl##name)> name;
#define MGL_GL(name)
#define MGL_GL_32(name, alias)
#define MGL_GL_EXT(name)
#include "backend/espryt/host_functions.def"
  EGLDisplay (*getPlatformDisplay)(EGLenum platform, void* native, const EGLAttrib* attributes) = nullptr;
};

struct Gl {
#define MGL_EGL(name)
#define MGL_GL(name) HostFn<decltype(::gl##name)> name;
#define MGL_GL_32(name, alias) HostFn<decltype(::gl##name)> name;
#define MGL_GL_EXT(name) HostFn<decltype(::gl##name)> name;
#include "backend/espryt/host_functions.def"
};

}  // namespace mgl::espryt
