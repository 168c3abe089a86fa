#include "harness/helpers.h"

#include <chrono>

#include "harness/scenario.h"

namespace mgl::scenario {
namespace {

[[noreturn]] void abort(const std::string& what) {
  current().fail(__FILE__, __LINE__, what);
  throw Abort{};
}

}  // namespace

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
}

Target makeTarget(int width, int height, GLenum format, GLenum depthFormat) {
  Target target;
  target.width = width;
  target.height = height;
  glGenTextures(1, &target.color);
  glBindTexture(GL_TEXTURE_2D, target.color);
  GLenum transfer = GL_RGBA, type = GL_UNSIGNED_BYTE;
  switch (format) {
    case GL_RGBA8I:
    case GL_RGBA16I:
    case GL_RGBA32I:
    case GL_R32I:
    case GL_RG16I:
      transfer = GL_RGBA_INTEGER;
      type = GL_INT;
      break;
    case GL_RGBA8UI:
    case GL_RGBA16UI:
    case GL_RGBA32UI:
    case GL_R32UI:
    case GL_RG16UI:
      transfer = GL_RGBA_INTEGER;
      type = GL_UNSIGNED_INT;
      break;
    default:
      break;
  }
  const std::vector<std::uint32_t> zeros(static_cast<std::size_t>(4 * width * height));
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, transfer, type, zeros.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glGenFramebuffers(1, &target.framebuffer);
  target.bind();
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.color, 0);
  if (depthFormat != 0) {
    glGenRenderbuffers(1, &target.depth);
    glBindRenderbuffer(GL_RENDERBUFFER, target.depth);
    glRenderbufferStorage(GL_RENDERBUFFER, depthFormat, width, height);
    const bool stencil = depthFormat == GL_DEPTH24_STENCIL8 || depthFormat == GL_DEPTH32F_STENCIL8;
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                              GL_RENDERBUFFER, target.depth);
  }
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) abort("the target is not complete");
  return target;
}

GLuint makeTexture(int width, int height, GLenum internalFormat, GLenum format, GLenum type, const void* texels) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internalFormat), width, height, 0, format, type, texels);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

GLuint makeSolidTexture(int width, int height, const Rgba8& color) {
  const std::vector<Rgba8> texels(static_cast<std::size_t>(width * height), color);
  return makeTexture(width, height, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
}

GLuint makeBuffer(GLenum target, std::size_t bytes, const void* data, GLenum usage) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(target, buffer);
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
  return buffer;
}

GLuint compileShader(GLenum stage, const std::string& source) {
  const std::string text =
      mutation::rewriteSource(source.find("#version") == std::string::npos ? "#version 330 core\n" + source : source);
  const char* pointer = text.c_str();
  const GLuint shader = glCreateShader(stage);
  glShaderSource(shader, 1, &pointer, nullptr);
  glCompileShader(shader);
  GLint status = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &status);
  if (status != GL_TRUE) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    abort("shader does not compile: " + log + "\n" + text);
  }
  return shader;
}

void link(GLuint program) {
  glLinkProgram(program);
  GLint status = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &status);
  if (status != GL_TRUE) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    abort("program does not link: " + log);
  }
}

GLuint makeProgram(const std::string& vertex, const std::string& fragment, const std::string& geometry) {
  const GLuint program = glCreateProgram();
  for (const auto& [stage, source] : {std::pair<GLenum, const std::string&>{GL_VERTEX_SHADER, vertex},
                                      {GL_FRAGMENT_SHADER, fragment},
                                      {GL_GEOMETRY_SHADER, geometry}}) {
    if (source.empty()) continue;
    const GLuint shader = compileShader(stage, source);
    glAttachShader(program, shader);
    glDeleteShader(shader);
  }
  link(program);
  return program;
}

GLint uniform(GLuint program, const char* name) {
  const GLint location = glGetUniformLocation(program, name);
  if (location < 0) abort(std::string("no location for uniform ") + name);
  return location;
}

const char* const kFullVertex = R"(
out vec2 vUv;
void main() {
  vec2 corner = vec2((gl_VertexID & 1) * 2, (gl_VertexID & 2));
  vUv = corner;
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
)";

void drawFull(GLuint program) {
  GLuint vao = 0;
  glGenVertexArrays(1, &vao);
  glBindVertexArray(vao);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glDeleteVertexArrays(1, &vao);
}

GLuint makeFullProgram(const std::string& declarations, const std::string& expression) {
  return makeProgram(kFullVertex, "in vec2 vUv;\nout vec4 oColor;\n" + declarations +
                                      "\nvoid main() { oColor = " + expression + "; }\n");
}

void drawTexture(const std::string& sampler, const std::string& expression) {
  const GLuint program = makeFullProgram("uniform " + sampler + " t;", expression);
  glUseProgram(program);
  glUniform1i(uniform(program, "t"), 0);
  drawFull(program);
  glUseProgram(0);
  glDeleteProgram(program);
}

Painter::Painter(int width, int height) : width_(width), height_(height) {
  program_ = makeProgram(R"(
uniform vec4 uRect;
uniform float uDepth;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(uRect.xy, uRect.zw, corner), uDepth, 1.0);
}
)",
                         R"(
uniform vec4 uColor;
out vec4 oColor;
void main() { oColor = uColor; }
)");
  glGenVertexArrays(1, &vao_);
  rect_ = uniform(program_, "uRect");
  color_ = uniform(program_, "uColor");
}

void Painter::fill(const Rect& rect, const Color& color, float depth) const {
  const auto ndc = [](int v, int size) { return 2.0f * static_cast<float>(v) / static_cast<float>(size) - 1.0f; };
  glUseProgram(program_);
  glBindVertexArray(vao_);
  glUniform4f(rect_, ndc(rect.x, width_), ndc(rect.y, height_), ndc(rect.x + rect.w, width_),
              ndc(rect.y + rect.h, height_));
  glUniform4f(color_, color.r, color.g, color.b, color.a);
  glUniform1f(glGetUniformLocation(program_, "uDepth"), depth);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

bool soon(const std::function<bool()>& answer) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!answer()) {
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

GLint getInteger(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

void clearColor(const Color& color) { glClearColor(color.r, color.g, color.b, color.a); }

}  // namespace mgl::scenario
