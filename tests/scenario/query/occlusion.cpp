#include "harness/scenario.h"

// SAMPLES_PASSED counts exactly what passes the tests; ANY_SAMPLES_PASSED says whether.
SCENARIO(query, occlusion) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT24);
  const Painter painter(s.width(), s.height());
  GLuint queries[4];
  glGenQueries(4, queries);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  glBeginQuery(GL_SAMPLES_PASSED, queries[0]);
  painter.fill({0, 0, 10, 20}, {1, 0, 0, 1}, 0);
  painter.fill({20, 0, 5, 5}, {1, 0, 0, 1}, 0);
  glEndQuery(GL_SAMPLES_PASSED);
  glBeginQuery(GL_SAMPLES_PASSED, queries[1]);
  painter.fill({0, 0, 10, 25}, {0, 1, 0, 1}, 0.5f);
  glEndQuery(GL_SAMPLES_PASSED);
  glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[2]);
  painter.fill({2, 2, 4, 4}, {0, 1, 0, 1}, 0.5f);
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[3]);
  painter.fill({2, 2, 4, 4}, {0, 1, 0, 1}, -0.5f);
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  const GLuint wanted[] = {225, 50, GL_FALSE, GL_TRUE};
  for (int i = 0; i < 4; ++i) {
    GLuint result = 12345;
    glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &result);
    CHECK_GPU_EQ(result, wanted[i]);
    glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT_AVAILABLE, &result);
    CHECK_EQ(result, GLuint{GL_TRUE});
  }
  glEndQuery(GL_SAMPLES_PASSED);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
}
