#include "harness/scenario.h"

// Repeat, mirrored repeat and clamp to edge, each axis its own.
SCENARIO(sampler, wrap_modes) {
  const Target target = makeTarget(48, 48);
  Rgba8 texels[16];
  for (int i = 0; i < 16; ++i)
    texels[i] = {static_cast<std::uint8_t>(60 * (i % 4)), static_cast<std::uint8_t>(60 * (i / 4)), 0, 255};
  makeTexture(4, 4, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  const GLenum modes[] = {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE};
  const GLuint program = makeFullProgram("uniform sampler2D t; uniform vec2 uOrigin;",
                                         "texture(t, (gl_FragCoord.xy - uOrigin) / 4.0 - 1.0)");
  const auto wrapped = [](int mode, int i) {
    if (mode == 0) return (i + 8) % 4;
    if (mode == 1) return (i + 8) % 8 < 4 ? (i + 8) % 4 : 3 - (i + 8) % 4;
    return i < 0 ? 0 : i > 3 ? 3 : i;
  };
  for (int t = 0; t < 3; ++t) {
    for (int u = 0; u < 3; ++u) {
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, static_cast<GLint>(modes[u]));
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, static_cast<GLint>(modes[t]));
      glViewport(16 * u, 16 * t, 12, 12);
      glUseProgram(program);
      glUniform2f(uniform(program, "uOrigin"), static_cast<float>(16 * u), static_cast<float>(16 * t));
      drawFull(program);
    }
  }
  const Image image = s.read(0, 0, 48, 48);
  for (int t = 0; t < 3; ++t) {
    for (int u = 0; u < 3; ++u) {
      for (int y = 0; y < 12; ++y) {
        for (int x = 0; x < 12; ++x) {
          CHECK_PIXEL(image, 16 * u + x, 16 * t + y, texels[4 * wrapped(t, y - 4) + wrapped(u, x - 4)]);
        }
      }
    }
  }
}
