#include <cstdlib>
#include <vector>

#include "harness/scenario.h"

// Stores until the server has no more: the error is that context's, comes once, and what is let go is to be had again.
namespace {

GLenum makeStore(GLsizeiptr bytes, GLuint* name) {
  glGenBuffers(1, name);
  glBindBuffer(GL_COPY_WRITE_BUFFER, *name);
  glBufferData(GL_COPY_WRITE_BUFFER, bytes, nullptr, GL_STATIC_DRAW);
  return glGetError();
}

}  // namespace

SCENARIO(memory, budget, .needs = {"env:MOBILEGL_MEMORY_MIB"}) {
  const GLsizeiptr budget = GLsizeiptr{std::atoi(std::getenv("MOBILEGL_MEMORY_MIB"))} << 20;
  const Target target = makeTarget(s.width(), s.height());
  const Context other(&s.context());
  other.makeCurrent();
  GLuint name = 0;
  // More than there is.
  CHECK_EQ(makeStore(budget + (1 << 20), &name), GLenum{GL_OUT_OF_MEMORY});
  glDeleteBuffers(1, &name);
  // A bit at a time.
  std::vector<GLuint> names;
  GLenum error = GL_NO_ERROR;
  for (int i = 0; i < 8 && error == GL_NO_ERROR; ++i) {
    error = makeStore(budget / 3, &name);
    names.push_back(name);
  }
  CHECK_GPU_EQ(error, GLenum{GL_OUT_OF_MEMORY});
  CHECK_GL_ERROR(GL_NO_ERROR);
  s.context().makeCurrent();
  CHECK_GL_ERROR(GL_NO_ERROR);

  // Too large an image: what samples it draws all the same, and the rest of the picture is right.
  GLuint texture = 0, renderbuffer = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
  const GLsizei layers = static_cast<GLsizei>(budget / (1024 * 1024 * 4)) + 8;
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 1024, 1024, layers, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  CHECK_GL_ERROR(GL_OUT_OF_MEMORY);
  CHECK_GL_ERROR(GL_NO_ERROR);
  glGenRenderbuffers(1, &renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  const GLsizei side = 8192;
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, side, side);
  CHECK_GL_ERROR(GL_OUT_OF_MEMORY);
  CHECK_GL_ERROR(GL_NO_ERROR);

  glDeleteBuffers(static_cast<GLsizei>(names.size()), names.data());
  glDeleteTextures(1, &texture);
  glDeleteRenderbuffers(1, &renderbuffer);
  CHECK_EQ(makeStore(budget / 2, &name), GLenum{GL_NO_ERROR});
  glDeleteBuffers(1, &name);
  target.bind();
  const GLuint program = makeFullProgram("", "vec4(0.2, 0.4, 0.6, 1.0)");
  drawFull(program);
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{51, 102, 153, 255});
}
