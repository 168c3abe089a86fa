#include "harness/scenario.h"

// glClearBuffer* names one draw buffer; the clear values of the context stay out of it.
SCENARIO(clear, buffers) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT32F);
  const GLuint second = makeSolidTexture(s.width(), s.height(), {0, 0, 0, 0});
  const GLuint third = makeTexture(s.width(), s.height(), GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, nullptr);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE_2D, third, 0);
  const GLenum all[] = {GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT2};
  glDrawBuffers(3, all);
  REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  clearColor({1, 1, 1, 1});
  const float red[] = {1, 0, 0, 1}, blue[] = {0, 0, 1, 0.2f}, half = 0.5f;
  const GLint integers[] = {-5, 30000, 7, -32768};
  // Draw buffer 0 is attachment 1.
  glClearBufferfv(GL_COLOR, 0, red);
  glClearBufferfv(GL_COLOR, 1, blue);
  glClearBufferiv(GL_COLOR, 2, integers);
  glClearBufferfv(GL_DEPTH, 0, &half);
  const Image a = s.read();
  CHECK_PIXELS(a, 0, 0, 64, 64, Rgba8{0, 0, 255, 51});
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  CHECK_PIXELS(s.read(), 0, 0, 64, 64, Rgba8{255, 0, 0, 255});
  glReadBuffer(GL_COLOR_ATTACHMENT2);
  const Image c = s.readInt(0, 0, 64, 64);
  CHECK_INTS(c, 0, 0, -5, 30000, 7, -32768);
  CHECK_INTS(c, 63, 63, -5, 30000, 7, -32768);
  CHECK_FLOATS(s.readDepth(0, 0, 64, 64), 9, 9, 0.5f);
  s.picture("integers", c);
  glClearBufferfv(GL_DEPTH, 1, &half);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
  glClearBufferiv(GL_DEPTH, 0, integers);
  CHECK_GL_ERROR(GL_INVALID_ENUM);
}
