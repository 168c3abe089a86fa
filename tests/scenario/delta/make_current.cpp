#include "delta/delta.h"

// The surface goes: the default framebuffer is not there any more, and a draw to it has its error (OpenGL 3.3 section 4.4.4).
SCENARIO(delta, make_current) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  useProgram("", "vec4(0.0, 1.0, 0.0, 1.0)");
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
  const Pbuffer surface(s.width(), s.height());
  s.context().makeCurrent(surface);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  draw();
  CHECK_GL_ERROR(GL_NO_ERROR);
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.context().makeCurrent();
  draw();
  CHECK_GL_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION);
}
