#include "harness/scenario.h"

// Level 0 is cleared, then the levels under it are generated, then one of them is cleared alone.
SCENARIO(clear, then_mipmap) {
  GLuint texture = 0, framebuffer = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (int level = 0; level < 4; ++level) {
    const std::vector<Rgba8> grey(static_cast<std::size_t>((8 >> level) * (8 >> level)), Rgba8{50, 50, 50, 50});
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 8 >> level, 8 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, grey.data());
  }
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  clearColor({1, 0.2f, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glGenerateMipmap(GL_TEXTURE_2D);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 2);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  const Rgba8 wanted[] = {{255, 51, 0, 255}, {255, 51, 0, 255}, {0, 0, 255, 255}, {255, 51, 0, 255}};
  for (int level = 0; level < 4; ++level) {
    Image image(Kind::Unorm8, 8 >> level, 8 >> level);
    glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
    CHECK_PIXELS(image, 0, 0, 8 >> level, 8 >> level, wanted[level]);
  }
}
