#include "harness/scenario.h"

// A part of a buffer is rewritten between draws: the part changes for later draws only, the rest stays.
SCENARIO(buffer, sub_data_in_use) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec4 aColor;
uniform float uRow;
flat out vec4 vColor;
void main() {
  int cell = gl_VertexID / 4;
  vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
  vColor = aColor;
  gl_Position = vec4((float(cell) + corner.x) * 0.5 - 1.0, (uRow + corner.y) * 0.5 - 1.0, 0.0, 1.0);
}
)",
                                     R"(
flat in vec4 vColor;
out vec4 oColor;
void main() { oColor = vColor; }
)");
  std::vector<Rgba8> colors;
  for (int i = 0; i < 16; ++i) colors.push_back({static_cast<std::uint8_t>(60 * (i / 4)), 10, 20, 255});
  const std::vector<Rgba8> changed(4, Rgba8{1, 200, 100, 255});
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, 64, colors.data());
  glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  const GLint row = uniform(program, "uRow");
  for (int r = 0; r < 4; ++r) {
    if (r > 0) glBufferSubData(GL_ARRAY_BUFFER, 16 * r, 16, changed.data());
    glUniform1f(row, static_cast<float>(r));
    for (int cell = 0; cell < 4; ++cell) glDrawArrays(GL_TRIANGLE_STRIP, 4 * cell, 4);
  }
  const Image image = s.read();
  for (int r = 0; r < 4; ++r) {
    for (int cell = 0; cell < 4; ++cell) {
      const bool isChanged = cell >= 1 && cell <= r;
      CHECK_PIXELS(image, 16 * cell, 16 * r, 16, 16,
                   isChanged ? Rgba8{1, 200, 100, 255} : Rgba8{static_cast<std::uint8_t>(60 * cell), 10, 20, 255});
    }
  }
  s.picture("picture", image);
}
