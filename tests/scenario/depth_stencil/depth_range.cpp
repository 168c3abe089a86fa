#include "harness/scenario.h"

// The depth range maps -1..1; reversed ranges are legal.
SCENARIO(depth_stencil, depth_range) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT32F);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_ALWAYS);
  glDepthRange(0.25, 0.75);
  painter.fill({0, 0, 16, 64}, {1, 0, 0, 1}, 0.5f);
  glDepthRange(1, 0);
  painter.fill({16, 0, 16, 64}, {1, 0, 0, 1}, 0.5f);
  glDepthRange(-5, 7);
  painter.fill({32, 0, 16, 64}, {1, 0, 0, 1}, 0.5f);
  const Image depth = s.readDepth(0, 0, 48, 64);
  CHECK_FLOATS(depth, 5, 5, 0.625f);
  CHECK_FLOATS(depth, 20, 5, 0.25f);
  CHECK_FLOATS(depth, 40, 5, 0.75f);
  s.picture("depth", depth);
}
