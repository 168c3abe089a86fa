#include "harness/scenario.h"

// An object deleted in one context lives on where another has it bound or attached, and its name is free.
SCENARIO(share, deleted_elsewhere) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint texture = makeSolidTexture(4, 4, {200, 100, 50, 255});
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  drawFull(program);
  glFinish();
  const Context other(&s.context());
  std::thread([&] {
    other.makeCurrent();
    glDeleteTextures(1, &texture);
    glDeleteTextures(1, &target.color);
    CHECK_EQ(glIsTexture(texture), GL_FALSE);
    // New objects there must not disturb the ones still in use here.
    for (int i = 0; i < 4; ++i) makeSolidTexture(64, 64, {1, 1, 1, 1});
    glFinish();
    CHECK_GL_ERROR(GL_NO_ERROR);
    Context::release();
  }).join();
  glViewport(0, 0, 32, 64);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  drawFull(program);
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 32, 64, Rgba8{200, 100, 50, 255});
  CHECK_PIXELS(image, 32, 0, 32, 64, Rgba8{0, 0, 255, 255});
  s.picture("picture", image);
}
