#include <array>

#include "harness/scenario.h"

// glVertexAttribIPointer: 8, 16 and 32 bits, signed and not, unconverted; the components that are missing are 0, 0, 1.
SCENARIO(vao, integer_attributes) {
  const Target target = makeTarget(4, 4, GL_RGBA32I);
  const GLuint program = makeProgram(R"(
layout(location = 0) in ivec4 aByte;
layout(location = 1) in ivec4 aShort;
layout(location = 2) in uvec4 aUnsigned;
layout(location = 3) in ivec4 aInt;
flat out ivec4 vValue[4];
void main() {
  vValue[0] = aByte; vValue[1] = aShort; vValue[2] = ivec4(aUnsigned); vValue[3] = aInt;
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     R"(
flat in ivec4 vValue[4];
out ivec4 oColor;
void main() { oColor = vValue[int(gl_FragCoord.y)]; }
)");
  struct Vertex {
    std::int8_t bytes[4];
    std::int16_t shorts[2];
    std::uint8_t naturals[4];
    std::int32_t integer;
  };
  const Vertex v = {{-1, 127, -128, 5}, {-32768, 1000}, {255, 128, 1, 0}, -2000000000};
  const std::array<Vertex, 3> vertices = {v, v, v};
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, sizeof vertices, vertices.data());
  glVertexAttribIPointer(0, 4, GL_BYTE, sizeof v, nullptr);
  glVertexAttribIPointer(1, 2, GL_SHORT, sizeof v, reinterpret_cast<void*>(4));
  glVertexAttribIPointer(2, 3, GL_UNSIGNED_BYTE, sizeof v, reinterpret_cast<void*>(8));
  glVertexAttribIPointer(3, 1, GL_INT, sizeof v, reinterpret_cast<void*>(12));
  for (GLuint i = 0; i < 4; ++i) glEnableVertexAttribArray(i);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  const Image image = s.readInt(0, 0, 4, 4);
  CHECK_INTS(image, 1, 0, -1, 127, -128, 5);
  CHECK_INTS(image, 1, 1, -32768, 1000, 0, 1);
  CHECK_INTS(image, 1, 2, 255, 128, 1, 1);
  CHECK_INTS(image, 1, 3, -2000000000, 0, 0, 1);
  s.picture("picture", image);
}
