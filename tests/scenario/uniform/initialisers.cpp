#include "harness/scenario.h"

// Uniforms start with their initialisers, again after a relink; a value set later wins.
SCENARIO(uniform, initialisers) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram(R"(
uniform vec4 uColor = vec4(0.2, 0.4, 0.6, 1.0);
uniform float uScale[2] = float[2](1.0, 0.0);
uniform int uChoice = 1;
)",
                                         "uChoice == 1 ? uColor * uScale[0] + uScale[1] : vec4(1.0)");
  glViewport(0, 0, 16, 64);
  drawFull(program);
  glUseProgram(program);
  glUniform4f(uniform(program, "uColor"), 1, 0, 0, 1);
  glViewport(16, 0, 16, 64);
  drawFull(program);
  glUseProgram(program);
  glUniform1i(uniform(program, "uChoice"), 0);
  glViewport(32, 0, 16, 64);
  drawFull(program);
  link(program);
  glViewport(48, 0, 16, 64);
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{51, 102, 153, 255});
  CHECK_PIXELS(image, 16, 0, 16, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{255, 255, 255, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{51, 102, 153, 255});
  s.picture("picture", image);
}
