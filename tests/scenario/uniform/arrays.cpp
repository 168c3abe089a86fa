#include <array>

#include "harness/scenario.h"

// Arrays are written whole, from the middle, one element, past the end; the rest keeps its values between draws.
SCENARIO(uniform, arrays) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program =
      makeFullProgram("uniform vec4 uColors[8]; uniform float uFloats[8];",
                      "uColors[int(gl_FragCoord.x) / 8] + vec4(0.0, 0.0, uFloats[int(gl_FragCoord.x) / 8], 0.0)");
  glUseProgram(program);
  std::array<float, 32> colors = {};
  std::array<float, 8> floats = {};
  for (std::size_t i = 0; i < 8; ++i) {
    colors[4 * i] = static_cast<float>(20 * i) / 255;
    colors[4 * i + 3] = 1;
    floats[i] = static_cast<float>(10 * i) / 255;
  }
  glUniform4fv(uniform(program, "uColors"), 8, colors.data());
  glUniform1fv(uniform(program, "uFloats[0]"), 8, floats.data());
  glViewport(0, 0, 64, 32);
  drawFull(program);
  const float changed[] = {0, 1, 0, 1, 0, 0.2f, 0, 1};
  glUniform4fv(uniform(program, "uColors[2]"), 2, changed);
  // More than the array holds: the part beyond is dropped.
  glUniform4fv(uniform(program, "uColors[7]"), 2, changed);
  glUniform1f(uniform(program, "uFloats[5]"), 1);
  glViewport(0, 32, 64, 32);
  drawFull(program);
  const Image image = s.read();
  for (int i = 0; i < 8; ++i) {
    Rgba8 wanted = {static_cast<std::uint8_t>(20 * i), 0, static_cast<std::uint8_t>(10 * i), 255};
    CHECK_PIXELS(image, 8 * i, 0, 8, 32, wanted);
    if (i == 2 || i == 7) wanted.r = 0, wanted.g = 255;
    if (i == 3) wanted.r = 0, wanted.g = 51;
    if (i == 5) wanted.b = 255;
    CHECK_PIXELS(image, 8 * i, 32, 8, 32, wanted);
  }
  s.picture("picture", image);
  float got[4] = {};
  glGetUniformfv(program, uniform(program, "uColors[3]"), got);
  CHECK_EQ(got[1], 0.2f);
}
