#include "harness/scenario.h"

// A thread ends with its context current; the context is then made current elsewhere and goes on.
SCENARIO(share, thread_ends_current) {
  const Target target = makeTarget(s.width(), s.height());
  const Context other(&s.context());
  Target theirs;
  std::thread([&] {
    other.makeCurrent();
    theirs = makeTarget(32, 32);
    clearColor({1, 0, 0, 1});
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    // EGL releases a thread's context when the thread ends; said aloud, as implementations differ.
    Context::release();
  }).join();
  std::thread([&] {
    other.makeCurrent();
    clearColor({0, 1, 0, 1});
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 16, 32);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    Context::release();
  }).join();
  other.makeCurrent();
  const Image image = s.read(0, 0, 32, 32);
  CHECK_PIXELS(image, 0, 0, 16, 32, Rgba8{0, 255, 0, 255});
  CHECK_PIXELS(image, 16, 0, 16, 32, Rgba8{255, 0, 0, 255});
  CHECK_EQ(glIsEnabled(GL_SCISSOR_TEST), GL_TRUE);
  CHECK_GL_ERROR(GL_NO_ERROR);
  s.context().makeCurrent();
  s.picture("picture", image);
}
