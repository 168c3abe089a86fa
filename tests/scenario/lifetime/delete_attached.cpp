#include "harness/scenario.h"

// Deleted while attached to the bound framebuffer: detached.  While attached to another: it lives on there.
SCENARIO(lifetime, delete_attached) {
  const Target bound = makeTarget(s.width(), s.height());
  const Target other = makeTarget(s.width(), s.height());
  clearColor({1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  bound.bind();
  glClear(GL_COLOR_BUFFER_BIT);
  glDeleteTextures(1, &bound.color);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
  glDeleteTextures(1, &other.color);
  CHECK_EQ(glIsTexture(other.color), GL_FALSE);
  // New textures may take the names, not the images.
  for (int i = 0; i < 3; ++i) makeSolidTexture(s.width(), s.height(), {9, 9, 9, 9});
  other.bind();
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
  const Painter painter(s.width(), s.height());
  painter.fill({0, 0, 32, 64}, {0, 1, 0, 1});
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{255, 0, 0, 255});
  s.picture("picture", image);
}
