#include <cstring>

#include "harness/scenario.h"

// A shader that does not compile says so with the program's own line number, and sets no GL error.
SCENARIO(program, compile_errors) {
  const std::string text = mutation::rewriteSource("#version 330 core\nvoid main() {\n}\n#error stop\n");
  const char* source = text.c_str();
  const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint status = GL_TRUE, length = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &status);
  CHECK_EQ(status, GL_FALSE);
  glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
  REQUIRE(length > 1);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetShaderInfoLog(shader, length, nullptr, log.data());
  CHECK(log.find(":4") != std::string::npos || log.find("(4)") != std::string::npos);
  CHECK(log.find("stop") != std::string::npos);
  GLint sourceLength = 0;
  glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &sourceLength);
  CHECK_EQ(static_cast<std::size_t>(sourceLength), text.size() + 1);
  std::string back(text.size() + 1, '\0');
  glGetShaderSource(shader, static_cast<GLsizei>(back.size()), nullptr, back.data());
  CHECK(std::strcmp(back.c_str(), source) == 0);
  glCompileShader(0);
  CHECK_GL_ERROR(GL_INVALID_VALUE);
}
