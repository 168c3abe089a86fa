#include "harness/scenario.h"

// A draw reads what the buffer holds when it is called: a whole-buffer upload between two draws of one frame must not
// reach the first one.
SCENARIO(buffer, upload_between_draws) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec2 aPosition;
layout(location = 1) in vec3 aColor;
out vec3 vColor;
void main() { vColor = aColor; gl_Position = vec4(aPosition, 0.0, 1.0); }
)",
                                     R"(
in vec3 vColor;
out vec4 oColor;
void main() { oColor = vec4(vColor, 1.0); }
)");
  const auto quad = [](float x0, float x1, float r, float g, float b) {
    return std::vector<float>{x0, -1, r, g, b, x1, -1, r, g, b, x0, 1, r, g, b, x1, 1, r, g, b};
  };
  const auto red = quad(-1, 0, 1, 0, 0), green = quad(0, 1, 0, 1, 0);
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  makeBuffer(GL_ARRAY_BUFFER, red.size() * 4, red.data(), GL_DYNAMIC_DRAW);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 20, nullptr);
  glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 20, reinterpret_cast<void*>(8));
  glEnableVertexAttribArray(0);
  glEnableVertexAttribArray(1);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(green.size() * 4), green.data());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 255, 0, 255});
  s.picture("picture", image);
}
