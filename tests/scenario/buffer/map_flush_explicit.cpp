#include "harness/scenario.h"

// Ranges flushed out of an explicit-flush map arrive; offsets count from the start of the map.
SCENARIO(buffer, map_flush_explicit) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec4 aColor;
flat out vec4 vColor;
void main() {
  int cell = gl_VertexID / 4;
  vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
  vColor = aColor;
  gl_Position = vec4((float(cell) + corner.x) * 0.5 - 1.0, corner.y * 2.0 - 1.0, 0.0, 1.0);
}
)",
                                     R"(
flat in vec4 vColor;
out vec4 oColor;
void main() { oColor = vColor; }
)");
  const std::vector<Rgba8> before(16, Rgba8{9, 9, 9, 255});
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, 64, before.data(), GL_DYNAMIC_DRAW);
  glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
  glEnableVertexAttribArray(0);
  auto* map =
      static_cast<Rgba8*>(glMapBufferRange(GL_ARRAY_BUFFER, 16, 48, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT));
  REQUIRE(map != nullptr);
  for (int i = 0; i < 4; ++i) map[i] = {255, 0, 0, 255};
  for (int i = 8; i < 12; ++i) map[i] = {0, 0, 255, 255};
  glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 16);
  glFlushMappedBufferRange(GL_ARRAY_BUFFER, 32, 16);
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
  glUseProgram(program);
  for (int cell = 0; cell < 4; ++cell) glDrawArrays(GL_TRIANGLE_STRIP, 4 * cell, 4);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{9, 9, 9, 255});
  CHECK_PIXELS(image, 16, 0, 16, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 16, 64, Rgba8{9, 9, 9, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{0, 0, 255, 255});
  s.picture("picture", image);
  glMapBufferRange(GL_ARRAY_BUFFER, 0, 16, GL_MAP_READ_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
}
