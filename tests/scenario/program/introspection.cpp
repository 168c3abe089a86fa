#include <cstring>
#include <map>

#include "harness/scenario.h"

// What a linked program answers about itself: active uniforms, arrays, blocks, std140 offsets, attributes.
SCENARIO(program, introspection) {
  const GLuint program = makeProgram(R"(
layout(std140) uniform Block { float scale; vec3 shift; mat4 matrix; float tail[3]; } instance;
uniform vec4 uLights[4];
in vec4 aPosition;
in mat3 aBasis;
void main() {
  gl_Position = instance.matrix * (aPosition * instance.scale + vec4(instance.shift + aBasis[2], instance.tail[1])) + uLights[3] + uLights[1];
}
)",
                                     R"(
struct Light { vec3 direction; float power; };
uniform Light uLight[2];
uniform sampler2DShadow uShadow;
uniform float uUnused;
out vec4 o;
void main() { o = vec4(uLight[1].direction * uLight[0].power, texture(uShadow, vec3(0.5))); }
)");
  std::map<std::string, std::pair<GLint, GLenum>> uniforms;
  GLint count = 0;
  glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
  for (GLint i = 0; i < count; ++i) {
    char name[64] = "";
    GLint size = 0;
    GLenum type = 0;
    glGetActiveUniform(program, static_cast<GLuint>(i), sizeof name, nullptr, &size, &type, name);
    uniforms[name] = {size, type};
  }
  CHECK(uniforms["uLights[0]"] == std::pair(4, GLenum{GL_FLOAT_VEC4}));
  CHECK(uniforms["uShadow"] == std::pair(1, GLenum{GL_SAMPLER_2D_SHADOW}));
  CHECK(uniforms["uLight[1].direction"] == std::pair(1, GLenum{GL_FLOAT_VEC3}));
  CHECK(uniforms["uLight[0].power"] == std::pair(1, GLenum{GL_FLOAT}));
  CHECK(uniforms["Block.tail[0]"] == std::pair(3, GLenum{GL_FLOAT}));
  CHECK(!uniforms.contains("uUnused"));
  CHECK(glGetUniformLocation(program, "uUnused") == -1);
  CHECK(glGetUniformLocation(program, "Block.scale") == -1);
  CHECK(glGetUniformLocation(program, "uLights[3]") >= 0);
  CHECK_EQ(glGetUniformLocation(program, "uLights"), glGetUniformLocation(program, "uLights[0]"));
  CHECK(glGetUniformLocation(program, "uLights[4]") == -1);

  const char* names[] = {"Block.scale", "Block.shift", "Block.matrix", "Block.tail"};
  GLuint indices[4] = {};
  GLint offsets[4] = {}, strides[4] = {};
  glGetUniformIndices(program, 4, names, indices);
  glGetActiveUniformsiv(program, 4, indices, GL_UNIFORM_OFFSET, offsets);
  glGetActiveUniformsiv(program, 4, indices, GL_UNIFORM_ARRAY_STRIDE, strides);
  const GLint wanted[] = {0, 16, 32, 96};
  for (int i = 0; i < 4; ++i) CHECK_EQ(offsets[i], wanted[i]);
  CHECK_EQ(strides[3], 16);
  const GLuint block = glGetUniformBlockIndex(program, "Block");
  REQUIRE(block != GL_INVALID_INDEX);
  CHECK(glGetUniformBlockIndex(program, "instance") == GL_INVALID_INDEX);
  GLint value = 0;
  glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_DATA_SIZE, &value);
  CHECK_EQ(value, 144);
  glUniformBlockBinding(program, block, 7);
  glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_BINDING, &value);
  CHECK_EQ(value, 7);
  glGetActiveUniformBlockiv(program, block, GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER, &value);
  CHECK_EQ(value, GL_TRUE);

  glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
  CHECK_EQ(count, 2);
  std::map<std::string, GLenum> attributes;
  for (GLint i = 0; i < count; ++i) {
    char name[64] = "";
    GLint size = 0;
    GLenum type = 0;
    glGetActiveAttrib(program, static_cast<GLuint>(i), sizeof name, nullptr, &size, &type, name);
    attributes[name] = type;
  }
  CHECK_EQ(attributes["aPosition"], GL_FLOAT_VEC4);
  CHECK_EQ(attributes["aBasis"], GL_FLOAT_MAT3);
}
