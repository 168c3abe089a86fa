#include "harness/scenario.h"

// Levels of one texture as attachments, drawn and then sampled by level.
SCENARIO(framebuffer, mip_levels) {
  const Target target = makeTarget(s.width(), s.height());
  GLuint texture = 0, framebuffer = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (int level = 0; level < 4; ++level) {
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 32 >> level, 32 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  for (int level = 0; level < 4; ++level) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
    const int size = 32 >> level;
    glViewport(0, 0, size, size);
    const Painter painter(size, size);
    painter.fill({static_cast<float>(51 * level) / 255, 0, 0, 1});
    painter.fill({0, 0, size / 2, size / 2}, {0, static_cast<float>(51 * (level + 1)) / 255, 0, 1});
  }
  target.bind();
  const GLuint program = makeFullProgram("uniform sampler2D t;", "textureLod(t, vUv, floor(gl_FragCoord.x / 16.0))");
  for (int level = 0; level < 4; ++level) {
    glViewport(16 * level, 0, 16, 64);
    drawFull(program);
  }
  const Image image = s.read();
  for (int level = 0; level < 4; ++level) {
    CHECK_PIXELS(image, 16 * level, 0, 8, 32, Rgba8{0, static_cast<std::uint8_t>(51 * (level + 1)), 0, 255});
    CHECK_PIXELS(image, 16 * level + 8, 0, 8, 64, Rgba8{static_cast<std::uint8_t>(51 * level), 0, 0, 255});
  }
  s.picture("picture", image);
}
