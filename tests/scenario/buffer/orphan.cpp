#include <array>

#include "harness/scenario.h"

// Streaming by orphaning: glBufferData with no data, then a write into the new store, eight times in a frame.
SCENARIO(buffer, orphan) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec3 aPosition;
flat out float vShade;
void main() { vShade = aPosition.z; gl_Position = vec4(aPosition.xy, 0.0, 1.0); }
)",
                                     R"(
flat in float vShade;
out vec4 oColor;
void main() { oColor = vec4(vShade, 1.0 - vShade, 0.0, 1.0); }
)");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, 48, nullptr, GL_STREAM_DRAW);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 12, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  for (int i = 0; i < 8; ++i) {
    const float x0 = -1.0f + 0.25f * static_cast<float>(i), x1 = x0 + 0.25f, shade = static_cast<float>(i * 17) / 255;
    const std::array<float, 12> strip = {x0, -1, shade, x1, -1, shade, x0, 1, shade, x1, 1, shade};
    // The second one is larger, so that a store of the first size would not do.
    glBufferData(GL_ARRAY_BUFFER, i == 1 ? 4096 : 48, nullptr, GL_STREAM_DRAW);
    if (i % 2 == 0) {
      glBufferSubData(GL_ARRAY_BUFFER, 0, 48, strip.data());
    } else {
      void* map = glMapBufferRange(GL_ARRAY_BUFFER, i == 1 ? 2400 : 0, 48, GL_MAP_WRITE_BIT);
      REQUIRE(map != nullptr);
      std::copy(strip.begin(), strip.end(), static_cast<float*>(map));
      CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
    }
    glDrawArrays(GL_TRIANGLE_STRIP, i == 1 ? 200 : 0, 4);
  }
  const Image image = s.read();
  for (int i = 0; i < 8; ++i) {
    const auto shade = static_cast<std::uint8_t>(i * 17);
    CHECK_PIXELS(image, 8 * i, 0, 8, 64, Rgba8{shade, static_cast<std::uint8_t>(255 - shade), 0, 255});
  }
  s.picture("picture", image);
}
