#include "harness/scenario.h"

// Pixels outside the framebuffer are undefined, and those inside still land where they belong.
SCENARIO(readback, outside) {
  const Target target = makeTarget(16, 16);
  const Painter painter(16, 16);
  painter.fill({1, 0, 0, 1});
  painter.fill({8, 8, 8, 8}, {0, 0, 1, 1});
  Image image = s.read(-4, -4, 24, 24);
  CHECK_PIXELS(image, 4, 4, 8, 16, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 12, 12, 8, 8, Rgba8{0, 0, 255, 255});
  image = s.read(12, 10, 10, 2);
  CHECK_PIXELS(image, 0, 0, 4, 2, Rgba8{0, 0, 255, 255});
}
