#include "harness/scenario.h"

// Conditional rendering: draws and clears inside are dropped when the query counted nothing.
SCENARIO(query, conditional) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  GLuint queries[2];
  glGenQueries(2, queries);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glBeginQuery(GL_SAMPLES_PASSED, queries[0]);
  painter.fill({0, 0, 4, 4}, {0, 0, 1, 1});
  glEndQuery(GL_SAMPLES_PASSED);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 0, 0, 0);
  glBeginQuery(GL_SAMPLES_PASSED, queries[1]);
  painter.fill({0, 0, 4, 4}, {0, 0, 1, 1});
  glEndQuery(GL_SAMPLES_PASSED);
  glDisable(GL_SCISSOR_TEST);
  glBeginConditionalRender(queries[0], GL_QUERY_WAIT);
  painter.fill({0, 0, 32, 32}, {1, 0, 0, 1});
  glEndConditionalRender();
  glBeginConditionalRender(queries[1], GL_QUERY_WAIT);
  painter.fill({32, 0, 32, 32}, {0, 1, 0, 1});
  clearColor({1, 1, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glEndConditionalRender();
  painter.fill({32, 32, 32, 32}, {1, 0, 0, 1});
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 32, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 32, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 0, 32, 32, 32, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{255, 0, 0, 255});
  s.picture("picture", image);
}
