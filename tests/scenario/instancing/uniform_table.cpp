#include "harness/scenario.h"

// Instances index a uniform block; the block's buffer changes between instanced draws.
SCENARIO(instancing, uniform_table) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(std140) uniform Table { vec4 place[16]; vec4 color[16]; };
flat out vec4 vColor;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vColor = color[gl_InstanceID];
  gl_Position = vec4((place[gl_InstanceID].xy + corner) * 0.5 - 1.0, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 o; void main() { o = vColor; }");
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Table"), 0);
  std::vector<float> table(128);
  const GLuint buffer = makeBuffer(GL_UNIFORM_BUFFER, 512, nullptr, GL_DYNAMIC_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  for (int draw = 0; draw < 2; ++draw) {
    for (std::size_t i = 0; i < 8; ++i) {
      table[4 * i] = static_cast<float>(i % 4);
      table[4 * i + 1] = static_cast<float>(2 * static_cast<std::size_t>(draw) + i / 4);
      table[64 + 4 * i] = static_cast<float>(30 * i) / 255;
      table[64 + 4 * i + 1] = static_cast<float>(draw);
      table[64 + 4 * i + 3] = 1;
    }
    glBufferSubData(GL_UNIFORM_BUFFER, 0, 512, table.data());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 8);
  }
  const Image image = s.read();
  for (int i = 0; i < 16; ++i) {
    CHECK_PIXELS(image, 16 * (i % 4), 16 * (i / 4), 16, 16,
                 Rgba8{static_cast<std::uint8_t>(30 * (i % 8)), static_cast<std::uint8_t>(i < 8 ? 0 : 255), 0, 255});
  }
  s.picture("picture", image);
}
