// The rd12 workload: a frame of 1471 draws in 4856 calls over 1466 vertex arrays, each drawn with one program.  Between
// two draws lie glBindVertexArray and one glUniform3fv, except in 15 gaps (1 %) that change program, textures and
// fixed-function state.  Deterministic; draws into a pbuffer (one swap a frame) or into a framebuffer object.
#include <EGL/egl.h>
#include <EGL/eglext.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GL/glcorearb.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kDraws = 1471;
constexpr int kVertexArrays = 1466;
constexpr int kCallsPerFrame = 4856;
constexpr int kGaps = 15;
constexpr int kPrograms = 3;
constexpr int kTextures = 4;
constexpr int kWidth = 854, kHeight = 480;
constexpr int kQuadsMost = 24;

// Calls to GL, counted where they are made.
int calls = 0;
#define GL(call) (++calls, call)

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "rd12: %s\n", what.c_str());
  std::exit(1);
}

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint32_t>(n)); }
  float unit() { return static_cast<float>(next() >> 8) / 16777216.0f; }

 private:
  std::uint32_t state_;
};

struct Vertex {
  float position[3];
  std::uint8_t color[4];
  float uv[2];
  std::int16_t light[2];
  std::int8_t normal[4];
};
static_assert(sizeof(Vertex) == 32);

const char kVertex[] = R"(#version 330 core
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

struct World {
  std::array<Program, kPrograms> programs;
  std::array<GLuint, kTextures> textures = {};
  std::vector<Mesh> meshes;
  std::vector<int> order;  // of a frame: mesh by draw
  GLuint framebuffer = 0;
  float projection[16] = {}, view[16] = {};
};

GLuint compile(GLenum stage, const std::string& source) {
  const char* text = source.c_str();
  const GLuint shader = glCreateShader(stage);
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint status = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &status);
  if (!status) {
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    fail(std::string("a shader does not compile: ") + log);
  }
  return shader;
}

Program makeProgram(const std::string& defines) {
  Program program;
  program.name = glCreateProgram();
  glAttachShader(program.name, compile(GL_VERTEX_SHADER, kVertex));
  glAttachShader(program.name, compile(GL_FRAGMENT_SHADER, "#version 330 core\n" + defines + kFragment));
  glLinkProgram(program.name);
  GLint status = 0;
  glGetProgramiv(program.name, GL_LINK_STATUS, &status);
  if (!status) fail("a program does not link");
  const auto at = [&](const char* name) { return glGetUniformLocation(program.name, name); };
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

void makeTextures(World& world, Random& random) {
  glGenTextures(kTextures, world.textures.data());
  for (const GLuint texture : world.textures) {
    std::vector<std::uint32_t> texels(64 * 64);
    for (std::uint32_t& texel : texels) texel = random.next() | 0xff404040u;
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
  }
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
  glGenVertexArrays(1, &mesh.vertexArray);
  glBindVertexArray(mesh.vertexArray);
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
               GL_STATIC_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indexBuffer);
  const auto at = [](std::size_t offset) { return reinterpret_cast<const void*>(offset); };
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), at(offsetof(Vertex, position)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), at(offsetof(Vertex, color)));
  glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), at(offsetof(Vertex, uv)));
  glVertexAttribIPointer(3, 2, GL_SHORT, sizeof(Vertex), at(offsetof(Vertex, light)));
  glVertexAttribPointer(4, 3, GL_BYTE, GL_TRUE, sizeof(Vertex), at(offsetof(Vertex, normal)));
  for (GLuint i = 0; i < 5; ++i) glEnableVertexAttribArray(i);
  mesh.offset[0] = static_cast<float>(random.below(25) - 12) * 16.0f;
  mesh.offset[1] = static_cast<float>(random.below(8) - 5) * 16.0f;
  mesh.offset[2] = static_cast<float>(random.below(25) - 12) * 16.0f;
  return mesh;
}

// Draws go through the meshes in order; five of them are drawn twice in a row, which makes 1471 of 1466.
void makeWorld(World& world, bool offscreen) {
  Random random(20121211);
  world.programs = {makeProgram(""), makeProgram("#define CUTOUT\n"), makeProgram("#define DETAIL\n")};
  makeTextures(world, random);
  std::vector<std::uint16_t> indices;
  for (int quad = 0; quad < kQuadsMost; ++quad) {
    for (const int corner : {0, 1, 2, 2, 3, 0}) indices.push_back(static_cast<std::uint16_t>(4 * quad + corner));
  }
  GLuint indexBuffer = 0;
  glGenBuffers(1, &indexBuffer);
  glBindVertexArray(0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, indexBuffer);
  glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(indices.size() * 2), indices.data(), GL_STATIC_DRAW);
  for (int i = 0; i < kVertexArrays; ++i) {
    const int program = i < 900 ? 0 : i < 1300 ? 1 : 2;
    world.meshes.push_back(makeMesh(random, indexBuffer, program));
  }
  for (int i = 0; i < kVertexArrays; ++i) {
    world.order.push_back(i);
    if (i % 300 == 150) world.order.push_back(i);
  }
  const float f = 1.0f / std::tan(0.6f), near = 0.05f, far = 768.0f;
  world.projection[0] = f * kHeight / kWidth;
  world.projection[5] = f;
  world.projection[10] = (far + near) / (near - far);
  world.projection[11] = -1;
  world.projection[14] = 2 * far * near / (near - far);
  for (int i = 0; i < 4; ++i) world.view[5 * i] = 1;
  if (!offscreen) return;
  GLuint renderbuffers[2];
  glGenFramebuffers(1, &world.framebuffer);
  glGenRenderbuffers(2, renderbuffers);
  glBindFramebuffer(GL_FRAMEBUFFER, world.framebuffer);
  const std::pair<GLenum, GLenum> kinds[] = {{GL_RGBA8, GL_COLOR_ATTACHMENT0},
                                             {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT}};
  for (int i = 0; i < 2; ++i) {
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[i]);
    glRenderbufferStorage(GL_RENDERBUFFER, kinds[i].first, kWidth, kHeight);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, kinds[i].second, GL_RENDERBUFFER, renderbuffers[i]);
  }
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("the framebuffer is not complete");
}

void toggle(GLenum capability, bool on) {
  if (on) {
    GL(glEnable(capability));
  } else {
    GL(glDisable(capability));
  }
}

void bindTexture(GLenum unit, GLuint texture, GLint location) {
  GL(glActiveTexture(GL_TEXTURE0 + unit));
  GL(glBindTexture(GL_TEXTURE_2D, texture));
  GL(glUniform1i(location, static_cast<GLint>(unit)));
}

// 22 calls.
void dirtyCommon(const World& world, int program, int gap) {
  const Program& p = world.programs[static_cast<std::size_t>(program)];
  const auto texture = [&](int i) { return world.textures[static_cast<std::size_t>((i + gap) % kTextures)]; };
  GL(glUseProgram(p.name));
  bindTexture(0, texture(0), p.atlas);
  bindTexture(1, texture(1), p.detail);
  bindTexture(2, texture(2), p.lightMap);
  toggle(GL_BLEND, gap % 3 == 2);
  GL(glBlendFuncSeparate(GL_SRC_ALPHA, gap % 2 == 0 ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE, GL_ONE, GL_ZERO));
  GL(glDepthMask(gap % 3 == 2 ? GL_FALSE : GL_TRUE));
  toggle(GL_CULL_FACE, gap % 2 == 0);
  toggle(GL_DEPTH_TEST, true);
  GL(glDepthFunc(GL_LEQUAL));
  GL(glUniformMatrix4fv(p.projection, 1, GL_FALSE, world.projection));
  GL(glUniformMatrix4fv(p.view, 1, GL_FALSE, world.view));
  GL(glUniform4f(p.fogColor, 0.6f, 0.7f, 0.9f, 1.0f));
  GL(glUniform2f(p.fogRange, 120.0f + static_cast<float>(gap), 192.0f));
  GL(glUniform1f(p.gamma, 1.0f));
  GL(glUniform4f(p.tint, 1.0f, 1.0f, 1.0f, 1.0f));
}

// 3 calls more at the start of a frame.
void beginFrame(const World& world) {
  GL(glBindFramebuffer(GL_FRAMEBUFFER, world.framebuffer));
  GL(glViewport(0, 0, kWidth, kHeight));
  GL(glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT));
}

// 8 calls more inside a frame, or 7.
void dirtyRest(int gap) {
  toggle(GL_POLYGON_OFFSET_FILL, gap % 4 == 3);
  GL(glPolygonOffset(-1.0f, -10.0f));
  GL(glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE));
  GL(glBlendEquation(GL_FUNC_ADD));
  GL(glActiveTexture(GL_TEXTURE0));
  GL(glCullFace(GL_BACK));
  GL(glFrontFace(GL_CCW));
  if (gap % 8 != 1) toggle(GL_SCISSOR_TEST, false);
}

struct FrameShape {
  int draws = 0, dirtyGaps = 0;
};

// A gap is dirty where the program changes and at equal steps between.
FrameShape drawFrame(const World& world) {
  FrameShape shape;
  int gap = 0, program = -1;
  for (int i = 0; i < kDraws; ++i) {
    const Mesh& mesh = world.meshes[static_cast<std::size_t>(world.order[static_cast<std::size_t>(i)])];
    const bool isStep = i % 113 == 56 && gap < kGaps;
    if (mesh.program != program || isStep) {
      program = mesh.program;
      if (i == 0) beginFrame(world);
      dirtyCommon(world, program, gap);
      if (i != 0) dirtyRest(gap);
      ++gap;
    }
    GL(glBindVertexArray(mesh.vertexArray));
    GL(glUniform3fv(world.programs[static_cast<std::size_t>(program)].offset, 1, mesh.offset));
    GL(glDrawElements(GL_TRIANGLES, mesh.indices, GL_UNSIGNED_SHORT, nullptr));
    ++shape.draws;
  }
  shape.dirtyGaps = gap;
  return shape;
}

struct Screen {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLSurface surface = EGL_NO_SURFACE;

  void endFrame() const {
    if (surface != EGL_NO_SURFACE) {
      eglSwapBuffers(display, surface);
    } else {
      glFlush();
    }
  }
};

Screen openScreen(bool offscreen) {
  Screen screen;
  const auto getPlatformDisplay =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (!getPlatformDisplay) fail("no eglGetPlatformDisplayEXT");
  screen.display = getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!eglInitialize(screen.display, nullptr, nullptr)) fail("eglInitialize failed");
  eglBindAPI(EGL_OPENGL_API);
  EGLConfig config = EGL_NO_CONFIG_KHR;
  if (!offscreen) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_DEPTH_SIZE,
                             24,
                             EGL_NONE};
    EGLint count = 0;
    if (!eglChooseConfig(screen.display, wanted, &config, 1, &count) || count == 0) fail("no config for a pbuffer");
    const EGLint size[] = {EGL_WIDTH, kWidth, EGL_HEIGHT, kHeight, EGL_NONE};
    screen.surface = eglCreatePbufferSurface(screen.display, config, size);
    if (screen.surface == EGL_NO_SURFACE) fail("no pbuffer");
  }
  const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  const EGLContext context = eglCreateContext(screen.display, config, EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT) fail("no context");
  if (!eglMakeCurrent(screen.display, screen.surface, screen.surface, context)) fail("eglMakeCurrent failed");
  return screen;
}

std::uint64_t threadNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// Sum over the picture, to compare runs by.
std::uint32_t checksum() {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(kWidth * kHeight * 4));
  glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  std::uint32_t hash = 2166136261u;
  for (const std::uint8_t byte : pixels) hash = (hash ^ byte) * 16777619u;
  return hash;
}

}  // namespace

// By name, so that a profiler can collect inside it alone.
extern "C" [[gnu::noinline, gnu::visibility("default")]] void rd12MeasuredFrames(const World* world,
                                                                                 const Screen* screen, int frames) {
  for (int i = 0; i < frames; ++i) {
    drawFrame(*world);
    screen->endFrame();
  }
}

int main(int argc, char** argv) {
  int frames = 60, warmup = 5;
  bool offscreen = false, read = true;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--frames" && i + 1 < argc) {
      frames = std::atoi(argv[++i]);
    } else if (option == "--warmup" && i + 1 < argc) {
      warmup = std::atoi(argv[++i]);
    } else if (option == "--offscreen") {
      offscreen = true;
    } else if (option == "--no-read") {
      read = false;
    } else {
      std::fprintf(stderr, "rd12 [--frames N] [--warmup N] [--offscreen] [--no-read]\n");
      return 2;
    }
  }
  const Screen screen = openScreen(offscreen);
  World world;
  makeWorld(world, offscreen);
  glClearColor(0.6f, 0.7f, 0.9f, 1.0f);

  calls = 0;
  const FrameShape shape = drawFrame(world);
  const int callsPerFrame = calls;
  screen.endFrame();
  std::set<std::pair<GLuint, GLuint>> pairs;
  for (const int i : world.order) {
    const Mesh& mesh = world.meshes[static_cast<std::size_t>(i)];
    pairs.emplace(mesh.vertexArray, world.programs[static_cast<std::size_t>(mesh.program)].name);
  }
  if (shape.draws != kDraws || callsPerFrame != kCallsPerFrame || pairs.size() != kVertexArrays ||
      shape.dirtyGaps != kGaps) {
    fail("the frame has " + std::to_string(shape.draws) + " draws, " + std::to_string(callsPerFrame) + " calls, " +
         std::to_string(pairs.size()) + " pairs and " + std::to_string(shape.dirtyGaps) + " dirty gaps");
  }
  for (int i = 1; i < warmup; ++i) {
    drawFrame(world);
    screen.endFrame();
  }
  const std::uint64_t begin = threadNs();
  rd12MeasuredFrames(&world, &screen, frames);
  const std::uint64_t spent = threadNs() - begin;
  std::uint32_t sum = 0;
  if (read) {
    drawFrame(world);
    sum = checksum();
  }
  if (const GLenum error = glGetError()) fail("GL error " + std::to_string(error));
  const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  std::printf(
      "rd12: renderer=\"%s\" frames=%d draws=%d calls=%d pairs=%zu dirty=%d thread_us_per_frame=%.1f sum=%08x\n",
      renderer ? renderer : "", frames, shape.draws, callsPerFrame, pairs.size(), shape.dirtyGaps,
      frames > 0 ? static_cast<double>(spent) / 1000.0 / frames : 0.0, sum);
  eglMakeCurrent(screen.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglTerminate(screen.display);
  return 0;
}
