#include "harness/scenario.h"

// Reversed coordinates flip, on either side and both axes; reversed on both sides they do not.
SCENARIO(blit, flipped) {
  std::vector<Rgba8> texels;
  for (int i = 0; i < 256; ++i)
    texels.push_back({static_cast<std::uint8_t>(16 * (i % 16)), static_cast<std::uint8_t>(16 * (i / 16)), 7, 255});
  const Target source = makeTarget(16, 16);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  const Target target = makeTarget(s.width(), s.height());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(0, 0, 16, 16, 16, 16, 32, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(16, 0, 0, 16, 32, 0, 48, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(16, 16, 0, 0, 48, 0, 64, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(16, 16, 0, 0, 16, 32, 0, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  target.bind();
  const Image image = s.read();
  const auto texel = [&](int x, int y) { return texels[static_cast<std::size_t>(16 * y + x)]; };
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      CHECK_PIXEL(image, x, y, texel(x, y));
      CHECK_PIXEL(image, 16 + x, y, texel(x, 15 - y));
      CHECK_PIXEL(image, 32 + x, y, texel(15 - x, y));
      CHECK_PIXEL(image, 48 + x, y, texel(15 - x, 15 - y));
      CHECK_PIXEL(image, x, 16 + y, texel(x, y));
    }
  }
  s.picture("picture", s.read(0, 0, 64, 32));
}
