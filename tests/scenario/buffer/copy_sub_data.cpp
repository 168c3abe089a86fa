#include <array>
#include <numeric>

#include "harness/scenario.h"

// GL 3.3 section 2.9.5: copies between buffers and inside one; overlapping or too long ones are INVALID_VALUE.
SCENARIO(buffer, copy_sub_data) {
  std::array<std::uint8_t, 256> bytes;
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  makeBuffer(GL_COPY_READ_BUFFER, 256, bytes.data());
  const GLuint destination = makeBuffer(GL_COPY_WRITE_BUFFER, 128, nullptr, GL_DYNAMIC_COPY);
  const std::array<std::uint8_t, 128> zero = {};
  glBufferSubData(GL_COPY_WRITE_BUFFER, 0, 128, zero.data());
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 100, 3, 21);
  glBindBuffer(GL_COPY_READ_BUFFER, destination);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 3, 64, 21);
  std::array<std::uint8_t, 128> got = {};
  glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, 128, got.data());
  for (int i = 0; i < 128; ++i) {
    int wanted = 0;
    if (i >= 3 && i < 24) wanted = 100 + i - 3;
    if (i >= 64 && i < 85) wanted = 100 + i - 64;
    CHECK_GPU_EQ(got[static_cast<std::size_t>(i)], wanted);
  }
  CHECK_GL_ERROR(GL_NO_ERROR);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 10, 11);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 120, 0, 9);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
}
