#include "harness/scenario.h"

// Clipped at the planes by default; with DEPTH_CLAMP the fragments stay and their depth is clamped.
SCENARIO(depth_stencil, depth_clamp) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT32F);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_ALWAYS);
  clearColor({0, 0, 1, 1});
  glClearDepth(0.5);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  painter.fill({0, 0, 16, 64}, {1, 0, 0, 1}, -2);
  glEnable(GL_DEPTH_CLAMP);
  painter.fill({16, 0, 16, 64}, {1, 0, 0, 1}, -2);
  painter.fill({32, 0, 16, 64}, {0, 1, 0, 1}, 3);
  glDisable(GL_DEPTH_CLAMP);
  painter.fill({48, 0, 16, 64}, {0, 1, 0, 1}, 3);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 16, 0, 16, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{0, 0, 255, 255});
  const Image depth = s.readDepth(0, 0, 64, 1);
  CHECK_FLOATS(depth, 3, 0, 0.5f);
  CHECK_FLOATS(depth, 20, 0, 0.0f);
  CHECK_FLOATS(depth, 40, 0, 1.0f);
  s.picture("picture", image);
}
