// Where a workload draws to: a pbuffer that is swapped once a frame, or no surface and a framebuffer of its own.
#pragma once

#include <EGL/egl.h>

namespace workload {

struct Screen {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLSurface surface = EGL_NO_SURFACE;
  int width = 0, height = 0;

  // Opens a display without a window system and makes a context current: OpenGL 3.3 core or OpenGL ES 3.2.
  static Screen open(int width, int height, bool offscreen);
  void endFrame() const;
  void close() const;
};

}  // namespace workload
