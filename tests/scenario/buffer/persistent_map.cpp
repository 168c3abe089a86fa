#include <array>

#include "harness/scenario.h"

// A persistent coherent map: what is written through it counts at the next draw, while earlier draws keep what they
// had.
SCENARIO(buffer, persistent_map, .needs = {"GL_ARB_buffer_storage"}) {
  const Target target = makeTarget(s.width(), s.height());
  const GLuint program = makeProgram(R"(
layout(location = 0) in vec4 aColor;
flat out vec4 vColor;
void main() {
  vColor = aColor;
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float((gl_VertexID >> 1) & 1) * 4.0 - 1.0, 0.0, 1.0);
}
)",
                                     "flat in vec4 vColor; out vec4 o; void main() { o = vColor; }");
  GLuint vao = 0, buffer = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glBufferStorage(GL_ARRAY_BUFFER, 4096, nullptr, kFlags);
  auto* map = static_cast<Rgba8*>(glMapBufferRange(GL_ARRAY_BUFFER, 0, 4096, kFlags));
  REQUIRE(map != nullptr);
  glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
  glEnableVertexAttribArray(0);
  glUseProgram(program);
  for (int i = 0; i < 4; ++i) {
    // Two slots in turn, each rewritten only after its fence.
    const int slot = 512 * (i % 2);
    for (int v = 0; v < 4; ++v) map[slot + v] = {static_cast<std::uint8_t>(60 * i), 100, 7, 255};
    glViewport(16 * i, 0, 16, 64);
    glDrawArrays(GL_TRIANGLES, slot, 3);
    const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (i % 2 == 1) glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10'000'000'000ull);
    glDeleteSync(fence);
  }
  const Image image = s.read();
  for (int i = 0; i < 4; ++i)
    CHECK_PIXELS(image, 16 * i, 0, 16, 64, Rgba8{static_cast<std::uint8_t>(60 * i), 100, 7, 255});
  s.picture("picture", image);
}
