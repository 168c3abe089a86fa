#include "frame/screen.h"

#include <EGL/eglext.h>

#include <vector>

#include "frame/gl.h"

namespace workload {

namespace {

EGLConfig pbufferConfig(EGLDisplay display) {
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           kEs ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) fail("no config for a pbuffer");
  return config;
}

EGLContext createContext(EGLDisplay display, EGLConfig config) {
  std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, kEs ? 2 : 3};
  if (!kEs) {
    attributes.push_back(EGL_CONTEXT_OPENGL_PROFILE_MASK);
    attributes.push_back(EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT);
  }
  attributes.push_back(EGL_NONE);
  return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

}  // namespace

Screen Screen::open(int width, int height, bool offscreen) {
  Screen screen;
  screen.width = width;
  screen.height = height;
  const auto getPlatformDisplay =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (getPlatformDisplay == nullptr) fail("no eglGetPlatformDisplayEXT");
  screen.display = getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!eglInitialize(screen.display, nullptr, nullptr)) fail("eglInitialize failed");
  eglBindAPI(kEs ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!offscreen) {
    config = pbufferConfig(screen.display);
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    screen.surface = eglCreatePbufferSurface(screen.display, config, size);
    if (screen.surface == EGL_NO_SURFACE) fail("no pbuffer");
  }
  const EGLContext context = createContext(screen.display, config);
  if (context == EGL_NO_CONTEXT) fail("no context");
  if (!eglMakeCurrent(screen.display, screen.surface, screen.surface, context)) fail("eglMakeCurrent failed");
  loadEntries();
  return screen;
}

void Screen::endFrame() const {
  if (surface != EGL_NO_SURFACE) {
    eglSwapBuffers(display, surface);
  } else {
    gl.Flush();
  }
}

void Screen::close() const {
  eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglTerminate(display);
}

}  // namespace workload
