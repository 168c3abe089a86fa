#include "harness/scenario.h"

// A clear that nothing has drawn over survives that its image is detached, also from a framebuffer that is deleted.
SCENARIO(clear, then_detach) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint other = makeSolidTexture(s.width(), s.height(), {9, 9, 9, 9});
  clearColor({1, 0, 0.2f, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, other, 0);
  clearColor({0, 1, 0.4f, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glDeleteFramebuffers(1, &target.framebuffer);
  Image image(Kind::Unorm8, 64, 64);
  glBindTexture(GL_TEXTURE_2D, target.color);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
  CHECK_PIXELS(image, 0, 0, 64, 64, Rgba8{255, 0, 51, 255});
  glBindTexture(GL_TEXTURE_2D, other);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
  CHECK_PIXELS(image, 0, 0, 64, 64, Rgba8{0, 255, 102, 255});
  s.picture("picture", image);
}
