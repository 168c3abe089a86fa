#include "delta/delta.h"

// A parameter of the texture that is bound.
SCENARIO(delta, texture_parameter) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform sampler2D t;", "texelFetch(t, ivec2(0), 0)");
  glUniform1i(uniform(program, "t"), 0);
  makeSolidTexture(1, 1, {255, 0, 0, 255});
  draw();
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_GREEN);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 0, 0, 255});
  s.capture("picture");
}
