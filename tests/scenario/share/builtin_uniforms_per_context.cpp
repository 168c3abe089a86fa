#include <atomic>

#include "harness/scenario.h"

// gl_DepthRange is the drawing context's, also in a program that two contexts share and draw with in turn, each current on a
// thread of its own all the while.
SCENARIO(share, builtin_uniforms_per_context, .tolerance = {.steps = 1}) {
  const GLuint program = makeFullProgram("", "vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, 1.0)");
  glFinish();
  const Context other(&s.context());
  std::atomic<int> turn{0};
  const auto draws = [&](int own, double near, double far, const Rgba8& wanted, const char* picture) {
    makeTarget(s.width(), s.height());
    GLuint vao = 0;
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    glUseProgram(program);
    glDepthRange(near, far);
    for (int round = 0; round < 3; ++round) {
      for (int now = turn; now != 2 * round + own; now = turn) turn.wait(now);
      glDrawArrays(GL_TRIANGLES, 0, 3);
      glFinish();
      ++turn;
      turn.notify_all();
    }
    const Image image = s.read();
    CHECK_PIXELS(image, 0, 0, s.width(), s.height(), wanted);
    CHECK_GL_ERROR(GL_NO_ERROR);
    s.picture(picture, image);
  };
  std::thread thread([&] {
    other.makeCurrent();
    draws(1, 0.2, 0.6, {51, 153, 102, 255}, "other");
    Context::release();
  });
  draws(0, 0, 1, {0, 255, 255, 255}, "first");
  thread.join();
}
