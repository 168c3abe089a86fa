#include "harness/scenario.h"

// Attachments of different size: drawing is limited to what all have.
SCENARIO(framebuffer, mixed_sizes) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint small = makeSolidTexture(40, 48, {9, 9, 9, 9});
  GLuint depth = 0;
  glGenRenderbuffers(1, &depth);
  glBindRenderbuffer(GL_RENDERBUFFER, depth);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, 48, 40);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
  clearColor({0, 0, 0, 1});
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, small, 0);
  CHECK_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
  const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
  glDrawBuffers(2, both);
  const GLuint program = makeProgram(kFullVertex, R"(
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { a = vec4(1.0, 0.0, 0.0, 1.0); b = vec4(0.0, 1.0, 0.0, 1.0); }
)");
  drawFull(program);
  const Image a = s.read(0, 0, 40, 40);
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  const Image b = s.read(0, 0, 40, 40);
  CHECK_PIXELS(a, 0, 0, 40, 40, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(b, 0, 0, 40, 40, Rgba8{0, 255, 0, 255});
  s.picture("a", a);
  GLint size = 0;
  glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &size);
  CHECK_EQ(size, 48);
}
