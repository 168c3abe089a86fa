#include "harness/scenario.h"

// The level of detail is the derivative's, plus the sampler's bias, plus the shader's, clamped to the sampler's range.
SCENARIO(sampler, lod_bias) {
  const Target target = makeTarget(s.width(), s.height());
  GLuint texture = 0, sampler = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (int level = 0; level < 7; ++level) {
    const std::vector<Rgba8> texels(static_cast<std::size_t>((64 >> level) * (64 >> level)),
                                    Rgba8{static_cast<std::uint8_t>(30 * level), 0, 0, 255});
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 64 >> level, 64 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  }
  glGenSamplers(1, &sampler);
  glBindSampler(0, sampler);
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  // One texel a pixel: the derivative's level is 0 (or 1 in the strip that is drawn at half the size).
  const GLuint plain = makeFullProgram("uniform sampler2D t;", "texture(t, gl_FragCoord.xy / 64.0)");
  const GLuint biased = makeFullProgram("uniform sampler2D t;", "texture(t, gl_FragCoord.xy / 64.0, 1.0)");
  const GLuint half = makeFullProgram("uniform sampler2D t;", "texture(t, gl_FragCoord.xy / 32.0)");
  const auto draw = [&](int column, GLuint program) {
    glViewport(8 * column, 0, 8, 64);
    drawFull(program);
  };
  draw(0, plain);
  glSamplerParameterf(sampler, GL_TEXTURE_LOD_BIAS, 2.0f);
  draw(1, plain);
  draw(2, biased);
  draw(3, half);
  glSamplerParameterf(sampler, GL_TEXTURE_MAX_LOD, 2.0f);
  draw(4, biased);
  glSamplerParameterf(sampler, GL_TEXTURE_LOD_BIAS, -3.0f);
  glSamplerParameterf(sampler, GL_TEXTURE_MIN_LOD, 1.0f);
  draw(5, half);
  glBindSampler(0, 0);
  draw(6, half);
  const Image image = s.read(0, 0, 56, 64);
  const std::uint8_t levels[] = {0, 2, 3, 3, 2, 1, 0};
  for (int i = 0; i < 6; ++i) {
    CHECK_PIXELS(image, 8 * i + 2, 8, 4, 48, Rgba8{static_cast<std::uint8_t>(30 * levels[i]), 0, 0, 255});
  }
  s.picture("picture", image);
}
