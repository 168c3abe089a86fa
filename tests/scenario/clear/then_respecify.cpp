#include "harness/scenario.h"

// A level that did not fit the others is cleared through a framebuffer, and the others are then specified so that it fits: it
// keeps what the clear wrote.
SCENARIO(clear, then_respecify) {
  const auto specify = [](GLint level, GLsizei size) {
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  };
  GLuint texture = 0, framebuffer = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  specify(0, 32);
  specify(1, 32);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 1);
  clearColor({0, 1, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  specify(0, 64);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
  makeTarget(s.width(), s.height());
  glBindTexture(GL_TEXTURE_2D, texture);
  drawTexture("sampler2D", "textureLod(t, vUv, 1.0)");
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
}
