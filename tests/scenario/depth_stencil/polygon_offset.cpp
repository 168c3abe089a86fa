#include "harness/scenario.h"

// Offset units pull a coplanar polygon in front; lines of a filled polygon mode follow their own enable.
SCENARIO(depth_stencil, polygon_offset) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT24);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  clearColor({0, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  painter.fill({1, 0, 0, 1}, 0.25f);
  painter.fill({0, 0, 16, 64}, {0, 1, 0, 1}, 0.25f);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(0, -8);
  painter.fill({16, 0, 16, 64}, {0, 1, 0, 1}, 0.25f);
  glPolygonOffset(0, 8);
  painter.fill({32, 0, 16, 64}, {0, 1, 0, 1}, 0.25f);
  glPolygonOffset(0, -8);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glEnable(GL_POLYGON_OFFSET_LINE);
  painter.fill({48, 0, 16, 64}, {0, 1, 0, 1}, 0.25f);
  const Image image = s.read();
  for (int i = 0; i < 4; ++i) {
    // llvmpipe offsets filled polygons by any of the three enables.
    if (i == 3 && s.onHost()) continue;
    CHECK_PIXELS(image, 16 * i, 0, 16, 64, i == 1 ? Rgba8{0, 255, 0, 255} : Rgba8{255, 0, 0, 255});
  }
  s.picture("picture", s.read(0, 0, 48, 64));
}
