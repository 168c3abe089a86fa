// The fcl workload: a frame as a block game draws it. 88 draws in 873 calls; before each draw its buffers are bound
// anew, 17 gaps (19 %) go to another framebuffer, viewport or polygon mode, most of the 96 framebuffer binds change
// nothing, and six clears come through framebuffers of their own.
//
// The world goes to a framebuffer object (main), some of it to a second one (outline), whose picture a full-screen
// triangle lays over the first; hand and overlay follow with the depth cleared before each; a blit takes the whole to
// framebuffer 0. So three passes: main, outline, main.
#include <cstddef>
#include <cstring>

#include "frame/objects.h"
#include "frame/workload.h"

namespace workload {

const char* const kName = kEs ? "fcl-es" : "fcl";

namespace {

constexpr unsigned kDraws = 88;
constexpr unsigned kDirtyGaps = 17;
constexpr unsigned kFramebufferBinds = 96;
constexpr unsigned kSubDatas = 11;
constexpr int kQuadsMost = 64;
constexpr int kTextures = 6;

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
#ifdef LIT
layout(location = 3) in ivec2 aLight;
layout(location = 4) in vec3 aNormal;
#endif
uniform mat4 uMatrix;
uniform vec3 uOffset;
out vec4 vColor;
out vec2 vUv;
void main() {
  gl_Position = uMatrix * vec4(aPosition + uOffset, 1.0);
  vColor = aColor;
#ifdef LIT
  vColor.rgb *= float(aLight.x + aLight.y) / 480.0 * (0.75 + 0.25 * aNormal.y);
#endif
  vUv = aUv;
}
)";

const char kFragment[] = R"(
uniform sampler2D uTexture;
uniform vec4 uColor;
in vec4 vColor;
in vec2 vUv;
out vec4 oColor;
void main() {
#ifdef FLAT
  vec4 color = vColor * uColor;
#else
  vec4 color = texture(uTexture, vUv) * vColor * uColor;
#endif
#ifdef CUTOUT
  if (color.a < CUTOUT) discard;
#endif
  oColor = color;
}
)";

enum Target : std::uint8_t { kMain, kOutline };
enum Clear : std::uint8_t { kMainColor, kMainDepth, kOutlineColor, kOutlineDepth, kHandDepth, kOverlayDepth, kClears };

enum Format : std::uint8_t { kSimple, kBlock, kEntity, kParticle, kOverlay, kScreen, kFormats };

// Draws that follow one another with one vertex array and one program: a pair each, and each pair once a frame.
struct Run {
  Target target;
  Format format;
  int program;
  int draws;
  int texture;
  bool blend, depth;
  int subDatas;  // of its first draws, whose vertices are made anew each frame
};

constexpr const char* kPrograms[] = {
    "#define FLAT\n",                      // 0 sky
    "",                                    // 1 textured
    "#define LIT\n",                       // 2 solid
    "#define LIT\n#define CUTOUT 0.1\n",   // 3
    "#define LIT\n#define CUTOUT 0.5\n",   // 4
    "#define LIT\n#define CUTOUT 0.2\n",   // 5 entities
    "#define FLAT\n#define CUTOUT 0.3\n",  // 6 outline
    "#define LIT\n#define CUTOUT 0.01\n",  // 7 translucent
    "#define CUTOUT 0.15\n",               // 8 particles
    "#define CUTOUT 0.05\n",               // 9 composite
    "#define LIT\n#define CUTOUT 0.25\n",  // 10 hand
    "#define CUTOUT 0.02\n",               // 11 overlay
    "#define CUTOUT 0.6\n",                // 12 text
};

constexpr int kTranslucent = 7, kComposite = 9;

constexpr Run kRuns[] = {
    {kMain, kSimple, 0, 2, 0, false, false, 0},         {kMain, kSimple, 1, 1, 1, true, false, 0},
    {kMain, kBlock, 2, 24, 2, false, true, 0},          {kMain, kBlock, 3, 10, 2, false, true, 0},
    {kMain, kBlock, 4, 6, 2, false, true, 0},           {kMain, kEntity, 5, 9, 3, false, true, 3},
    {kMain, kEntity, 2, 3, 4, false, true, 0},          {kOutline, kEntity, 6, 3, 3, false, true, 0},
    {kMain, kScreen, kComposite, 1, 0, true, false, 0}, {kMain, kBlock, 7, 3, 2, true, true, 0},
    {kMain, kParticle, 8, 2, 5, true, true, 0},         {kMain, kEntity, 10, 4, 3, false, true, 0},
    {kMain, kOverlay, 11, 12, 0, true, false, 6},       {kMain, kParticle, 12, 5, 1, true, false, 2},
    {kMain, kOverlay, 1, 3, 4, true, false, 0},
};
constexpr unsigned kPairs = std::size(kRuns);

struct Program {
  GLuint name = 0;
  GLint matrix = -1, offset = -1, color = -1, texture = -1;
};

struct Draw {
  GLuint vertices = 0;
  GLintptr at = 0;  // of its vertices in the buffer
  int quads = 0;
  int subData = -1;       // which of the frame's
  bool ownBuffer = true;  // not the one that the draw before has bound
  float offset[3] = {};
  float color[4] = {};
};

class Fcl final : public Workload {
 public:
  const Expected& expected() const override { return expected_; }
  void make(int width, int height, GLuint target) override;
  void draw(unsigned frame) override;
  unsigned draws() const override { return called(Function::DrawElements) + called(Function::DrawArrays); }

 private:
  void makeTargets(int width, int height);
  void makeVertexArrays();
  void makeDraws(Random& random);
  std::vector<Vertex> vertices(Random& random, const Run& run, int quads) const;
  void clear(Clear which);
  void blit(GLuint from, GLuint to, GLbitfield mask);
  void dirtyGap(const Run& run, unsigned gap);
  void subData(const Draw& draw, unsigned frame);

  static constexpr unsigned kPolygonModes = kEs ? 0 : kDirtyGaps;
  const Expected expected_{kDraws,
                           856 + kPolygonModes,
                           kPairs,
                           kDirtyGaps,
                           3,
                           {{Function::BindFramebuffer, kFramebufferBinds},
                            {Function::Clear, kClears},
                            {Function::BufferSubData, kSubDatas},
                            {Function::BlitFramebuffer, 2},
                            {Function::Viewport, kDirtyGaps},
                            {Function::PolygonMode, kPolygonModes},
                            {Function::BindBuffer, kDraws - 1 + kSubDatas},
                            {Function::BindVertexBuffer, 78},
                            {Function::BindVertexArray, kDraws}}};
  std::vector<Program> programs_;
  GLuint vertexArrays_[kFormats] = {};
  GLuint textures_[kTextures] = {};
  GLuint color_[2] = {}, depth_[2] = {}, framebuffers_[2] = {}, clearing_[kClears] = {};
  GLuint indices_ = 0, window_ = 0;
  int width_ = 0, height_ = 0;
  std::vector<Draw> draws_;
  std::vector<std::vector<Vertex>> streamed_;  // by sub-data
  float matrix_[16] = {};
};

void Fcl::makeTargets(int width, int height) {
  for (const Target target : {kMain, kOutline}) {
    color_[target] = makeTarget(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
    depth_[target] = makeTarget(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height);
    framebuffers_[target] = makeFramebuffer(color_[target], depth_[target]);
  }
  for (const Clear which : {kMainColor, kOutlineColor})
    clearing_[which] = makeFramebuffer(color_[which == kMainColor ? kMain : kOutline], 0);
  for (const Clear which : {kMainDepth, kOutlineDepth, kHandDepth, kOverlayDepth})
    clearing_[which] = makeFramebuffer(0, depth_[which == kOutlineDepth ? kOutline : kMain]);
}

void Fcl::makeVertexArrays() {
  gl.GenVertexArrays(kFormats, vertexArrays_);
  for (int format = 0; format < kFormats; ++format) {
    gl.BindVertexArray(vertexArrays_[format]);
    gl.VertexAttribFormat(0, 3, GL_FLOAT, GL_FALSE, offsetof(Vertex, position));
    gl.VertexAttribFormat(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Vertex, color));
    gl.VertexAttribFormat(2, 2, GL_FLOAT, GL_FALSE, offsetof(Vertex, uv));
    const bool lit = format == kBlock || format == kEntity;
    if (lit) gl.VertexAttribIFormat(3, 2, GL_SHORT, offsetof(Vertex, light));
    if (lit) gl.VertexAttribFormat(4, 3, GL_BYTE, GL_TRUE, offsetof(Vertex, normal));
    for (GLuint attribute = 0; attribute < (lit ? 5u : 3u); ++attribute) {
      gl.VertexAttribBinding(attribute, 0);
      gl.EnableVertexAttribArray(attribute);
    }
  }
}

// Quads that lie apart in depth, so that no two are as far as each other.
std::vector<Vertex> Fcl::vertices(Random& random, const Run& run, int quads) const {
  const float size = run.depth ? 0.15f : run.program == 0 ? 2.0f : 0.2f;
  std::vector<Vertex> made;
  for (int quad = 0; quad < quads; ++quad) {
    const float x = random.between(-1.0f, 1.0f), y = random.between(-1.0f, 1.0f), z = random.between(-0.8f, 0.8f);
    const float tilt = random.between(-0.1f, 0.1f);
    for (int corner = 0; corner < 4; ++corner) {
      const float u = corner == 1 || corner == 2 ? 1.0f : 0.0f, v = corner >= 2 ? 1.0f : 0.0f;
      Vertex vertex{};
      vertex.position[0] = x + size * (u - 0.5f);
      vertex.position[1] = y + size * (v - 0.5f);
      vertex.position[2] = z + tilt * (u + v - 1.0f);
      for (std::uint8_t& component : vertex.color) component = static_cast<std::uint8_t>(96 + random.below(160));
      vertex.uv[0] = u;
      vertex.uv[1] = v;
      vertex.light[0] = static_cast<std::int16_t>(120 + random.below(120));
      vertex.light[1] = static_cast<std::int16_t>(120 + random.below(120));
      vertex.normal[1] = static_cast<std::int8_t>(random.below(127));
      made.push_back(vertex);
    }
  }
  return made;
}

// Terrain of a run lies in one buffer; nine of its draws follow one another within it and bind nothing new.
void Fcl::makeDraws(Random& random) {
  int sharing = 9, subDatas = 0;
  for (const Run& run : kRuns) {
    GLuint shared = 0;
    if (run.format == kBlock) {
      const std::vector<Vertex> all = vertices(random, run, run.draws * kQuadsMost);
      shared = makeBuffer(GL_ARRAY_BUFFER, all.data(), all.size() * sizeof(Vertex), GL_STATIC_DRAW);
    }
    for (int i = 0; i < run.draws; ++i) {
      Draw draw;
      draw.quads = run.program == kComposite ? 0 : run.program == 0 ? 1 : 4 + random.below(kQuadsMost - 3);
      if (shared != 0) {
        draw.vertices = shared;
        draw.at = GLintptr{i} * 4 * kQuadsMost * static_cast<GLintptr>(sizeof(Vertex));
        draw.ownBuffer = i == 0 || i == 12 || sharing-- <= 0;
        if (!draw.ownBuffer) draw.at = draws_.back().at;
      } else if (draw.quads != 0) {
        const std::vector<Vertex> own = vertices(random, run, draw.quads);
        draw.vertices = makeBuffer(GL_ARRAY_BUFFER, own.data(), own.size() * sizeof(Vertex), GL_DYNAMIC_DRAW);
        if (i < run.subDatas) {
          draw.subData = subDatas++;
          streamed_.push_back(own);
        }
      } else {
        draw.ownBuffer = false;
      }
      for (float& component : draw.offset) component = random.between(-0.1f, 0.1f);
      for (float& component : draw.color) component = random.between(0.5f, 1.0f);
      draws_.push_back(draw);
    }
  }
}

void Fcl::make(int width, int height, GLuint target) {
  if (!hasVertexBindings()) fail("fcl needs OpenGL 4.3 or GL_ARB_vertex_attrib_binding");
  width_ = width;
  height_ = height;
  window_ = target;
  Random random(19091);
  for (const char* defines : kPrograms) {
    Program program;
    program.name = makeProgram(kVertex, kFragment, defines);
    program.matrix = uniformAt(program.name, "uMatrix");
    program.offset = uniformAt(program.name, "uOffset");
    program.color = uniformAt(program.name, "uColor");
    program.texture = uniformAt(program.name, "uTexture");
    programs_.push_back(program);
  }
  for (GLuint& texture : textures_) texture = makeNoiseTexture(random, 32);
  makeTargets(width, height);
  makeVertexArrays();
  std::vector<std::uint16_t> indices;
  for (int quad = 0; quad < kQuadsMost; ++quad)
    for (const int corner : {0, 1, 2, 2, 3, 0}) indices.push_back(static_cast<std::uint16_t>(4 * quad + corner));
  gl.BindVertexArray(0);
  indices_ = makeBuffer(GL_COPY_WRITE_BUFFER, indices.data(), indices.size() * 2, GL_STATIC_DRAW);
  makeDraws(random);
  // A triangle that covers the screen, for the composite.
  Vertex corners[3] = {};
  for (int i = 0; i < 3; ++i) {
    corners[i].uv[0] = i == 1 ? 2.0f : 0.0f;
    corners[i].uv[1] = i == 2 ? 2.0f : 0.0f;
    corners[i].position[0] = 2 * corners[i].uv[0] - 1;
    corners[i].position[1] = 2 * corners[i].uv[1] - 1;
    std::memset(corners[i].color, 255, 4);
  }
  gl.BindVertexArray(vertexArrays_[kScreen]);
  gl.BindVertexBuffer(0, makeBuffer(GL_ARRAY_BUFFER, corners, sizeof corners, GL_STATIC_DRAW), 0, sizeof(Vertex));
  for (int i = 0; i < 4; ++i) matrix_[5 * i] = 1;
  matrix_[10] = 0.5f;
  for (const Program& program : programs_) {
    gl.UseProgram(program.name);
    gl.UniformMatrix4fv(program.matrix, 1, GL_FALSE, matrix_);
  }
}

// Two binds.
void Fcl::clear(Clear which) {
  GL(BindFramebuffer)(GL_FRAMEBUFFER, clearing_[which]);
  if (which == kMainColor) GL(ClearColor)(0.6f, 0.7f, 0.9f, 1.0f);
  if (which == kOutlineColor) GL(ClearColor)(0.0f, 0.0f, 0.0f, 0.0f);
  GL(Clear)(which == kMainColor || which == kOutlineColor ? GL_COLOR_BUFFER_BIT : GL_DEPTH_BUFFER_BIT);
  GL(BindFramebuffer)(GL_FRAMEBUFFER, 0);
}

// Three binds.
void Fcl::blit(GLuint from, GLuint to, GLbitfield mask) {
  GL(BindFramebuffer)(GL_READ_FRAMEBUFFER, from);
  GL(BindFramebuffer)(GL_DRAW_FRAMEBUFFER, to);
  GL(BlitFramebuffer)(0, 0, width_, height_, 0, 0, width_, height_, mask, GL_NEAREST);
  GL(BindFramebuffer)(GL_FRAMEBUFFER, 0);
}

// Four binds, in ten of the gaps five, and 13 calls, in seven of them 14; without polygon mode one less.
void Fcl::dirtyGap(const Run& run, unsigned gap) {
  const Program& program = programs_[static_cast<std::size_t>(run.program)];
  GL(BindFramebuffer)(GL_FRAMEBUFFER, 0);
  for (unsigned i = 0; i < (gap < 10 ? 4u : 3u); ++i) GL(BindFramebuffer)(GL_FRAMEBUFFER, framebuffers_[run.target]);
  GL(Viewport)(0, 0, width_, height_);
#if !WORKLOAD_ES
  GL(PolygonMode)(GL_FRONT_AND_BACK, GL_FILL);
#endif
  GL(UseProgram)(program.name);
  GL(ActiveTexture)(GL_TEXTURE0);
  GL(BindTexture)(GL_TEXTURE_2D, run.program == kComposite ? color_[kOutline] : textures_[run.texture]);
  GL(Uniform1i)(program.texture, 0);
  toggle(GL_BLEND, run.blend);
  toggle(GL_DEPTH_TEST, run.depth);
  toggle(GL_CULL_FACE, false);
  GL(BlendFuncSeparate)(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  GL(DepthFunc)(GL_LEQUAL);
  // Left true where a clear of depth follows, which obeys it.
  GL(DepthMask)(run.program == kTranslucent ? GL_FALSE : GL_TRUE);
  GL(ColorMask)(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (gap % 5 < 2 && gap < 16) GL(UniformMatrix4fv)(program.matrix, 1, GL_FALSE, matrix_);
}

// New vertices of an old draw: they sway.
void Fcl::subData(const Draw& draw, unsigned frame) {
  std::vector<Vertex>& own = streamed_[static_cast<std::size_t>(draw.subData)];
  const float step = frame % 2 == 0 ? 0.01f : -0.01f;
  for (Vertex& vertex : own) vertex.position[0] += step;
  GL(BindBuffer)(GL_ARRAY_BUFFER, draw.vertices);
  GL(BufferSubData)(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(own.size() * sizeof(Vertex)), own.data());
}

void Fcl::draw(unsigned frame) {
  for (const Clear which : {kMainColor, kMainDepth, kOutlineColor, kOutlineDepth}) clear(which);
  unsigned gap = 0, next = 0;
  for (const Run& run : kRuns) {
    if (run.target == kOutline) blit(framebuffers_[kMain], framebuffers_[kOutline], GL_DEPTH_BUFFER_BIT);
    if (run.program == 10) clear(kHandDepth);
    if (run.program == 11) clear(kOverlayDepth);
    const Program& program = programs_[static_cast<std::size_t>(run.program)];
    for (int i = 0; i < run.draws; ++i) {
      const Draw& draw = draws_[next++];
      if (i == 0 || (run.program == 2 && i == 12) || (run.program == 11 && i == 6)) dirtyGap(run, gap++);
      if (draw.subData >= 0) subData(draw, frame);
      GL(BindVertexArray)(vertexArrays_[run.format]);
      if (draw.ownBuffer) GL(BindVertexBuffer)(0, draw.vertices, draw.at, sizeof(Vertex));
      GL(Uniform3fv)(program.offset, 1, draw.offset);
      GL(Uniform4fv)(program.color, 1, draw.color);
      if (run.program == kComposite) {
        GL(DrawArrays)(GL_TRIANGLES, 0, 3);
      } else {
        GL(BindBuffer)(GL_ELEMENT_ARRAY_BUFFER, indices_);
        GL(DrawElements)(GL_TRIANGLES, 6 * draw.quads, GL_UNSIGNED_SHORT, nullptr);
      }
    }
  }
  blit(framebuffers_[kMain], window_, GL_COLOR_BUFFER_BIT);
}

}  // namespace

std::unique_ptr<Workload> makeWorkload() { return std::make_unique<Fcl>(); }

}  // namespace workload
