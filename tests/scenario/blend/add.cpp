#include "harness/scenario.h"

// GL 3.3 section 4.1.7: FUNC_ADD with ONE, ONE sums and clamps; turned off again, the source replaces.
SCENARIO(blend, add) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  clearColor({0.2f, 0.4f, 0.8f, 0.2f});
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  painter.fill({0, 0, 32, 64}, {0.4f, 0.2f, 0.4f, 0.2f});
  glDisable(GL_BLEND);
  painter.fill({32, 0, 32, 32}, {0.4f, 0.2f, 0.4f, 0.2f});
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{153, 153, 255, 102});
  CHECK_PIXELS(image, 32, 0, 32, 32, Rgba8{102, 51, 102, 51});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{51, 102, 204, 51});
  s.picture("picture", image);
}
