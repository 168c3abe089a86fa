#include "harness/scenario.h"

// gl_InstanceID counts from zero in every draw, array and indexed.
SCENARIO(instancing, instance_id) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(
      R"(
uniform float uRow;
flat out int vInstance;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vInstance = gl_InstanceID;
  gl_Position = vec4((float(gl_InstanceID) + corner.x) * 0.25 - 1.0, uRow + corner.y, 0.0, 1.0);
}
)",
      "flat in int vInstance; out vec4 o; void main() { o = vec4(float(vInstance * 30) / 255.0, 0.0, 1.0, 1.0); }");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  const std::uint16_t indices[] = {0, 1, 2, 3};
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
  glUseProgram(program);
  glUniform1f(uniform(program, "uRow"), -1);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 8);
  glUniform1f(uniform(program, "uRow"), 0);
  glDrawElementsInstanced(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr, 5);
  glDrawElementsInstanced(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, nullptr, 0);
  const Image image = s.read();
  for (int i = 0; i < 8; ++i) {
    CHECK_PIXELS(image, 8 * i, 0, 8, 32, Rgba8{static_cast<std::uint8_t>(30 * i), 0, 255, 255});
    CHECK_PIXELS(image, 8 * i, 32, 8, 32,
                 i < 5 ? Rgba8{static_cast<std::uint8_t>(30 * i), 0, 255, 255} : Rgba8{0, 0, 0, 0});
  }
  s.picture("picture", image);
}
