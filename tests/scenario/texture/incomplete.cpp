#include "harness/scenario.h"

// A texture that lacks levels its filter needs is incomplete and reads (0, 0, 0, 1); complete again, it reads its
// texels.
SCENARIO(texture, incomplete) {
  const Target target = makeTarget(s.width(), s.height());
  const Rgba8 texels[16] = {{9, 9, 9, 9}, {9, 9, 9, 9}};
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texelFetch(t, ivec2(0), 0)");
  const GLuint sampling = makeFullProgram("uniform sampler2D t;", "texture(t, vec2(0.1))");
  glViewport(0, 0, 16, 64);
  drawFull(sampling);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
  glViewport(16, 0, 16, 64);
  drawFull(sampling);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glViewport(32, 0, 16, 64);
  drawFull(program);
  glBindTexture(GL_TEXTURE_2D, 0);
  glViewport(48, 0, 16, 64);
  drawFull(sampling);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{0, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{9, 9, 9, 9});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{0, 0, 0, 255});
  s.picture("picture", image);
}
