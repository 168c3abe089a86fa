#include "harness/scenario.h"

// Two threads draw at once with the same program, in contexts of one share group, into targets of their own.
SCENARIO(share, draw_on_two_threads) {
  const Target mine = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  GLuint sources[2] = {makeSolidTexture(2, 2, {255, 0, 0, 255}), makeSolidTexture(2, 2, {0, 255, 0, 255})};
  glFinish();
  const Context other(&s.context());
  Image theirs;
  std::atomic<bool> go = false;
  std::thread thread([&] {
    other.makeCurrent();
    const Target target = makeTarget(s.width(), s.height());
    const Painter painter(s.width(), s.height());
    go.wait(false);
    for (int i = 0; i < 64; ++i) {
      painter.fill({i, 0, 1, 64}, {static_cast<float>(i) / 255, 0, 1, 1});
      if (i % 16 == 15) glFlush();
    }
    theirs = s.read();
    CHECK_GL_ERROR(GL_NO_ERROR);
    Context::release();
  });
  go = true;
  go.notify_all();
  for (int i = 0; i < 64; ++i) {
    glBindTexture(GL_TEXTURE_2D, sources[i % 2]);
    glViewport(i, 0, 1, 64);
    drawFull(program);
    if (i % 8 == 7) glFlush();
  }
  const Image ours = s.read();
  thread.join();
  REQUIRE(theirs.width == s.width());
  for (int i = 0; i < 64; ++i) {
    CHECK_PIXELS(ours, i, 0, 1, 64, i % 2 == 0 ? Rgba8{255, 0, 0, 255} : Rgba8{0, 255, 0, 255});
    CHECK_PIXELS(theirs, i, 0, 1, 64, Rgba8{static_cast<std::uint8_t>(i), 0, 255, 255});
  }
  s.picture("ours", ours);
  s.picture("theirs", theirs);
}
