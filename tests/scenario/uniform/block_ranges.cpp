#include <cstring>

#include "harness/scenario.h"

// Ranges of one buffer bound in turn to a block; contents updated between draws; binding points changed by the program.
SCENARIO(uniform, block_ranges) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program =
      makeFullProgram("layout(std140) uniform Block { vec4 pad; vec4 color; };", "color + pad * 0.0");
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Block"), 5);
  const GLint alignment = getInteger(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
  REQUIRE(alignment > 0 && alignment <= 256);
  std::vector<std::uint8_t> bytes(8 * 256);
  const auto put = [&](std::size_t slot, float r, float g, float b) {
    const float color[] = {r, g, b, 1};
    std::memcpy(bytes.data() + 256 * slot + 16, color, sizeof color);
  };
  for (std::size_t i = 0; i < 8; ++i) put(i, static_cast<float>(30 * i) / 255, 0.2f, 0);
  const GLuint buffer = makeBuffer(GL_UNIFORM_BUFFER, bytes.size(), bytes.data(), GL_DYNAMIC_DRAW);
  for (int i = 0; i < 8; ++i) {
    glBindBufferRange(GL_UNIFORM_BUFFER, 5, buffer, 256 * i, 32);
    glViewport(8 * i, 0, 8, 32);
    drawFull(program);
  }
  // An update of one slot between draws, seen without a new bind.
  glBindBufferRange(GL_UNIFORM_BUFFER, 5, buffer, 512, 32);
  glViewport(0, 32, 16, 32);
  drawFull(program);
  const float green[] = {0, 1, 0, 1};
  glBufferSubData(GL_UNIFORM_BUFFER, 512 + 16, sizeof green, green);
  glViewport(16, 32, 16, 32);
  drawFull(program);
  // Another binding point, with the whole buffer.
  glBindBufferBase(GL_UNIFORM_BUFFER, 6, buffer);
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Block"), 6);
  glViewport(32, 32, 16, 32);
  drawFull(program);
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Block"), 5);
  glViewport(48, 32, 16, 32);
  drawFull(program);
  const Image image = s.read();
  for (int i = 0; i < 8; ++i)
    CHECK_PIXELS(image, 8 * i, 0, 8, 32, Rgba8{static_cast<std::uint8_t>(30 * i), 51, 0, 255});
  CHECK_PIXELS(image, 0, 32, 16, 32, Rgba8{60, 51, 0, 255});
  CHECK_PIXELS(image, 16, 32, 16, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 32, 32, 16, 32, Rgba8{0, 51, 0, 255});
  CHECK_PIXELS(image, 48, 32, 16, 32, Rgba8{0, 255, 0, 255});
  s.picture("picture", image);
  GLint64 start = 0;
  glGetInteger64i_v(GL_UNIFORM_BUFFER_START, 5, &start);
  CHECK_EQ(start, 512);
}
