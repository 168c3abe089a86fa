#include "harness/scenario.h"

// Square and other matrices, transposed on the way in or not, and an array of them.
SCENARIO(uniform, matrices) {
  const Target target = makeTarget(6, 1, GL_RGBA32F);
  const GLuint program = makeFullProgram(R"(
uniform mat4 uFour;
uniform mat3 uThree[2];
uniform mat2x3 uTwoThree;
uniform mat4x2 uFourTwo;
uniform mat2 uTwo;
)",
                                         R"(
  gl_FragCoord.x < 1.0 ? uFour * vec4(0.0, 0.0, 1.0, 0.0) :
  gl_FragCoord.x < 2.0 ? vec4(uThree[1] * vec3(1.0, 0.0, 0.0), uThree[0][2][1]) :
  gl_FragCoord.x < 3.0 ? vec4(uTwoThree[0], uTwoThree[1][2]) :
  gl_FragCoord.x < 4.0 ? vec4(uFourTwo[0], uFourTwo[3]) :
  gl_FragCoord.x < 5.0 ? vec4(uTwo[0], uTwo[1]) : vec4(uThree[0] * vec3(0.0, 1.0, 0.0), 0.0))");
  glUseProgram(program);
  float n[32];
  for (int i = 0; i < 32; ++i) n[i] = static_cast<float>(i);
  glUniformMatrix4fv(uniform(program, "uFour"), 1, GL_FALSE, n);
  glUniformMatrix3fv(uniform(program, "uThree"), 2, GL_FALSE, n);
  glUniformMatrix2x3fv(uniform(program, "uTwoThree"), 1, GL_TRUE, n);
  glUniformMatrix4x2fv(uniform(program, "uFourTwo"), 1, GL_FALSE, n);
  glUniformMatrix2fv(uniform(program, "uTwo"), 1, GL_TRUE, n);
  drawFull(program);
  const Image image = s.readFloat(0, 0, 6, 1);
  CHECK_FLOATS(image, 0, 0, 8, 9, 10, 11);
  CHECK_FLOATS(image, 1, 0, 9, 10, 11, 7);
  // Given by rows of two: columns are (0, 2, 4) and (1, 3, 5).
  CHECK_FLOATS(image, 2, 0, 0, 2, 4, 5);
  CHECK_FLOATS(image, 3, 0, 0, 1, 6, 7);
  CHECK_FLOATS(image, 4, 0, 0, 2, 1, 3);
  CHECK_FLOATS(image, 5, 0, 3, 4, 5, 0);
  s.picture("picture", image);
}
