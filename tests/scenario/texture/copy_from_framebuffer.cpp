#include "harness/scenario.h"

// glCopyTexImage and glCopyTexSubImage take rows bottom first, after the draws before them; outside texels stay
// undefined.
SCENARIO(texture, copy_from_framebuffer) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  painter.fill({1, 0, 0, 1});
  painter.fill({0, 0, 16, 16}, {0, 1, 0, 1});
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 0, 0, 32, 32, 0);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  painter.fill({0, 0, 1, 0});
  glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 8, 16, 40, 40, 8, 8);
  drawTexture("sampler2D", "texelFetch(t, ivec2(gl_FragCoord.xy) / 2, 0)");
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 16, 32, 16, 16, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 0, 32, 16, 32, Rgba8{255, 0, 0, 255});
  s.picture("picture", image);
}
