#include "harness/scenario.h"

// Integer targets read as integers of each width, floats unclamped as floats and clamped as bytes.
SCENARIO(readback, integers_and_floats) {
  const Target naturals = makeTarget(4, 4, GL_RGBA16UI);
  const GLuint values[] = {65535, 256, 1, 0};
  glClearBufferuiv(GL_COLOR, 0, values);
  const Image image = s.readUint(0, 0, 4, 4);
  CHECK_INTS(image, 3, 3, 65535, 256, 1, 0);
  std::uint16_t shorts[4] = {};
  glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, shorts);
  CHECK_GPU_EQ(shorts[0], 65535);
  CHECK_GPU_EQ(shorts[1], 256);
  GLuint red = 0;
  glReadPixels(0, 0, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT, &red);
  CHECK_GPU_EQ(red, 65535u);
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, shorts);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  const Target floats = makeTarget(4, 4, GL_RGBA32F);
  const float reals[] = {-2.5f, 1000.25f, 0.2f, 2};
  glClearBufferfv(GL_COLOR, 0, reals);
  CHECK_FLOATS(s.readFloat(0, 0, 4, 4), 1, 2, -2.5f, 1000.25f, 0.2f, 2);
  CHECK_PIXEL(s.read(0, 0, 4, 4), 1, 2, Rgba8{0, 255, 51, 255});
  std::uint16_t halves[4] = {};
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_HALF_FLOAT, halves);
  CHECK_GPU_EQ(halves[0], 0xc100);
  CHECK_GPU_EQ(halves[3], 0x4000);
}
