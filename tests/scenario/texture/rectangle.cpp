#include "harness/scenario.h"

// Rectangle textures are addressed in texels, not in 0..1.
SCENARIO(texture, rectangle) {
  const Target target = makeTarget(s.width(), s.height());
  std::vector<Rgba8> texels;
  for (int i = 0; i < 5 * 3; ++i)
    texels.push_back({static_cast<std::uint8_t>(50 * (i % 5)), static_cast<std::uint8_t>(100 * (i / 5)), 0, 255});
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_RECTANGLE, texture);
  glTexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_RGBA8, 5, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  const Rgba8 blue = {0, 0, 255, 255};
  glTexSubImage2D(GL_TEXTURE_RECTANGLE, 0, 2, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &blue);
  glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glViewport(0, 0, 5, 3);
  drawTexture("sampler2DRect", "texture(t, gl_FragCoord.xy)");
  glViewport(8, 0, 5, 3);
  drawTexture("sampler2DRect", "texelFetch(t, ivec2(gl_FragCoord.xy) - ivec2(8, 0))");
  glViewport(16, 0, 5, 3);
  drawTexture("sampler2DRect", "textureProj(t, vec3((gl_FragCoord.xy - vec2(16.0, 0.0)) * 2.0, 2.0))");
  const Image image = s.read();
  for (int i = 0; i < 15; ++i) {
    const Rgba8 wanted = i == 7 ? blue : texels[static_cast<std::size_t>(i)];
    for (const int x : {0, 8, 16}) CHECK_PIXEL(image, x + i % 5, i / 5, wanted);
  }
  s.picture("picture", s.read(0, 0, 5, 3));
}
