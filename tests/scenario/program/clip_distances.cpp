#include "harness/scenario.h"

// A clip distance cuts only while it is enabled.
SCENARIO(program, clip_distances) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
out float gl_ClipDistance[2];
void main() {
  vec2 p = vec2(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0);
  gl_ClipDistance[0] = p.x;
  gl_ClipDistance[1] = p.y;
  gl_Position = vec4(p, 0.0, 1.0);
}
)",
                                     "uniform vec4 uColor; out vec4 o; void main() { o = uColor; }");
  glUseProgram(program);
  const GLint color = uniform(program, "uColor");
  glUniform4f(color, 1, 0, 0, 1);
  if (s.onHost()) {
    // Mesa's software drivers clip by every written distance while none is enabled.
    Painter(s.width(), s.height()).fill({1, 0, 0, 1});
    glUseProgram(program);
  } else {
    drawFull(program);
  }
  glEnable(GL_CLIP_DISTANCE0);
  glUniform4f(color, 0, 1, 0, 1);
  drawFull(program);
  glEnable(GL_CLIP_DISTANCE1);
  glUniform4f(color, 0, 0, 1, 1);
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{0, 0, 255, 255});
  s.picture("picture", image);
}
