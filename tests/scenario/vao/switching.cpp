#include "harness/scenario.h"

// Several VAOs with one program, drawn in turn twice: pointers, enables, buffers and index buffer come with the VAO.
SCENARIO(vao, switching) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aPosition;
layout(location = 1) in vec4 aColor;
uniform float uRow;
flat out vec4 vColor;
void main() { vColor = aColor; gl_Position = vec4(aPosition.x, aPosition.y + uRow, 0.0, 1.0); }
)",
                                     "flat in vec4 vColor; out vec4 oColor; void main() { oColor = vColor; }");
  GLuint vaos[4];
  glGenVertexArrays(4, vaos);
  for (int i = 0; i < 4; ++i) {
    glBindVertexArray(vaos[i]);
    const float x = -1.0f + 0.5f * static_cast<float>(i);
    const float positions[] = {x, -1, x + 0.5f, -1, x, 0, x + 0.5f, 0};
    const std::vector<Rgba8> colors(4, Rgba8{static_cast<std::uint8_t>(60 * i), 100, 200, 255});
    makeBuffer(GL_ARRAY_BUFFER, sizeof positions, positions);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    if (i != 2) {
      makeBuffer(GL_ARRAY_BUFFER, 16, colors.data());
      glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
      glEnableVertexAttribArray(1);
    }
    const std::uint16_t indices[] = {0, 1, 2, 3};
    if (i % 2 == 1) makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
  }
  glVertexAttrib4f(1, 1, 0, 0, 1);
  glUseProgram(program);
  for (int round = 0; round < 2; ++round) {
    glUniform1f(uniform(program, "uRow"), static_cast<float>(round));
    for (int i = 0; i < 4; ++i) {
      glBindVertexArray(vaos[i]);
      CHECK_EQ(getInteger(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0, i % 2 == 1);
      if (i % 2 == 1) {
        glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr);
      } else {
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      }
    }
  }
  const Image image = s.read();
  for (int i = 0; i < 4; ++i) {
    CHECK_PIXELS(image, 16 * i, 0, 16, 64,
                 i == 2 ? Rgba8{255, 0, 0, 255} : Rgba8{static_cast<std::uint8_t>(60 * i), 100, 200, 255});
  }
  s.picture("picture", image);
}
