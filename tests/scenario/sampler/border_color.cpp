#include "harness/scenario.h"

// CLAMP_TO_BORDER takes the border colour through the format: a missing channel is 0, a missing alpha 1.
SCENARIO(sampler, border_color, .tolerance = {.steps = 1}) {
  const Target target = makeTarget(s.width(), s.height());
  const Rgba8 texel = {255, 0, 0, 255};
  const float border[] = {0.2f, 0.4f, 0.6f, 0.8f};
  const GLenum formats[] = {GL_RGBA8, GL_RGB8, GL_RG8, GL_R8};
  const Rgba8 wanted[] = {{51, 102, 153, 204}, {51, 102, 153, 255}, {51, 102, 0, 255}, {51, 0, 0, 255}};
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv * 3.0 - 1.0)");
  for (int i = 0; i < 4; ++i) {
    makeTexture(1, 1, formats[i], GL_RGBA, GL_UNSIGNED_BYTE, &texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    glViewport(15 * i, 0, 15, 15);
    drawFull(program);
  }
  const Image image = s.read(0, 0, 60, 15);
  for (int i = 0; i < 4; ++i) {
    CHECK_PIXELS(image, 15 * i, 0, 5, 15, wanted[i]);
    CHECK_PIXELS(image, 15 * i, 10, 15, 5, wanted[i]);
    CHECK_PIXELS(image, 15 * i + 5, 5, 5, 5, Rgba8{255, 0, 0, 255});
  }
  s.picture("picture", image);
}
