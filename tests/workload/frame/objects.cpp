#include "frame/objects.h"

#include <vector>

namespace workload {

namespace {

constexpr const char* kHead = kEs ? "#version 320 es\n"
                                    "precision highp float;\n"
                                    "precision highp int;\n"
                                    "precision highp sampler2D;\n"
                                    "precision highp sampler2DShadow;\n"
                                  : "#version 330 core\n";

GLuint compile(GLenum stage, const std::string& source) {
  const char* text = source.c_str();
  const GLuint shader = gl.CreateShader(stage);
  gl.ShaderSource(shader, 1, &text, nullptr);
  gl.CompileShader(shader);
  GLint status = 0;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &status);
  if (!status) {
    char log[2048] = "";
    gl.GetShaderInfoLog(shader, sizeof log, nullptr, log);
    fail(std::string("a shader does not compile: ") + log);
  }
  return shader;
}

}  // namespace

GLuint makeProgram(const std::string& vertex, const std::string& fragment, const std::string& defines) {
  const GLuint program = gl.CreateProgram();
  gl.AttachShader(program, compile(GL_VERTEX_SHADER, kHead + defines + vertex));
  gl.AttachShader(program, compile(GL_FRAGMENT_SHADER, kHead + defines + fragment));
  gl.LinkProgram(program);
  GLint status = 0;
  gl.GetProgramiv(program, GL_LINK_STATUS, &status);
  if (!status) {
    char log[2048] = "";
    gl.GetProgramInfoLog(program, sizeof log, nullptr, log);
    fail(std::string("a program does not link: ") + log);
  }
  return program;
}

GLuint makeNoiseTexture(Random& random, int size) {
  std::vector<std::uint32_t> texels(static_cast<std::size_t>(size * size));
  for (std::uint32_t& texel : texels) texel = random.next() | 0xff404040u;
  GLuint texture = 0;
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.GenerateMipmap(GL_TEXTURE_2D);
  return texture;
}

GLuint makeTarget(GLenum internalFormat, GLenum format, GLenum type, int width, int height) {
  GLuint texture = 0;
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internalFormat), width, height, 0, format, type, nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    gl.TexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    gl.TexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  return texture;
}

GLuint makeFramebuffer(GLuint color, GLuint depth) {
  GLuint framebuffer = 0;
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  if (color != 0) gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
  if (depth != 0) gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
  const GLenum output = color != 0 ? GL_COLOR_ATTACHMENT0 : GL_NONE;
  gl.DrawBuffers(1, &output);
  if (gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("a framebuffer is not complete");
  return framebuffer;
}

GLuint makeBuffer(GLenum target, const void* data, std::size_t bytes, GLenum usage) {
  GLuint buffer = 0;
  gl.GenBuffers(1, &buffer);
  gl.BindBuffer(target, buffer);
  gl.BufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
  return buffer;
}

void toggle(GLenum capability, bool on) {
  if (on) {
    GL(Enable)(capability);
  } else {
    GL(Disable)(capability);
  }
}

}  // namespace workload
