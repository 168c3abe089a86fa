#include "delta/delta.h"

// Another buffer at a block's binding point.
SCENARIO(delta, bind_buffer_base) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("layout(std140) uniform Tint { vec4 tint; };", "tint");
  glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Tint"), 1);
  const float red[] = {1, 0, 0, 1}, green[] = {0, 1, 0, 1};
  const GLuint first = makeBuffer(GL_UNIFORM_BUFFER, sizeof red, red);
  const GLuint second = makeBuffer(GL_UNIFORM_BUFFER, sizeof green, green);
  glBindBufferBase(GL_UNIFORM_BUFFER, 1, first);
  draw();
  glBindBufferBase(GL_UNIFORM_BUFFER, 1, second);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
}
