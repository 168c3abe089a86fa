#include "harness/scenario.h"

// Levels made from the base level: averages of 2x2 texels, only from base to maximum; others keep what they had.
SCENARIO(texture, mipmap_generate, .tolerance = {.steps = 1}) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  std::vector<Rgba8> texels(64);
  for (int i = 0; i < 64; ++i) {
    texels[static_cast<std::size_t>(i)] = {static_cast<std::uint8_t>(4 * (i % 8)),
                                           static_cast<std::uint8_t>(4 * (i / 8)), 200, 255};
  }
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  const std::vector<Rgba8> mark(16, Rgba8{77, 77, 77, 77});
  for (int level = 1; level < 4; ++level) {
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 8 >> level, 8 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, mark.data());
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
  glGenerateMipmap(GL_TEXTURE_2D);
  Image level1(Kind::Unorm8, 4, 4), level2(Kind::Unorm8, 2, 2), level3(Kind::Unorm8, 1, 1);
  glGetTexImage(GL_TEXTURE_2D, 1, GL_RGBA, GL_UNSIGNED_BYTE, level1.data());
  glGetTexImage(GL_TEXTURE_2D, 2, GL_RGBA, GL_UNSIGNED_BYTE, level2.data());
  glGetTexImage(GL_TEXTURE_2D, 3, GL_RGBA, GL_UNSIGNED_BYTE, level3.data());
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      CHECK_PIXEL(level1, x, y,
                  Rgba8{static_cast<std::uint8_t>(8 * x + 2), static_cast<std::uint8_t>(8 * y + 2), 200, 255});
    }
  }
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 2; ++x) {
      CHECK_PIXEL(level2, x, y,
                  Rgba8{static_cast<std::uint8_t>(16 * x + 6), static_cast<std::uint8_t>(16 * y + 6), 200, 255});
    }
  }
  CHECK_PIXEL(level3, 0, 0, Rgba8{77, 77, 77, 77});
  // From base level 1 on: level 0 is not read.
  const std::vector<Rgba8> green(16, Rgba8{0, 255, 0, 255});
  glTexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, green.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
  glGenerateMipmap(GL_TEXTURE_2D);
  glGetTexImage(GL_TEXTURE_2D, 3, GL_RGBA, GL_UNSIGNED_BYTE, level3.data());
  CHECK_PIXEL(level3, 0, 0, Rgba8{0, 255, 0, 255});
  s.picture("level1", level1);
  s.picture("level2", level2);
}
