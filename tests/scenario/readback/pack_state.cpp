#include "harness/scenario.h"

// Row length, skips and alignment of the pack state; bytes between stay untouched.
SCENARIO(readback, pack_state) {
  const Target target = makeTarget(16, 16);
  std::vector<Rgba8> texels;
  for (int i = 0; i < 256; ++i)
    texels.push_back(
        {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i / 3), static_cast<std::uint8_t>(255 - i), 9});
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  std::vector<std::uint8_t> out(512, 0xcd);
  glPixelStorei(GL_PACK_ROW_LENGTH, 9);
  glPixelStorei(GL_PACK_SKIP_PIXELS, 2);
  glPixelStorei(GL_PACK_SKIP_ROWS, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 8);
  glReadPixels(3, 4, 5, 6, GL_RGB, GL_UNSIGNED_BYTE, out.data());
  // Rows of 27 bytes, 32 with the alignment.
  for (int i = 0; i < 512; ++i) {
    const int y = i / 32 - 1, x = i % 32 / 3 - 2;
    int wanted = 0xcd;
    if (y >= 0 && y < 6 && i % 32 < 27 && x >= 0 && x < 5) {
      const Rgba8& t = texels[static_cast<std::size_t>(16 * (y + 4) + x + 3)];
      wanted = i % 32 % 3 == 0 ? t.r : i % 32 % 3 == 1 ? t.g : t.b;
    }
    CHECK_GPU_EQ(out[static_cast<std::size_t>(i)], wanted);
  }
}
