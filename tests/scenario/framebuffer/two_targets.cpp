#include "harness/scenario.h"

// Two colour targets written by one draw, read back one by one; the read buffer does not follow the draw buffers.
SCENARIO(framebuffer, two_targets) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint second = makeSolidTexture(s.width(), s.height(), {1, 2, 3, 4});
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
  const GLuint program = makeProgram(kFullVertex, R"(
layout(location = 1) out vec4 oSecond;
layout(location = 0) out vec4 oFirst;
void main() { oFirst = vec4(1.0, 0.0, 0.0, 1.0); oSecond = vec4(0.0, 1.0, 0.2, 0.4); }
)");
  glViewport(0, 0, 32, 64);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  drawFull(program);
  const Image first = s.read();
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  const Image other = s.read();
  CHECK_PIXELS(first, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(first, 32, 0, 32, 64, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(other, 0, 0, 32, 64, Rgba8{0, 255, 51, 102});
  CHECK_PIXELS(other, 32, 0, 32, 64, Rgba8{0, 0, 255, 255});
  s.picture("first", first);
  s.picture("second", other);
}
