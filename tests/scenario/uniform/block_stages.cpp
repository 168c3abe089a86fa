#include "harness/scenario.h"

// The same block in both stages under different instance names, an array of blocks, and a block used by one stage only.
SCENARIO(uniform, block_stages) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(std140) uniform Shared { vec4 tint; mat2 matrix; } inVertex;
layout(std140) uniform Only { vec2 shift; };
out vec2 vValue;
void main() {
  vec2 p = vec2(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0);
  vValue = inVertex.matrix * vec2(1.0, 0.0) + shift;
  gl_Position = vec4(p, 0.0, 1.0);
}
)",
                                     R"(
layout(std140) uniform Shared { vec4 tint; mat2 matrix; } inFragment;
layout(std140) uniform Parts { vec4 part; } parts[2];
in vec2 vValue;
out vec4 o;
void main() { o = vec4(inFragment.tint.r, vValue, 1.0) + parts[0].part + parts[1].part; }
)");
  GLint count = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
  CHECK_EQ(count, 4);
  const auto bind = [&](const char* name, GLuint point, std::initializer_list<float> values) {
    const GLuint index = glGetUniformBlockIndex(program, name);
    REQUIRE(index != GL_INVALID_INDEX);
    glUniformBlockBinding(program, index, point);
    const GLuint buffer = makeBuffer(GL_UNIFORM_BUFFER, 64, nullptr);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, static_cast<GLsizeiptr>(4 * values.size()), values.begin());
    glBindBufferBase(GL_UNIFORM_BUFFER, point, buffer);
  };
  bind("Shared", 3, {0.2f, 0, 0, 0, 0.2f, 0.4f, 0, 0, 9, 9, 0, 0});
  bind("Only", 1, {0.2f, 0});
  bind("Parts[0]", 8, {0.2f, 0, 0, 0});
  bind("Parts[1]", 2, {0, 0.2f, 0, 0});
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 64, 64, Rgba8{102, 153, 102, 255});
  s.picture("picture", image);
}
