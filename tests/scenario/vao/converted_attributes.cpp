#include <array>

#include "harness/scenario.h"

// Integers as floats, normalised or not; packed 2_10_10_10; BGRA order; half floats; doubles.
SCENARIO(vao, converted_attributes, .tolerance = {.real = 1e-3f}) {
  const Target target = makeTarget(2, 8, GL_RGBA32F);
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec4 aValue[8];
flat out vec4 vValue[8];
void main() {
  for (int i = 0; i < 8; ++i) vValue[i] = aValue[i];
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     R"(
flat in vec4 vValue[8];
out vec4 oColor;
void main() { oColor = vValue[int(gl_FragCoord.y)]; }
)");
  struct Vertex {
    double doubles[2];
    std::uint8_t bytes[4];
    std::int16_t shorts[2];
    std::uint32_t packedUnsigned;
    std::uint32_t packedSigned;
    std::uint16_t halves[4];
  };
  const Vertex v = {{0.5, -3.0},
                    {0, 51, 102, 255},
                    {-32767, 16384},
                    1023u | 0u << 10 | 341u << 20 | 3u << 30,
                    511u | 512u << 10 | 0u << 20 | 1u << 30,
                    {0x3c00, 0xc000, 0x3555, 0x0000}};
  const std::array<Vertex, 3> vertices = {v, v, v};
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, sizeof vertices, vertices.data());
  const auto at = [](std::size_t offset) { return reinterpret_cast<void*>(offset); };
  glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_FALSE, sizeof v, at(offsetof(Vertex, bytes)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof v, at(offsetof(Vertex, bytes)));
  glVertexAttribPointer(2, GL_BGRA, GL_UNSIGNED_BYTE, GL_TRUE, sizeof v, at(offsetof(Vertex, bytes)));
  glVertexAttribPointer(3, 2, GL_SHORT, GL_TRUE, sizeof v, at(offsetof(Vertex, shorts)));
  glVertexAttribPointer(4, 4, GL_UNSIGNED_INT_2_10_10_10_REV, GL_TRUE, sizeof v, at(offsetof(Vertex, packedUnsigned)));
  glVertexAttribPointer(5, 4, GL_INT_2_10_10_10_REV, GL_FALSE, sizeof v, at(offsetof(Vertex, packedSigned)));
  glVertexAttribPointer(6, 3, GL_HALF_FLOAT, GL_FALSE, sizeof v, at(offsetof(Vertex, halves)));
  glVertexAttribPointer(7, 2, GL_DOUBLE, GL_FALSE, sizeof v, at(offsetof(Vertex, doubles)));
  for (GLuint i = 0; i < 8; ++i) glEnableVertexAttribArray(i);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  const Image image = s.readFloat(0, 0, 2, 8);
  CHECK_FLOATS(image, 0, 0, 0, 51, 102, 255);
  CHECK_FLOATS(image, 0, 1, 0, 0.2f, 0.4f, 1);
  CHECK_FLOATS(image, 0, 2, 0.4f, 0.2f, 0, 1);
  CHECK_FLOATS(image, 0, 3, -1, 0.5f, 0, 1);
  CHECK_FLOATS(image, 0, 4, 1, 0, 1.0f / 3, 1);
  CHECK_FLOATS(image, 0, 5, 511, -512, 0, 1);
  CHECK_FLOATS(image, 0, 6, 1, -2, 0.3333f, 1);
  CHECK_FLOATS(image, 0, 7, 0.5f, -3, 0, 1);
  s.picture("picture", image);
}
