#include <array>

#include "harness/scenario.h"

// What a format lacks reads as 0, and alpha as 1; packed, shared-exponent, small-float and sRGB formats decode.
namespace {

struct Case {
  GLenum internalFormat, format, type;
  std::array<std::uint32_t, 4> texel;
  std::array<float, 4> wanted;
};

constexpr std::uint32_t rgb9e5(std::uint32_t r, std::uint32_t g, std::uint32_t b, std::uint32_t e) {
  return r | g << 9 | b << 18 | e << 27;
}

const Case kCases[] = {
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, {51}, {0.2f, 0, 0, 1}},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, {51 | 102 << 8}, {0.2f, 0.4f, 0, 1}},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, {51 | 102 << 8 | 153 << 16 | 204u << 24}, {0.2f, 0.4f, 0.6f, 0.8f}},
    {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, {51 | 102 << 8 | 153 << 16}, {0.2f, 0.4f, 0.6f, 1}},
    {GL_RGB8, GL_RGBA, GL_UNSIGNED_BYTE, {51 | 102 << 8 | 153 << 16}, {0.2f, 0.4f, 0.6f, 1}},
    {GL_RGBA8, GL_RGB, GL_UNSIGNED_BYTE, {51 | 102 << 8 | 153 << 16}, {0.2f, 0.4f, 0.6f, 1}},
    {GL_RGBA8, GL_RED, GL_FLOAT, {0x3f800000}, {1, 0, 0, 1}},
    {GL_R8_SNORM, GL_RED, GL_BYTE, {0x81}, {-1, 0, 0, 1}},
    {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, {0x7f | 0x81 << 8 | 0 << 16 | 0x80u << 24}, {1, -1, 0, -1}},
    {GL_R16, GL_RED, GL_UNSIGNED_SHORT, {13107}, {0.2f, 0, 0, 1}},
    {GL_RG16, GL_RG, GL_UNSIGNED_SHORT, {13107 | 26214u << 16}, {0.2f, 0.4f, 0, 1}},
    {GL_R16F, GL_RED, GL_HALF_FLOAT, {0xc100}, {-2.5f, 0, 0, 1}},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, {0x3c00 | 0xbc00u << 16, 0x4000 | 0x3800u << 16}, {1, -1, 2, 0.5f}},
    {GL_R32F, GL_RED, GL_FLOAT, {0x40490fdb}, {3.14159274f, 0, 0, 1}},
    {GL_RGB32F, GL_RGB, GL_FLOAT, {0x3f000000, 0xbf800000, 0x42c80000}, {0.5f, -1, 100, 1}},
    {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, {0x3f000000, 0x40000000, 0x42c80000}, {0.5f, 2, 100, 1}},
    {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, {rgb9e5(256, 128, 511, 16)}, {1, 0.5f, 511.0f / 256, 1}},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, {1023u << 10 | 2u << 30}, {0, 1, 0, 2.0f / 3}},
    {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, {31u << 11 | 1}, {1, 0, 0, 1}},
    {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, {0xf03c}, {1, 0, 0.2f, 0.8f}},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, {0 | 255 << 8 | 188 << 16 | 128u << 24}, {0, 1, 0.502886f, 0.501961f}},
    {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, {188 | 0 << 8 | 10 << 16}, {0.502886f, 0, 0.00303527f, 1}},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, {0x3e800000}, {0.25f}},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, {13107}, {0.2f}},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, {0xffffff00u}, {1}},
};

}  // namespace

SCENARIO(texture, formats, .tolerance = {.real = 3e-3f}) {
  const Target target = makeTarget(s.width(), s.height(), GL_RGBA32F);
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  int x = 0;
  for (const Case& c : kCases) {
    makeTexture(1, 1, c.internalFormat, c.format, c.type, c.texel.data());
    glViewport(x++, 0, 1, s.height());
    drawFull(program);
    CHECK_GL_ERROR(GL_NO_ERROR);
  }
  const Image image = s.readFloat(0, 0, x, 1);
  x = 0;
  for (const Case& c : kCases) {
    if (c.format == GL_DEPTH_COMPONENT || c.format == GL_DEPTH_STENCIL) {
      CHECK_FLOATS(image, x, 0, c.wanted[0]);
    } else {
      CHECK_FLOATS(image, x, 0, c.wanted[0], c.wanted[1], c.wanted[2], c.wanted[3]);
    }
    ++x;
  }
  s.picture("picture", image);
}
