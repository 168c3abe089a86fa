#include "delta/delta.h"

// Another texture on the unit.
SCENARIO(delta, bind_texture) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform sampler2D t;", "texelFetch(t, ivec2(0), 0)");
  glUniform1i(uniform(program, "t"), 0);
  const GLuint green = makeSolidTexture(1, 1, {0, 255, 0, 255});
  makeSolidTexture(1, 1, {255, 0, 0, 255});
  draw();
  glBindTexture(GL_TEXTURE_2D, green);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
}
