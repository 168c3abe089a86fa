// The rd12 workload: a frame of 1471 draws in 4856 calls over 1466 vertex arrays, each drawn with one program.  Between
// two draws lie glBindVertexArray and one glUniform3fv, except in 15 gaps (1 %) that change program, textures and
// fixed-function state.
#include <cmath>
#include <cstddef>

#include "frame/objects.h"
#include "frame/workload.h"

namespace workload {

const char* const kName = kEs ? "rd12-es" : "rd12";

namespace {

constexpr int kDraws = 1471;
constexpr int kVertexArrays = 1466;
constexpr int kGaps = 15;
constexpr int kPrograms = 3;
constexpr int kTextures = 4;
constexpr int kQuadsMost = 24;

struct Vertex {
  float position[3];
  std::uint8_t color[4];
  float uv[2];
  std::int16_t light[2];
  std::int8_t normal[4];
};
static_assert(sizeof(Vertex) == 32);

const char kVertex[] = R"(
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec4 aColor;
layout(location = 2) in vec2 aUv;
layout(location = 3) in ivec2 aLight;
layout(location = 4) in vec3 aNormal;
uniform mat4 uProjection;
uniform mat4 uView;
uniform vec3 uOffset;
uniform sampler2D uLightMap;
out vec4 vColor;
out vec2 vUv;
out float vDistance;
void main() {
  vec4 position = uView * vec4(aPosition + uOffset, 1.0);
  gl_Position = uProjection * position;
  float side = 0.8 + 0.2 * aNormal.y;
  vColor = aColor * texelFetch(uLightMap, aLight / 16, 0) * vec4(vec3(side), 1.0);
  vUv = aUv;
  vDistance = length(position.xyz);
}
)";

const char kFragment[] = R"(
uniform sampler2D uAtlas;
uniform sampler2D uDetail;
uniform vec4 uFogColor;
uniform vec2 uFogRange;
uniform float uGamma;
uniform vec4 uTint;
in vec4 vColor;
in vec2 vUv;
in float vDistance;
out vec4 oColor;
void main() {
  vec4 color = texture(uAtlas, vUv) * vColor * uTint;
#ifdef CUTOUT
  if (color.a < 0.5) discard;
#endif
#ifdef DETAIL
  color.rgb *= texture(uDetail, vUv * 4.0).rgb;
#endif
  float fog = smoothstep(uFogRange.x, uFogRange.y, vDistance);
  oColor = vec4(pow(mix(color.rgb, uFogColor.rgb, fog), vec3(uGamma)), color.a);
}
)";

struct Program {
  GLuint name = 0;
  GLint projection = -1, view = -1, offset = -1, atlas = -1, detail = -1, lightMap = -1;
  GLint fogColor = -1, fogRange = -1, gamma = -1, tint = -1;
};

struct Mesh {
  GLuint vertexArray = 0;
  GLsizei indices = 0;
  int program = 0;
  float offset[3] = {};
};

Program make(const std::string& defines) {
  Program program;
  program.name = makeProgram(kVertex, kFragment, defines);
  const auto at = [&](const char* name) { return uniformAt(program.name, name); };
  program.projection = at("uProjection");
  program.view = at("uView");
  program.offset = at("uOffset");
  program.atlas = at("uAtlas");
  program.detail = at("uDetail");
  program.lightMap = at("uLightMap");
  program.fogColor = at("uFogColor");
  program.fogRange = at("uFogRange");
  program.gamma = at("uGamma");
  program.tint = at("uTint");
  return program;
}

Mesh makeMesh(Random& random, GLuint indexBuffer, int program) {
  Mesh mesh;
  mesh.program = program;
  const int quads = 2 + random.below(kQuadsMost - 1);
  mesh.indices = 6 * quads;
  std::vector<Vertex> vertices;
  for (int quad = 0; quad < quads; ++quad) {
    const float x = static_cast<float>(random.below(16)), y = static_cast<float>(random.below(16)),
                z = static_cast<float>(random.below(16));
    const auto shade = static_cast<std::uint8_t>(128 + random.below(128));
    for (int corner = 0; corner < 4; ++corner) {
      const int u = corner == 1 || corner == 2, v = corner >= 2;
      Vertex vertex = {};
      vertex.position[0] = x + static_cast<float>(u);
      vertex.position[1] = y + static_cast<float>(quad % 2 == 0 ? 0 : v);
      vertex.position[2] = z + static_cast<float>(quad % 2 == 0 ? v : 0);
      vertex.color[0] = vertex.color[1] = vertex.color[2] = shade;
      vertex.color[3] = 255;
      vertex.uv[0] = static_cast<float>(u) * 0.25f;
      vertex.uv[1] = static_cast<float>(v) * 0.25f;
      vertex.light[0] = static_cast<std::int16_t>(random.below(240));
      vertex.light[1] = static_cast<std::int16_t>(random.below(240));
      vertex.normal[quad % 2 == 0 ? 1 : 2] = 127;
      vertices.push_back(vertex);
    }
  }
  GLuint buffer = 0;
  gl.GenVertexArrays(1, &mesh.vertexArray);
  gl.BindVertexArray(mesh.vertexArray);
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
  gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
                GL_STATIC_DRAW);
  gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indexBuffer);
  gl.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), bufferOffset(offsetof(Vertex, position)));
  gl.VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), bufferOffset(offsetof(Vertex, color)));
  gl.VertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), bufferOffset(offsetof(Vertex, uv)));
  gl.VertexAttribIPointer(3, 2, GL_SHORT, sizeof(Vertex), bufferOffset(offsetof(Vertex, light)));
  gl.VertexAttribPointer(4, 3, GL_BYTE, GL_TRUE, sizeof(Vertex), bufferOffset(offsetof(Vertex, normal)));
  for (GLuint i = 0; i < 5; ++i) gl.EnableVertexAttribArray(i);
  mesh.offset[0] = static_cast<float>(random.below(25) - 12) * 16.0f;
  mesh.offset[1] = static_cast<float>(random.below(8) - 5) * 16.0f;
  mesh.offset[2] = static_cast<float>(random.below(25) - 12) * 16.0f;
  return mesh;
}

class Rd12 final : public Workload {
 public:
  const Expected& expected() const override { return expected_; }
  void make(int width, int height, GLuint target) override;
  void draw(unsigned frame) override;
  unsigned draws() const override { return called(Function::DrawElements); }

 private:
  void bindTexture(GLenum unit, GLuint texture, GLint location);
  void dirtyCommon(int program, int gap);
  void beginFrame();
  void dirtyRest(int gap);

  const Expected expected_{kDraws,
                           4856,
                           kVertexArrays,
                           kGaps,
                           1,
                           {{Function::BindVertexArray, kDraws},
                            {Function::Uniform3fv, kDraws},
                            {Function::DrawElements, kDraws},
                            {Function::UseProgram, kGaps}}};
  std::array<Program, kPrograms> programs_;
  std::array<GLuint, kTextures> textures_ = {};
  std::vector<Mesh> meshes_;
  std::vector<int> order_;  // of a frame: mesh by draw
  GLuint target_ = 0;
  int width_ = 0, height_ = 0;
  float projection_[16] = {}, view_[16] = {};
};

// Draws go through the meshes in order; five of them are drawn twice in a row, which makes 1471 of 1466.
void Rd12::make(int width, int height, GLuint target) {
  width_ = width;
  height_ = height;
  target_ = target;
  Random random(20121211);
  programs_ = {workload::make(""), workload::make("#define CUTOUT\n"), workload::make("#define DETAIL\n")};
  for (GLuint& texture : textures_) texture = makeNoiseTexture(random, 64);
  std::vector<std::uint16_t> indices;
  for (int quad = 0; quad < kQuadsMost; ++quad) {
    for (const int corner : {0, 1, 2, 2, 3, 0}) indices.push_back(static_cast<std::uint16_t>(4 * quad + corner));
  }
  gl.BindVertexArray(0);
  const GLuint indexBuffer = makeBuffer(GL_COPY_WRITE_BUFFER, indices.data(), indices.size() * 2, GL_STATIC_DRAW);
  for (int i = 0; i < kVertexArrays; ++i) {
    const int program = i < 900 ? 0 : i < 1300 ? 1 : 2;
    meshes_.push_back(makeMesh(random, indexBuffer, program));
    order_.push_back(i);
    if (i % 300 == 150) order_.push_back(i);
  }
  const float f = 1.0f / std::tan(0.6f), near = 0.05f, far = 768.0f;
  projection_[0] = f * static_cast<float>(height) / static_cast<float>(width);
  projection_[5] = f;
  projection_[10] = (far + near) / (near - far);
  projection_[11] = -1;
  projection_[14] = 2 * far * near / (near - far);
  for (int i = 0; i < 4; ++i) view_[5 * i] = 1;
  gl.ClearColor(0.6f, 0.7f, 0.9f, 1.0f);
}

void Rd12::bindTexture(GLenum unit, GLuint texture, GLint location) {
  GL(ActiveTexture)(GL_TEXTURE0 + unit);
  GL(BindTexture)(GL_TEXTURE_2D, texture);
  GL(Uniform1i)(location, static_cast<GLint>(unit));
}

// 22 calls.
void Rd12::dirtyCommon(int program, int gap) {
  const Program& p = programs_[static_cast<std::size_t>(program)];
  const auto texture = [&](int i) { return textures_[static_cast<std::size_t>((i + gap) % kTextures)]; };
  GL(UseProgram)(p.name);
  bindTexture(0, texture(0), p.atlas);
  bindTexture(1, texture(1), p.detail);
  bindTexture(2, texture(2), p.lightMap);
  toggle(GL_BLEND, gap % 3 == 2);
  GL(BlendFuncSeparate)(GL_SRC_ALPHA, gap % 2 == 0 ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE, GL_ONE, GL_ZERO);
  GL(DepthMask)(gap % 3 == 2 ? GL_FALSE : GL_TRUE);
  toggle(GL_CULL_FACE, gap % 2 == 0);
  toggle(GL_DEPTH_TEST, true);
  GL(DepthFunc)(GL_LEQUAL);
  GL(UniformMatrix4fv)(p.projection, 1, GL_FALSE, projection_);
  GL(UniformMatrix4fv)(p.view, 1, GL_FALSE, view_);
  GL(Uniform4f)(p.fogColor, 0.6f, 0.7f, 0.9f, 1.0f);
  GL(Uniform2f)(p.fogRange, 120.0f + static_cast<float>(gap), 192.0f);
  GL(Uniform1f)(p.gamma, 1.0f);
  GL(Uniform4f)(p.tint, 1.0f, 1.0f, 1.0f, 1.0f);
}

// 3 calls more at the start of a frame.
void Rd12::beginFrame() {
  GL(BindFramebuffer)(GL_FRAMEBUFFER, target_);
  GL(Viewport)(0, 0, width_, height_);
  GL(Clear)(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

// 8 calls more inside a frame, or 7.
void Rd12::dirtyRest(int gap) {
  toggle(GL_POLYGON_OFFSET_FILL, gap % 4 == 3);
  GL(PolygonOffset)(-1.0f, -10.0f);
  GL(ColorMask)(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  GL(BlendEquation)(GL_FUNC_ADD);
  GL(ActiveTexture)(GL_TEXTURE0);
  GL(CullFace)(GL_BACK);
  GL(FrontFace)(GL_CCW);
  if (gap % 8 != 1) toggle(GL_SCISSOR_TEST, false);
}

// A gap is dirty where the program changes and at equal steps between.
void Rd12::draw(unsigned) {
  int gap = 0, program = -1;
  for (int i = 0; i < kDraws; ++i) {
    const Mesh& mesh = meshes_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
    const bool isStep = i % 113 == 56 && gap < kGaps;
    if (mesh.program != program || isStep) {
      program = mesh.program;
      if (i == 0) beginFrame();
      dirtyCommon(program, gap);
      if (i != 0) dirtyRest(gap);
      ++gap;
    }
    GL(BindVertexArray)(mesh.vertexArray);
    GL(Uniform3fv)(programs_[static_cast<std::size_t>(program)].offset, 1, mesh.offset);
    GL(DrawElements)(GL_TRIANGLES, mesh.indices, GL_UNSIGNED_SHORT, nullptr);
  }
}

}  // namespace

std::unique_ptr<Workload> makeWorkload() { return std::make_unique<Rd12>(); }

}  // namespace workload
