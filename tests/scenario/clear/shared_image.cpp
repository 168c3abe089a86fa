#include "harness/scenario.h"

// One image in two framebuffers: cleared through one (with depth only of its own), drawn through the other.
SCENARIO(clear, shared_image) {
  const Target both = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT24);
  GLuint colorOnly = 0, depthOnly = 0;
  glGenFramebuffers(1, &colorOnly);
  glBindFramebuffer(GL_FRAMEBUFFER, colorOnly);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, both.color, 0);
  glGenFramebuffers(1, &depthOnly);
  glBindFramebuffer(GL_FRAMEBUFFER, depthOnly);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, both.depth);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  const Painter painter(s.width(), s.height());
  glEnable(GL_DEPTH_TEST);
  for (int frame = 0; frame < 3; ++frame) {
    glBindFramebuffer(GL_FRAMEBUFFER, colorOnly);
    clearColor({0, 0, static_cast<float>(51 * (frame + 1)) / 255, 1});
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, depthOnly);
    glClearDepth(frame == 1 ? 0.25 : 1.0);
    glClear(GL_DEPTH_BUFFER_BIT);
    both.bind();
    painter.fill({0, 0, 32, 64}, {1, 0, 0, 1}, 0);
    const Image image = s.read();
    CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 0, static_cast<std::uint8_t>(51 * (frame + 1)), 255});
    CHECK_PIXELS(image, 0, 0, 32, 64, frame == 1 ? Rgba8{0, 0, 102, 255} : Rgba8{255, 0, 0, 255});
  }
  s.capture("picture");
}
