#include "harness/scenario.h"

// Clears obey scissor and masks, not the viewport; a clear of a part keeps the rest.
SCENARIO(clear, scissor_and_masks) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH24_STENCIL8);
  glViewport(10, 10, 4, 4);
  clearColor({1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(8, 16, 24, 32);
  clearColor({0, 1, 0, 0.2f});
  glClear(GL_COLOR_BUFFER_BIT);
  glScissor(24, 0, 16, 64);
  glColorMask(GL_FALSE, GL_FALSE, GL_TRUE, GL_FALSE);
  clearColor({1, 1, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glScissor(0, 0, 64, 64);
  clearColor({0, 0, 0, 0});
  glClear(GL_COLOR_BUFFER_BIT);
  glScissor(50, 50, 0, 0);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glClear(GL_COLOR_BUFFER_BIT);
  const Image image = s.read();
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      Rgba8 wanted = {255, 0, 0, 255};
      if (x >= 8 && x < 32 && y >= 16 && y < 48) wanted = {0, 255, 0, 51};
      if (x >= 24 && x < 40) wanted.b = 255;
      CHECK_PIXEL(image, x, y, wanted);
    }
  }
  s.picture("picture", image);
}
