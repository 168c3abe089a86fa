#include "harness/scenario.h"

// An index buffer is bound and filled before the first vertex array exists, as every driver allows; the array that is bound
// afterwards does not have it, and gets it by a bind of its own.
SCENARIO(vao, index_before_array) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aPosition;
void main() { gl_Position = vec4(aPosition, 0.0, 1.0); }
)",
                                     R"(
out vec4 oColor;
void main() { oColor = vec4(0.0, 1.0, 0.0, 1.0); }
)");
  const GLuint indices[] = {0, 1, 2, 3};
  const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
  glBindVertexArray(0);
  const GLuint elements = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
  CHECK_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  CHECK_EQ(getInteger(GL_ELEMENT_ARRAY_BUFFER_BINDING), static_cast<GLint>(elements));

  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  CHECK_EQ(getInteger(GL_ELEMENT_ARRAY_BUFFER_BINDING), 0);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements);
  makeBuffer(GL_ARRAY_BUFFER, sizeof corners, corners);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_INT, nullptr);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
}
