#include "harness/egl.h"

#include <EGL/eglext.h>

#include <cstdio>
#include <stdexcept>

namespace mgl::scenario {
namespace {

EGLDisplay theDisplay = EGL_NO_DISPLAY;

std::string eglError(const char* call) {
  char text[96];
  std::snprintf(text, sizeof text, "%s: EGL error 0x%04x", call, static_cast<unsigned>(eglGetError()));
  return text;
}

}  // namespace

std::string openDisplay() {
  const auto getPlatformDisplay =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (!getPlatformDisplay) return "no eglGetPlatformDisplayEXT";
  theDisplay = getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (theDisplay == EGL_NO_DISPLAY) return eglError("eglGetPlatformDisplayEXT(surfaceless)");
  if (!eglInitialize(theDisplay, nullptr, nullptr)) return eglError("eglInitialize");
  return {};
}

void closeDisplay() {
  if (theDisplay != EGL_NO_DISPLAY) eglTerminate(theDisplay);
  theDisplay = EGL_NO_DISPLAY;
}

EGLDisplay display() { return theDisplay; }

Context::Context(const Context* share, const ContextOptions& options) {
  eglBindAPI(EGL_OPENGL_API);
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               options.major,
                               EGL_CONTEXT_MINOR_VERSION,
                               options.minor,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_CONTEXT_OPENGL_DEBUG,
                               options.debug ? EGL_TRUE : EGL_FALSE,
                               EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE,
                               options.forwardCompatible ? EGL_TRUE : EGL_FALSE,
                               EGL_NONE};
  context_ = eglCreateContext(theDisplay, EGL_NO_CONFIG_KHR, share ? share->context_ : EGL_NO_CONTEXT, attributes);
  if (context_ == EGL_NO_CONTEXT) throw std::runtime_error(eglError("eglCreateContext"));
}

Context::~Context() { eglDestroyContext(theDisplay, context_); }

void Context::makeCurrent() const {
  eglBindAPI(EGL_OPENGL_API);
  if (!eglMakeCurrent(theDisplay, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
    throw std::runtime_error(eglError("eglMakeCurrent"));
  }
}

void Context::release() { eglMakeCurrent(theDisplay, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

}  // namespace mgl::scenario
