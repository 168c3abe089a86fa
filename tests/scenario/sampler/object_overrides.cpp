#include "harness/scenario.h"

// A sampler object bound to a unit replaces the texture's own parameters; unbound or deleted, they hold again.
SCENARIO(sampler, object_overrides) {
  const Target target = makeTarget(s.width(), s.height());
  const Rgba8 texels[] = {{255, 0, 0, 255}, {0, 0, 255, 255}};
  makeTexture(2, 1, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  GLuint sampler = 0;
  glGenSamplers(1, &sampler);
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_REPEAT);
  const GLuint program =
      makeFullProgram("uniform sampler2D t;", "texture(t, vec2(0.5, 0.5) + vec2(1.0, 0.0) * step(0.5, vUv.y))");
  const auto draw = [&](int column) {
    glViewport(16 * column, 0, 16, 64);
    drawFull(program);
  };
  draw(0);
  glBindSampler(0, sampler);
  draw(1);
  glBindSampler(0, 0);
  draw(2);
  glBindSampler(0, sampler);
  glDeleteSamplers(1, &sampler);
  CHECK_EQ(getInteger(GL_SAMPLER_BINDING), 0);
  draw(3);
  const Image image = s.read();
  // At 0.5 nearest takes texel 1; repeated linear filtering mixes both texels; clamped, 1.5 is texel 1.
  for (const int column : {0, 2, 3}) CHECK_PIXELS(image, 16 * column, 0, 16, 64, Rgba8{0, 0, 255, 255});
  const Rgba8 mixed = image.rgba8(20, 10);
  CHECK_GPU(mixed.r >= 126 && mixed.r <= 129 && mixed.b >= 126 && mixed.b <= 129);
  const Rgba8 repeated = image.rgba8(20, 50);
  CHECK_GPU(repeated.r >= 126 && repeated.r <= 129 && repeated.b >= 126 && repeated.b <= 129);
}
