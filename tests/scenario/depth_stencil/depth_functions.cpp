#include "harness/scenario.h"

// The eight functions against a nearer, an equal and a farther fragment.
SCENARIO(depth_stencil, depth_functions) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT24);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_ALWAYS);
  painter.fill({0, 0, 0, 1}, 0);
  glDepthMask(GL_FALSE);
  struct Case {
    GLenum function;
    bool nearer, equal, farther;
  };
  const Case cases[] = {{GL_NEVER, false, false, false},  {GL_LESS, true, false, false},
                        {GL_EQUAL, false, true, false},   {GL_LEQUAL, true, true, false},
                        {GL_GREATER, false, false, true}, {GL_NOTEQUAL, true, false, true},
                        {GL_GEQUAL, false, true, true},   {GL_ALWAYS, true, true, true}};
  int column = 0;
  for (const Case& c : cases) {
    glDepthFunc(c.function);
    for (int row = 0; row < 3; ++row)
      painter.fill({8 * column, 20 * row, 8, 20}, {1, 1, 1, 1}, 0.5f * static_cast<float>(row - 1));
    ++column;
  }
  const Image image = s.read();
  column = 0;
  for (const Case& c : cases) {
    const bool passes[] = {c.nearer, c.equal, c.farther};
    for (int row = 0; row < 3; ++row) {
      const auto v = static_cast<std::uint8_t>(passes[row] ? 255 : 0);
      CHECK_PIXELS(image, 8 * column, 20 * row, 8, 20, Rgba8{v, v, v, 255});
    }
    ++column;
  }
  s.picture("picture", image);
}
