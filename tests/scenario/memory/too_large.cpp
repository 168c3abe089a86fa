#include "harness/scenario.h"

// GL 3.3 section 2.5: what there is no memory for is GL_OUT_OF_MEMORY of the context that asked, and that context draws on.
namespace {

void askForTooMuch() {
  GLuint buffer = 0, texture = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr{1} << 46, nullptr, GL_STATIC_DRAW);
  CHECK_GL_ERROR(GL_OUT_OF_MEMORY);
  CHECK_GL_ERROR(GL_NO_ERROR);
  GLint size = -1;
  glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
  CHECK_EQ(size, 0);

  const GLint most = getInteger(GL_MAX_3D_TEXTURE_SIZE);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_3D, texture);
  glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA32F, most, most, most, 0, GL_RGBA, GL_FLOAT, nullptr);
  CHECK_GL_ERROR(GL_OUT_OF_MEMORY);
  CHECK_GL_ERROR(GL_NO_ERROR);
  glDeleteTextures(1, &texture);
  glDeleteBuffers(1, &buffer);
}

void drawOn(Scenario& s, const char* name) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("", "vec4(vUv, 0.0, 1.0)");
  drawFull(program);
  s.capture(name);
  CHECK_GL_ERROR(GL_NO_ERROR);
}

}  // namespace

SCENARIO(memory, too_large, .tolerance = {.steps = 1}) {
  askForTooMuch();
  drawOn(s, "first");
  {
    const Context other(&s.context());
    other.makeCurrent();
    askForTooMuch();
    drawOn(s, "second");
    s.context().makeCurrent();
  }
  CHECK_GL_ERROR(GL_NO_ERROR);
  drawOn(s, "again");
}
