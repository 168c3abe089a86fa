#include "harness/scenario.h"

// Two contexts that share nothing but the thread: each keeps its own state through every switch.
SCENARIO(share, contexts_interleaved) {
  const Context other;
  struct Part {
    const Context* context;
    Target target;
  };
  Part parts[2] = {{&s.context(), {}}, {&other, {}}};
  for (int i = 0; i < 2; ++i) {
    parts[i].context->makeCurrent();
    parts[i].target = makeTarget(s.width(), s.height());
    clearColor({static_cast<float>(i), 0, 0.2f, 1});
    if (i == 1) glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 32, 64);
  }
  for (int round = 0; round < 4; ++round) {
    for (const Part& part : parts) {
      part.context->makeCurrent();
      if (round == 2) clearColor({0, 1, &part == parts ? 0.4f : 0.6f, 1});
      glClear(GL_COLOR_BUFFER_BIT);
    }
  }
  parts[0].context->makeCurrent();
  CHECK_EQ(glIsEnabled(GL_SCISSOR_TEST), GL_FALSE);
  const Image first = s.read();
  parts[1].context->makeCurrent();
  CHECK_EQ(glIsEnabled(GL_SCISSOR_TEST), GL_TRUE);
  const Image second = s.read();
  CHECK_GL_ERROR(GL_NO_ERROR);
  parts[0].context->makeCurrent();
  CHECK_PIXELS(first, 0, 0, 64, 64, Rgba8{0, 255, 102, 255});
  CHECK_PIXELS(second, 0, 0, 32, 64, Rgba8{0, 255, 153, 255});
  CHECK_PIXELS(second, 32, 0, 32, 64, Rgba8{0, 0, 0, 0});
  s.picture("first", first);
}
