#include "harness/scenario.h"

// A texture changes between two draws of one frame; each draw sees what was uploaded before it.
SCENARIO(texture, upload_between_draws) {
  const Target target = makeTarget(s.width(), s.height());
  makeSolidTexture(8, 8, {255, 0, 0, 255});
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  const std::uint8_t values[] = {10, 90, 170, 250};
  for (int i = 0; i < 4; ++i) {
    const std::vector<Rgba8> texels(32, Rgba8{values[i], static_cast<std::uint8_t>(255 - values[i]), 3, 255});
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, i % 2 == 0 ? 0 : 4, 8, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glViewport(16 * i, 0, 16, 64);
    drawFull(program);
  }
  const Image image = s.read();
  const auto color = [&](int i) { return Rgba8{values[i], static_cast<std::uint8_t>(255 - values[i]), 3, 255}; };
  for (int i = 0; i < 4; ++i) {
    const int low = i % 2 == 0 ? i : i - 1, high = i % 2 == 0 ? i - 1 : i;
    CHECK_PIXELS(image, 16 * i, 0, 16, 32, color(low));
    CHECK_PIXELS(image, 16 * i, 32, 16, 32, high < 0 ? Rgba8{255, 0, 0, 255} : color(high));
  }
  s.picture("picture", image);
}
