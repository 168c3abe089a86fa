#include "harness/scenario.h"

// No colour at all: a program without fragment outputs writes depth, with draw and read buffers NONE.
SCENARIO(framebuffer, depth_only) {
  GLuint texture = 0, framebuffer = 0;
  texture = makeTexture(s.width(), s.height(), GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_FLOAT, nullptr);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  const GLuint program = makeProgram(
      "void main() { gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, -0.5, "
      "1.0); }",
      "void main() {}");
  glViewport(0, 0, 32, 64);
  glEnable(GL_DEPTH_TEST);
  glClear(GL_DEPTH_BUFFER_BIT);
  drawFull(program);
  const Image depth = s.readDepth(0, 0, 64, 64);
  CHECK_FLOATS(depth, 5, 5, 0.25f);
  CHECK_FLOATS(depth, 31, 60, 0.25f);
  CHECK_FLOATS(depth, 32, 5, 1.0f);
  s.picture("depth", depth);
}
