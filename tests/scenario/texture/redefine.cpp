#include "harness/scenario.h"

// A level is redefined with another size and format while it is bound and was drawn with.
SCENARIO(texture, redefine) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint texture = makeSolidTexture(4, 4, {255, 0, 0, 255});
  const GLuint program =
      makeFullProgram("uniform sampler2D t;", "vec4(texture(t, vUv).rg, vec2(textureSize(t, 0)) / 255.0)");
  glViewport(0, 0, 32, 64);
  drawFull(program);
  glBindTexture(GL_TEXTURE_2D, texture);
  const std::vector<std::uint16_t> texels(16 * 8, 0x3c00);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RG16F, 8, 8, 0, GL_RG, GL_HALF_FLOAT, texels.data());
  glViewport(32, 0, 32, 64);
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{255, 0, 4, 4});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{255, 255, 8, 8});
  s.picture("picture", image);
  GLint format = 0;
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &format);
  CHECK_EQ(format, GL_RG16F);
}
