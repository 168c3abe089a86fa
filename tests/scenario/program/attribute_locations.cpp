#include "harness/scenario.h"

// Bound locations count at the next link; a location in the source wins; gl_VertexID needs no array.
SCENARIO(program, attribute_locations) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = glCreateProgram();
  glAttachShader(program, compileShader(GL_VERTEX_SHADER, R"(
in vec4 aFirst;
in vec4 aSecond;
layout(location = 6) in vec4 aFixed;
flat out vec4 vColor;
void main() {
  vColor = aFirst + aSecond * 0.5 + aFixed * 0.2;
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)"));
  glAttachShader(program,
                 compileShader(GL_FRAGMENT_SHADER, "flat in vec4 vColor; out vec4 o; void main() { o = vColor; }"));
  glBindAttribLocation(program, 3, "aFirst");
  glBindAttribLocation(program, 5, "aSecond");
  glBindAttribLocation(program, 1, "aFixed");
  link(program);
  CHECK_EQ(glGetAttribLocation(program, "aFirst"), 3);
  CHECK_EQ(glGetAttribLocation(program, "aSecond"), 5);
  CHECK_EQ(glGetAttribLocation(program, "aFixed"), 6);
  CHECK_EQ(glGetAttribLocation(program, "gl_VertexID"), -1);
  glVertexAttrib4f(3, 0.2f, 0, 0, 1);
  glVertexAttrib4f(5, 0, 0.4f, 0, 0);
  glVertexAttrib4f(6, 0, 0, 1, 0);
  glViewport(0, 0, 32, 64);
  drawFull(program);
  // The second link swaps them.
  glBindAttribLocation(program, 5, "aFirst");
  glBindAttribLocation(program, 3, "aSecond");
  CHECK_EQ(glGetAttribLocation(program, "aFirst"), 3);
  link(program);
  CHECK_EQ(glGetAttribLocation(program, "aFirst"), 5);
  glViewport(32, 0, 32, 64);
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{51, 51, 51, 255});
  // (0, 0.4, 0, 0) + (0.2, 0, 0, 1) / 2 + blue / 5
  CHECK_PIXEL(image, 40, 10, image.rgba8(50, 50));
  const Rgba8 got = image.rgba8(40, 10);
  CHECK_GPU(got.g == 102 && got.b == 51 && got.a >= 127 && got.a <= 128 && got.r >= 25 && got.r <= 26);
}
