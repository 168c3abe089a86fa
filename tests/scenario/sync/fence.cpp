#include "harness/scenario.h"

// A fence is signalled once what came before is done; its state can be asked, waited for, and it can be deleted early.
SCENARIO(sync, fence) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  painter.fill({1, 0, 0, 1});
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  REQUIRE(fence != nullptr);
  CHECK_EQ(glIsSync(fence), GL_TRUE);
  const GLenum waited = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ull);
  CHECK(waited == GL_CONDITION_SATISFIED || waited == GL_ALREADY_SIGNALED);
  GLint value = 0;
  GLsizei count = 0;
  glGetSynciv(fence, GL_SYNC_STATUS, 1, &count, &value);
  CHECK_EQ(value, GL_SIGNALED);
  CHECK_EQ(count, 1);
  glGetSynciv(fence, GL_OBJECT_TYPE, 1, nullptr, &value);
  CHECK_EQ(value, GL_SYNC_FENCE);
  CHECK_EQ(glClientWaitSync(fence, 0, 0), GLenum{GL_ALREADY_SIGNALED});
  glWaitSync(fence, 0, GL_TIMEOUT_IGNORED);
  glDeleteSync(fence);
  CHECK_EQ(glIsSync(fence), GL_FALSE);
  glDeleteSync(nullptr);
  const GLsync unused = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glDeleteSync(unused);
  glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 1);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
  glFenceSync(GL_QUERY_RESULT, 0);
  CHECK_GL_ERROR(GL_INVALID_ENUM);
}
