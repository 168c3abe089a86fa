#include "harness/scenario.h"

// glGetTexImage obeys the pack state and converts; a layer of padding around the rows stays untouched.
SCENARIO(texture, get_image) {
  std::vector<Rgba8> texels;
  for (int i = 0; i < 12; ++i)
    texels.push_back({static_cast<std::uint8_t>(i * 20), static_cast<std::uint8_t>(i), 5, 200});
  makeTexture(4, 3, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  std::vector<std::uint8_t> out(200, 0xee);
  glPixelStorei(GL_PACK_ROW_LENGTH, 6);
  glPixelStorei(GL_PACK_SKIP_ROWS, 1);
  glPixelStorei(GL_PACK_SKIP_PIXELS, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 8);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_BGR, GL_UNSIGNED_BYTE, out.data());
  // Rows of 6 BGR texels are 18 bytes, 24 with the alignment.
  for (int i = 0; i < 200; ++i) {
    const int y = i / 24 - 1, x = (i % 24) / 3 - 1;
    int wanted = 0xee;
    if (y >= 0 && y < 3 && i % 24 < 18 && x >= 0 && x < 4) {
      const Rgba8& texel = texels[static_cast<std::size_t>(4 * y + x)];
      wanted = i % 3 == 0 ? texel.b : i % 3 == 1 ? texel.g : texel.r;
    }
    CHECK_GPU_EQ(out[static_cast<std::size_t>(i)], wanted);
  }
  GLint value = 0;
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &value);
  CHECK_EQ(value, 4);
}
