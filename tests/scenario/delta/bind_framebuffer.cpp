#include "delta/delta.h"

// Another framebuffer to draw to.
SCENARIO(delta, bind_framebuffer) {
  const Target second = makeTarget(s.width(), s.height());
  const Target first = makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform vec4 uColor;", "uColor");
  const GLint color = uniform(program, "uColor");
  glUniform4f(color, 0, 1, 0, 1);
  draw();
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, second.framebuffer);
  glUniform4f(color, 0, 0, 1, 1);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("first");
  glBindFramebuffer(GL_READ_FRAMEBUFFER, second.framebuffer);
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 0, 255, 255});
  s.capture("second");
}
