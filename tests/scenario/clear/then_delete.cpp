#include "harness/scenario.h"

// Cleared targets are deleted before anything used the clear; new ones of the same size start apart from them.
SCENARIO(clear, then_delete) {
  const Target keep = makeTarget(s.width(), s.height());
  clearColor({0, 1, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  for (int i = 0; i < 4; ++i) {
    const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT16);
    clearColor({1, static_cast<float>(i) / 5, 0, 1});
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (i == 0) CHECK_PIXELS(s.read(), 0, 0, 64, 64, Rgba8{255, 0, 0, 255});
    glDeleteTextures(1, &target.color);
    glDeleteRenderbuffers(1, &target.depth);
    glDeleteFramebuffers(1, &target.framebuffer);
  }
  keep.bind();
  CHECK_PIXELS(s.read(), 0, 0, 64, 64, Rgba8{0, 255, 0, 255});
}
