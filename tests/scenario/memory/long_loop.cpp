#include <string>

#include "harness/scenario.h"

// A line loop of more vertices than anybody wants to make indices for: two sides of a triangle as its strip, the vertices
// between them all in one place, and the third side, which closes it.
SCENARIO(memory, long_loop) {
  constexpr GLint kCount = (4 << 20) + 5;
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(
      "void main() {\n"
      "  vec2 corner = gl_VertexID == 7 ? vec2(-0.734375, -0.734375) :\n"
      "                gl_VertexID == " + std::to_string(kCount + 6) + " ? vec2(0.734375, -0.734375) : vec2(-0.734375, 0.734375);\n"
      "  gl_Position = vec4(corner, 0.0, 1.0);\n"
      "}\n",
      "out vec4 o; void main() { o = vec4(1.0, 0.5, 0.25, 1.0); }");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  clearColor({0, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glDrawArrays(GL_LINE_LOOP, 7, kCount);
  CHECK_GL_ERROR(GL_NO_ERROR);
  const Image image = s.read();
  // The bottom side is the one that closes it.
  CHECK_PIXEL(image, s.width() / 2, s.height() / 8, Rgba8{255, 128, 64, 255});
  CHECK_PIXEL(image, s.width() / 8, s.height() / 2, Rgba8{255, 128, 64, 255});
  CHECK_PIXEL(image, s.width() / 2, s.height() / 2 + 8, Rgba8{0, 0, 0, 255});
}
