#include "harness/scenario.h"

// Float targets neither clamp the source nor the result; fixed-point ones clamp both.
SCENARIO(blend, float_target, .tolerance = {.real = 1e-3f}) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA16F);
  const Painter painter(s.width(), s.height());
  clearColor({-1, 2, 0.5f, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  painter.fill({0, 0, 32, 64}, {4, -3, 0.25f, 2});
  glBlendEquation(GL_FUNC_SUBTRACT);
  painter.fill({32, 0, 16, 64}, {4, -3, 0.25f, 2});
  const Image image = s.readFloat(0, 0, 64, 1);
  CHECK_FLOATS(image, 3, 0, 3, -1, 0.75f, 3);
  CHECK_FLOATS(image, 40, 0, 5, -5, -0.25f, 1);
  CHECK_FLOATS(image, 60, 0, -1, 2, 0.5f, 1);
  s.picture("picture", image);
}
