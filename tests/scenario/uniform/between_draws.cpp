#include "harness/scenario.h"

// A float uniform changes before every one of 64 draws, some setting what is set already.
SCENARIO(uniform, between_draws) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
uniform vec3 uPlace;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4((uPlace.xy + corner) * 0.25 - 1.0, 0.0, 1.0);
}
)",
                                     R"(
uniform vec3 uPlace;
uniform vec4 uTint;
out vec4 o;
void main() { o = vec4(uPlace.z, 0.0, 0.0, 1.0) + uTint; }
)");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  const GLint place = uniform(program, "uPlace"), tint = uniform(program, "uTint");
  for (int i = 0; i < 64; ++i) {
    const float value[] = {static_cast<float>(i % 8), static_cast<float>(i / 8), static_cast<float>(3 * i) / 255};
    if (i % 16 == 0) glUniform4f(tint, 0, static_cast<float>(i) / 255, 0, 0);
    glUniform3fv(place, 1, value);
    if (i % 5 == 0) glUniform3fv(place, 1, value);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  const Image image = s.read();
  for (int i = 0; i < 64; ++i) {
    CHECK_PIXELS(image, 8 * (i % 8), 8 * (i / 8), 8, 8,
                 Rgba8{static_cast<std::uint8_t>(3 * i), static_cast<std::uint8_t>(i / 16 * 16), 0, 255});
  }
  s.picture("picture", image);
}
