// What the scenarios of the draw delta share: two draws with exactly one thing between them, and the second must see it.
// Each names in tests/controls.txt the bump without which it is red.
#pragma once

#include "harness/scenario.h"

namespace mgl::scenario::delta {

// Three vertices over the whole viewport from a buffer of float x, y; in an own vertex array, which stays bound.
inline GLuint bindFullArray() {
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  const float corners[] = {-1, -1, 3, -1, -1, 3};
  const GLuint buffer = makeBuffer(GL_ARRAY_BUFFER, sizeof corners, corners);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  return buffer;
}

inline constexpr const char* kVertex = "layout(location = 0) in vec2 aAt; void main() { gl_Position = vec4(aAt, 0.0, 1.0); }";

// In use, with a uniform vec4 uColor when the expression has one.
inline GLuint useProgram(const std::string& declarations, const std::string& expression) {
  const GLuint program = makeProgram(kVertex, declarations + "\nout vec4 oColor;\nvoid main() { oColor = " + expression + "; }");
  glUseProgram(program);
  return program;
}

inline void draw() { glDrawArrays(GL_TRIANGLES, 0, 3); }

}  // namespace mgl::scenario::delta

using namespace mgl::scenario::delta;
