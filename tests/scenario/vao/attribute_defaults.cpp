#include "harness/scenario.h"

// A disabled array reads the current generic attribute, which changes between draws and is no part of the VAO.
SCENARIO(vao, attribute_defaults) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 1) in vec4 aColor;
layout(location = 2) in ivec4 aInteger;
flat out vec4 vColor;
void main() {
  vColor = aColor + vec4(aInteger) / 255.0;
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 oColor; void main() { oColor = vColor; }");
  GLuint vaos[2];
  glGenVertexArrays(2, vaos);
  glBindVertexArray(vaos[0]);
  glUseProgram(program);
  glVertexAttribI4i(2, 0, 0, 0, 0);
  const auto draw = [](int column) {
    glViewport(8 * column, 0, 8, 64);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  };
  draw(0);
  glVertexAttrib4f(1, 1, 0, 0, 1);
  draw(1);
  glVertexAttrib4f(1, 0, 1, 0, 1);
  draw(2);
  glBindVertexArray(vaos[1]);
  draw(3);
  glVertexAttribI4i(2, 20, -55, 40, 0);
  draw(4);
  glVertexAttribI4i(2, 0, 0, 0, 0);
  const float array[12] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
  makeBuffer(GL_ARRAY_BUFFER, sizeof array, array);
  glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
  glEnableVertexAttribArray(1);
  draw(5);
  glDisableVertexAttribArray(1);
  glVertexAttrib4Nub(1, 51, 102, 153, 204);
  draw(6);
  glBindVertexArray(vaos[0]);
  draw(7);
  const Image image = s.read();
  const Rgba8 wanted[] = {{0, 0, 0, 255},     {255, 0, 0, 255}, {0, 255, 0, 255},    {0, 255, 0, 255},
                          {20, 200, 40, 255}, {0, 0, 255, 255}, {51, 102, 153, 204}, {51, 102, 153, 204}};
  for (int i = 0; i < 8; ++i) CHECK_PIXELS(image, 8 * i, 0, 8, 64, wanted[i]);
  s.picture("picture", image);
}
