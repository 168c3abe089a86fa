#include "harness/scenario.h"

// What a waited fence says is done is done: its state is signalled at the first asking.
SCENARIO(sync, finish_by_fence) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram(R"(
uniform int uRounds;
float work() {
  float x = vUv.x;
  for (int i = 0; i < uRounds; ++i) x = sin(x) * 0.5 + 0.5;
  return x < 2.0 ? 1.0 : 0.0;
})",
                                         "vec4(0.0, work(), 0.0, 1.0)");
  glUseProgram(program);
  glUniform1i(uniform(program, "uRounds"), 500);
  for (int i = 0; i < 10; ++i) drawFull(program);
  const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  const GLenum waited = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 20'000'000'000ull);
  CHECK(waited == GL_CONDITION_SATISFIED || waited == GL_ALREADY_SIGNALED);
  GLint value = 0;
  glGetSynciv(fence, GL_SYNC_STATUS, 1, nullptr, &value);
  CHECK_EQ(value, GL_SIGNALED);
  glDeleteSync(fence);
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 255, 0, 255});
  s.capture("picture");
}
