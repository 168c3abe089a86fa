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

void Context::makeCurrentWith(EGLSurface surface) const {
  eglBindAPI(EGL_OPENGL_API);
  if (!eglMakeCurrent(theDisplay, surface, surface, context_)) throw std::runtime_error(eglError("eglMakeCurrent"));
}

void Context::makeCurrent() const { makeCurrentWith(EGL_NO_SURFACE); }
void Context::makeCurrent(const Pbuffer& surface) const { makeCurrentWith(surface.surface_); }

Pbuffer::Pbuffer(int width, int height) {
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE,     8,
                           EGL_GREEN_SIZE,   8,               EGL_BLUE_SIZE,       8,              EGL_ALPHA_SIZE,   8,
                           EGL_DEPTH_SIZE,   24,              EGL_STENCIL_SIZE,    8,              EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(theDisplay, wanted, &config, 1, &count) || count == 0)
    throw std::runtime_error(eglError("eglChooseConfig"));
  const EGLint attributes[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
  surface_ = eglCreatePbufferSurface(theDisplay, config, attributes);
  if (surface_ == EGL_NO_SURFACE) throw std::runtime_error(eglError("eglCreatePbufferSurface"));
}

Pbuffer::~Pbuffer() { eglDestroySurface(theDisplay, surface_); }

void Context::release() { eglMakeCurrent(theDisplay, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

}  // namespace mgl::scenario
