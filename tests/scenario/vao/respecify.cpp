#include "harness/scenario.h"

// Pointers of one VAO move between draws: another offset, another stride, another buffer, and back.
SCENARIO(vao, respecify) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec4 aColor;
flat out vec4 vColor;
void main() {
  vColor = aColor;
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 oColor; void main() { oColor = vColor; }");
  std::vector<Rgba8> first, second;
  for (int i = 0; i < 12; ++i) {
    first.push_back({static_cast<std::uint8_t>(20 * i), 0, 0, 255});
    second.push_back({0, static_cast<std::uint8_t>(20 * i), 0, 255});
  }
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  const GLuint b = makeBuffer(GL_ARRAY_BUFFER, 48, second.data());
  const GLuint a = makeBuffer(GL_ARRAY_BUFFER, 48, first.data());
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  // With flat shading and the last vertex provoking the colour is that of vertex 2.
  const auto draw = [](int column, std::size_t offset, GLsizei stride) {
    glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, reinterpret_cast<void*>(offset));
    glViewport(16 * column, 0, 16, 64);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  };
  draw(0, 0, 0);
  draw(1, 4, 12);
  glBindBuffer(GL_ARRAY_BUFFER, b);
  draw(2, 8, 16);
  glBindBuffer(GL_ARRAY_BUFFER, a);
  draw(3, 0, 4);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{40, 0, 0, 255});
  CHECK_PIXELS(image, 16, 0, 16, 64, Rgba8{140, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{0, 200, 0, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{40, 0, 0, 255});
  s.picture("picture", image);
}
