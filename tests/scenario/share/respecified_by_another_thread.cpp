#include "harness/scenario.h"

// One thread changes the sizes of shared objects while another fills, reads and draws with them, unsynchronised. What the
// contents are is undefined, and a call that comes too late is an error; but both contexts live on and draw afterwards.
// The host's own GL corrupts its heap here: it runs the same calls in turns.
namespace {

constexpr int kRounds = 60;
constexpr int kSizes[] = {64, 1, 16, 33, 4};

void takeErrors() {
  while (glGetError() != GL_NO_ERROR) {}
}

}  // namespace

SCENARIO(share, respecified_by_another_thread) {
  const Target mine = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;", "texture(t, vUv)");
  GLuint texture, buffer, renderbuffer, framebuffer, copied;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, 16384, nullptr, GL_DYNAMIC_DRAW);
  glGenBuffers(1, &copied);
  glBindBuffer(GL_COPY_WRITE_BUFFER, copied);
  glBufferData(GL_COPY_WRITE_BUFFER, 16384, nullptr, GL_DYNAMIC_DRAW);
  glGenRenderbuffers(1, &renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 64, 64);
  glGenFramebuffers(1, &framebuffer);
  glFinish();

  const Context other(&s.context());
  std::atomic<bool> done = false;
  std::mutex turns;
  const auto turn = [&] { return s.onHost() ? std::unique_lock(turns) : std::unique_lock<std::mutex>(); };
  std::thread thread([&] {
    other.makeCurrent();
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    for (int i = 0; !done && i < 20 * kRounds; ++i) {
      const auto theirTurn = turn();
      const int size = kSizes[i % 5];
      glTexImage2D(GL_TEXTURE_2D, 0, i % 2 == 0 ? GL_RGBA8 : GL_RGBA16F, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
      glBufferData(GL_ARRAY_BUFFER, 256 * size, nullptr, GL_DYNAMIC_DRAW);
      glRenderbufferStorage(GL_RENDERBUFFER, i % 3 == 0 ? GL_RGBA16F : GL_RGBA8, size, size);
      if (i % 16 == 15) glFlush();
    }
    takeErrors();
    const Target target = makeTarget(s.width(), s.height());
    const Painter painter(s.width(), s.height());
    painter.fill({0, 0, 64, 64}, {0, 1, 0, 1});
    const Image theirs = s.read();
    CHECK_PIXELS(theirs, 0, 0, 64, 64, Rgba8{0, 255, 0, 255});
    CHECK_GL_ERROR(GL_NO_ERROR);
    Context::release();
  });

  std::vector<std::uint8_t> bytes(65536, 77);
  for (int i = 0; i < kRounds; ++i) {
    const auto ourTurn = turn();
    const int size = kSizes[i % 5];
    glBufferSubData(GL_ARRAY_BUFFER, 0, 256 * size, bytes.data());
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, 256 * size, bytes.data());
    glCopyBufferSubData(GL_ARRAY_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 256 * size);
    if (glMapBufferRange(GL_ARRAY_BUFFER, 0, 256 * size, GL_MAP_WRITE_BIT) != nullptr) glUnmapBuffer(GL_ARRAY_BUFFER);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    if (i % 8 == 0) glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, std::vector<std::uint8_t>(65536).data());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 1, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    glViewport(0, 0, size, size);
    drawFull(program);
    glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, mine.framebuffer);
    glBlitFramebuffer(0, 0, size, size, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    drawFull(program);
    takeErrors();
  }
  done = true;
  thread.join();

  glBindFramebuffer(GL_FRAMEBUFFER, mine.framebuffer);
  glViewport(0, 0, s.width(), s.height());
  glBindTexture(GL_TEXTURE_2D, makeSolidTexture(2, 2, {255, 0, 0, 255}));
  drawFull(program);
  CHECK_PIXELS(s.read(), 0, 0, 64, 64, Rgba8{255, 0, 0, 255});
}
