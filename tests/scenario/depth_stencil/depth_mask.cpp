#include "harness/scenario.h"

// With the mask off neither draws nor clears write depth, the test goes on; with the test off nothing is written.
SCENARIO(depth_stencil, depth_mask) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT32F);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glClearDepth(0.5);
  glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
  glDepthMask(GL_FALSE);
  glClearDepth(0.0);
  glClear(GL_DEPTH_BUFFER_BIT);
  painter.fill({0, 0, 32, 64}, {1, 0, 0, 1}, -0.8f);
  glDepthMask(GL_TRUE);
  glDisable(GL_DEPTH_TEST);
  painter.fill({32, 0, 16, 64}, {0, 1, 0, 1}, -0.6f);
  glEnable(GL_DEPTH_TEST);
  painter.fill({48, 0, 16, 64}, {0, 0, 1, 1}, -0.5f);
  // Nearer than the clear value and farther than the last draw.
  painter.fill({0, 32, 64, 32}, {1, 1, 1, 1}, -0.25f);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 32, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 0, 32, 48, 32, Rgba8{255, 255, 255, 255});
  const Image depth = s.readDepth(0, 0, 64, 64);
  CHECK_FLOATS(depth, 8, 8, 0.5f);
  CHECK_FLOATS(depth, 8, 40, 0.375f);
  CHECK_FLOATS(depth, 40, 8, 0.5f);
  CHECK_FLOATS(depth, 50, 50, 0.25f);
  s.picture("depth", depth);
}
