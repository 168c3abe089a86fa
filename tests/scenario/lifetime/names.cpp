#include <set>

#include "harness/scenario.h"

// Names: unused until first bound, given out once, usable again after deletion with fresh state.
SCENARIO(lifetime, names) {
  const Target target = makeTarget(16, 16);
  GLuint textures[64] = {};
  glGenTextures(64, textures);
  const std::set<GLuint> distinct(std::begin(textures), std::end(textures));
  CHECK_EQ(distinct.size(), std::size_t{64});
  CHECK(!distinct.contains(0));
  CHECK_EQ(glIsTexture(textures[5]), GL_FALSE);
  glBindTexture(GL_TEXTURE_3D, textures[5]);
  CHECK_EQ(glIsTexture(textures[5]), GL_TRUE);
  glBindTexture(GL_TEXTURE_2D, textures[5]);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glDeleteTextures(64, textures);
  CHECK_EQ(glIsTexture(textures[5]), GL_FALSE);
  // A name that was never given out cannot be bound in the core profile.
  glBindTexture(GL_TEXTURE_2D, 123456);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glBindBuffer(GL_ARRAY_BUFFER, 123456);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glBindVertexArray(123456);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  glBindFramebuffer(GL_FRAMEBUFFER, 123456);
  CHECK_GL_ERROR(GL_INVALID_OPERATION);
  // A hundred rounds of the same small object: state starts fresh each time.
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  for (int i = 0; i < 100; ++i) {
    const GLuint texture = makeSolidTexture(4, 4, {static_cast<std::uint8_t>(2 * i), 5, 6, 255});
    GLint value = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, &value);
    CHECK_EQ(value, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, i % 2 == 0 ? GL_RED : GL_ZERO);
    drawFull(program);
    CHECK_PIXEL(s.read(0, 0, 16, 16), 7, 7, Rgba8{static_cast<std::uint8_t>(i % 2 == 0 ? 2 * i : 0), 5, 6, 255});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    glDeleteTextures(1, &texture);
  }
}
