#include "harness/scenario.h"

// Shadow samplers compare the reference with the texel by each function; without the mode the texel itself is read.
SCENARIO(sampler, compare) {
  const Target target = makeTarget(s.width(), s.height());
  const float texel = 0.5f;
  makeTexture(1, 1, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, &texel);
  const GLuint program = makeFullProgram(
      "uniform sampler2DShadow t;",
      "vec4(texture(t, vec3(vUv, gl_FragCoord.y < 20.0 ? 0.25 : gl_FragCoord.y < 40.0 ? 0.5 : 0.75)), 0.0, 0.0, 1.0)");
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  struct Case {
    GLint function;
    bool below, equal, above;
  };
  const Case cases[] = {{GL_LEQUAL, true, true, false}, {GL_GEQUAL, false, true, true},
                        {GL_LESS, true, false, false},  {GL_GREATER, false, false, true},
                        {GL_EQUAL, false, true, false}, {GL_NOTEQUAL, true, false, true},
                        {GL_ALWAYS, true, true, true},  {GL_NEVER, false, false, false}};
  int column = 0;
  for (const Case& c : cases) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, c.function);
    glViewport(8 * column++, 0, 8, 60);
    drawFull(program);
  }
  const Image image = s.read(0, 0, 64, 60);
  column = 0;
  const auto lit = [](bool on) { return Rgba8{static_cast<std::uint8_t>(on ? 255 : 0), 0, 0, 255}; };
  for (const Case& c : cases) {
    CHECK_PIXELS(image, 8 * column, 0, 8, 20, lit(c.below));
    CHECK_PIXELS(image, 8 * column, 20, 8, 20, lit(c.equal));
    CHECK_PIXELS(image, 8 * column++, 40, 8, 20, lit(c.above));
  }
  s.picture("picture", image);
}
