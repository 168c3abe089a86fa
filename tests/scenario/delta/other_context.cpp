#include "delta/delta.h"

// Another context of the share group changes the texture that this one draws with. What makes the change visible here is a
// bind (OpenGL 3.3 appendix D.3.3), of what is bound already.
SCENARIO(delta, other_context) {
  makeTarget(s.width(), s.height());
  bindFullArray();
  const GLuint program = useProgram("uniform sampler2D t;", "texelFetch(t, ivec2(0), 0)");
  glUniform1i(uniform(program, "t"), 0);
  const GLuint texture = makeSolidTexture(1, 1, {255, 0, 0, 255});
  draw();
  glFinish();
  std::thread([&] {
    const Context other(&s.context());
    other.makeCurrent();
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_GREEN);
    glFinish();
    Context::release();
  }).join();
  if (s.onHost()) glBindTexture(GL_TEXTURE_2D, 0);  // Mesa does not look again at what is bound already
  glBindTexture(GL_TEXTURE_2D, texture);
  draw();
  CHECK_PIXELS(s.read(), 0, 0, s.width(), s.height(), Rgba8{0, 0, 0, 255});
  s.capture("picture");
}
