#include "harness/scenario.h"

// A loader thread fills textures in a context of its own; the drawing thread uses each after its fence.
SCENARIO(share, textures_two_threads) {
  constexpr int kCount = 8;
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  const Context other(&s.context());
  std::atomic<GLuint> textures[kCount] = {};
  GLsync fences[kCount] = {};
  std::atomic<int> ready = 0;
  std::thread loader([&] {
    other.makeCurrent();
    for (int i = 0; i < kCount; ++i) {
      const GLuint texture = makeSolidTexture(16, 16, {0, 0, 0, 255});
      const std::vector<Rgba8> texels(256, Rgba8{static_cast<std::uint8_t>(30 * i), 77, 200, 255});
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
      fences[i] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
      glFlush();
      textures[i] = texture;
      ready = i + 1;
      ready.notify_all();
    }
    CHECK_GL_ERROR(GL_NO_ERROR);
    Context::release();
  });
  for (int i = 0; i < kCount; ++i) {
    for (int seen = ready; seen <= i; seen = ready) ready.wait(seen);
    glWaitSync(fences[i], 0, GL_TIMEOUT_IGNORED);
    glBindTexture(GL_TEXTURE_2D, textures[i]);
    glViewport(8 * i, 0, 8, 64);
    drawFull(program);
    glDeleteSync(fences[i]);
  }
  loader.join();
  const Image image = s.read();
  for (int i = 0; i < kCount; ++i)
    CHECK_PIXELS(image, 8 * i, 0, 8, 64, Rgba8{static_cast<std::uint8_t>(30 * i), 77, 200, 255});
  s.picture("picture", image);
}
