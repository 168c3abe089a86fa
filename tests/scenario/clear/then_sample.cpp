#include "harness/scenario.h"

// A cleared and otherwise untouched texture is sampled by the next pass; then cleared again while bound for sampling.
SCENARIO(clear, then_sample) {
  const Target source = makeTarget(32, 32);
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  glBindTexture(GL_TEXTURE_2D, source.color);
  for (int i = 0; i < 4; ++i) {
    source.bind();
    clearColor({static_cast<float>(51 * i) / 255, 0.2f, 0.4f, 1});
    glClear(GL_COLOR_BUFFER_BIT);
    target.bind();
    glViewport(16 * i, 0, 16, 64);
    drawFull(program);
  }
  const Image image = s.read();
  for (int i = 0; i < 4; ++i)
    CHECK_PIXELS(image, 16 * i, 0, 16, 64, Rgba8{static_cast<std::uint8_t>(51 * i), 51, 102, 255});
  s.picture("picture", image);
}
