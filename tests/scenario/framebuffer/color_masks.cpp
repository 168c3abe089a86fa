#include "harness/scenario.h"

// Colour masks apply per draw buffer, to draws and to clears.
SCENARIO(framebuffer, color_masks) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint second = makeSolidTexture(s.width(), s.height(), {0, 0, 0, 0});
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  clearColor({0.2f, 0.2f, 0.2f, 0.2f});
  glClear(GL_COLOR_BUFFER_BIT);
  glColorMaski(0, GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
  glColorMaski(1, GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
  const GLuint program = makeProgram(kFullVertex, R"(
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { a = b = vec4(1.0, 0.8, 0.6, 0.4); }
)");
  glViewport(0, 0, 32, 64);
  drawFull(program);
  glEnable(GL_SCISSOR_TEST);
  glScissor(48, 0, 16, 64);
  clearColor({0, 0, 0, 0});
  glClear(GL_COLOR_BUFFER_BIT);
  const Image a = s.read();
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  const Image b = s.read();
  CHECK_PIXELS(a, 0, 0, 32, 64, Rgba8{255, 51, 153, 51});
  CHECK_PIXELS(a, 32, 0, 16, 64, Rgba8{51, 51, 51, 51});
  CHECK_PIXELS(a, 48, 0, 16, 64, Rgba8{0, 51, 0, 51});
  CHECK_PIXELS(b, 0, 0, 32, 64, Rgba8{51, 204, 51, 102});
  CHECK_PIXELS(b, 48, 0, 16, 64, Rgba8{51, 0, 51, 0});
  GLboolean mask[4] = {};
  glGetBooleani_v(GL_COLOR_WRITEMASK, 1, mask);
  CHECK(!mask[0] && mask[1] && !mask[2] && mask[3]);
  s.picture("a", a);
  s.picture("b", b);
}
