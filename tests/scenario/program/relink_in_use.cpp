#include "harness/scenario.h"

// A program relinked while it is in use: the new executable is in force at once, its uniforms start from zero; a failed
// link leaves the old executable in force.
SCENARIO(program, relink_in_use) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform vec4 uColor;", "uColor");
  glUseProgram(program);
  glUniform4f(uniform(program, "uColor"), 1, 0, 0, 1);
  glViewport(0, 0, 16, 64);
  drawFull(program);
  GLuint shaders[2];
  GLsizei count = 0;
  glGetAttachedShaders(program, 2, &count, shaders);
  REQUIRE(count == 2);
  GLint type = 0;
  glGetShaderiv(shaders[0], GL_SHADER_TYPE, &type);
  const GLuint oldFragment = type == GL_FRAGMENT_SHADER ? shaders[0] : shaders[1];
  const GLuint fragment = compileShader(GL_FRAGMENT_SHADER,
                                        "uniform vec4 uOther; uniform vec4 uColor; out vec4 o; void main() { o = "
                                        "vec4(0.0, 1.0, 0.0, 1.0) + uColor + uOther; }");
  glDetachShader(program, oldFragment);
  glAttachShader(program, fragment);
  glViewport(16, 0, 16, 64);
  drawFull(program);
  link(program);
  glViewport(32, 0, 16, 64);
  drawFull(program);
  glUniform4f(uniform(program, "uOther"), 0, 0, 1, 0);
  // An input of another type than the vertex shader's output: the link fails, and the program in use draws on.
  glDetachShader(program, fragment);
  const GLuint bad = compileShader(GL_FRAGMENT_SHADER, "in vec3 vUv; out vec4 o; void main() { o = vec4(vUv, 1.0); }");
  glAttachShader(program, bad);
  glLinkProgram(program);
  GLint status = GL_TRUE;
  glGetProgramiv(program, GL_LINK_STATUS, &status);
  CHECK_EQ(status, GL_FALSE);
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glViewport(48, 0, 16, 64);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUseProgram(program);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{0, 255, 255, 255});
  s.picture("picture", image);
}
