#include "harness/scenario.h"

// A fence polled with time-out 0 and by its status becomes signalled without a glFlush of the program's own.
SCENARIO(sync, polling) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  for (int i = 0; i < 3; ++i) {
    painter.fill({1, 0, 0, 1});
    const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    REQUIRE(fence != nullptr);
    if (i == 0) {
      glFlush();
      GLint status = GL_UNSIGNALED;
      REQUIRE(soon([&] {
        glGetSynciv(fence, GL_SYNC_STATUS, 1, nullptr, &status);
        return status == GL_SIGNALED;
      }));
    } else {
      GLenum result = GL_TIMEOUT_EXPIRED;
      REQUIRE(soon([&] {
        result = glClientWaitSync(fence, i == 1 ? GL_SYNC_FLUSH_COMMANDS_BIT : 0, i == 1 ? 0 : 1'000'000);
        if (i == 2) glFlush();
        return result != GL_TIMEOUT_EXPIRED;
      }));
      CHECK(result == GL_ALREADY_SIGNALED || result == GL_CONDITION_SATISFIED);
    }
    glDeleteSync(fence);
  }
  glFinish();
}
