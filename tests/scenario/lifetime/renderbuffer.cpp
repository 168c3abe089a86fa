#include "harness/scenario.h"

// A renderbuffer respecified while attached, and deleted while attached elsewhere.
SCENARIO(lifetime, renderbuffer) {
  GLuint renderbuffer = 0, framebuffers[2];
  glGenRenderbuffers(1, &renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
  glGenFramebuffers(2, framebuffers);
  for (const GLuint framebuffer : framebuffers) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
  }
  clearColor({1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 64, 64);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
  glViewport(0, 0, 64, 64);
  clearColor({0, 1, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  const Painter painter(64, 64);
  painter.fill({32, 32, 32, 32}, {0, 0, 1, 1});
  glDeleteRenderbuffers(1, &renderbuffer);
  CHECK_EQ(getInteger(GL_RENDERBUFFER_BINDING), 0);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{0, 0, 255, 255});
  s.picture("picture", image);
}
