#include "harness/scenario.h"

// A flush between a clear and the draw over a part of it.
SCENARIO(clear, then_flush) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  clearColor({0, 1, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glFlush();
  painter.fill({0, 0, 32, 64}, {0, 0, 1, 1});
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 255, 0, 255});
  s.picture("picture", image);
}
