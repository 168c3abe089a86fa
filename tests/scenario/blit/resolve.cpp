#include "harness/scenario.h"

// A multisample target resolves to the average of its samples; inside a primitive that is its colour.
SCENARIO(blit, resolve, .tolerance = {.steps = 1}) {
  GLuint framebuffer = 0, renderbuffers[2];
  glGenFramebuffers(1, &framebuffer);
  glGenRenderbuffers(2, renderbuffers);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[0]);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, s.width(), s.height());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffers[0]);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[1]);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_DEPTH24_STENCIL8, s.width(), s.height());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, renderbuffers[1]);
  REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  CHECK(getInteger(GL_SAMPLES) >= 4);
  GLint samples = 0;
  glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &samples);
  CHECK(samples >= 4);
  glViewport(0, 0, s.width(), s.height());
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  // The left half, up to the middle of pixel column 32: half of its samples.
  const GLuint program = makeProgram(R"(
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(corner.x * (1.0 + 1.0 / 64.0) - 1.0, corner.y * 2.0 - 1.0, 0.0, 1.0);
}
)",
                                     "out vec4 o; void main() { o = vec4(1.0, 0.0, 0.0, 1.0); }");
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  const Target target = makeTarget(s.width(), s.height());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glBlitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  target.bind();
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 33, 0, 31, 64, Rgba8{0, 0, 255, 255});
  const Rgba8 edge = image.rgba8(32, 20);
  CHECK_GPU(edge.r > 50 && edge.r < 205 && edge.b > 50 && edge.b < 205);
  // A read of the multisample target itself is an error.
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  std::uint32_t pixel = 0;
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
}
