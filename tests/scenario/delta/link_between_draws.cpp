#include "delta/delta.h"

// The program in use is linked anew: the next draw runs what was linked, however long that takes.
SCENARIO(delta, link_between_draws) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("", "vec4(1.0, 0.0, 0.0, 1.0)");
  draw();
  GLuint shaders[2] = {};
  GLsizei count = 0;
  glGetAttachedShaders(program, 2, &count, shaders);
  REQUIRE(count == 2);
  GLuint fragment = 0;
  for (const GLuint shader : shaders) {
    GLint type = 0;
    glGetShaderiv(shader, GL_SHADER_TYPE, &type);
    if (type == GL_FRAGMENT_SHADER) fragment = shader;
  }
  const GLuint green = compileShader(GL_FRAGMENT_SHADER, "out vec4 oColor; void main() { oColor = vec4(0.0, 1.0, 0.0, 1.0); }");
  glDetachShader(program, fragment);
  glAttachShader(program, green);
  draw();  // nothing is linked yet
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{255, 0, 0, 255});
  draw();
  glLinkProgram(program);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
}
