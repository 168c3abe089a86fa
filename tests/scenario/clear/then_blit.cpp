#include "harness/scenario.h"

// A clear waits on its image: a blit from it and into it must see it, in order, also for a part of the target.
SCENARIO(clear, then_blit) {
  const Target source = makeTarget(32, 32);
  const Target target = makeTarget(s.width(), s.height());
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  source.bind();
  clearColor({1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer);
  glBlitFramebuffer(0, 0, 32, 32, 8, 8, 40, 40, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  // Cleared after the blit: the blit must not see it.
  source.bind();
  clearColor({0, 1, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  target.bind();
  const Image image = s.read();
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      CHECK_PIXEL(image, x, y, x >= 8 && x < 40 && y >= 8 && y < 40 ? Rgba8{255, 0, 0, 255} : Rgba8{0, 0, 255, 255});
    }
  }
  s.picture("picture", image);
}
