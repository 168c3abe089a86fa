#include "harness/scenario.h"

// Layers that were cleared to different colours, and then drawn to together: each keeps its own where nothing is drawn.
SCENARIO(clear, unlike_layers) {
  GLuint texture = 0, framebuffers[3];
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, s.width(), s.height(), 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glGenFramebuffers(3, framebuffers);
  for (int layer = 0; layer < 2; ++layer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[layer]);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
    clearColor({layer == 0 ? 1.0f : 0.0f, layer == 0 ? 0.0f : 1.0f, 0, 1});
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[2]);
  glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
  glViewport(0, 0, s.width(), s.height());
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 32, 64);
  const Painter painter(s.width(), s.height());
  painter.fill({0, 0, 1, 1});  // without a geometry shader to layer 0
  glDisable(GL_SCISSOR_TEST);
  for (int layer = 0; layer < 2; ++layer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[layer]);
    const Image image = s.read();
    CHECK_PIXELS(image, 0, 0, 32, 64, layer == 0 ? Rgba8{0, 0, 255, 255} : Rgba8{0, 255, 0, 255});
    CHECK_PIXELS(image, 32, 0, 32, 64, layer == 0 ? Rgba8{255, 0, 0, 255} : Rgba8{0, 255, 0, 255});
    s.picture(layer == 0 ? "first" : "second", image);
  }
}
