// The openra workload: a frame as a game of sprites draws it. 29 draws in 593 calls, and before each the blend, the
// textures, the attribute pointers and the vertices themselves change: no gap between two draws is clean.
//
// 24 draws go to a framebuffer object (the world), then 5 to the screen, the first of which shows it: two passes.
#include <cstddef>

#include "frame/objects.h"
#include "frame/workload.h"

namespace workload {

const char* const kName = kEs ? "openra-es" : "openra";

namespace {

constexpr int kWorldDraws = 24, kScreenDraws = 5, kDraws = kWorldDraws + kScreenDraws;
constexpr int kSheets = 4;
constexpr int kSpritesMost = 40;

struct Vertex {
  float position[3];
  float uv[2];
  float channel[2];
  float tint[4];
};
static_assert(sizeof(Vertex) == 44);

const char kVertex[] = R"(
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec2 aUv;
layout(location = 2) in vec2 aChannel;
layout(location = 3) in vec4 aTint;
uniform vec3 uScroll;
out vec2 vUv;
out vec2 vChannel;
out vec4 vTint;
void main() {
  gl_Position = vec4(aPosition + uScroll, 1.0);
  vUv = aUv;
  vChannel = aChannel;
  vTint = aTint;
}
)";

const char kFragment[] = R"(
uniform sampler2D uFirst;
uniform sampler2D uSecond;
in vec2 vUv;
in vec2 vChannel;
in vec4 vTint;
out vec4 oColor;
void main() {
  vec4 color = vChannel.x > 0.5 ? texture(uFirst, vUv) : texture(uSecond, vUv);
#ifdef SCREEN
  color.a = 1.0;
#endif
  oColor = color * vTint;
}
)";

struct Blend {
  GLenum equation, from, to;
};
constexpr Blend kBlends[] = {{GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA},
                             {GL_FUNC_ADD, GL_ONE, GL_ONE},
                             {GL_FUNC_REVERSE_SUBTRACT, GL_ONE, GL_ONE},
                             {GL_FUNC_ADD, GL_DST_COLOR, GL_ONE_MINUS_SRC_ALPHA},
                             {GL_FUNC_ADD, GL_ONE, GL_ZERO}};

class Openra final : public Workload {
 public:
  const Expected& expected() const override { return expected_; }
  void make(int width, int height, GLuint target) override;
  void draw(unsigned frame) override;
  unsigned draws() const override { return called(Function::DrawArrays); }

 private:
  void beginTarget(GLuint framebuffer);
  void drawBatch(int index, unsigned frame);

  const Expected expected_{kDraws,
                           593,
                           2,
                           kDraws,
                           2,
                           {{Function::BlendFunc, kDraws},
                            {Function::BindTexture, 2 * kDraws},
                            {Function::VertexAttribPointer, 4 * kDraws},
                            {Function::BufferSubData, kDraws},
                            {Function::BindFramebuffer, 2}}};
  struct Program {
    GLuint name = 0;
    GLint scroll = -1, first = -1, second = -1;
  };
  Program programs_[2];
  GLuint sheets_[kSheets] = {};
  GLuint vertexArrays_[2] = {}, buffers_[2] = {};
  GLuint world_ = 0, worldFramebuffer_ = 0, window_ = 0;
  int width_ = 0, height_ = 0;
  std::vector<Vertex> sprites_[kDraws];
};

void Openra::make(int width, int height, GLuint target) {
  width_ = width;
  height_ = height;
  window_ = target;
  Random random(2007);
  for (int i = 0; i < 2; ++i) {
    Program& program = programs_[i];
    program.name = makeProgram(kVertex, kFragment, i == 0 ? "" : "#define SCREEN\n");
    program.scroll = uniformAt(program.name, "uScroll");
    program.first = uniformAt(program.name, "uFirst");
    program.second = uniformAt(program.name, "uSecond");
  }
  for (GLuint& sheet : sheets_) sheet = makeNoiseTexture(random, 64);
  world_ = makeTarget(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
  worldFramebuffer_ = makeFramebuffer(world_, 0);
  gl.GenVertexArrays(2, vertexArrays_);
  for (GLuint& buffer : buffers_)
    buffer = makeBuffer(GL_ARRAY_BUFFER, nullptr, kSpritesMost * 6 * sizeof(Vertex), GL_DYNAMIC_DRAW);
  for (const GLuint vertexArray : vertexArrays_) {
    gl.BindVertexArray(vertexArray);
    for (GLuint attribute = 0; attribute < 4; ++attribute) gl.EnableVertexAttribArray(attribute);
  }
  for (std::vector<Vertex>& sprites : sprites_) {
    const bool whole = &sprites == &sprites_[kWorldDraws];
    const int count = whole ? 1 : 2 + random.below(kSpritesMost - 1);
    for (int sprite = 0; sprite < count; ++sprite) {
      const float x = whole ? -1.0f : random.between(-1.0f, 0.9f), y = whole ? -1.0f : random.between(-1.0f, 0.9f);
      const float size = whole ? 2.0f : random.between(0.05f, 0.3f);
      for (const int corner : {0, 1, 2, 2, 3, 0}) {
        const float u = corner == 1 || corner == 2 ? 1.0f : 0.0f, v = corner >= 2 ? 1.0f : 0.0f;
        const float first = whole || sprite % 2 == 0 ? 1.0f : 0.0f;
        const float shade = whole ? 1.0f : 0.4f + 0.1f * static_cast<float>(sprite % 4);
        sprites.push_back(
            {{x + size * u, y + size * v, 0.0f}, {u, v}, {first, 1.0f - first}, {shade, shade, shade, shade}});
      }
    }
  }
}

// Four calls.
void Openra::beginTarget(GLuint framebuffer) {
  GL(BindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
  GL(Viewport)(0, 0, width_, height_);
  GL(ClearColor)(0.1f, 0.2f, 0.1f, 1.0f);
  GL(Clear)(GL_COLOR_BUFFER_BIT);
}

// 20 calls.
void Openra::drawBatch(int index, unsigned frame) {
  const int onScreen = index >= kWorldDraws ? 1 : 0;
  const Program& program = programs_[onScreen];
  const bool whole = index == kWorldDraws;
  std::vector<Vertex>& sprites = sprites_[index];
  if (!whole) {
    for (Vertex& vertex : sprites) vertex.position[0] += frame % 2 == 0 ? 0.005f : -0.005f;
  }
  GL(BindVertexArray)(vertexArrays_[onScreen]);
  GL(BindBuffer)(GL_ARRAY_BUFFER, buffers_[index % 2]);
  GL(BufferSubData)(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(sprites.size() * sizeof(Vertex)), sprites.data());
  const std::size_t offsets[] = {offsetof(Vertex, position), offsetof(Vertex, uv), offsetof(Vertex, channel),
                                 offsetof(Vertex, tint)};
  const GLint sizes[] = {3, 2, 2, 4};
  for (GLuint i = 0; i < 4; ++i)
    GL(VertexAttribPointer)(i, sizes[i], GL_FLOAT, GL_FALSE, sizeof(Vertex), bufferOffset(offsets[i]));
  const GLuint textures[] = {whole ? world_ : sheets_[index % kSheets], sheets_[(index + 1) % kSheets]};
  for (GLuint unit = 0; unit < 2; ++unit) {
    GL(ActiveTexture)(GL_TEXTURE0 + unit);
    GL(BindTexture)(GL_TEXTURE_2D, textures[unit]);
  }
  GL(UseProgram)(program.name);
  GL(Uniform1i)(program.first, 0);
  GL(Uniform1i)(program.second, 1);
  const float scroll[3] = {0.0f, whole ? 0.0f : 0.01f * static_cast<float>(index % 5), 0.0f};
  GL(Uniform3fv)(program.scroll, 1, scroll);
  const Blend& blend = kBlends[whole ? 4 : index % 5];
  GL(Enable)(GL_BLEND);
  GL(BlendEquation)(blend.equation);
  GL(BlendFunc)(blend.from, blend.to);
  GL(DrawArrays)(GL_TRIANGLES, 0, static_cast<GLsizei>(sprites.size()));
  GL(Disable)(GL_BLEND);
}

void Openra::draw(unsigned frame) {
  GL(Disable)(GL_DEPTH_TEST);
  beginTarget(worldFramebuffer_);
  for (int i = 0; i < kWorldDraws; ++i) drawBatch(i, frame);
  GL(Disable)(GL_DEPTH_TEST);
  beginTarget(window_);
  for (int i = kWorldDraws; i < kDraws; ++i) {
    const bool scissored = i == kDraws - 1;
    if (scissored) {
      GL(Enable)(GL_SCISSOR_TEST);
      GL(Scissor)(0, 0, width_, height_ / 4);
    }
    drawBatch(i, frame);
    if (scissored) GL(Disable)(GL_SCISSOR_TEST);
  }
}

}  // namespace

std::unique_ptr<Workload> makeWorkload() { return std::make_unique<Openra>(); }

}  // namespace workload
