#include "harness/scenario.h"

// Blits convert between normalised and float formats; integers go to integers only.
SCENARIO(blit, formats, .tolerance = {.steps = 1, .real = 2e-3f}) {
  const Target source = makeTarget(16, 16);
  clearColor({0.2f, 0.4f, 0.6f, 0.8f});
  glClear(GL_COLOR_BUFFER_BIT);
  const auto blitInto = [&](const Target& target) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer);
    glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    target.bind();
  };
  blitInto(makeTarget(16, 16, GL_RGBA16F));
  CHECK_FLOATS(s.readFloat(0, 0, 16, 16), 3, 3, 0.2f, 0.4f, 0.6f, 0.8f);
  blitInto(makeTarget(16, 16, GL_RGB10_A2));
  CHECK_PIXELS(s.read(0, 0, 16, 16), 0, 0, 16, 16, Rgba8{51, 102, 153, 170 + 0});
  blitInto(makeTarget(16, 16, GL_R8));
  CHECK_PIXELS(s.read(0, 0, 16, 16), 0, 0, 16, 16, Rgba8{51, 0, 0, 255});
  blitInto(makeTarget(16, 16, GL_RGBA16));
  CHECK_PIXELS(s.read(0, 0, 16, 16), 0, 0, 16, 16, Rgba8{51, 102, 153, 204});
  const Target integers = makeTarget(16, 16, GL_RGBA32I);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source.framebuffer);
  glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  integers.bind();
  const GLint values[] = {-1, 100000, 3, 4};
  glClearBufferiv(GL_COLOR, 0, values);
  const Target other = makeTarget(16, 16, GL_RGBA16I);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, integers.framebuffer);
  glBlitFramebuffer(0, 0, 8, 16, 8, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  other.bind();
  const Image image = s.readInt(8, 0, 8, 16);
  CHECK_GPU_EQ(image.integer(2, 2, 0), -1);
  CHECK_GPU_EQ(image.integer(2, 2, 2), 3);
}
