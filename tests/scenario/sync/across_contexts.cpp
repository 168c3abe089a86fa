#include "harness/scenario.h"

// A second context writes a buffer and makes a fence; the first waits for the fence on the server and draws.
SCENARIO(sync, across_contexts) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("layout(std140) uniform Block { vec4 color; };", "color");
  const float red[] = {1, 0, 0, 1};
  const GLuint buffer = makeBuffer(GL_UNIFORM_BUFFER, sizeof red, red, GL_DYNAMIC_DRAW);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
  glViewport(0, 0, 16, 64);
  drawFull(program);
  glFinish();
  const Context other(&s.context());
  for (int i = 1; i < 4; ++i) {
    GLsync fence = nullptr;
    std::thread([&] {
      other.makeCurrent();
      const float color[] = {0, static_cast<float>(51 * i) / 255, 1, 1};
      glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
      glBufferSubData(GL_COPY_WRITE_BUFFER, 0, sizeof color, color);
      fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
      glFlush();
      CHECK_GL_ERROR(GL_NO_ERROR);
      Context::release();
    }).join();
    REQUIRE(fence != nullptr);
    CHECK_EQ(glIsSync(fence), GL_TRUE);
    glWaitSync(fence, 0, GL_TIMEOUT_IGNORED);
    glDeleteSync(fence);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glViewport(16 * i, 0, 16, 64);
    drawFull(program);
    glFinish();
  }
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 16, 64, Rgba8{255, 0, 0, 255});
  for (int i = 1; i < 4; ++i)
    CHECK_PIXELS(image, 16 * i, 0, 16, 64, Rgba8{0, static_cast<std::uint8_t>(51 * i), 255, 255});
  s.picture("picture", image);
}
