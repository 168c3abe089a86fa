#include "harness/scenario.h"

// One query over clears, uploads, another framebuffer and a read: everything drawn inside counts, clears do not.
SCENARIO(query, across_passes) {
  const Target a = makeTarget(s.width(), s.height());
  const Target b = makeTarget(32, 32);
  const Painter painterA(s.width(), s.height()), painterB(32, 32);
  GLuint query = 0;
  glGenQueries(1, &query);
  a.bind();
  glBeginQuery(GL_SAMPLES_PASSED, query);
  painterA.fill({0, 0, 8, 8}, {1, 0, 0, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  painterA.fill({8, 8, 8, 8}, {1, 0, 0, 1});
  b.bind();
  glClear(GL_COLOR_BUFFER_BIT);
  painterB.fill({0, 0, 32, 1}, {1, 0, 0, 1});
  const Image image = s.read(0, 0, 32, 32);
  const Rgba8 texel = {1, 2, 3, 4};
  glBindTexture(GL_TEXTURE_2D, a.color);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &texel);
  a.bind();
  painterA.fill({40, 40, 10, 3}, {1, 0, 0, 1});
  glEndQuery(GL_SAMPLES_PASSED);
  painterA.fill({0, 0, 64, 64}, {0, 1, 0, 1});
  GLuint result = 0;
  glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
  CHECK_GPU_EQ(result, 64u + 64 + 32 + 30);
  CHECK_PIXEL(image, 5, 0, Rgba8{255, 0, 0, 255});
}
