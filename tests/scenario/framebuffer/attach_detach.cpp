#include "harness/scenario.h"

// An attachment is taken off, another put on, the first put back: each keeps its contents.
SCENARIO(framebuffer, attach_detach) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint other = makeSolidTexture(s.width(), s.height(), {0, 0, 0, 0});
  const Painter painter(s.width(), s.height());
  const auto attach = [](GLuint texture) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  };
  painter.fill({1, 0, 0, 1});
  attach(0);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  CHECK_GL_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION);
  attach(other);
  painter.fill({0, 1, 0, 1});
  attach(target.color);
  painter.fill({0, 0, 32, 32}, {0, 0, 1, 1});
  const Image first = s.read();
  attach(other);
  const Image second = s.read();
  CHECK_PIXELS(first, 0, 0, 32, 32, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(first, 32, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(second, 0, 0, 64, 64, Rgba8{0, 255, 0, 255});
  s.picture("picture", first);
}
