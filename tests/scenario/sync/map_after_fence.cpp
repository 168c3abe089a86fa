#include "harness/scenario.h"

// Reads into buffers, a fence each, mapped unsynchronised once the fence says so.
SCENARIO(sync, map_after_fence) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  GLuint buffers[3];
  GLsync fences[3];
  for (int i = 0; i < 3; ++i) {
    painter.fill({static_cast<float>(51 * (i + 1)) / 255, 0, 1, 1});
    buffers[i] = makeBuffer(GL_PIXEL_PACK_BUFFER, 64 * 64 * 4, nullptr, GL_STREAM_READ);
    glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    fences[i] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
  for (int i = 0; i < 3; ++i) {
    const GLenum waited = glClientWaitSync(fences[i], GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ull);
    CHECK(waited == GL_ALREADY_SIGNALED || waited == GL_CONDITION_SATISFIED);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffers[i]);
    const auto* map =
        static_cast<const Rgba8*>(glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, 64 * 64 * 4, GL_MAP_READ_BIT));
    REQUIRE(map != nullptr);
    CHECK_GPU(map[0] == (Rgba8{static_cast<std::uint8_t>(51 * (i + 1)), 0, 255, 255}));
    CHECK_GPU(map[4095] == (Rgba8{static_cast<std::uint8_t>(51 * (i + 1)), 0, 255, 255}));
    CHECK_EQ(glUnmapBuffer(GL_PIXEL_PACK_BUFFER), GL_TRUE);
    glDeleteSync(fences[i]);
  }
}
