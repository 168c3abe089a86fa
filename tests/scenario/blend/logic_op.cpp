#include "harness/scenario.h"

// Logic operations work on the bits of fixed-point targets and switch blending off.
SCENARIO(blend, logic_op) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  const auto color = [](int r, int g, int b, int a) {
    return Color{static_cast<float>(r) / 255, static_cast<float>(g) / 255, static_cast<float>(b) / 255,
                 static_cast<float>(a) / 255};
  };
  painter.fill(color(0x0f, 0xff, 0x00, 0xaa));
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_ZERO);
  glEnable(GL_COLOR_LOGIC_OP);
  const GLenum operations[] = {GL_COPY, GL_XOR, GL_AND, GL_OR_REVERSE, GL_INVERT, GL_NOOP, GL_SET, GL_EQUIV};
  for (int i = 0; i < 8; ++i) {
    glLogicOp(operations[i]);
    painter.fill({8 * i, 0, 8, 64}, color(0x3c, 0x0f, 0xf0, 0x55));
  }
  const Image image = s.read();
  const Rgba8 wanted[] = {{0x3c, 0x0f, 0xf0, 0x55}, {0x33, 0xf0, 0xf0, 0xff}, {0x0c, 0x0f, 0x00, 0x00},
                          {0xfc, 0x0f, 0xff, 0x55}, {0xf0, 0x00, 0xff, 0x55}, {0x0f, 0xff, 0x00, 0xaa},
                          {0xff, 0xff, 0xff, 0xff}, {0xcc, 0x0f, 0x0f, 0x00}};
  for (int i = 0; i < 8; ++i) CHECK_PIXELS(image, 8 * i, 0, 8, 64, wanted[i]);
  s.picture("picture", image);
}
