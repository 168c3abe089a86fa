#include "harness/scenario.h"

// Enlarged by nearest, reduced by nearest, enlarged by linear; coordinates outside the target are cut.
SCENARIO(blit, scaled, .tolerance = {.steps = 2}) {
  std::vector<Rgba8> texels;
  for (int i = 0; i < 64; ++i)
    texels.push_back({static_cast<std::uint8_t>(30 * (i % 8)), static_cast<std::uint8_t>(30 * (i / 8)), 0, 255});
  const Target source = makeTarget(8, 8);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  const Target target = makeTarget(s.width(), s.height());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glBlitFramebuffer(0, 0, 8, 8, 0, 0, 32, 32, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(0, 0, 8, 8, 48, 48, 80, 80, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(0, 0, 2, 1, 0, 32, 32, 48, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  target.bind();
  const Image image = s.read();
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      CHECK_PIXEL(image, x, y, texels[static_cast<std::size_t>(8 * (y / 4) + x / 4)]);
      if (x < 16 && y < 16) CHECK_PIXEL(image, 48 + x, 48 + y, texels[static_cast<std::size_t>(8 * (y / 4) + x / 4)]);
    }
  }
  // 32 pixels over two texels: between their centres (pixels 8 to 24) it is a ramp.
  for (int x = 8; x < 24; ++x) {
    const double wanted = 30.0 * (x + 0.5 - 8) / 16;
    CHECK_GPU_NEAR(image.rgba8(x, 40).r, wanted, 2.0);
  }
  s.picture("picture", image);
}
