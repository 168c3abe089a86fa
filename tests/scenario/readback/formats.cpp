#include "harness/scenario.h"

// One target in many formats and types.
SCENARIO(readback, formats) {
  const Target target = makeTarget(4, 4);
  const std::vector<Rgba8> texels(16, Rgba8{51, 102, 204, 255});
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  std::vector<std::uint8_t> bytes(256);
  const auto read = [&](GLenum format, GLenum type) { glReadPixels(1, 1, 1, 1, format, type, bytes.data()); };
  const auto word = [&](std::size_t i) {
    return static_cast<std::uint32_t>(bytes[4 * i]) | static_cast<std::uint32_t>(bytes[4 * i + 1]) << 8 |
           static_cast<std::uint32_t>(bytes[4 * i + 2]) << 16 | static_cast<std::uint32_t>(bytes[4 * i + 3]) << 24;
  };
  read(GL_RGBA, GL_UNSIGNED_BYTE);
  CHECK_GPU_EQ(word(0), 0xffcc6633u);
  read(GL_BGRA, GL_UNSIGNED_BYTE);
  CHECK_GPU_EQ(word(0), 0xff3366ccu);
  read(GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV);
  CHECK_GPU_EQ(word(0), 0xff3366ccu);
  read(GL_RGB, GL_UNSIGNED_BYTE);
  CHECK_GPU_EQ(word(0) & 0xffffff, 0xcc6633u);
  read(GL_GREEN, GL_UNSIGNED_BYTE);
  CHECK_GPU_EQ(bytes[0], 102);
  read(GL_RG, GL_UNSIGNED_SHORT);
  CHECK_GPU_EQ(word(0), 51u * 257 | (102u * 257) << 16);
  read(GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
  CHECK_GPU_EQ(word(0) & 0xffff, 6u << 11 | 25u << 5 | 25u);
  read(GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4);
  CHECK_GPU_EQ(word(0) & 0xffff, 0x36cfu);
  float real[4] = {};
  glReadPixels(2, 2, 1, 1, GL_RGBA, GL_FLOAT, real);
  CHECK_GPU_NEAR(real[0], 0.2, 1e-6);
  CHECK_GPU_NEAR(real[2], 0.8, 1e-6);
  CHECK_GPU_NEAR(real[3], 1.0, 1e-6);
  glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_INT, real);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glReadPixels(0, 0, -1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
  CHECK_GL_ERROR(GL_INVALID_VALUE);
}
