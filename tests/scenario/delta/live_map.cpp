#include "delta/delta.h"

// A buffer that the draws read is mapped between them: the draw has its error (OpenGL 3.3 section 2.9.3), and is none. What is
// written through the map counts after it.
SCENARIO(delta, live_map) {
  makeTarget(s.width(), s.height());
  const GLuint buffer = bindFullArray();
  const GLuint program = useProgram("uniform vec4 uColor;", "uColor");
  const GLint color = uniform(program, "uColor");
  glUniform4f(color, 1, 0, 0, 1);
  draw();
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  auto* map = static_cast<float*>(glMapBufferRange(GL_ARRAY_BUFFER, 0, 24, GL_MAP_WRITE_BIT));
  REQUIRE(map != nullptr);
  const float right[] = {0, -1, 4, -1, 0, 3};
  for (int i = 0; i < 6; ++i) map[i] = right[i];
  if (!s.onHost()) {  // Mesa does not look
    glUniform4f(color, 0, 0, 1, 1);
    draw();
    CHECK_GL_ERROR(GL_INVALID_OPERATION);
    CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{255, 0, 0, 255});
  }
  CHECK_EQ(glUnmapBuffer(GL_ARRAY_BUFFER), GL_TRUE);
  glUniform4f(color, 0, 1, 0, 1);
  draw();
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, s.width() / 2, s.height(), Rgba8{255, 0, 0, 255});
  CHECK_PIXELS(image, s.width() / 2, 0, s.width() / 2, s.height(), Rgba8{0, 255, 0, 255});
  s.picture("picture", image);
}
