#include "harness/scenario.h"

// TIME_ELAPSED and TIMESTAMP: they become available, time does not run backwards, 64 bits are answered.
SCENARIO(query, timer) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  GLint bits = 0;
  glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
  CHECK(bits >= 30);
  GLuint queries[3];
  glGenQueries(3, queries);
  GLint64 now = 0;
  glGetInteger64v(GL_TIMESTAMP, &now);
  CHECK(now > 0);
  glQueryCounter(queries[0], GL_TIMESTAMP);
  glBeginQuery(GL_TIME_ELAPSED, queries[1]);
  for (int i = 0; i < 4; ++i) painter.fill({1, 0, 0, 1});
  glEndQuery(GL_TIME_ELAPSED);
  glQueryCounter(queries[2], GL_TIMESTAMP);
  GLuint64 before = 0, elapsed = 0, after = 0;
  glGetQueryObjectui64v(queries[0], GL_QUERY_RESULT, &before);
  glGetQueryObjectui64v(queries[1], GL_QUERY_RESULT, &elapsed);
  glGetQueryObjectui64v(queries[2], GL_QUERY_RESULT, &after);
  CHECK_GPU(before > 0 && after >= before);
  // llvmpipe answers the time since boot.
  if (!s.onHost()) CHECK_GPU(elapsed < 60'000'000'000ull);
  CHECK_GL_ERROR(GL_NO_ERROR);
}
