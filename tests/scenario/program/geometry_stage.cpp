#include "harness/scenario.h"

// Points in, strips out: vertices made by the stage, primitives cut by EndPrimitive, block interfaces between stages.
SCENARIO(program, geometry_stage) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
out Data { vec4 color; flat int cell; } vs;
void main() {
  vs.color = vec4(float(gl_VertexID) * 0.2, 1.0, 0.0, 1.0);
  vs.cell = gl_VertexID;
  gl_Position = vec4(float(gl_VertexID) * 0.5 - 1.0, -1.0, 0.0, 1.0);
}
)",
                                     R"(
in Data { vec4 color; flat int cell; } fs;
out vec4 oColor;
void main() { oColor = fs.color + vec4(0.0, 0.0, float(fs.cell) * 0.2, 0.0); }
)",
                                     R"(
layout(points) in;
layout(triangle_strip, max_vertices = 8) out;
in Data { vec4 color; flat int cell; } gs[];
out Data { vec4 color; flat int cell; } outgoing;
void main() {
  for (int part = 0; part < 2; ++part) {
    for (int i = 0; i < 4; ++i) {
      outgoing.color = gs[0].color;
      outgoing.cell = gs[0].cell;
      gl_Position = gl_in[0].gl_Position + vec4(float(i & 1) * 0.5, float(i >> 1) * 0.5 + float(part) * 1.5, 0.0, 0.0);
      EmitVertex();
    }
    EndPrimitive();
  }
}
)");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  glDrawArrays(GL_POINTS, 0, 4);
  const Image image = s.read();
  for (int i = 0; i < 4; ++i) {
    const auto v = static_cast<std::uint8_t>(51 * i);
    CHECK_PIXELS(image, 16 * i, 0, 16, 16, Rgba8{v, 255, v, 255});
    CHECK_PIXELS(image, 16 * i, 16, 16, 32, Rgba8{0, 0, 0, 0});
    CHECK_PIXELS(image, 16 * i, 48, 16, 16, Rgba8{v, 255, v, 255});
  }
  s.picture("picture", image);
}
