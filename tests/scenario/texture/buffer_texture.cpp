#include <array>

#include "harness/scenario.h"

// A buffer texture is a window on the buffer's current contents, also after an update and a new store.
SCENARIO(texture, buffer_texture) {
  const Target target = makeTarget(4, 3, GL_RGBA32F);
  const std::array<float, 16> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const GLuint buffer = makeBuffer(GL_TEXTURE_BUFFER, sizeof values, values.data(), GL_DYNAMIC_DRAW);
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_BUFFER, texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32F, buffer);
  const GLuint program = makeFullProgram("uniform samplerBuffer t;",
                                         "vec4(texelFetch(t, int(gl_FragCoord.x)).rgb, float(textureSize(t)))");
  glViewport(0, 0, 4, 1);
  drawFull(program);
  const std::array<float, 2> changed = {50, 60};
  glBufferSubData(GL_TEXTURE_BUFFER, 8, sizeof changed, changed.data());
  glViewport(0, 1, 4, 1);
  drawFull(program);
  const std::array<float, 8> fresh = {-1, -2, -3, -4, -5, -6, -7, -8};
  glBufferData(GL_TEXTURE_BUFFER, sizeof fresh, fresh.data(), GL_STATIC_DRAW);
  glViewport(0, 2, 4, 1);
  drawFull(program);
  const Image image = s.readFloat(0, 0, 4, 3);
  for (int x = 0; x < 4; ++x) {
    const auto v = static_cast<float>(2 * x);
    CHECK_FLOATS(image, x, 0, v + 1, v + 2, 0, 8);
    if (x == 1) {
      CHECK_FLOATS(image, x, 1, 50, 60, 0, 8);
    } else {
      CHECK_FLOATS(image, x, 1, v + 1, v + 2, 0, 8);
    }
    CHECK_FLOATS(image, x, 2, -v - 1, -v - 2, 0, 4);
  }
  s.picture("picture", image);
}
