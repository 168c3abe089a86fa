#include "harness/scenario.h"

// Blending is enabled per draw buffer; an integer target next to it is written as it is.
SCENARIO(blend, per_target) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint second = makeSolidTexture(s.width(), s.height(), {0, 0, 0, 0});
  const GLuint third = makeTexture(s.width(), s.height(), GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, second, 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE_2D, third, 0);
  const GLenum all[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
  glDrawBuffers(3, all);
  REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  const float grey[] = {0.2f, 0.2f, 0.2f, 0.2f};
  const GLuint sevens[] = {7, 7, 7, 7};
  glClearBufferfv(GL_COLOR, 0, grey);
  glClearBufferfv(GL_COLOR, 1, grey);
  glClearBufferuiv(GL_COLOR, 2, sevens);
  const GLuint program = makeProgram(kFullVertex, R"(
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out uvec4 c;
void main() { a = b = vec4(0.4, 0.2, 0.0, 0.4); c = uvec4(1u, 2u, 3u, 255u); }
)");
  glBlendFunc(GL_ONE, GL_ONE);
  glEnablei(GL_BLEND, 1);
  CHECK_EQ(glIsEnabledi(GL_BLEND, 0), GL_FALSE);
  CHECK_EQ(glIsEnabledi(GL_BLEND, 1), GL_TRUE);
  glViewport(0, 0, 32, 64);
  drawFull(program);
  glEnable(GL_BLEND);
  glDisablei(GL_BLEND, 1);
  glViewport(32, 0, 32, 64);
  drawFull(program);
  const Image a = s.read();
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  const Image b = s.read();
  glReadBuffer(GL_COLOR_ATTACHMENT2);
  const Image c = s.readUint(0, 0, 64, 1);
  CHECK_PIXELS(a, 0, 0, 32, 64, Rgba8{102, 51, 0, 102});
  CHECK_PIXELS(a, 32, 0, 32, 64, Rgba8{153, 102, 51, 153});
  CHECK_PIXELS(b, 0, 0, 32, 64, Rgba8{153, 102, 51, 153});
  CHECK_PIXELS(b, 32, 0, 32, 64, Rgba8{102, 51, 0, 102});
  CHECK_INTS(c, 3, 0, 1, 2, 3, 255);
  CHECK_INTS(c, 60, 0, 1, 2, 3, 255);
  s.picture("a", a);
  s.picture("b", b);
}
