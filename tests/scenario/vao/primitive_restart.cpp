#include <array>

#include "harness/scenario.h"

// Restart: off, the index is a vertex; on, it starts a new strip; compared before the base vertex is added.
SCENARIO(vao, primitive_restart) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aPosition;
uniform vec2 uScale;
uniform vec2 uOffset;
void main() { gl_Position = vec4(aPosition * uScale + uOffset, 0.0, 1.0); }
)",
                                     "out vec4 oColor; void main() { oColor = vec4(1.0); }");
  // Two separate squares in -1..1: vertices 0-3 left, 4-7 right, then the same once more for the base vertex.
  std::vector<float> positions;
  for (int copy = 0; copy < 2; ++copy) {
    for (const float x : {-1.0f, 0.5f}) positions.insert(positions.end(), {x, -1, x + 0.5f, -1, x, 1, x + 0.5f, 1});
  }
  const std::array<std::uint8_t, 9> bytes = {0, 1, 2, 3, 0xff, 4, 5, 6, 7};
  const std::array<std::uint16_t, 9> shorts = {0, 1, 2, 3, 1000, 4, 5, 6, 7};
  const std::array<std::uint32_t, 9> words = {0, 1, 2, 3, 0xffffffffu, 4, 5, 6, 7};
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, positions.size() * 4, positions.data());
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  glUniform2f(uniform(program, "uScale"), 1, 0.25f);
  const auto row = [&](int i) { glUniform2f(uniform(program, "uOffset"), 0, -0.75f + 0.5f * static_cast<float>(i)); };
  glEnable(GL_PRIMITIVE_RESTART);
  glPrimitiveRestartIndex(0xff);
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof bytes, bytes.data());
  row(0);
  glDrawElements(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_BYTE, nullptr);
  glPrimitiveRestartIndex(1000);
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof shorts, shorts.data());
  row(1);
  glDrawElements(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_SHORT, nullptr);
  glPrimitiveRestartIndex(0xffffffffu);
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof words, words.data());
  row(2);
  glDrawElementsBaseVertex(GL_TRIANGLE_STRIP, 9, GL_UNSIGNED_INT, nullptr, 8);
  // Off: the strip goes on and joins the squares.  Index 7 stands where the restart index stood.
  glDisable(GL_PRIMITIVE_RESTART);
  const std::array<std::uint16_t, 8> joined = {0, 1, 2, 3, 4, 5, 6, 7};
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof joined, joined.data());
  row(3);
  glPrimitiveRestartIndex(4);
  glDrawElements(GL_TRIANGLE_STRIP, 8, GL_UNSIGNED_SHORT, nullptr);
  const Image image = s.read();
  for (int i = 0; i < 3; ++i) {
    CHECK_PIXELS(image, 0, 16 * i, 16, 16, Rgba8{255, 255, 255, 255});
    CHECK_PIXELS(image, 16, 16 * i, 32, 16, Rgba8{0, 0, 0, 0});
    CHECK_PIXELS(image, 48, 16 * i, 16, 16, Rgba8{255, 255, 255, 255});
  }
  CHECK_PIXEL(image, 32, 56, Rgba8{255, 255, 255, 255});
  s.picture("picture", image);
}
