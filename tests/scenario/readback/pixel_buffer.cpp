#include "harness/scenario.h"

// Reads into a buffer at offsets, several in flight, then mapped; the buffer feeds an upload without a copy here.
SCENARIO(readback, pixel_buffer) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  makeBuffer(GL_PIXEL_PACK_BUFFER, 4 * 16 * 16 * 4, nullptr, GL_STREAM_READ);
  for (int i = 0; i < 4; ++i) {
    painter.fill({static_cast<float>(51 * i) / 255, 0.2f, 0.4f, 1});
    painter.fill({0, 0, 8, 8}, {0, 1, 0, 1});
    glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE,
                 reinterpret_cast<void*>(static_cast<std::uintptr_t>(i) * 1024));
  }
  const auto* map = static_cast<const Rgba8*>(glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, 4096, GL_MAP_READ_BIT));
  REQUIRE(map != nullptr);
  for (int i = 0; i < 4; ++i) {
    CHECK_GPU(map[256 * i] == (Rgba8{0, 255, 0, 255}));
    CHECK_GPU(map[256 * i + 255] == (Rgba8{static_cast<std::uint8_t>(51 * i), 51, 102, 255}));
  }
  CHECK_EQ(glUnmapBuffer(GL_PIXEL_PACK_BUFFER), GL_TRUE);
  GLint buffer = getInteger(GL_PIXEL_PACK_BUFFER_BINDING);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(buffer));
  makeTexture(16, 16, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(2048));
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  drawTexture("sampler2D", "texelFetch(t, ivec2(gl_FragCoord.xy) / 4, 0)");
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{102, 51, 102, 255});
  s.picture("picture", image);
}
