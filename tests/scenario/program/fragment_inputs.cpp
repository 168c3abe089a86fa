#include "harness/scenario.h"

// gl_FragCoord counts from the lower left pixel centre, gl_FrontFacing follows glFrontFace, gl_PointCoord's origin.
SCENARIO(program, fragment_inputs) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA32F);
  const GLuint coordinates = makeFullProgram(
      "", "vec4(gl_FragCoord.x / 255.0, gl_FragCoord.y / 255.0, gl_FragCoord.z, gl_FrontFacing ? 1.0 : 0.0)");
  glViewport(0, 0, 32, 64);
  drawFull(coordinates);
  glFrontFace(GL_CW);
  glViewport(32, 0, 32, 64);
  drawFull(coordinates);
  Image image = s.readFloat(0, 0, 64, 64);
  for (const auto& [x, y] : {std::pair{0, 0}, {5, 40}, {31, 63}}) {
    CHECK_FLOATS(image, x, y, (static_cast<float>(x) + 0.5f) / 255, (static_cast<float>(y) + 0.5f) / 255, 0.5f, 1);
  }
  CHECK_FLOATS(image, 40, 9, 40.5f / 255, 9.5f / 255, 0.5f, 0);
  s.picture("coordinates", image);

  const GLuint points = makeProgram("void main() { gl_PointSize = 32.0; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }",
                                    "out vec4 o; void main() { o = vec4(gl_PointCoord, 0.0, 1.0); }");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(points);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glViewport(0, 0, 64, 64);
  glDrawArrays(GL_POINTS, 0, 1);
  image = s.readFloat(0, 0, 64, 64);
  CHECK_FLOATS(image, 16, 16, 0.5f / 32, 31.5f / 32, 0, 1);
  CHECK_FLOATS(image, 47, 40, 31.5f / 32, 7.5f / 32, 0, 1);
  glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
  glDrawArrays(GL_POINTS, 0, 1);
  image = s.readFloat(0, 0, 64, 64);
  CHECK_FLOATS(image, 16, 16, 0.5f / 32, 0.5f / 32, 0, 1);
}
