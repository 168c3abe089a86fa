#include <array>

#include "harness/scenario.h"

// Channel orders of packed types: the first component of the format is in the highest bits, or lowest with _REV.
SCENARIO(texture, packed_uploads) {
  const Target target = makeTarget(16, 1);
  struct Case {
    GLenum format, type;
    std::uint32_t texel;
    Rgba8 wanted;
  };
  const Case cases[] = {
      {GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, 0x01020304u, {1, 2, 3, 4}},
      {GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV, 0x01020304u, {4, 3, 2, 1}},
      {GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, 0x01020304u, {2, 3, 4, 1}},
      {GL_BGRA, GL_UNSIGNED_INT_8_8_8_8, 0x01020304u, {3, 2, 1, 4}},
      {GL_BGRA, GL_UNSIGNED_BYTE, 0x04030201u, {3, 2, 1, 4}},
      {GL_BGR, GL_UNSIGNED_BYTE, 0x04030201u, {3, 2, 1, 255}},
      {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 31u << 11, {255, 0, 0, 255}},
      {GL_RGB, GL_UNSIGNED_SHORT_5_6_5_REV, 31u << 11 | 63u << 5, {0, 255, 255, 255}},
      {GL_RGBA, GL_UNSIGNED_SHORT_1_5_5_5_REV, 1u << 15 | 31u << 5, {0, 255, 0, 255}},
      {GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV, 31u, {0, 0, 255, 0}},
      {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4_REV, 0x4321u, {17, 34, 51, 68}},
      {GL_RGB, GL_UNSIGNED_BYTE_3_3_2, 7u << 5 | 3u, {255, 0, 255, 255}},
      {GL_RGB, GL_UNSIGNED_BYTE_2_3_3_REV, 7u << 3 | 3u << 6, {0, 255, 255, 255}},
      {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 1023u | 1u << 30, {255, 0, 0, 85}},
      {GL_RGBA, GL_UNSIGNED_INT_10_10_10_2, 1023u << 12 | 3u, {0, 255, 0, 255}},
      {GL_RED, GL_UNSIGNED_SHORT, 0xffffu, {255, 0, 0, 255}},
  };
  const std::vector<Rgba8> grey(16, Rgba8{99, 99, 99, 99});
  makeTexture(16, 1, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, grey.data());
  int x = 0;
  for (const Case& c : cases) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, x++, 0, 1, 1, c.format, c.type, &c.texel);
    CHECK_GL_ERROR(GL_NO_ERROR);
  }
  drawTexture("sampler2D", "texelFetch(t, ivec2(gl_FragCoord.xy), 0)");
  const Image image = s.read(0, 0, 16, 1);
  x = 0;
  for (const Case& c : cases) CHECK_PIXEL(image, x++, 0, c.wanted);
  s.picture("picture", image);
}
