#include "delta/delta.h"

// A capability.
SCENARIO(delta, enable) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform vec4 uColor;", "uColor");
  const GLint color = uniform(program, "uColor");
  glBlendFunc(GL_ONE, GL_ONE);
  glUniform4f(color, 1, 0, 0, 1);
  draw();
  glEnable(GL_BLEND);
  glUniform4f(color, 0, 1, 0, 1);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{255, 255, 0, 255});
  s.capture("picture");
}
