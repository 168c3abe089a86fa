#include <array>

#include "harness/scenario.h"

// Buffers, textures, programs, samplers and renderbuffers are shared by name; vertex arrays and framebuffers are not.
SCENARIO(share, what_is_shared) {
  const float data[] = {0.2f, 0.4f, 0.6f, 1};
  const GLuint buffer = makeBuffer(GL_UNIFORM_BUFFER, sizeof data, data);
  const GLuint texture = makeSolidTexture(4, 4, {10, 20, 30, 255});
  const GLuint program =
      makeFullProgram("layout(std140) uniform Block { vec4 color; }; uniform sampler2D t; uniform float uScale;",
                      "color * uScale + texture(t, vUv)");
  glUseProgram(program);
  glUniform1f(uniform(program, "uScale"), 1);
  GLuint vao = 0, framebuffer = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFinish();
  {
    const Context other(&s.context());
    other.makeCurrent();
    CHECK_EQ(glIsBuffer(buffer), GL_TRUE);
    CHECK_EQ(glIsTexture(texture), GL_TRUE);
    CHECK_EQ(glIsProgram(program), GL_TRUE);
    CHECK_EQ(glIsVertexArray(vao), GL_FALSE);
    // Mesa shares them.
    if (!s.onHost()) CHECK_EQ(glIsFramebuffer(framebuffer), GL_FALSE);
    CHECK_EQ(getInteger(GL_CURRENT_PROGRAM), 0);
    const Target target = makeTarget(s.width(), s.height());
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBindTexture(GL_TEXTURE_2D, texture);
    drawFull(program);
    const Image image = s.read();
    CHECK_PIXELS(image, 0, 0, 64, 64, Rgba8{61, 122, 183, 255});
    s.picture("picture", image);
    CHECK_GL_ERROR(GL_NO_ERROR);
    s.context().makeCurrent();
  }
  CHECK_EQ(glIsVertexArray(vao), GL_TRUE);
}
