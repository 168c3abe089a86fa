#include <array>

#include "harness/scenario.h"

// Swizzles apply after the format's own rules and change between draws without an upload.
SCENARIO(texture, swizzle) {
  const Target target = makeTarget(s.width(), s.height());
  const Rgba8 rgba = {10, 20, 30, 40};
  makeTexture(1, 1, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, &rgba);
  const auto swizzle = [](GLint r, GLint g, GLint b, GLint a) {
    const GLint values[] = {r, g, b, a};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, values);
  };
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  const auto draw = [&](int column) {
    glViewport(8 * column, 0, 8, s.height());
    drawFull(program);
  };
  draw(0);
  swizzle(GL_BLUE, GL_GREEN, GL_RED, GL_ALPHA);
  draw(1);
  swizzle(GL_ALPHA, GL_ALPHA, GL_ALPHA, GL_ONE);
  draw(2);
  swizzle(GL_ZERO, GL_ONE, GL_RED, GL_GREEN);
  draw(3);
  makeTexture(1, 1, GL_R8, GL_RED, GL_UNSIGNED_BYTE, &rgba);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_RED);
  draw(4);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, GL_ALPHA);
  draw(5);
  swizzle(GL_GREEN, GL_RED, GL_BLUE, GL_RED);
  draw(6);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 8, 64, Rgba8{10, 20, 30, 40});
  CHECK_PIXELS(image, 8, 0, 8, 64, Rgba8{30, 20, 10, 40});
  CHECK_PIXELS(image, 16, 0, 8, 64, Rgba8{40, 40, 40, 255});
  CHECK_PIXELS(image, 24, 0, 8, 64, Rgba8{0, 255, 10, 20});
  CHECK_PIXELS(image, 32, 0, 8, 64, Rgba8{10, 10, 0, 255});
  CHECK_PIXELS(image, 40, 0, 8, 64, Rgba8{10, 10, 255, 255});
  CHECK_PIXELS(image, 48, 0, 8, 64, Rgba8{0, 10, 0, 10});
  s.picture("picture", s.read(0, 0, 56, 64));
}
