#include "harness/scenario.h"

// GL 3.3 section 2.9.3: what may not be done with maps, and what a map answers to queries.
SCENARIO(buffer, map_errors) {
  const GLuint buffer = makeBuffer(GL_ARRAY_BUFFER, 64, nullptr);
  CHECK(glMapBufferRange(GL_ARRAY_BUFFER, 0, 65, GL_MAP_READ_BIT) == nullptr);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
  CHECK(glMapBufferRange(GL_ARRAY_BUFFER, -1, 8, GL_MAP_READ_BIT) == nullptr);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
  CHECK(glMapBufferRange(GL_ARRAY_BUFFER, 0, 8, GL_MAP_INVALIDATE_RANGE_BIT) == nullptr);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  CHECK(glMapBufferRange(GL_ARRAY_BUFFER, 0, 8, GL_MAP_READ_BIT | GL_MAP_UNSYNCHRONIZED_BIT) == nullptr);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_FALSE);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);

  void* map = glMapBufferRange(GL_ARRAY_BUFFER, 16, 32, GL_MAP_WRITE_BIT);
  REQUIRE(map != nullptr);
  GLint value = 0;
  glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_MAPPED, &value);
  CHECK_EQ(value, GL_TRUE);
  glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_MAP_OFFSET, &value);
  CHECK_EQ(value, 16);
  glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_MAP_LENGTH, &value);
  CHECK_EQ(value, 32);
  glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_ACCESS_FLAGS, &value);
  CHECK_EQ(value, GL_MAP_WRITE_BIT);
  void* pointer = nullptr;
  glGetBufferPointerv(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER, &pointer);
  CHECK(pointer == map);
  CHECK(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY) == nullptr);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glBufferSubData(GL_ARRAY_BUFFER, 14, 4, &value);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 4);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);

  // A draw may not read a mapped buffer; after the unmap it may.  (Mesa does not look.)
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram("layout(location = 0) in vec4 a; void main() { gl_Position = a; }",
                                     "out vec4 o; void main() { o = vec4(1.0); }");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  glDrawArrays(GL_POINTS, 0, 1);
  if (!s.onHost()) CHECK_GL_ERROR(GL_INVALID_OPERATION);
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
  glDrawArrays(GL_POINTS, 0, 1);
  CHECK_GL_ERROR(GL_NO_ERROR);
}
