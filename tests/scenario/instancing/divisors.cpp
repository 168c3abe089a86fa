#include "harness/scenario.h"

// Divisors 0, 1 and 2 side by side; an integer attribute per instance; the divisor changes between draws.
SCENARIO(instancing, divisors) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aCorner;
layout(location = 1) in float aColumn;
layout(location = 2) in vec4 aColor;
layout(location = 3) in int aNumber;
uniform float uRow;
flat out vec4 vColor;
void main() {
  vColor = aColor + vec4(0.0, 0.0, float(aNumber) / 255.0, 0.0);
  gl_Position = vec4((aColumn + aCorner.x) * 0.25 - 1.0, uRow + aCorner.y, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 o; void main() { o = vColor; }");
  const float corners[] = {0, 0, 1, 0, 0, 1, 1, 1};
  std::vector<float> columns;
  std::vector<Rgba8> colors;
  std::vector<std::int32_t> numbers;
  for (int i = 0; i < 8; ++i) {
    columns.push_back(static_cast<float>(i));
    colors.push_back({static_cast<std::uint8_t>(30 * i), 100, 0, 255});
    numbers.push_back(20 * i);
  }
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, sizeof corners, corners);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  makeBuffer(GL_ARRAY_BUFFER, 32, columns.data());
  glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
  makeBuffer(GL_ARRAY_BUFFER, 32, colors.data());
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
  makeBuffer(GL_ARRAY_BUFFER, 32, numbers.data());
  glVertexAttribIPointer(3, 1, GL_INT, 0, nullptr);
  for (GLuint i = 0; i < 4; ++i) glEnableVertexAttribArray(i);
  glVertexAttribDivisor(1, 1);
  glVertexAttribDivisor(2, 2);
  glVertexAttribDivisor(3, 1);
  glUseProgram(program);
  glUniform1f(uniform(program, "uRow"), -1);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 8);
  glVertexAttribDivisor(2, 1);
  glVertexAttribDivisor(3, 3);
  glUniform1f(uniform(program, "uRow"), 0);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 8);
  const Image image = s.read();
  for (int i = 0; i < 8; ++i) {
    const auto u8 = [](int v) { return static_cast<std::uint8_t>(v); };
    CHECK_PIXELS(image, 8 * i, 0, 8, 32, Rgba8{u8(30 * (i / 2)), 100, u8(20 * i), 255});
    CHECK_PIXELS(image, 8 * i, 32, 8, 32, Rgba8{u8(30 * i), 100, u8(20 * (i / 3)), 255});
  }
  s.picture("picture", image);
}
