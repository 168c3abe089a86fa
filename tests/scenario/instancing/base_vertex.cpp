#include "harness/scenario.h"

// Instanced, indexed and with a base vertex: the base moves vertices, not instances.
SCENARIO(instancing, base_vertex) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aCorner;
layout(location = 1) in float aShade;
flat out vec4 vColor;
void main() {
  vColor = vec4(aShade, float(gl_InstanceID) * 0.2, float(gl_VertexID) / 255.0, 1.0);
  gl_Position = vec4((float(gl_InstanceID) + aCorner.x) * 0.5 - 1.0, aCorner.y, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 o; void main() { o = vColor; }");
  // Vertices 0-3 are a lower row, 4-7 an upper one.
  const float corners[] = {0, -1, 1, -1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1};
  const float shades[] = {0, 0.2f, 0.4f, 0.6f};
  const std::uint16_t indices[] = {0, 1, 2, 3};
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, sizeof corners, corners);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  makeBuffer(GL_ARRAY_BUFFER, sizeof shades, shades);
  glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
  glVertexAttribDivisor(1, 1);
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
  glUseProgram(program);
  glDrawElementsInstancedBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr, 4, 4);
  glDrawElementsInstancedBaseVertex(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr, 2, 0);
  const Image image = s.read();
  for (int i = 0; i < 4; ++i) {
    const auto shade = static_cast<std::uint8_t>(51 * i);
    // The last vertex provokes; gl_VertexID counts the base in.  A strip's second triangle ends in vertex 3 or 7.
    const Rgba8 upper = image.rgba8(16 * i + 14, 62), lower = image.rgba8(16 * i + 14, 30);
    CHECK_GPU(upper.r == shade && upper.g == shade && upper.b == 7);
    CHECK_GPU(i < 2 ? lower.r == shade && lower.g == shade && lower.b == 3 : lower == (Rgba8{0, 0, 0, 0}));
  }
  s.picture("picture", image);
}
