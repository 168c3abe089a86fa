#include "harness/scenario.h"

// A whole array attached: the geometry shader's gl_Layer picks the layer, and a clear clears every one.
SCENARIO(framebuffer, layered) {
  GLuint texture = 0, framebuffer = 0, vao = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 8, 8, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0);
  REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
  GLint isLayered = 0;
  glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_LAYERED,
                                        &isLayered);
  CHECK_EQ(isLayered, GL_TRUE);
  const GLuint program = makeProgram("void main() { gl_Position = vec4(0.0); }",
                                     R"(
flat in int gLayer;
out vec4 oColor;
void main() { oColor = vec4(float(gLayer) * 0.2, 1.0, 0.0, 1.0); }
)",
                                     R"(
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
flat out int gLayer;
void main() {
  for (int i = 0; i < 4; ++i) {
    gl_Layer = gl_PrimitiveIDIn;
    gLayer = gl_PrimitiveIDIn;
    // The lower half of the layer.
    gl_Position = vec4((i & 1) * 2 - 1, (i >> 1) - 1, 0.0, 1.0);
    EmitVertex();
  }
}
)");
  glViewport(0, 0, 8, 8);
  clearColor({0, 0, 1, 1});
  glClear(GL_COLOR_BUFFER_BIT);
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  glDrawArrays(GL_POINTS, 0, 3);
  std::vector<Rgba8> all(8 * 8 * 3);
  glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, all.data());
  for (std::size_t at = 0; at < all.size(); ++at) {
    const std::size_t layer = at / 64, y = at % 64 / 8;
    CHECK_GPU(all[at] == (y < 4 ? Rgba8{static_cast<std::uint8_t>(51 * layer), 255, 0, 255} : Rgba8{0, 0, 255, 255}));
  }
}
