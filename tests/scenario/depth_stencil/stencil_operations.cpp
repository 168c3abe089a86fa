#include "harness/scenario.h"

// Every operation, wrapping and saturating, through a write mask; then a draw where the stencil has a value.
SCENARIO(depth_stencil, stencil_operations) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH24_STENCIL8);
  const Painter painter(s.width(), s.height());
  glEnable(GL_STENCIL_TEST);
  struct Case {
    GLenum operation;
    GLint start;
    int wanted;
  };
  const Case cases[] = {{GL_KEEP, 7, 7}, {GL_ZERO, 7, 0},        {GL_REPLACE, 7, 0x5a},  {GL_INCR, 255, 255},
                        {GL_DECR, 0, 0}, {GL_INCR_WRAP, 255, 0}, {GL_DECR_WRAP, 0, 255}, {GL_INVERT, 0x0f, 0xf0}};
  glEnable(GL_SCISSOR_TEST);
  for (int i = 0; i < 8; ++i) {
    glScissor(8 * i, 0, 8, 64);
    glClearStencil(cases[i].start);
    glClear(GL_STENCIL_BUFFER_BIT);
    glStencilFunc(GL_ALWAYS, 0x5a, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, cases[i].operation);
    painter.fill({0, 0, 64, 32}, {0, 0, 0, 1});
    glStencilMask(0x0f);
    painter.fill({0, 48, 64, 16}, {0, 0, 0, 1});
    glStencilMask(0xff);
  }
  glDisable(GL_SCISSOR_TEST);
  Image stencil(Kind::Unorm8, 64, 64, 1);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, 64, 64, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil.data());
  for (int i = 0; i < 8; ++i) {
    const int masked = (cases[i].start & 0xf0) | (cases[i].wanted & 0x0f);
    CHECK_GPU_EQ(stencil.bytes[stencil.offset(8 * i + 2, 4, 0)], cases[i].wanted);
    CHECK_GPU_EQ(stencil.bytes[stencil.offset(8 * i + 2, 40, 0)], cases[i].start);
    CHECK_GPU_EQ(stencil.bytes[stencil.offset(8 * i + 2, 60, 0)], masked);
  }
  glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  glStencilFunc(GL_EQUAL, 0xff, 0xf0);
  painter.fill({1, 1, 1, 1});
  const Image image = s.read();
  // In the lower half columns 3, 6 and 7 hold 255, 255 and 0xf0: equal under the mask.
  for (int i = 0; i < 8; ++i) {
    const bool lit = i == 3 || i == 6 || i == 7;
    const auto v = static_cast<std::uint8_t>(lit ? 255 : 0);
    CHECK_PIXELS(image, 8 * i, 0, 8, 32, Rgba8{v, v, v, 255});
  }
  s.picture("stencil", stencil);
}
