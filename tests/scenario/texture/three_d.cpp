#include "harness/scenario.h"

// 3D: a slice replaced, slices chosen by r, linear in between; image height and skip images of the unpack state.
SCENARIO(texture, three_d, .tolerance = {.steps = 1}) {
  const Target target = makeTarget(s.width(), s.height());
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_3D, texture);
  // Client memory holds images of 3 rows; the second row onwards of the second image onwards is taken.
  std::vector<Rgba8> store(static_cast<std::size_t>(5 * 3 * 2), Rgba8{255, 0, 255, 255});
  for (std::size_t z = 0; z < 4; ++z) {
    for (std::size_t i = 0; i < 4; ++i) store[(z + 1) * 6 + 2 + i] = {static_cast<std::uint8_t>(40 * z), 0, 0, 255};
  }
  glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 3);
  glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
  glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
  glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 2, 2, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, store.data());
  glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
  glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
  glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
  const std::vector<Rgba8> green(4, Rgba8{0, 200, 0, 255});
  glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 3, 2, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, green.data());
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glViewport(0, 0, 64, 32);
  drawTexture("sampler3D", "texture(t, vec3(vUv.y, 0.25, vUv.x))");
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glViewport(0, 32, 64, 32);
  drawTexture("sampler3D", "texture(t, vec3(0.5, 0.5, vUv.x < 0.5 ? 0.25 : 0.75))");
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 32, Rgba8{0, 0, 0, 255});
  CHECK_PIXELS(image, 16, 0, 16, 32, Rgba8{40, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 32, Rgba8{80, 0, 0, 255});
  CHECK_PIXELS(image, 48, 0, 16, 32, Rgba8{0, 200, 0, 255});
  CHECK_PIXELS(image, 0, 32, 32, 32, Rgba8{20, 0, 0, 255});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{40, 100, 0, 255});
  s.picture("picture", image);
}
