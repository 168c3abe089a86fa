#include "harness/scenario.h"

// Front and back faces with functions, references, masks and operations of their own.
SCENARIO(depth_stencil, stencil_two_sided) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH24_STENCIL8);
  const Painter painter(s.width(), s.height());
  glEnable(GL_STENCIL_TEST);
  glClearStencil(4);
  glClear(GL_STENCIL_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
  glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 9, 0xff);
  glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_REPLACE);
  glStencilFuncSeparate(GL_BACK, GL_NEVER, 1, 0xff);
  glStencilOpSeparate(GL_BACK, GL_INCR, GL_KEEP, GL_KEEP);
  painter.fill({0, 0, 32, 64}, {1, 0, 0, 1});
  // A negative width turns the face round.
  painter.fill({64, 0, -32, 64}, {0, 1, 0, 1});
  Image stencil(Kind::Unorm8, 64, 64, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, 64, 64, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
  CHECK_GPU_EQ(stencil.bytes[5], 9);
  CHECK_GPU_EQ(stencil.bytes[40], 5);
  s.picture("stencil", stencil);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 0, 0, 0});
}
