#include "harness/scenario.h"

// Where the target has no alpha, destination alpha is 1.
SCENARIO(blend, no_alpha_target, .tolerance = {.steps = 1}) {
  GLuint renderbuffer = 0, framebuffer = 0;
  glGenRenderbuffers(1, &renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB8, s.width(), s.height());
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
  REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  glViewport(0, 0, s.width(), s.height());
  const Painter painter(s.width(), s.height());
  painter.fill({0.2f, 0.4f, 0.6f, 0});
  glEnable(GL_BLEND);
  glBlendFunc(GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA);
  painter.fill({0, 0, 32, 64}, {1, 0.2f, 0, 0.2f});
  glBlendFunc(GL_ONE_MINUS_DST_ALPHA, GL_DST_ALPHA);
  painter.fill({32, 0, 16, 64}, {1, 0.2f, 0, 0.2f});
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 51, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{51, 102, 153, 255});
  s.picture("picture", image);
  GLint bits = -1;
  glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_ALPHA_SIZE, &bits);
  CHECK_EQ(bits, 0);
}
