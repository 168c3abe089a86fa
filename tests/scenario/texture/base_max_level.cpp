#include "harness/scenario.h"

// The base level is level 0 of what a shader sees; levels beyond the maximum are not sampled.
SCENARIO(texture, base_max_level) {
  const Target target = makeTarget(s.width(), s.height());
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (int level = 0; level < 4; ++level) {
    const std::vector<Rgba8> texels(static_cast<std::size_t>(64 >> 2 * level),
                                    Rgba8{static_cast<std::uint8_t>(50 * (level + 1)), 0, 0, 255});
    glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 8 >> level, 8 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
  const GLuint program = makeFullProgram("uniform sampler2D t; uniform float uLod;",
                                         "vec4(textureLod(t, vUv, uLod).r, float(textureSize(t, 0).x) / 255.0, "
                                         "float(textureSize(t, int(uLod)).x) / 255.0, 1.0)");
  glUseProgram(program);
  const GLint lod = uniform(program, "uLod");
  const auto draw = [&](int column, float value) {
    glViewport(8 * column, 0, 8, s.height());
    glUseProgram(program);
    glUniform1f(lod, value);
    drawFull(program);
  };
  draw(0, 0);
  draw(1, 2);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
  draw(2, 0);
  draw(3, 1);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
  draw(4, 0);
  // Level 1 of the window is the last one; a larger level of detail clamps to it.
  glViewport(40, 0, 8, s.height());
  drawTexture("sampler2D", "vec4(textureLod(t, vUv, 3.0).r, 0.0, 0.0, 1.0)");
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
  draw(6, 1);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 8, 64, Rgba8{50, 8, 8, 255});
  CHECK_PIXELS(image, 8, 0, 8, 64, Rgba8{150, 8, 2, 255});
  CHECK_PIXELS(image, 16, 0, 8, 64, Rgba8{100, 4, 4, 255});
  CHECK_PIXELS(image, 24, 0, 8, 64, Rgba8{150, 4, 2, 255});
  CHECK_PIXELS(image, 32, 0, 8, 64, Rgba8{100, 4, 4, 255});
  CHECK_PIXELS(image, 40, 0, 8, 64, Rgba8{150, 0, 0, 255});
  CHECK_PIXELS(image, 48, 0, 8, 64, Rgba8{100, 8, 4, 255});
  s.picture("picture", s.read(0, 0, 56, 64));
}
