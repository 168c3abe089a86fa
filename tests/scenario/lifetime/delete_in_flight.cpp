#include "harness/scenario.h"

// Objects are deleted right after the draw that used them; the draws before the deletion are not disturbed.
SCENARIO(lifetime, delete_in_flight) {
  const Target target = makeTarget(s.width(), s.height());
  for (int i = 0; i < 8; ++i) {
    const GLuint texture = makeSolidTexture(8, 8, {static_cast<std::uint8_t>(30 * i), 0, 99, 255});
    const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 a;
void main() { gl_Position = vec4(a, 0.0, 1.0); }
)",
                                       R"(
uniform sampler2D t;
layout(std140) uniform Block { vec4 extra; };
out vec4 o;
void main() { o = texture(t, vec2(0.5)) + extra; }
)");
    GLuint vao = 0;
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    const float x = -1.0f + 0.25f * static_cast<float>(i);
    const float strip[] = {x, -1, x + 0.25f, -1, x, 1, x + 0.25f, 1};
    const float extra[] = {0, static_cast<float>(20 * i) / 255, 0, 0};
    const GLuint buffers[] = {makeBuffer(GL_ARRAY_BUFFER, sizeof strip, strip),
                              makeBuffer(GL_UNIFORM_BUFFER, sizeof extra, extra)};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[1]);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glUseProgram(0);
    glDeleteProgram(program);
    glDeleteBuffers(2, buffers);
    glDeleteTextures(1, &texture);
    glDeleteVertexArrays(1, &vao);
  }
  const Image image = s.read();
  for (int i = 0; i < 8; ++i) {
    CHECK_PIXELS(image, 8 * i, 0, 8, 64,
                 Rgba8{static_cast<std::uint8_t>(30 * i), static_cast<std::uint8_t>(20 * i), 99, 255});
  }
  s.picture("picture", image);
}
