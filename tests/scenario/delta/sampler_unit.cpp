#include "delta/delta.h"

// A uniform that is a sampler: the program reads another unit.
SCENARIO(delta, sampler_unit) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform sampler2D t;", "texelFetch(t, ivec2(0), 0)");
  makeSolidTexture(1, 1, {255, 0, 0, 255});
  glActiveTexture(GL_TEXTURE3);
  makeSolidTexture(1, 1, {0, 255, 0, 255});
  glUniform1i(uniform(program, "t"), 0);
  draw();
  glUniform1i(uniform(program, "t"), 3);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
}
