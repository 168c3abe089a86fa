#include "harness/scenario.h"

// Depth and stencil of one packed buffer are cleared, written and read together and apart.
SCENARIO(depth_stencil, packed_read) {
  const Target target = makeTarget(16, 16, GL_RGBA8, GL_DEPTH24_STENCIL8);
  glClearDepth(0.25);
  glClearStencil(0xab);
  glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  std::vector<std::uint32_t> packed(256);
  glReadPixels(0, 0, 16, 16, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data());
  CHECK_GPU_EQ(packed[17] & 0xff, 0xab);
  CHECK_GPU((packed[17] >> 8) >= 0x3ffffe && (packed[17] >> 8) <= 0x400001);
  // Depth alone is cleared: the stencil stays.
  glClearDepth(1.0);
  glClear(GL_DEPTH_BUFFER_BIT);
  glReadPixels(0, 0, 16, 16, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data());
  CHECK_GPU_EQ(packed[100], 0xffffffabu);
  glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.0f, 0x17);
  glReadPixels(0, 0, 16, 16, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data());
  CHECK_GPU_EQ(packed[255], 0x17);
  const GLint other = 0x99;
  glStencilMask(0xf0);
  glClearBufferiv(GL_STENCIL, 0, &other);
  glReadPixels(0, 0, 16, 16, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, packed.data());
  CHECK_GPU_EQ(packed[3], 0x97);
}
