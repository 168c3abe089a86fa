#include "harness/scenario.h"

// A colour blit goes from the read buffer to every draw buffer.
SCENARIO(blit, several_targets) {
  const Target source = makeTarget(16, 16);
  const GLuint second = makeSolidTexture(16, 16, {10, 20, 30, 40});
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
  clearColor({1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  const Target target = makeTarget(s.width(), s.height());
  const GLuint third = makeSolidTexture(s.width(), s.height(), {1, 1, 1, 1});
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE_2D, third, 0);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_NONE, GL_COLOR_ATTACHMENT2};
  glDrawBuffers(3, both);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glBlitFramebuffer(0, 0, 16, 16, 4, 4, 20, 20, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  target.bind();
  CHECK_PIXELS(s.read(), 4, 4, 16, 16, Rgba8{10, 20, 30, 40});
  glReadBuffer(GL_COLOR_ATTACHMENT2);
  const Image image = s.read();
  CHECK_PIXELS(image, 4, 4, 16, 16, Rgba8{10, 20, 30, 40});
  CHECK_PIXELS(image, 20, 0, 44, 64, Rgba8{1, 1, 1, 1});
  s.picture("picture", image);
}
