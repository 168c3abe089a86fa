#include "harness/scenario.h"

// PRIMITIVES_GENERATED counts what the last geometry stage makes, also with the rasteriser discarding.
SCENARIO(query, primitives) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program =
      makeProgram("void main() { gl_Position = vec4(float(gl_VertexID & 1), float(gl_VertexID & 2), 0.0, 1.0); }",
                  "out vec4 o; void main() { o = vec4(1.0); }");
  GLuint vao = 0, queries[3];
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glGenQueries(3, queries);
  glUseProgram(program);
  const auto count = [&](int i, GLenum mode, GLsizei vertices) {
    glBeginQuery(GL_PRIMITIVES_GENERATED, queries[i]);
    glDrawArrays(mode, 0, vertices);
    glEndQuery(GL_PRIMITIVES_GENERATED);
  };
  count(0, GL_TRIANGLE_STRIP, 12);
  glEnable(GL_RASTERIZER_DISCARD);
  count(1, GL_TRIANGLES, 11);
  glDisable(GL_RASTERIZER_DISCARD);
  count(2, GL_LINE_LOOP, 5);
  const GLuint wanted[] = {10, 3, 5};
  for (int i = 0; i < 3; ++i) {
    GLuint result = 0;
    glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &result);
    CHECK_GPU_EQ(result, wanted[i]);
  }
}
