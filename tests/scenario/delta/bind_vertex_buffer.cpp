#include "delta/delta.h"

// Another buffer at a binding of the vertex array, whose attributes stay as they are.
SCENARIO(delta, bind_vertex_buffer, .needs = {"GL_ARB_vertex_attrib_binding"}) {
  makeTarget(s.width(), s.height());
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  // The same corners; the second buffer's fill the right half alone.
  const float whole[] = {-1, -1, 3, -1, -1, 3}, right[] = {0, -1, 4, -1, 0, 3};
  const GLuint first = makeBuffer(GL_ARRAY_BUFFER, sizeof whole, whole);
  const GLuint second = makeBuffer(GL_ARRAY_BUFFER, sizeof right, right);
  glVertexAttribFormat(0, 2, GL_FLOAT, GL_FALSE, 0);
  glVertexAttribBinding(0, 5);
  glEnableVertexAttribArray(0);
  glBindVertexBuffer(5, first, 0, 8);
  const GLuint program = useProgram("uniform vec4 uColor;", "uColor");
  const GLint color = uniform(program, "uColor");
  glUniform4f(color, 1, 0, 0, 1);
  draw();
  glBindVertexBuffer(5, second, 0, 8);
  glUniform4f(color, 0, 1, 0, 1);
  draw();
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, s.width() / 2, s.height(), Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, s.width() / 2, 0, s.width() / 2, s.height(), Rgba8{0, 255, 0, 255});
  s.picture("picture", image);
}
