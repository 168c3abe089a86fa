#include <array>

#include "harness/scenario.h"

// Draw buffers map fragment outputs to attachments: output 0 to attachment 2, output 1 nowhere, output 2 to attachment
// 0.
SCENARIO(framebuffer, draw_buffer_map) {
  const Target target = makeTarget(s.width(), s.height());
  GLuint textures[2];
  for (GLenum i = 0; i < 2; ++i) {
    textures[i] = makeSolidTexture(s.width(), s.height(), {0, 0, 0, 0});
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1 + i, GL_TEXTURE_2D, textures[i], 0);
  }
  const std::array<GLenum, 3> all = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
  glDrawBuffers(3, all.data());
  clearColor({0.2f, 0.2f, 0.2f, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  const GLuint program = makeProgram(kFullVertex, R"(
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec4 c;
void main() { a = vec4(1.0, 0.0, 0.0, 1.0); b = vec4(0.0, 1.0, 0.0, 1.0); c = vec4(0.0, 0.0, 1.0, 1.0); }
)");
  const std::array<GLenum, 3> mapped = {GL_COLOR_ATTACHMENT2, GL_NONE, GL_COLOR_ATTACHMENT0};
  glDrawBuffers(3, mapped.data());
  glViewport(0, 0, 32, 64);
  drawFull(program);
  // One buffer only: outputs 1 and 2 go nowhere.
  glDrawBuffers(1, all.data());
  glViewport(32, 0, 16, 64);
  drawFull(program);
  glDrawBuffer(GL_NONE);
  glViewport(48, 0, 16, 64);
  drawFull(program);
  const auto readOf = [&](GLenum i) {
    glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
    return s.read();
  };
  const Image a = readOf(0), b = readOf(1), c = readOf(2);
  const Rgba8 grey = {51, 51, 51, 255};
  CHECK_PIXELS(a, 0, 0, 32, 64, Rgba8{0, 0, 255, 255});
  CHECK_PIXELS(a, 32, 0, 16, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(a, 48, 0, 16, 64, grey);
  CHECK_PIXELS(b, 0, 0, 64, 64, grey);
  CHECK_PIXELS(c, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(c, 32, 0, 32, 64, grey);
  s.picture("a", a);
  s.picture("c", c);
}
