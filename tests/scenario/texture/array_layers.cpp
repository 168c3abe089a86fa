#include "harness/scenario.h"

// 2D and 1D arrays: layers are written one by one and chosen by rounding the last coordinate.
SCENARIO(texture, array_layers) {
  const Target target = makeTarget(s.width(), s.height());
  GLuint textures[2];
  glGenTextures(2, textures);
  glBindTexture(GL_TEXTURE_2D_ARRAY, textures[0]);
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  for (int layer = 0; layer < 5; ++layer) {
    const std::vector<Rgba8> texels(16, Rgba8{static_cast<std::uint8_t>(50 * layer), 1, 2, 255});
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, 4, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  }
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindTexture(GL_TEXTURE_1D_ARRAY, textures[1]);
  std::vector<Rgba8> rows;
  for (int layer = 0; layer < 3; ++layer)
    rows.insert(rows.end(), 4, Rgba8{7, static_cast<std::uint8_t>(80 * layer), 9, 255});
  glTexImage2D(GL_TEXTURE_1D_ARRAY, 0, GL_RGBA8, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
  glTexParameteri(GL_TEXTURE_1D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glViewport(0, 0, 64, 32);
  // 2.4 and 2.6 round to 2 and 3; -3 and 9 clamp.
  drawTexture("sampler2DArray",
              "texture(t, vec3(vUv, vUv.x < 0.25 ? 2.4 : vUv.x < 0.5 ? 2.6 : vUv.x < 0.75 ? -3.0 : 9.0))");
  glViewport(0, 32, 64, 32);
  drawTexture("sampler1DArray", "texture(t, vec2(0.5, vUv.x < 0.5 ? 1.2 : 2.0))");
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 32, Rgba8{100, 1, 2, 255});
  CHECK_PIXELS(image, 16, 0, 16, 32, Rgba8{150, 1, 2, 255});
  CHECK_PIXELS(image, 32, 0, 16, 32, Rgba8{0, 1, 2, 255});
  CHECK_PIXELS(image, 48, 0, 16, 32, Rgba8{200, 1, 2, 255});
  CHECK_PIXELS(image, 0, 32, 32, 32, Rgba8{7, 80, 9, 255});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{7, 160, 9, 255});
  s.picture("picture", image);
}
