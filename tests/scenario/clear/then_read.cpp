#include "harness/scenario.h"

// Read-back right after a clear, in between clears, into client memory and into a buffer.
SCENARIO(clear, then_read) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA8, GL_DEPTH_COMPONENT32F);
  clearColor({1, 0.2f, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  const Image first = s.read();
  clearColor({0, 0.4f, 1, 0});
  glClear(GL_COLOR_BUFFER_BIT);
  const GLuint buffer = makeBuffer(GL_PIXEL_PACK_BUFFER, 64 * 64 * 4, nullptr, GL_STREAM_READ);
  glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  clearColor({0.6f, 0.6f, 0.6f, 0.6f});
  glClear(GL_COLOR_BUFFER_BIT);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  const Image third = s.read();
  Image second(Kind::Unorm8, 64, 64);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
  glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, 64 * 64 * 4, second.data());
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  CHECK_PIXELS(first, 0, 0, 64, 64, Rgba8{255, 51, 0, 255});
  CHECK_PIXELS(second, 0, 0, 64, 64, Rgba8{0, 102, 255, 0});
  CHECK_PIXELS(third, 0, 0, 64, 64, Rgba8{153, 153, 153, 153});
  glClearDepth(0.75);
  glClear(GL_DEPTH_BUFFER_BIT);
  CHECK_FLOATS(s.readDepth(0, 0, 64, 64), 63, 0, 0.75f);
}
