#include "harness/scenario.h"

// Colour and alpha have factors and equations of their own; they change between draws.
SCENARIO(blend, separate, .tolerance = {.steps = 1}) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  painter.fill({0.2f, 0.4f, 0.6f, 0.8f});
  glEnable(GL_BLEND);
  const Color source = {0.4f, 0.8f, 0.2f, 0.4f};
  // colour: s * sa + d * (1 - sa); alpha: s * 1 + d * 0
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ZERO);
  painter.fill({0, 0, 16, 64}, source);
  // colour: d - s; alpha: s - d
  glBlendEquationSeparate(GL_FUNC_REVERSE_SUBTRACT, GL_FUNC_SUBTRACT);
  glBlendFunc(GL_ONE, GL_ONE);
  painter.fill({16, 0, 16, 64}, source);
  // minimum and maximum ignore the factors
  glBlendFunc(GL_ZERO, GL_ZERO);
  glBlendEquationSeparate(GL_MIN, GL_MAX);
  painter.fill({32, 0, 16, 64}, source);
  // constant colour and alpha
  glBlendEquation(GL_FUNC_ADD);
  glBlendColor(0.5f, 1, 0, 0.5f);
  glBlendFuncSeparate(GL_CONSTANT_COLOR, GL_ONE_MINUS_CONSTANT_COLOR, GL_ZERO, GL_CONSTANT_ALPHA);
  painter.fill({48, 0, 16, 64}, source);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{71, 143, 112, 102});
  CHECK_PIXELS(image, 16, 0, 16, 64, Rgba8{0, 0, 102, 0});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{51, 102, 51, 204});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{77, 204, 153, 102});
  s.picture("picture", image);
}
