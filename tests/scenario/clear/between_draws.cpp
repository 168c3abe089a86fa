#include "harness/scenario.h"

// Clears between draws of one target, whole and of a part; depth alone and stencil alone.
SCENARIO(clear, between_draws) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH24_STENCIL8);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_STENCIL_TEST);
  glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
  clearColor({0, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  painter.fill({0, 0, 32, 64}, {1, 0, 0, 1}, -0.5f);
  // Farther, yet drawn, as depth was cleared in between.
  glClear(GL_DEPTH_BUFFER_BIT);
  painter.fill({0, 0, 64, 32}, {0, 1, 0, 1}, 0.5f);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 16, 64);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glScissor(48, 0, 16, 64);
  glClearStencil(7);
  glClear(GL_STENCIL_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  painter.fill({0, 48, 64, 16}, {1, 1, 0, 1}, 0);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 48, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 16, 0, 48, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 16, 32, 16, 16, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 32, 32, 16, Rgba8{0, 0, 0, 255});
  CHECK_PIXELS(image, 0, 48, 64, 16, Rgba8{255, 255, 0, 255});
  Image stencil(Kind::Unorm8, 64, 64, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, 64, 64, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
  const auto at = [&](int x, int y) { return stencil.bytes[stencil.offset(x, y, 0)]; };
  CHECK_GPU_EQ(at(8, 8), 2);
  CHECK_GPU_EQ(at(8, 40), 1);
  CHECK_GPU_EQ(at(8, 60), 2);
  CHECK_GPU_EQ(at(40, 40), 0);
  CHECK_GPU_EQ(at(50, 8), 7);
  CHECK_GPU_EQ(at(50, 60), 8);
  s.picture("picture", image);
}
