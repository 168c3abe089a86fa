#include <array>

#include "harness/scenario.h"

// Integer textures: signed and unsigned, no conversion, missing channels 0 and alpha 1; read back as integers.
SCENARIO(texture, integer_formats) {
  const Target target = makeTarget(8, 1, GL_RGBA32I);
  const auto make = [](const char* sampler) {
    return makeProgram(kFullVertex, std::string("in vec2 vUv; out ivec4 oColor; uniform ") + sampler +
                                        " t; void main() { oColor = ivec4(texelFetch(t, ivec2(0), 0)); }");
  };
  const GLuint signedProgram = make("isampler2D"), unsignedProgram = make("usampler2D");
  struct Case {
    GLenum internalFormat, format, type;
    std::array<std::uint32_t, 4> texel;
    std::array<long long, 4> wanted;
  };
  const Case cases[] = {
      {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, {0x7f8001ffu}, {-1, 1, -128, 127}},
      {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, {0x7f8001ffu}, {255, 1, 128, 127}},
      {GL_R16I, GL_RED_INTEGER, GL_SHORT, {0x8000}, {-32768, 0, 0, 1}},
      {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, {0xffff0001u}, {1, 65535, 0, 1}},
      {GL_R32I, GL_RED_INTEGER, GL_INT, {0x80000000u}, {-2147483648LL, 0, 0, 1}},
      {GL_RGB32I, GL_RGB_INTEGER, GL_INT, {1, 0xffffffffu, 70000}, {1, -1, 70000, 1}},
      {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, {1, 2, 3, 0x7fffffff}, {1, 2, 3, 2147483647}},
      {GL_RGB8UI, GL_RGB_INTEGER, GL_UNSIGNED_BYTE, {0x00c0b0a0u}, {0xa0, 0xb0, 0xc0, 1}},
  };
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  int x = 0;
  for (const Case& c : cases) {
    makeTexture(1, 1, c.internalFormat, c.format, c.type, c.texel.data());
    glViewport(x++, 0, 1, 1);
    const bool isSigned = c.type == GL_BYTE || c.type == GL_SHORT || c.type == GL_INT;
    drawFull(isSigned ? signedProgram : unsignedProgram);
  }
  const Image image = s.readInt(0, 0, 8, 1);
  x = 0;
  for (const Case& c : cases) {
    CHECK_INTS(image, x, 0, c.wanted[0], c.wanted[1], c.wanted[2], c.wanted[3]);
    ++x;
  }
  s.picture("picture", image);
}
