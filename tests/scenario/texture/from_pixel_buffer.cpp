#include "harness/scenario.h"

// With a pixel-unpack buffer bound the pointer is an offset; the buffer may be rewritten at once afterwards.
SCENARIO(texture, from_pixel_buffer) {
  const Target target = makeTarget(s.width(), s.height());
  makeSolidTexture(16, 16, {255, 0, 0, 255});
  std::vector<Rgba8> texels(512);
  for (std::size_t i = 0; i < texels.size(); ++i) {
    texels[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i / 2),
                 static_cast<std::uint8_t>(255 - i % 256), 255};
  }
  makeBuffer(GL_PIXEL_UNPACK_BUFFER, 2048, texels.data(), GL_STREAM_DRAW);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 20);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 3, 12, 10, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(160));
  const std::vector<Rgba8> rubbish(512, Rgba8{1, 1, 1, 1});
  glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, 2048, rubbish.data());
  drawTexture("sampler2D", "texelFetch(t, ivec2(gl_FragCoord.xy) / 4, 0)");
  const Image image = s.read();
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      const bool inside = x >= 2 && x < 14 && y >= 3 && y < 13;
      const auto at = static_cast<std::size_t>(40 + (y - 3) * 20 + x - 2);
      CHECK_PIXEL(image, 4 * x + 1, 4 * y + 2, inside ? texels[at] : Rgba8{255, 0, 0, 255});
    }
  }
  s.picture("picture", image);
  // A read past the end of the buffer is an error and changes nothing.
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(1600));
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
}
