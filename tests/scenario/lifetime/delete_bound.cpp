#include "harness/scenario.h"

// Deleting a bound object unbinds it in this context: the unit reads as unbound, the buffer binding is zero.
SCENARIO(lifetime, delete_bound) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  const GLuint texture = makeSolidTexture(4, 4, {255, 0, 0, 255});
  glViewport(0, 0, 32, 64);
  drawFull(program);
  glDeleteTextures(1, &texture);
  CHECK_EQ(getInteger(GL_TEXTURE_BINDING_2D), 0);
  glViewport(32, 0, 32, 64);
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 0, 0, 255});
  const GLuint buffer = makeBuffer(GL_ARRAY_BUFFER, 16, nullptr);
  glBindBufferBase(GL_UNIFORM_BUFFER, 2, buffer);
  glDeleteBuffers(1, &buffer);
  CHECK_EQ(getInteger(GL_ARRAY_BUFFER_BINDING), 0);
  CHECK_EQ(getInteger(GL_UNIFORM_BUFFER_BINDING), 0);
  GLint indexed = -1;
  glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 2, &indexed);
  CHECK_EQ(indexed, 0);
  glDeleteFramebuffers(1, &target.framebuffer);
  CHECK_EQ(getInteger(GL_DRAW_FRAMEBUFFER_BINDING), 0);
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glDeleteVertexArrays(1, &vao);
  CHECK_EQ(getInteger(GL_VERTEX_ARRAY_BINDING), 0);
  // Zero and unknown names are ignored.
  const GLuint names[] = {0, 987654};
  glDeleteTextures(2, names);
  glDeleteBuffers(2, names);
}
