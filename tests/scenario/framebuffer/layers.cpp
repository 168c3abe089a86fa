#include "harness/scenario.h"

// Layers of an array texture and slices of a 3D texture as attachments, one at a time.
SCENARIO(framebuffer, layers) {
  GLuint textures[2], framebuffer = 0;
  glGenTextures(2, textures);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  const GLenum targets[] = {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D};
  glViewport(0, 0, 16, 16);
  for (int i = 0; i < 2; ++i) {
    glBindTexture(targets[i], textures[i]);
    glTexImage3D(targets[i], 0, GL_RGBA8, 16, 16, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(targets[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (int layer = 0; layer < 4; ++layer) {
      glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, textures[i], 0, layer);
      CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
      clearColor({static_cast<float>(layer * 51) / 255, static_cast<float>(i), 0, 1});
      glClear(GL_COLOR_BUFFER_BIT);
    }
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, textures[i], 0, 2);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 8, 16);
    clearColor({0, 0, 1, 1});
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    std::vector<Rgba8> all(16 * 16 * 4);
    glGetTexImage(targets[i], 0, GL_RGBA, GL_UNSIGNED_BYTE, all.data());
    for (std::size_t at = 0; at < all.size(); ++at) {
      const std::size_t layer = at / 256, x = at % 16;
      const Rgba8 wanted = layer == 2 && x < 8 ? Rgba8{0, 0, 255, 255}
                                               : Rgba8{static_cast<std::uint8_t>(51 * layer),
                                                       static_cast<std::uint8_t>(255 * i), 0, 255};
      CHECK_GPU(all[at] == wanted);
    }
  }
}
