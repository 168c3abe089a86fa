#include "harness/scenario.h"

// Two programs in turn, each with uniforms of its own that keep their values while the other is in use.
SCENARIO(program, two_programs) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint plain = makeFullProgram("uniform vec4 uColor;", "uColor");
  const GLuint swapped = makeFullProgram("uniform float uPad[3]; uniform vec4 uColor;", "uColor.bgra + vec4(uPad[2])");
  glUseProgram(plain);
  glUniform4f(uniform(plain, "uColor"), 1, 0.2f, 0, 1);
  glUseProgram(swapped);
  glUniform4f(uniform(swapped, "uColor"), 1, 0.4f, 0, 1);
  for (int i = 0; i < 4; ++i) {
    glViewport(16 * i, 0, 16, 64);
    drawFull(i % 2 == 0 ? plain : swapped);
  }
  const Image image = s.read();
  for (int i = 0; i < 4; ++i) {
    CHECK_PIXELS(image, 16 * i, 0, 16, 64, i % 2 == 0 ? Rgba8{255, 51, 0, 255} : Rgba8{0, 102, 255, 255});
  }
  s.picture("picture", image);
}
