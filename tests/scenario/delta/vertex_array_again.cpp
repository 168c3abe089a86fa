#include "delta/delta.h"

// A vertex array is deleted and another one made, which may get its name and its place: it is another one.
SCENARIO(delta, vertex_array_again) {
  makeTarget(s.width(), s.height());
  const GLuint program = useProgram("uniform vec4 uColor;", "uColor");
  const GLint color = uniform(program, "uColor");
  const float whole[] = {-1, -1, 3, -1, -1, 3}, right[] = {0, -1, 4, -1, 0, 3};
  const GLuint buffers[2] = {makeBuffer(GL_ARRAY_BUFFER, sizeof whole, whole), makeBuffer(GL_ARRAY_BUFFER, sizeof right, right)};
  for (int round = 0; round < 4; ++round) {
    GLuint vao = 0;
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[round % 2]);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glUniform4f(color, round < 2 ? 1.0f : 0.0f, round % 2 == 0 ? 0.0f : 1.0f, 0, 1);
    draw();
    glDeleteVertexArrays(1, &vao);
    glFlush();
  }
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, s.width() / 2, s.height(), Rgba8{0, 0, 0, 255});
  CHECK_PIXELS(image, s.width() / 2, 0, s.width() / 2, s.height(), Rgba8{0, 255, 0, 255});
  s.picture("picture", image);
}
