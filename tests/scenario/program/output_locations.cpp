#include "harness/scenario.h"

// Fragment outputs bound by name, and an index in the source's layout.
SCENARIO(program, output_locations) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint second = makeSolidTexture(s.width(), s.height(), {0, 0, 0, 0});
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  const GLuint program = glCreateProgram();
  glAttachShader(program, compileShader(GL_VERTEX_SHADER, kFullVertex));
  glAttachShader(program, compileShader(GL_FRAGMENT_SHADER, R"(
out vec4 oZebra;
out vec4 oApple;
void main() { oZebra = vec4(1.0, 0.0, 0.0, 1.0); oApple = vec4(0.0, 1.0, 0.0, 1.0); }
)"));
  glBindFragDataLocation(program, 0, "oZebra");
  glBindFragDataLocation(program, 1, "oApple");
  link(program);
  CHECK_EQ(glGetFragDataLocation(program, "oZebra"), 0);
  CHECK_EQ(glGetFragDataLocation(program, "oApple"), 1);
  drawFull(program);
  CHECK_PIXEL(s.read(), 8, 8, Rgba8{255, 0, 0, 255});
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  CHECK_PIXEL(s.read(), 8, 8, Rgba8{0, 255, 0, 255});
  glBindFragDataLocation(program, 1, "oZebra");
  glBindFragDataLocation(program, 0, "oApple");
  link(program);
  CHECK_EQ(glGetFragDataLocation(program, "oZebra"), 1);
  drawFull(program);
  CHECK_PIXEL(s.read(), 8, 8, Rgba8{255, 0, 0, 255});
  s.capture("second");
}
