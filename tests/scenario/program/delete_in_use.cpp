#include "harness/scenario.h"

// A program deleted while in use lives on until another is used; its shaders may be gone long before.
SCENARIO(program, delete_in_use) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform vec4 uColor;", "uColor");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  const GLint color = uniform(program, "uColor");
  glUniform4f(color, 0, 0.2f, 1, 1);
  glDeleteProgram(program);
  CHECK_EQ(glIsProgram(program), GL_TRUE);
  GLint status = GL_FALSE;
  glGetProgramiv(program, GL_DELETE_STATUS, &status);
  CHECK_EQ(status, GL_TRUE);
  glViewport(0, 0, 32, 64);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUniform4f(color, 0, 1, 0.2f, 1);
  glViewport(32, 0, 32, 64);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUseProgram(0);
  CHECK_EQ(glIsProgram(program), GL_FALSE);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{0, 51, 255, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 255, 51, 255});
  s.picture("picture", image);
}
