#include "harness/scenario.h"

// A buffer deleted while a VAO that is not bound uses it stays alive for that VAO.
SCENARIO(lifetime, delete_buffer_in_vao) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram("layout(location = 0) in vec2 a; void main() { gl_Position = vec4(a, 0.0, 1.0); }",
                                     "out vec4 o; void main() { o = vec4(1.0, 0.2, 0.0, 1.0); }");
  GLuint vaos[2];
  glGenVertexArrays(2, vaos);
  glBindVertexArray(vaos[0]);
  const float strip[] = {-1, -1, 0, -1, -1, 1, 0, 1};
  const std::uint8_t indices[] = {0, 1, 2, 3};
  const GLuint vertices = makeBuffer(GL_ARRAY_BUFFER, sizeof strip, strip);
  const GLuint elements = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glBindVertexArray(vaos[1]);
  glDeleteBuffers(1, &vertices);
  glDeleteBuffers(1, &elements);
  CHECK_EQ(glIsBuffer(vertices), GL_FALSE);
  const float rubbish[64] = {7, 7, 7};
  for (int i = 0; i < 4; ++i) makeBuffer(GL_ARRAY_BUFFER, sizeof rubbish, rubbish);
  glBindVertexArray(vaos[0]);
  glUseProgram(program);
  glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, nullptr);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 51, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 0, 0, 0});
  s.picture("picture", image);
}
