#include "harness/scenario.h"

// Integer textures take the border colour set by glTexParameterI*, unconverted.
SCENARIO(sampler, integer_border) {
  const Target target = makeTarget(3, 1, GL_RGBA32I);
  const GLint texel[] = {5, 6, 7, 8}, border[] = {-1000000, 3, 70000, -9};
  makeTexture(1, 1, GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, texel);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
  const GLuint program = makeProgram(kFullVertex,
                                     "in vec2 vUv; out ivec4 oColor; uniform isampler2D t;"
                                     "void main() { oColor = texture(t, vec2(vUv.x * 3.0 - 1.0, 0.5)); }");
  drawFull(program);
  const Image image = s.readInt(0, 0, 3, 1);
  CHECK_INTS(image, 0, 0, -1000000, 3, 70000, -9);
  CHECK_INTS(image, 1, 0, 5, 6, 7, 8);
  CHECK_INTS(image, 2, 0, -1000000, 3, 70000, -9);
  s.picture("picture", image);
  GLint got[4] = {};
  glGetTexParameterIiv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, got);
  for (int i = 0; i < 4; ++i) CHECK_EQ(got[i], border[i]);
}
