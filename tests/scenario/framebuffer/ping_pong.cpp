#include "harness/scenario.h"

// Two textures in turn as source and target, eight passes: each pass sees the whole result of the one before.
SCENARIO(framebuffer, ping_pong) {
  const Target a = makeTarget(s.width(), s.height());
  const Target b = makeTarget(s.width(), s.height());
  const GLuint program = makeFullProgram("uniform sampler2D t;",
                                         "texelFetch(t, ivec2(63 - int(gl_FragCoord.x), int(gl_FragCoord.y)), 0)"
                                         " + vec4(1.0, 2.0, 3.0, 0.0) / 255.0");
  a.bind();
  const Painter painter(s.width(), s.height());
  painter.fill({0, 0, 0, 1});
  painter.fill({0, 0, 16, 64}, {0.2f, 0.4f, 0, 1});
  for (int i = 0; i < 4; ++i) {
    b.bind();
    glBindTexture(GL_TEXTURE_2D, a.color);
    drawFull(program);
    a.bind();
    glBindTexture(GL_TEXTURE_2D, b.color);
    drawFull(program);
  }
  // The same with one framebuffer whose attachment changes.
  for (int i = 0; i < 5; ++i) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, i % 2 == 0 ? b.color : a.color, 0);
    glBindTexture(GL_TEXTURE_2D, i % 2 == 0 ? a.color : b.color);
    drawFull(program);
  }
  const Image image = s.read();
  CHECK_PIXELS(image, 0, 0, 48, 64, Rgba8{13, 26, 39, 255});
  CHECK_PIXELS(image, 48, 0, 16, 64, Rgba8{64, 128, 39, 255});
  s.picture("picture", image);
}
