#include "harness/scenario.h"

// An upload into a part of a cleared texture lands on the clear, and a clear after an upload covers it.
SCENARIO(clear, then_upload) {
  const Target target = makeTarget(s.width(), s.height());
  clearColor({1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  const std::vector<Rgba8> green(256, Rgba8{0, 255, 0, 255});
  glTexSubImage2D(GL_TEXTURE_2D, 0, 4, 8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, green.data());
  const Image first = s.read();
  glTexSubImage2D(GL_TEXTURE_2D, 0, 40, 40, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, green.data());
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  const Image second = s.read();
  CHECK_PIXELS(first, 4, 8, 16, 16, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(first, 20, 0, 44, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(second, 0, 0, 64, 64, Rgba8{0, 0, 255, 255});
  s.picture("picture", first);
}
