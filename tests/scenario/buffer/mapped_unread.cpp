#include "harness/scenario.h"

// OpenGL 3.3 section 2.9.3: a draw may not read a mapped buffer. One that is bound and that the draw does not read may be
// mapped: indices of a draw without indices, a block's binding point that the program has no block for, an attribute that
// is not enabled.
SCENARIO(buffer, mapped_unread) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in float aX;
layout(std140) uniform Tint { vec4 tint; };
out vec4 vTint;
void main() {
  vTint = tint;
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0 + aX, float((gl_VertexID >> 1) & 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     "in vec4 vTint; out vec4 o; void main() { o = vTint; }");
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Tint"), 2);
  glUseProgram(program);
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  const float zeros[4] = {};
  const GLuint array = makeBuffer(GL_ARRAY_BUFFER, sizeof zeros, zeros);
  glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
  const GLushort three[3] = {0, 1, 2};
  const GLuint indices = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof three, three);
  const float green[4] = {0, 1, 0, 1}, red[4] = {1, 0, 0, 1};
  const GLuint used = makeBuffer(GL_UNIFORM_BUFFER, sizeof green, green);
  const GLuint unused = makeBuffer(GL_UNIFORM_BUFFER, sizeof red, red);
  glBindBufferBase(GL_UNIFORM_BUFFER, 2, used);
  glBindBufferBase(GL_UNIFORM_BUFFER, 5, unused);

  const auto refused = [&s] {
    if (!s.onHost()) CHECK_GL_ERROR(GL_INVALID_OPERATION);  // Mesa does not look
    while (glGetError() != GL_NO_ERROR) {
    }
  };
  const auto drawn = [&](GLenum target_, GLuint buffer, auto&& draw) {
    glBindBuffer(target_, buffer);
    REQUIRE(glMapBufferRange(target_, 0, 4, GL_MAP_WRITE_BIT) != nullptr);
    clearColor({0, 0, 0, 1});
    glClear(GL_COLOR_BUFFER_BIT);
    draw();
    CHECK_GL_ERROR(GL_NO_ERROR);
    CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  };
  const auto arrays = [] { glDrawArrays(GL_TRIANGLES, 0, 3); };
  const auto elements = [] { glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr); };

  // Something to compare with: nothing is mapped, and the next draws differ in nothing but the maps.
  arrays();
  drawn(GL_ELEMENT_ARRAY_BUFFER, indices, arrays);
  elements();
  refused();
  glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
  drawn(GL_UNIFORM_BUFFER, unused, elements);
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Tint"), 5);
  elements();
  refused();
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Tint"), 2);
  glUnmapBuffer(GL_UNIFORM_BUFFER);
  const GLuint second = makeBuffer(GL_ARRAY_BUFFER, sizeof zeros, zeros);
  glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, nullptr);
  drawn(GL_ARRAY_BUFFER, second, arrays);
  glEnableVertexAttribArray(1);
  arrays();
  refused();
  glUnmapBuffer(GL_ARRAY_BUFFER);
  drawn(GL_COPY_READ_BUFFER, unused, elements);
  glUnmapBuffer(GL_COPY_READ_BUFFER);
  glBindBuffer(GL_ARRAY_BUFFER, array);
  REQUIRE(glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_READ_BIT) != nullptr);
  arrays();
  refused();
  glUnmapBuffer(GL_ARRAY_BUFFER);
  arrays();
  CHECK_GL_ERROR(GL_NO_ERROR);
  s.capture("picture");
}
