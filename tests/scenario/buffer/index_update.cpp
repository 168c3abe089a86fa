#include <array>

#include "harness/scenario.h"

// Index buffers change between draws too, in part and as a whole, and the array-buffer binding has no part in it.
SCENARIO(buffer, index_update) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aPosition;
void main() { gl_Position = vec4(aPosition, 0.0, 1.0); }
)",
                                     R"(
uniform vec4 uColor;
out vec4 oColor;
void main() { oColor = uColor; }
)");
  std::vector<float> grid;
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 3; ++x) grid.insert(grid.end(), {static_cast<float>(x) - 1, static_cast<float>(y) - 1});
  }
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, grid.size() * 4, grid.data());
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  const auto cell = [](int x, int y) {
    const auto base = static_cast<std::uint16_t>(3 * y + x);
    return std::array<std::uint16_t, 4>{base, static_cast<std::uint16_t>(base + 1),
                                        static_cast<std::uint16_t>(base + 3), static_cast<std::uint16_t>(base + 4)};
  };
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, 8, cell(0, 0).data(), GL_DYNAMIC_DRAW);
  glUseProgram(program);
  const GLint color = uniform(program, "uColor");
  const std::array<Color, 4> colors = {Color{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    if (i > 0) glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, 8, cell(i % 2, i / 2).data());
    const Color& c = colors[static_cast<std::size_t>(i)];
    glUniform4f(color, c.r, c.g, c.b, c.a);
    glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr);
  }
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 32, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 0, 32, 32, 32, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(image, 32, 32, 32, 32, Rgba8{255, 255, 0, 255});
  s.picture("picture", image);
}
