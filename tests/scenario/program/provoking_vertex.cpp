#include "harness/scenario.h"

// A flat input has the value of the provoking vertex: the last by default, the first when asked.
SCENARIO(program, provoking_vertex) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program =
      makeProgram(R"(
flat out int vId;
void main() {
  vId = gl_VertexID;
  int cell = gl_VertexID / 3, corner = gl_VertexID % 3;
  gl_Position = vec4(float(cell) * 1.0 - 1.0 + float(corner & 1) * 2.0, float(corner >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                  "flat in int vId; out vec4 o; void main() { o = vec4(float(vId + 1) / 255.0, 0.0, 0.0, 1.0); }");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 6);
  Image image = s.read();
  CHECK_PIXEL(image, 2, 2, Rgba8{3, 0, 0, 255});
  CHECK_PIXEL(image, 34, 2, Rgba8{6, 0, 0, 255});
  s.picture("last", image);
  glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
  glDrawArrays(GL_TRIANGLES, 0, 6);
  image = s.read();
  CHECK_PIXEL(image, 2, 2, Rgba8{1, 0, 0, 255});
  CHECK_PIXEL(image, 34, 2, Rgba8{4, 0, 0, 255});
  s.picture("first", image);
}
