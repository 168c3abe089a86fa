#include "harness/scenario.h"

// The classic ring: unsynchronised maps append behind what earlier draws of the frame still read.
SCENARIO(buffer, map_unsynchronized_append) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aPosition;
layout(location = 1) in vec4 aColor;
flat out vec4 vColor;
void main() { vColor = aColor; gl_Position = vec4(aPosition, 0.0, 1.0); }
)",
                                     R"(
flat in vec4 vColor;
out vec4 oColor;
void main() { oColor = vColor; }
)");
  struct Vertex {
    float x, y;
    Rgba8 color;
  };
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, 16 * 4 * sizeof(Vertex), nullptr, GL_STREAM_DRAW);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), nullptr);
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), reinterpret_cast<void*>(8));
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  glUseProgram(program);
  for (int i = 0; i < 16; ++i) {
    const auto offset = static_cast<GLintptr>(static_cast<std::size_t>(i) * 4 * sizeof(Vertex));
    auto* map = static_cast<Vertex*>(
        glMapBufferRange(GL_ARRAY_BUFFER, offset, 4 * sizeof(Vertex),
                         GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT | GL_MAP_INVALIDATE_RANGE_BIT));
    REQUIRE(map != nullptr);
    const float x = static_cast<float>(i % 4) * 0.5f - 1, y = static_cast<float>(i / 4) * 0.5f - 1;
    const Rgba8 color = {static_cast<std::uint8_t>(16 * i), static_cast<std::uint8_t>(255 - 16 * i), 77, 255};
    map[0] = {x, y, color};
    map[1] = {x + 0.5f, y, color};
    map[2] = {x, y + 0.5f, color};
    map[3] = {x + 0.5f, y + 0.5f, color};
    CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 4 * i, 4);
  }
  const Image image = s.read();
  for (int i = 0; i < 16; ++i) {
    CHECK_PIXELS(image, 16 * (i % 4), 16 * (i / 4), 16, 16,
                 Rgba8{static_cast<std::uint8_t>(16 * i), static_cast<std::uint8_t>(255 - 16 * i), 77, 255});
  }
  s.picture("picture", image);
}
