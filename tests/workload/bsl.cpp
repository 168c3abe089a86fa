// The bsl workload: a frame as a shader pack draws it. Large multi-draws over one arena of vertices in formats that a
// host may lack (three components of 16 and of 8 bits), to targets in formats that a host may lack (three components),
// then full-screen passes. The work is the GPU's.
//
// Seven passes: shadow, scene (three targets), lighting, water over its result, two of blur, final to the screen.
#include <cmath>
#include <cstddef>

#include "frame/objects.h"
#include "frame/workload.h"

namespace workload {

const char* const kName = kEs ? "bsl-es" : "bsl";

namespace {

constexpr int kShadowSize = 512;
constexpr int kChunks = 192;  // parts of a multi-draw
constexpr int kQuadsOfChunk = 48;
constexpr int kScreenPasses = 4;  // lighting, two of blur, final
constexpr int kMultiDraws = 4;    // shadow, solid, cut out, water

struct Vertex {
  std::uint16_t position[3];  // normalized
  std::uint8_t normal[3];
  std::uint8_t shade;
  std::uint16_t uv[2];
  std::uint8_t color[4];
};
static_assert(sizeof(Vertex) == 18);

const char kSceneVertex[] = R"(
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aUv;
layout(location = 3) in vec4 aColor;
uniform mat4 uMatrix;
out vec3 vNormal;
out vec2 vUv;
out vec4 vColor;
void main() {
  gl_Position = uMatrix * vec4(aPosition * 2.0 - 1.0, 1.0);
  vNormal = aNormal * 2.0 - 1.0;
  vUv = aUv * 4.0;
  vColor = aColor;
}
)";

const char kSceneFragment[] = R"(
uniform sampler2D uTexture;
in vec3 vNormal;
in vec2 vUv;
in vec4 vColor;
#ifdef SHADOW
void main() {
  if (texture(uTexture, vUv).a < 0.1) discard;
}
#elif defined(WATER)
layout(location = 0) out vec4 oColor;
void main() {
  oColor = vec4(vColor.rgb * vec3(0.2, 0.4, 0.9), 0.4);
}
#else
layout(location = 0) out vec4 oColor;
layout(location = 1) out vec4 oNormal;
layout(location = 2) out vec4 oMaterial;
void main() {
  vec4 color = texture(uTexture, vUv) * vColor;
#ifdef CUTOUT
  if (vColor.a < 0.75) discard;
#endif
  oColor = vec4(color.rgb, 1.0);
  oNormal = vec4(vNormal * 0.5 + 0.5, 1.0);
  oMaterial = vec4(vColor.r, vColor.g, gl_FragCoord.z, 1.0);
}
#endif
)";

const char kScreenVertex[] = R"(
out vec2 vUv;
void main() {
  vUv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(vUv * 2.0 - 1.0, 0.0, 1.0);
}
)";

const char kScreenFragment[] = R"(
uniform sampler2D uFirst;
uniform sampler2D uSecond;
uniform sampler2D uThird;
uniform sampler2D uShadow;
in vec2 vUv;
layout(location = 0) out vec4 oColor;
#if defined(LIGHTING)
void main() {
  vec3 albedo = texture(uFirst, vUv).rgb;
  vec3 normal = texture(uSecond, vUv).rgb * 2.0 - 1.0;
  vec3 material = texture(uThird, vUv).rgb;
  float lit = 0.0;
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) {
      float depth = texture(uShadow, vUv + vec2(x, y) / 512.0).r;
      lit += step(material.b, depth + 0.25);
    }
  }
  float light = 0.3 + 0.7 * max(dot(normal, normalize(vec3(0.3, 0.8, 0.5))), 0.0) * lit / 25.0;
  oColor = vec4(albedo * light * (0.5 + material.r), 1.0);
}
#elif defined(BLUR)
void main() {
  vec3 sum = vec3(0.0);
  for (int i = -6; i <= 6; ++i) sum += texture(uFirst, vUv + BLUR * float(i)).rgb * (7.0 - abs(float(i)));
  oColor = vec4(sum / 49.0, 1.0);
}
#else
void main() {
  vec3 color = texture(uFirst, vUv).rgb + 0.5 * texture(uSecond, vUv).rgb;
  oColor = vec4(color / (1.0 + color), 1.0);
}
#endif
)";

struct Program {
  GLuint name = 0;
  GLint matrix = -1;
};

class Bsl final : public Workload {
 public:
  const Expected& expected() const override { return expected_; }
  void make(int width, int height, GLuint target) override;
  void draw(unsigned frame) override;
  unsigned draws() const override { return parts_ + kScreenPasses; }

 private:
  Program makeScene(const char* defines);
  GLuint makeScreen(const char* defines);
  void makeArena(Random& random);
  void makeTargets(int width, int height);
  void beginPass(GLuint framebuffer, int width, int height, GLuint program);
  void bindTexture(GLuint unit, GLuint texture);
  void multiDraw(int first, int count);
  void screenPass(GLuint framebuffer, GLuint program, GLuint first, GLuint second, GLuint third);

  static constexpr unsigned kParts = kChunks + kChunks + kChunks / 4;  // shadow and scene draw all, water a quarter
  // A host without multi-draws gets the parts one by one.
  static constexpr unsigned kMultiCalls = kEs ? kParts : kMultiDraws;
  const Expected expected_{
      kParts + kScreenPasses,
      93 + kMultiCalls,
      8,
      8,
      7,
      {{Function::BindFramebuffer, 7},
       {kEs ? Function::DrawElementsBaseVertex : Function::MultiDrawElementsBaseVertex, kMultiCalls},
       {Function::DrawArrays, kScreenPasses}}};
  Program shadow_, solid_, cutout_, water_;
  GLuint lighting_ = 0, blurAcross_ = 0, blurUp_ = 0, final_ = 0;
  GLuint texture_ = 0, arena_ = 0, none_ = 0;
  GLuint shadowDepth_ = 0, albedo_ = 0, normal_ = 0, material_ = 0, depth_ = 0, lit_ = 0, blurred_[2] = {};
  GLuint shadowTarget_ = 0, scene_ = 0, litTarget_ = 0, waterTarget_ = 0, blurTargets_[2] = {}, window_ = 0;
  int width_ = 0, height_ = 0;
  unsigned parts_ = 0;
  std::vector<GLsizei> counts_;
  std::vector<const void*> offsets_;
  std::vector<GLint> baseVertices_;
};

Program Bsl::makeScene(const char* defines) {
  Program program;
  program.name = makeProgram(kSceneVertex, kSceneFragment, defines);
  program.matrix = uniformAt(program.name, "uMatrix");
  gl.UseProgram(program.name);
  gl.Uniform1i(uniformAt(program.name, "uTexture"), 0);
  return program;
}

GLuint Bsl::makeScreen(const char* defines) {
  const GLuint program = makeProgram(kScreenVertex, kScreenFragment, defines);
  gl.UseProgram(program);
  const char* const samplers[] = {"uFirst", "uSecond", "uThird", "uShadow"};
  for (int unit = 0; unit < 4; ++unit) gl.Uniform1i(uniformAt(program, samplers[unit]), unit);
  return program;
}

void Bsl::makeArena(Random& random) {
  std::vector<Vertex> vertices;
  std::vector<std::uint16_t> indices;
  for (int quad = 0; quad < kQuadsOfChunk; ++quad)
    for (const int corner : {0, 1, 2, 2, 3, 0}) indices.push_back(static_cast<std::uint16_t>(4 * quad + corner));
  const auto unorm = [](float value) {
    return static_cast<std::uint16_t>(std::fmin(std::fmax(value, 0.0f), 1.0f) * 65535.0f);
  };
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    counts_.push_back(6 * (kQuadsOfChunk / 2 + random.below(kQuadsOfChunk / 2 + 1)));
    offsets_.push_back(nullptr);
    baseVertices_.push_back(static_cast<GLint>(vertices.size()));
    const float cx = random.unit(), cy = random.unit();
    for (int quad = 0; quad < kQuadsOfChunk; ++quad) {
      const float x = cx + random.between(-0.1f, 0.1f), y = cy + random.between(-0.1f, 0.1f), z = random.unit();
      const std::uint8_t normal[3] = {static_cast<std::uint8_t>(random.below(256)), 220,
                                      static_cast<std::uint8_t>(random.below(256))};
      for (int corner = 0; corner < 4; ++corner) {
        const float u = corner == 1 || corner == 2 ? 1.0f : 0.0f, v = corner >= 2 ? 1.0f : 0.0f;
        Vertex vertex{};
        vertex.position[0] = unorm(x + 0.03f * u);
        vertex.position[1] = unorm(y + 0.03f * v);
        vertex.position[2] = unorm(z + 0.01f * (u + v));
        for (int i = 0; i < 3; ++i) vertex.normal[i] = normal[i];
        vertex.uv[0] = unorm(u);
        vertex.uv[1] = unorm(v);
        for (std::uint8_t& component : vertex.color) component = static_cast<std::uint8_t>(128 + random.below(128));
        vertices.push_back(vertex);
      }
    }
  }
  gl.GenVertexArrays(1, &arena_);
  gl.GenVertexArrays(1, &none_);
  gl.BindVertexArray(arena_);
  makeBuffer(GL_ARRAY_BUFFER, vertices.data(), vertices.size() * sizeof(Vertex), GL_STATIC_DRAW);
  makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices.data(), indices.size() * 2, GL_STATIC_DRAW);
  const auto attribute = [](GLuint index, GLint size, GLenum type, std::size_t offset) {
    gl.VertexAttribPointer(index, size, type, GL_TRUE, sizeof(Vertex), bufferOffset(offset));
    gl.EnableVertexAttribArray(index);
  };
  attribute(0, 3, GL_UNSIGNED_SHORT, offsetof(Vertex, position));
  attribute(1, 3, GL_UNSIGNED_BYTE, offsetof(Vertex, normal));
  attribute(2, 2, GL_UNSIGNED_SHORT, offsetof(Vertex, uv));
  attribute(3, 4, GL_UNSIGNED_BYTE, offsetof(Vertex, color));
}

void Bsl::makeTargets(int width, int height) {
  const GLenum half = kEs ? GL_RGBA16F : GL_RGB16F;  // ES draws to no three-component float format
  const GLenum halfFormat = kEs ? GL_RGBA : GL_RGB;
  shadowDepth_ = makeTarget(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, kShadowSize, kShadowSize);
  albedo_ = makeTarget(GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, width, height);
  normal_ = makeTarget(GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, width, height);
  material_ = makeTarget(GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, width, height);
  depth_ = makeTarget(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height);
  lit_ = makeTarget(half, halfFormat, GL_FLOAT, width, height);
  for (GLuint& texture : blurred_) texture = makeTarget(half, halfFormat, GL_FLOAT, width / 2, height / 2);
  shadowTarget_ = makeFramebuffer(0, shadowDepth_);
  scene_ = makeFramebuffer(albedo_, depth_);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, normal_, 0);
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2, GL_TEXTURE_2D, material_, 0);
  const GLenum outputs[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
  gl.DrawBuffers(3, outputs);
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    fail("the scene's framebuffer is not complete");
  litTarget_ = makeFramebuffer(lit_, 0);
  waterTarget_ = makeFramebuffer(lit_, depth_);
  for (int i = 0; i < 2; ++i) blurTargets_[i] = makeFramebuffer(blurred_[i], 0);
}

void Bsl::make(int width, int height, GLuint target) {
  width_ = width;
  height_ = height;
  window_ = target;
  Random random(10132);
  shadow_ = makeScene("#define SHADOW\n");
  solid_ = makeScene("");
  cutout_ = makeScene("#define CUTOUT\n");
  water_ = makeScene("#define WATER\n");
  lighting_ = makeScreen("#define LIGHTING\n");
  blurAcross_ = makeScreen("#define BLUR vec2(0.004, 0.0)\n");
  blurUp_ = makeScreen("#define BLUR vec2(0.0, 0.006)\n");
  final_ = makeScreen("");
  texture_ = makeNoiseTexture(random, 64);
  makeArena(random);
  makeTargets(width, height);
}

// Six calls.
void Bsl::beginPass(GLuint framebuffer, int width, int height, GLuint program) {
  GL(BindFramebuffer)(GL_FRAMEBUFFER, framebuffer);
  GL(Viewport)(0, 0, width, height);
  GL(UseProgram)(program);
  toggle(GL_DEPTH_TEST, framebuffer == shadowTarget_ || framebuffer == scene_ || framebuffer == waterTarget_);
  toggle(GL_BLEND, framebuffer == waterTarget_);
  GL(DepthMask)(framebuffer == waterTarget_ ? GL_FALSE : GL_TRUE);
}

// Two calls.
void Bsl::bindTexture(GLuint unit, GLuint texture) {
  GL(ActiveTexture)(GL_TEXTURE0 + unit);
  GL(BindTexture)(GL_TEXTURE_2D, texture);
}

// One call, or one a part.
void Bsl::multiDraw(int first, int count) {
  const auto at = static_cast<std::size_t>(first);
#if WORKLOAD_ES
  for (std::size_t i = at; i < at + static_cast<std::size_t>(count); ++i)
    GL(DrawElementsBaseVertex)(GL_TRIANGLES, counts_[i], GL_UNSIGNED_SHORT, offsets_[i], baseVertices_[i]);
#else
  GL(MultiDrawElementsBaseVertex)
  (GL_TRIANGLES, &counts_[at], GL_UNSIGNED_SHORT, &offsets_[at], count, &baseVertices_[at]);
#endif
  parts_ += static_cast<unsigned>(count);
}

// 14 calls.
void Bsl::screenPass(GLuint framebuffer, GLuint program, GLuint first, GLuint second, GLuint third) {
  const bool small = framebuffer == blurTargets_[0] || framebuffer == blurTargets_[1];
  beginPass(framebuffer, small ? width_ / 2 : width_, small ? height_ / 2 : height_, program);
  bindTexture(0, first);
  bindTexture(1, second);
  bindTexture(2, third);
  GL(BindVertexArray)(none_);
  GL(DrawArrays)(GL_TRIANGLES, 0, 3);
}

void Bsl::draw(unsigned frame) {
  parts_ = 0;
  const float sway = frame % 2 == 0 ? 0.01f : -0.01f;
  const float view[16] = {1, 0, 0, 0, 0, 1, 0, 0, sway, 0, 0.9f, 0, 0, 0, 0, 1};
  beginPass(shadowTarget_, kShadowSize, kShadowSize, shadow_.name);
  GL(Clear)(GL_DEPTH_BUFFER_BIT);
  GL(UniformMatrix4fv)(shadow_.matrix, 1, GL_FALSE, view);
  bindTexture(0, texture_);
  GL(BindVertexArray)(arena_);
  multiDraw(0, kChunks);

  beginPass(scene_, width_, height_, solid_.name);
  GL(ClearColor)(0.4f, 0.6f, 0.8f, 1.0f);
  GL(Clear)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  GL(UniformMatrix4fv)(solid_.matrix, 1, GL_FALSE, view);
  multiDraw(0, kChunks / 2);
  GL(UseProgram)(cutout_.name);
  GL(UniformMatrix4fv)(cutout_.matrix, 1, GL_FALSE, view);
  bindTexture(0, texture_);
  multiDraw(kChunks / 2, kChunks / 2);

  bindTexture(3, shadowDepth_);
  screenPass(litTarget_, lighting_, albedo_, normal_, material_);

  beginPass(waterTarget_, width_, height_, water_.name);
  GL(BlendFunc)(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  GL(UniformMatrix4fv)(water_.matrix, 1, GL_FALSE, view);
  GL(BindVertexArray)(arena_);
  bindTexture(0, texture_);
  multiDraw(0, kChunks / 4);

  screenPass(blurTargets_[0], blurAcross_, lit_, 0, 0);
  screenPass(blurTargets_[1], blurUp_, blurred_[0], 0, 0);
  screenPass(window_, final_, lit_, blurred_[1], 0);
}

}  // namespace

std::unique_ptr<Workload> makeWorkload() { return std::make_unique<Bsl>(); }

}  // namespace workload
