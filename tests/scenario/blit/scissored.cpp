#include "harness/scenario.h"

// The scissor cuts what a blit writes and nothing else does: not the viewport, the masks, or blending.
SCENARIO(blit, scissored) {
  const Target source = makeTarget(s.width(), s.height());
  clearColor({1, 0, 0, 0.2f});
  glClear(GL_COLOR_BUFFER_BIT);
  const Target target = makeTarget(s.width(), s.height());
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glViewport(0, 0, 1, 1);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_ONE);
  glEnable(GL_SCISSOR_TEST);
  glScissor(10, 20, 30, 12);
  glBlitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  target.bind();
  const Image image = s.read();
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      CHECK_PIXEL(image, x, y, x >= 10 && x < 40 && y >= 20 && y < 32 ? Rgba8{255, 0, 0, 51} : Rgba8{0, 0, 255, 255});
    }
  }
  s.picture("picture", image);
}
