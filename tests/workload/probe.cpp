// The probe: a frame of a few calls, each draw after another kind of gap. What is known of it to the last call is the
// control of `mobilegl run --call-stats` (call_stats_test.py has the figures).
#include "frame/objects.h"
#include "frame/workload.h"

namespace workload {

const char* const kName = kEs ? "probe-es" : "probe";

namespace {

constexpr int kParts = 3;

const char kVertex[] = R"(
layout(location = 0) in vec2 aPosition;
void main() { gl_Position = vec4(aPosition, 0.0, 1.0); }
)";
const char kFragment[] = R"(
uniform sampler2D uTexture;
uniform vec4 uColor;
out vec4 oColor;
void main() { oColor = texture(uTexture, vec2(0.5)) * uColor; }
)";

class Probe final : public Workload {
 public:
  const Expected& expected() const override { return expected_; }
  void make(int width, int height, GLuint target) override;
  void draw(unsigned frame) override;
  unsigned draws() const override { return draws_; }

 private:
  void drawTriangle();

  const Expected expected_{8 + kParts, 19 + (kEs ? kParts : 1), 2, 4, 1, {{Function::DrawElements, 8}}};
  GLuint program_ = 0, texture_ = 0, target_ = 0, vertices_ = 0, indices_ = 0, vertexArrays_[2] = {};
  GLint color_ = -1, sampler_ = -1;
  unsigned draws_ = 0;
};

void Probe::make(int, int, GLuint target) {
  target_ = target;
  Random random(1);
  program_ = makeProgram(kVertex, kFragment);
  color_ = uniformAt(program_, "uColor");
  sampler_ = uniformAt(program_, "uTexture");
  texture_ = makeNoiseTexture(random, 4);
  gl.GenVertexArrays(2, vertexArrays_);
  const float corners[] = {-1, -1, 3, -1, -1, 3};
  const std::uint16_t indices[] = {0, 1, 2};
  for (const GLuint vertexArray : vertexArrays_) {
    gl.BindVertexArray(vertexArray);
    vertices_ = makeBuffer(GL_ARRAY_BUFFER, corners, sizeof corners, GL_STATIC_DRAW);
    indices_ = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof indices, GL_STATIC_DRAW);
    gl.VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 8, nullptr);
    gl.EnableVertexAttribArray(0);
  }
}

void Probe::drawTriangle() {
  GL(DrawElements)(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
  ++draws_;
}

void Probe::draw(unsigned frame) {
  draws_ = 0;
  GL(BindFramebuffer)(GL_FRAMEBUFFER, target_);  // context, and nothing moves
  GL(Clear)(GL_COLOR_BUFFER_BIT);
  GL(UseProgram)(program_);
  GL(BindVertexArray)(vertexArrays_[0]);
  drawTriangle();
  GL(Uniform4f)(color_, 1.0f, 0.5f, 0.25f, 1.0f);  // free
  drawTriangle();
  GL(BindBuffer)(GL_ELEMENT_ARRAY_BUFFER, indices_);  // vao: moves once, in the first frame
  drawTriangle();
  GL(BindBuffer)(GL_ARRAY_BUFFER, vertices_);  // free
  drawTriangle();
  GL(Uniform1i)(sampler_, 0);  // program, and nothing moves
  drawTriangle();
  GL(TexParameteri)
  (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, frame % 2 == 0 ? GL_LINEAR : GL_NEAREST);  // share_group, moves
  drawTriangle();
  GL(Enable)(GL_DITHER);  // context, and nothing moves
  drawTriangle();
  GL(BindVertexArray)(vertexArrays_[1]);  // free: another pair
  drawTriangle();
  const GLsizei counts[kParts] = {3, 3, 3};
  const GLint baseVertices[kParts] = {};
#if WORKLOAD_ES
  for (int i = 0; i < kParts; ++i)
    GL(DrawElementsBaseVertex)(GL_TRIANGLES, counts[i], GL_UNSIGNED_SHORT, nullptr, baseVertices[i]);
#else
  const void* const offsets[kParts] = {};
  GL(MultiDrawElementsBaseVertex)(GL_TRIANGLES, counts, GL_UNSIGNED_SHORT, offsets, kParts, baseVertices);
#endif
  draws_ += kParts;
}

}  // namespace

std::unique_ptr<Workload> makeWorkload() { return std::make_unique<Probe>(); }

}  // namespace workload
