#include "harness/scenario.h"

// Depth and stencil blits, together and apart; linear filtering of them is an error.
SCENARIO(blit, depth_stencil) {
  const Target source = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH24_STENCIL8);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_STENCIL_TEST);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  glStencilFunc(GL_ALWAYS, 77, 0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  painter.fill({0, 0, 32, 32}, {1, 0, 0, 1}, -0.5f);
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH24_STENCIL8);
  glClearStencil(3);
  glClearDepth(0.5);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glBlitFramebuffer(0, 0, 16, 64, 0, 0, 16, 64, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(16, 0, 32, 64, 16, 0, 32, 64, GL_STENCIL_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(0, 0, 32, 64, 32, 64, 64, 0, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
  glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_DEPTH_BUFFER_BIT, GL_LINEAR);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  target.bind();
  const Image depth = s.readDepth(0, 0, 64, 64);
  Image stencil(Kind::Unorm8, 64, 64, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, 64, 64, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
  const auto check = [&](int x, int y, double wantedDepth, int wantedStencil) {
    CHECK_GPU_NEAR(depth.real(x, y, 0), wantedDepth, 1e-5);
    CHECK_GPU_EQ(stencil.bytes[stencil.offset(x, y, 0)], wantedStencil);
  };
  check(8, 8, 0.25, 3);
  check(8, 40, 1, 3);
  check(24, 8, 0.5, 77);
  check(24, 40, 0.5, 0);
  check(40, 40, 0.25, 77);
  check(40, 8, 1, 0);
  s.picture("depth", depth);
  s.picture("stencil", stencil);
}
