#include "harness/scenario.h"

// A poll without a flush of the program's own ends by itself, with the right result.
SCENARIO(query, polling) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  GLuint query = 0;
  glGenQueries(1, &query);
  CHECK_EQ(glIsQuery(query), GL_FALSE);
  glBeginQuery(GL_SAMPLES_PASSED, query);
  CHECK_EQ(glIsQuery(query), GL_TRUE);
  GLint active = 0;
  glGetQueryiv(GL_SAMPLES_PASSED, GL_CURRENT_QUERY, &active);
  CHECK_EQ(static_cast<GLuint>(active), query);
  painter.fill({0, 0, 16, 16}, {1, 0, 0, 1});
  glEndQuery(GL_SAMPLES_PASSED);
  GLuint available = GL_FALSE;
  REQUIRE(soon([&] {
    glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
    return available == GL_TRUE;
  }));
  GLuint result = 0;
  glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
  CHECK_GPU_EQ(result, 256u);
  glDeleteQueries(1, &query);
  CHECK_EQ(glIsQuery(query), GL_FALSE);
}
