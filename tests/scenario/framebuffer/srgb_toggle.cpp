#include "harness/scenario.h"

// Writes to an sRGB target are encoded only while FRAMEBUFFER_SRGB is on; clears follow.
SCENARIO(framebuffer, srgb_toggle, .tolerance = {.steps = 1}) {
  const Target target = makeTarget(s.width(), s.height(), GL_SRGB8_ALPHA8);
  const Painter painter(s.width(), s.height());
  painter.fill({0, 0, 16, 64}, {0.2f, 0.4f, 0.6f, 0.4f});
  glEnable(GL_FRAMEBUFFER_SRGB);
  painter.fill({16, 0, 16, 64}, {0.2f, 0.4f, 0.6f, 0.4f});
  glEnable(GL_SCISSOR_TEST);
  glScissor(32, 0, 16, 64);
  clearColor({0.2f, 0.4f, 0.6f, 0.4f});
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glScissor(48, 0, 16, 64);
  glClear(GL_COLOR_BUFFER_BIT);
  const Image image = s.read();
  // 0.2, 0.4 and 0.6 encode to 123.6, 170.0 and 203.0 of 255.
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{51, 102, 153, 102});
  CHECK_PIXELS(image, 16, 0, 32, 64, Rgba8{124, 170, 203, 102});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{51, 102, 153, 102});
  s.picture("picture", image);
}
