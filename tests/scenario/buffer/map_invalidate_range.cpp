#include <array>

#include "harness/scenario.h"

// A map with INVALIDATE_RANGE may forget what the range held, and nothing else.
SCENARIO(buffer, map_invalidate_range) {
  std::array<std::uint32_t, 64> words;
  for (std::uint32_t i = 0; i < 64; ++i) words[i] = 1000 + i;
  makeBuffer(GL_ARRAY_BUFFER, sizeof words, words.data(), GL_DYNAMIC_DRAW);
  auto* map = static_cast<std::uint32_t*>(
      glMapBufferRange(GL_ARRAY_BUFFER, 64, 64, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT));
  REQUIRE(map != nullptr);
  for (std::uint32_t i = 0; i < 16; ++i) map[i] = 7 * i;
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
  std::array<std::uint32_t, 64> got = {};
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof got, got.data());
  for (std::uint32_t i = 0; i < 64; ++i) CHECK_GPU_EQ(got[i], i >= 16 && i < 32 ? 7 * (i - 16) : 1000 + i);
  // A plain write map keeps what it does not write.
  map = static_cast<std::uint32_t*>(glMapBufferRange(GL_ARRAY_BUFFER, 128, 64, GL_MAP_WRITE_BIT));
  REQUIRE(map != nullptr);
  map[3] = 5;
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
  map = static_cast<std::uint32_t*>(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY));
  REQUIRE(map != nullptr);
  for (std::uint32_t i = 32; i < 48; ++i) CHECK_GPU_EQ(map[i], i == 35 ? 5u : 1000 + i);
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
}
