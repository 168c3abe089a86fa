#include "delta/delta.h"

// An entry point by another name than its own.
SCENARIO(delta, alias) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform vec4 uColor;", "uColor");
  const GLint color = uniform(program, "uColor");
  const auto blendEquationExt = reinterpret_cast<void (*)(GLenum)>(eglGetProcAddress("glBlendEquationEXT"));
  REQUIRE(blendEquationExt != nullptr);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  glUniform4f(color, 1, 1, 0, 1);
  draw();
  blendEquationExt(GL_FUNC_REVERSE_SUBTRACT);
  glUniform4f(color, 0, 1, 0, 0);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{255, 0, 0, 255});
  s.capture("picture");
}
