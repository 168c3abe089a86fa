#include <array>

#include "harness/scenario.h"

// The base vertex is added to every index, also negative ones, with each index type and an offset into the buffer.
SCENARIO(vao, base_vertex) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec4 aColor;
flat out vec4 vColor;
void main() {
  int cell = gl_VertexID / 4;
  vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
  vColor = aColor;
  gl_Position = vec4((float(cell) + corner.x) * 0.25 - 1.0, corner.y * 2.0 - 1.0, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 oColor; void main() { oColor = vColor; }");
  std::vector<Rgba8> colors;
  for (int i = 0; i < 32; ++i) colors.push_back({static_cast<std::uint8_t>(30 * (i / 4) + 20), 1, 2, 255});
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, 128, colors.data());
  glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  struct Indices {
    std::uint32_t words[4] = {0, 1, 2, 3};
    std::uint16_t shorts[4] = {8, 9, 10, 11};
    std::uint8_t bytes[4] = {12, 13, 14, 15};
  } const indices;
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, &indices);
  const auto at = [](std::size_t offset) { return reinterpret_cast<void*>(offset); };
  glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_INT, nullptr);                                        // cell 0
  glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_INT, nullptr, 12);                          // cell 3
  glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, at(offsetof(Indices, shorts)), -4);  // cell 1
  glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, at(offsetof(Indices, bytes)), 4);     // cell 4
  glDrawRangeElementsBaseVertex(GL_TRIANGLE_STRIP, 8, 11, 4, GL_UNSIGNED_SHORT, at(offsetof(Indices, shorts)),
                                12);  // 5
  const GLsizei counts[] = {4, 0, 4};
  const void* offsets[] = {nullptr, nullptr, at(0)};
  const GLint bases[] = {24, 0, 28};
  glMultiDrawElementsBaseVertex(GL_TRIANGLE_STRIP, counts, GL_UNSIGNED_INT, offsets, 3, bases);  // cells 6 and 7
  const Image image = s.read();
  for (int i = 0; i < 8; ++i) {
    CHECK_PIXELS(image, 8 * i, 0, 8, 64,
                 i == 2 ? Rgba8{0, 0, 0, 0} : Rgba8{static_cast<std::uint8_t>(30 * i + 20), 1, 2, 255});
  }
  s.picture("picture", image);
}
