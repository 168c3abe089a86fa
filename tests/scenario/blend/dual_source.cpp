#include "harness/scenario.h"

// The second source of output 0 as a factor, bound by API and by layout.
SCENARIO(blend, dual_source, .tolerance = {.steps = 1}) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  painter.fill({0.2f, 0.4f, 0.6f, 1});
  const GLuint bound = glCreateProgram();
  glAttachShader(bound, compileShader(GL_VERTEX_SHADER, kFullVertex));
  glAttachShader(bound, compileShader(GL_FRAGMENT_SHADER, R"(
out vec4 oColor;
out vec4 oFactor;
void main() { oColor = vec4(0.4, 0.4, 0.4, 1.0); oFactor = vec4(1.0, 0.5, 0.0, 1.0); }
)"));
  glBindFragDataLocationIndexed(bound, 0, 0, "oColor");
  glBindFragDataLocationIndexed(bound, 0, 1, "oFactor");
  link(bound);
  CHECK_EQ(glGetFragDataIndex(bound, "oFactor"), 1);
  const GLuint laid = makeProgram(kFullVertex, R"(
layout(location = 0, index = 0) out vec4 oColor;
layout(location = 0, index = 1) out vec4 oFactor;
void main() { oColor = vec4(0.4, 0.4, 0.4, 1.0); oFactor = vec4(0.0, 0.5, 1.0, 1.0); }
)");
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR);
  glViewport(0, 0, 32, 64);
  drawFull(bound);
  glViewport(32, 0, 32, 64);
  drawFull(laid);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{102, 102, 153, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{51, 102, 102, 255});
  s.picture("picture", image);
}
