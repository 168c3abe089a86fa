#include "harness/scenario.h"

// Sampler uniforms name units; a unit's bindings per target are apart, and glActiveTexture only chooses which is
// edited.
SCENARIO(sampler, units) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint red = makeSolidTexture(1, 1, {255, 0, 0, 255}), green = makeSolidTexture(1, 1, {0, 255, 0, 255}),
               blue = makeSolidTexture(1, 1, {0, 0, 255, 255});
  const GLuint program = makeFullProgram("uniform sampler2D a; uniform sampler2D b; uniform sampler2D c[2];",
                                         "vUv.x < 0.25 ? texture(a, vUv) : vUv.x < 0.5 ? texture(b, vUv) : "
                                         "vUv.x < 0.75 ? texture(c[0], vUv) : texture(c[1], vUv)");
  const auto bind = [](GLenum unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(GL_TEXTURE_2D, texture);
  };
  bind(0, 0);
  bind(3, red);
  bind(15, green);
  bind(7, blue);
  glUseProgram(program);
  glUniform1i(uniform(program, "a"), 3);
  glUniform1i(uniform(program, "b"), 15);
  const GLint both[] = {7, 3};
  glUniform1iv(uniform(program, "c"), 2, both);
  glActiveTexture(GL_TEXTURE1);
  glViewport(0, 0, 64, 32);
  drawFull(program);
  bind(3, green);
  glUniform1i(uniform(program, "c[1]"), 15);
  glActiveTexture(GL_TEXTURE0);
  glViewport(0, 32, 64, 32);
  drawFull(program);
  const Image image = s.read();
  const Rgba8 r = {255, 0, 0, 255}, g = {0, 255, 0, 255}, b = {0, 0, 255, 255};
  const Rgba8 wanted[2][4] = {{r, g, b, r}, {g, g, b, g}};
  for (int row = 0; row < 2; ++row) {
    for (int i = 0; i < 4; ++i) CHECK_PIXELS(image, 16 * i, 32 * row, 16, 32, wanted[row][i]);
  }
  s.picture("picture", image);
}
