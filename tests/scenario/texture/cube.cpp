#include "harness/scenario.h"

// The major axis picks the face; inside a face s and t follow the table of GL 3.3 section 3.8.10.
SCENARIO(texture, cube) {
  const Target target = makeTarget(6, 4);
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
  for (unsigned face = 0; face < 6; ++face) {
    // Texel (x, y) of a face: red names the face, green is 100 * x, blue 100 * y.
    Rgba8 texels[4];
    for (unsigned i = 0; i < 4; ++i) {
      texels[i] = {static_cast<std::uint8_t>(40 * face), static_cast<std::uint8_t>(100 * (i % 2)),
                   static_cast<std::uint8_t>(100 * (i / 2)), 255};
    }
    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  }
  glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  const GLuint program = makeFullProgram(R"(
uniform samplerCube t;
vec3 direction() {
  int face = int(gl_FragCoord.x), corner = int(gl_FragCoord.y);
  float s = (corner & 1) == 0 ? -0.5 : 0.5, u = (corner & 2) == 0 ? -0.5 : 0.5;
  // The inverse of the table: s = sc / ma, u = tc / ma.
  if (face == 0) return vec3(1.0, -u, -s);
  if (face == 1) return vec3(-1.0, -u, s);
  if (face == 2) return vec3(s, 1.0, u);
  if (face == 3) return vec3(s, -1.0, -u);
  if (face == 4) return vec3(s, -u, 1.0);
  return vec3(-s, -u, -1.0);
}
)",
                                         "texture(t, direction() * 3.0)");
  drawFull(program);
  const Image image = s.read(0, 0, 6, 4);
  for (int face = 0; face < 6; ++face) {
    for (int corner = 0; corner < 4; ++corner) {
      CHECK_PIXEL(image, face, corner,
                  Rgba8{static_cast<std::uint8_t>(40 * face), static_cast<std::uint8_t>(100 * (corner & 1)),
                        static_cast<std::uint8_t>(100 * (corner >> 1)), 255});
    }
  }
  s.picture("picture", image);
}
