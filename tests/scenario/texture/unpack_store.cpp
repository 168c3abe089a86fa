#include "harness/scenario.h"

// Row length, skips and alignments cut the right rectangle out of client memory; a level keeps what is not written.
SCENARIO(texture, unpack_store) {
  const Target target = makeTarget(16, 16);
  std::vector<std::uint8_t> store(4096);
  for (std::size_t i = 0; i < store.size(); ++i) store[i] = static_cast<std::uint8_t>(i * 31 + 7);
  const std::vector<Rgba8> white(256, Rgba8{255, 255, 255, 255});
  makeTexture(16, 16, GL_RGB8, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
  struct Case {
    int alignment, rowLength, skipRows, skipPixels, x, y;
  };
  const Case cases[] = {
      {1, 8, 1, 2, 0, 0}, {2, 7, 2, 1, 4, 0}, {4, 5, 0, 0, 8, 0}, {8, 9, 3, 4, 0, 6}, {4, 0, 0, 0, 8, 8}};
  for (const Case& c : cases) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, c.alignment);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, c.rowLength);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, c.skipRows);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, c.skipPixels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, c.x, c.y, 3, 5, GL_RGB, GL_UNSIGNED_BYTE, store.data());
  }
  drawTexture("sampler2D", "texelFetch(t, ivec2(gl_FragCoord.xy), 0)");
  const Image image = s.read(0, 0, 16, 16);
  std::vector<bool> written(256);
  for (const Case& c : cases) {
    const int row = 3 * (c.rowLength ? c.rowLength : 3), pitch = (row + c.alignment - 1) / c.alignment * c.alignment;
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 3; ++x) {
        const auto at = static_cast<std::size_t>((y + c.skipRows) * pitch + 3 * (x + c.skipPixels));
        CHECK_PIXEL(image, c.x + x, c.y + y, Rgba8{store[at], store[at + 1], store[at + 2], 255});
        written[static_cast<std::size_t>(16 * (c.y + y) + c.x + x)] = true;
      }
    }
  }
  for (int i = 0; i < 256; ++i) {
    if (!written[static_cast<std::size_t>(i)]) CHECK_PIXEL(image, i % 16, i / 16, Rgba8{255, 255, 255, 255});
  }
  s.picture("picture", image);
}
