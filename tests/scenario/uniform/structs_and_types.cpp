#include "harness/scenario.h"

// Structs with arrays inside, ints, unsigned, bools (set by any type), in both stages.
SCENARIO(uniform, structs_and_types) {
  const Target target = makeTarget(6, 1, GL_RGBA32F);
  const GLuint program = makeProgram(R"(
struct Item { vec3 a; float b; ivec2 c; bool d; float e[2]; };
uniform Item uItems[2];
flat out vec4 vFirst;
void main() {
  vFirst = vec4(uItems[1].a, uItems[0].b);
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     R"(
struct Item { vec3 a; float b; ivec2 c; bool d; float e[2]; };
uniform Item uItems[2];
uniform uvec3 uNatural;
uniform bvec2 uFlags;
uniform bool uOther;
flat in vec4 vFirst;
out vec4 o;
void main() {
  int i = int(gl_FragCoord.x);
  if (i == 0) o = vFirst;
  else if (i == 1) o = vec4(vec2(uItems[0].c), vec2(uItems[1].c));
  else if (i == 2) o = vec4(uItems[0].d, uItems[1].d, uItems[0].e[1], uItems[1].e[0]);
  else if (i == 3) o = vec4(vec3(uNatural), 1.0);
  else if (i == 4) o = vec4(uFlags, uOther, uNatural.y > 0x80000000u);
  else o = vec4(uItems[0].a, uItems[1].b);
}
)");
  glUseProgram(program);
  glUniform3f(uniform(program, "uItems[0].a"), 1, 2, 3);
  glUniform3f(uniform(program, "uItems[1].a"), 4, 5, 6);
  glUniform1f(uniform(program, "uItems[0].b"), 7);
  glUniform1f(uniform(program, "uItems[1].b"), 8);
  glUniform2i(uniform(program, "uItems[0].c"), -9, 10);
  const GLint c[] = {11, -12};
  glUniform2iv(uniform(program, "uItems[1].c"), 1, c);
  glUniform1i(uniform(program, "uItems[1].d"), 77);
  glUniform1f(uniform(program, "uItems[0].e[1]"), 13);
  const float e[] = {14, 15};
  glUniform1fv(uniform(program, "uItems[1].e"), 2, e);
  glUniform3ui(uniform(program, "uNatural"), 16, 0xf0000000u, 18);
  glUniform2f(uniform(program, "uFlags"), 0.0f, 0.5f);
  glUniform1ui(uniform(program, "uOther"), 4);
  drawFull(program);
  const Image image = s.readFloat(0, 0, 6, 1);
  CHECK_FLOATS(image, 0, 0, 4, 5, 6, 7);
  CHECK_FLOATS(image, 1, 0, -9, 10, 11, -12);
  CHECK_FLOATS(image, 2, 0, 0, 1, 13, 14);
  CHECK_FLOATS(image, 3, 0, 16, 4026531840.0f, 18, 1);
  CHECK_FLOATS(image, 4, 0, 0, 1, 1, 1);
  CHECK_FLOATS(image, 5, 0, 1, 2, 3, 8);
  s.picture("picture", image);
  GLint got = 0;
  glGetUniformiv(program, uniform(program, "uItems[1].d"), &got);
  CHECK_EQ(got != 0, true);
  glUniform1f(uniform(program, "uItems[0].c"), 1);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glUniform1i(uniform(program, "uNatural"), 1);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glUniform1f(-1, 3);
  CHECK_GL_ERROR(GL_NO_ERROR);
}
