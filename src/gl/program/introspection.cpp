// Active attributes, uniforms, blocks and outputs, from the archive (OpenGL 4.6 sections 7.3.1, 7.6, 11.1.1, 15.2.3).
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "gl/program/lookup.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

const shader::Archive& archiveOf(const Program& program) {
  static const shader::Archive kNothing;
  return program.executable && program.linked ? program.executable->archive : kNothing;
}

GLenum typeToken(shader::UniformType type) {
  switch (type) {
#define X(name, glToken, spelling, scalar, columns, rows) \
  case shader::UniformType::name: return glToken;
#define X_OPAQUE(name, glToken, spelling, kind, scalar, dim, shadow, arrayed, multisample) \
  case shader::UniformType::name: return glToken;
#include "shader/archive/uniform_types.def"
#undef X
#undef X_OPAQUE
    default: return GL_NONE;
  }
}

// A name with an optional subscript, "a[3]": the base with "[0]" for arrays, and the element.
struct ParsedName {
  std::string base;
  u32 element = 0;
  bool subscript = false;
};
bool parseName(std::string_view name, ParsedName* out) {
  out->base = name;
  if (name.empty() || name.back() != ']') return true;
  const auto open = name.rfind('[');
  if (open == std::string_view::npos) return false;
  const std::string_view digits = name.substr(open + 1, name.size() - open - 2);
  if (digits.empty() || digits.size() > 9 || (digits.size() > 1 && digits[0] == '0') ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return false;
  out->base = name.substr(0, open);
  out->element = static_cast<u32>(std::strtoul(std::string(digits).c_str(), nullptr, 10));
  out->subscript = true;
  return true;
}

// The index of the variable that a name means, and its element; ~0 when there is none.
template <class List>
u32 findVariable(const List& list, const GLchar* name, u32* element) {
  ParsedName parsed;
  if (!parseName(name, &parsed)) return ~0u;
  for (u32 i = 0; i < list.size(); ++i) {
    const auto& item = list[i];
    if (item.name == name) return *element = 0, i;  // "a" of no array, "a[0]" of an array
    if (!item.isArray) continue;
    const std::string_view bare = std::string_view(item.name).substr(0, item.name.size() - 3);
    if (parsed.subscript ? parsed.base == bare && parsed.element < item.arraySize : bare == name)
      return *element = parsed.subscript ? parsed.element : 0, i;
  }
  return ~0u;
}

u32 locationsPerElement(shader::UniformType type) { return shader::uniformTypeInfo(type).columns; }

void active(Context& ctx, const std::string& name, GLint arraySize, shader::UniformType variableType, GLsizei bufSize,
            GLsizei* length, GLint* size, GLenum* type, GLchar* out) {
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "a negative size");
  copyString(name, bufSize, length, out);
  if (size != nullptr) *size = arraySize;
  if (type != nullptr) *type = typeToken(variableType);
}

}  // namespace

// ---- Attributes and outputs

MGL_GL(GLint, GetAttribLocation)(Context& ctx, GLuint name, const GLchar* attribute) {
  const auto program = linkedProgramOf(ctx, name, "glGetAttribLocation");
  if (!program || std::strncmp(attribute, "gl_", 3) == 0) return -1;
  const shader::Archive& archive = archiveOf(*program);
  if ((archive.stages & shader::stageBit(shader::Stage::Vertex)) == 0) return -1;
  u32 element = 0;
  const u32 found = findVariable(archive.inputs, attribute, &element);
  if (found == ~0u || archive.inputs[found].location < 0) return -1;
  return archive.inputs[found].location + static_cast<GLint>(element * locationsPerElement(archive.inputs[found].type));
}
MGL_GL(void, GetActiveAttrib)(Context& ctx, GLuint name, GLuint index, GLsizei bufSize, GLsizei* length, GLint* size,
                              GLenum* type, GLchar* out) {
  const auto program = programOf(ctx, name, "glGetActiveAttrib");
  if (!program) return;
  const auto& inputs = archiveOf(*program).inputs;
  if (index >= inputs.size()) return ctx.error(GL_INVALID_VALUE, "glGetActiveAttrib: there is no attribute %u", index);
  const shader::InterfaceVariable& input = inputs[index];
  active(ctx, input.name, static_cast<GLint>(input.arraySize), input.type, bufSize, length, size, type, out);
}
MGL_GL(GLint, GetFragDataLocation)(Context& ctx, GLuint name, const GLchar* output) {
  const auto program = linkedProgramOf(ctx, name, "glGetFragDataLocation");
  if (!program || std::strncmp(output, "gl_", 3) == 0) return -1;
  const shader::Archive& archive = archiveOf(*program);
  if ((archive.stages & shader::stageBit(shader::Stage::Fragment)) == 0) return -1;
  u32 element = 0;
  const u32 found = findVariable(archive.outputs, output, &element);
  return found == ~0u || archive.outputs[found].location < 0 ? -1
                                                              : archive.outputs[found].location + static_cast<GLint>(element);
}
MGL_GL(GLint, GetFragDataIndex)(Context& ctx, GLuint name, const GLchar* output) {
  const auto program = linkedProgramOf(ctx, name, "glGetFragDataIndex");
  if (!program || std::strncmp(output, "gl_", 3) == 0) return -1;
  u32 element = 0;
  const auto& outputs = archiveOf(*program).outputs;
  const u32 found = findVariable(outputs, output, &element);
  return found == ~0u ? -1 : outputs[found].index;
}
MGL_GL(void, GetTransformFeedbackVarying)(Context& ctx, GLuint name, GLuint index, GLsizei bufSize, GLsizei* length,
                                          GLsizei* size, GLenum* type, GLchar* out) {
  const auto program = programOf(ctx, name, "glGetTransformFeedbackVarying");
  if (!program) return;
  const auto& varyings = archiveOf(*program).xfb.varyings;
  if (index >= varyings.size())
    return ctx.error(GL_INVALID_VALUE, "glGetTransformFeedbackVarying: there is no varying %u", index);
  GLint elements = 0;
  active(ctx, varyings[index].name, static_cast<GLint>(varyings[index].arraySize), varyings[index].type, bufSize, length,
         &elements, type, out);
  if (size != nullptr) *size = elements;
}

// ---- Uniforms

MGL_GL(GLint, GetUniformLocation)(Context& ctx, GLuint name, const GLchar* uniform) {
  const auto program = linkedProgramOf(ctx, name, "glGetUniformLocation");
  if (!program || std::strncmp(uniform, "gl_", 3) == 0) return -1;
  const auto& uniforms = archiveOf(*program).uniforms;
  u32 element = 0;
  const u32 found = findVariable(uniforms, uniform, &element);
  return found == ~0u || uniforms[found].location < 0 ? -1 : uniforms[found].location + static_cast<GLint>(element);
}
MGL_GL(void, GetActiveUniform)(Context& ctx, GLuint name, GLuint index, GLsizei bufSize, GLsizei* length, GLint* size,
                               GLenum* type, GLchar* out) {
  const auto program = programOf(ctx, name, "glGetActiveUniform");
  if (!program) return;
  const auto& uniforms = archiveOf(*program).uniforms;
  if (index >= uniforms.size()) return ctx.error(GL_INVALID_VALUE, "glGetActiveUniform: there is no uniform %u", index);
  active(ctx, uniforms[index].name, static_cast<GLint>(uniforms[index].arraySize), uniforms[index].type, bufSize, length,
         size, type, out);
}
MGL_GL(void, GetActiveUniformName)(Context& ctx, GLuint name, GLuint index, GLsizei bufSize, GLsizei* length, GLchar* out) {
  const auto program = programOf(ctx, name, "glGetActiveUniformName");
  if (!program) return;
  const auto& uniforms = archiveOf(*program).uniforms;
  if (index >= uniforms.size() || bufSize < 0)
    return ctx.error(GL_INVALID_VALUE, "glGetActiveUniformName: there is no uniform %u, or a negative size", index);
  copyString(uniforms[index].name, bufSize, length, out);
}
MGL_GL(void, GetUniformIndices)(Context& ctx, GLuint name, GLsizei count, const GLchar* const* names, GLuint* indices) {
  const auto program = programOf(ctx, name, "glGetUniformIndices");
  if (!program) return;
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glGetUniformIndices: a negative count");
  if (!program->linked) return ctx.error(GL_INVALID_OPERATION, "glGetUniformIndices: program %u is not linked", name);
  const auto& uniforms = archiveOf(*program).uniforms;
  for (GLsizei i = 0; i < count; ++i) {
    u32 element = 0;
    const u32 found = findVariable(uniforms, names[i], &element);
    indices[i] = found == ~0u || element != 0 ? GL_INVALID_INDEX : found;
  }
}
MGL_GL(void, GetActiveUniformsiv)(Context& ctx, GLuint name, GLsizei count, const GLuint* indices, GLenum pname,
                                  GLint* params) {
  const auto program = programOf(ctx, name, "glGetActiveUniformsiv");
  if (!program) return;
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glGetActiveUniformsiv: a negative count");
  const auto& uniforms = archiveOf(*program).uniforms;
  for (GLsizei i = 0; i < count; ++i)
    if (indices[i] >= uniforms.size())
      return ctx.error(GL_INVALID_VALUE, "glGetActiveUniformsiv: there is no uniform %u", indices[i]);
  for (GLsizei i = 0; i < count; ++i) {
    const shader::Uniform& uniform = uniforms[indices[i]];
    const bool inBlock = uniform.blockIndex >= 0;
    GLint& out = params[i];
    switch (pname) {
      case GL_UNIFORM_TYPE: out = static_cast<GLint>(typeToken(uniform.type)); break;
      case GL_UNIFORM_SIZE: out = static_cast<GLint>(uniform.arraySize); break;
      case GL_UNIFORM_NAME_LENGTH: out = static_cast<GLint>(uniform.name.size()) + 1; break;
      case GL_UNIFORM_BLOCK_INDEX: out = uniform.blockIndex; break;
      case GL_UNIFORM_OFFSET: out = inBlock || uniform.atomicBufferIndex >= 0 ? uniform.offset : -1; break;
      case GL_UNIFORM_ARRAY_STRIDE: out = inBlock || uniform.atomicBufferIndex >= 0 ? uniform.arrayStride : -1; break;
      case GL_UNIFORM_MATRIX_STRIDE: out = inBlock ? uniform.matrixStride : -1; break;
      case GL_UNIFORM_IS_ROW_MAJOR: out = inBlock && uniform.rowMajor; break;
      case GL_UNIFORM_ATOMIC_COUNTER_BUFFER_INDEX: out = uniform.atomicBufferIndex; break;
      default:
        return ctx.error(GL_INVALID_ENUM, "glGetActiveUniformsiv: 0x%04x is not a property of a uniform", pname);
    }
  }
}

// ---- Uniform blocks

MGL_GL(GLuint, GetUniformBlockIndex)(Context& ctx, GLuint name, const GLchar* block) {
  const auto program = programOf(ctx, name, "glGetUniformBlockIndex");
  if (!program) return GL_INVALID_INDEX;
  const auto& blocks = archiveOf(*program).uniformBlocks;
  for (u32 i = 0; i < blocks.size(); ++i)
    if (blocks[i].name == block || (blocks[i].arraySize != 0 && blocks[i].arrayIndex == 0 &&
                                    blocks[i].name == std::string(block) + "[0]"))
      return i;
  return GL_INVALID_INDEX;
}
MGL_GL(void, GetActiveUniformBlockName)(Context& ctx, GLuint name, GLuint index, GLsizei bufSize, GLsizei* length,
                                        GLchar* out) {
  const auto program = programOf(ctx, name, "glGetActiveUniformBlockName");
  if (!program) return;
  const auto& blocks = archiveOf(*program).uniformBlocks;
  if (index >= blocks.size() || bufSize < 0)
    return ctx.error(GL_INVALID_VALUE, "glGetActiveUniformBlockName: there is no block %u, or a negative size", index);
  copyString(blocks[index].name, bufSize, length, out);
}
MGL_GL(void, GetActiveUniformBlockiv)(Context& ctx, GLuint name, GLuint index, GLenum pname, GLint* params) {
  const auto program = programOf(ctx, name, "glGetActiveUniformBlockiv");
  if (!program) return;
  const auto& blocks = archiveOf(*program).uniformBlocks;
  if (index >= blocks.size())
    return ctx.error(GL_INVALID_VALUE, "glGetActiveUniformBlockiv: there is no block %u", index);
  const shader::Block& block = blocks[index];
  const auto referenced = [&](shader::Stage stage) { return (block.stages & shader::stageBit(stage)) != 0; };
  switch (pname) {
    case GL_UNIFORM_BLOCK_BINDING: *params = static_cast<GLint>(program->executable->blockBindings[index]); return;
    case GL_UNIFORM_BLOCK_DATA_SIZE: *params = static_cast<GLint>(block.sizeBytes); return;
    case GL_UNIFORM_BLOCK_NAME_LENGTH: *params = static_cast<GLint>(block.name.size()) + 1; return;
    case GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS: *params = static_cast<GLint>(block.members.size()); return;
    case GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES:
      for (std::size_t i = 0; i < block.members.size(); ++i) params[i] = static_cast<GLint>(block.members[i]);
      return;
    case GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER: *params = referenced(shader::Stage::Vertex); return;
    case GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_CONTROL_SHADER: *params = referenced(shader::Stage::TessControl); return;
    case GL_UNIFORM_BLOCK_REFERENCED_BY_TESS_EVALUATION_SHADER: *params = referenced(shader::Stage::TessEval); return;
    case GL_UNIFORM_BLOCK_REFERENCED_BY_GEOMETRY_SHADER: *params = referenced(shader::Stage::Geometry); return;
    case GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER: *params = referenced(shader::Stage::Fragment); return;
    case GL_UNIFORM_BLOCK_REFERENCED_BY_COMPUTE_SHADER: *params = referenced(shader::Stage::Compute); return;
    default: ctx.error(GL_INVALID_ENUM, "glGetActiveUniformBlockiv: 0x%04x is not a property of a block", pname);
  }
}
MGL_GL(Moved, UniformBlockBinding)(Context& ctx, GLuint name, GLuint index, GLuint binding) {
  const auto program = programOf(ctx, name, "glUniformBlockBinding");
  if (!program) return Moved::No;
  if (index >= archiveOf(*program).uniformBlocks.size() || binding >= pipe::kMaxBufferBindings) {
    ctx.error(GL_INVALID_VALUE, "glUniformBlockBinding: there is no block %u or no binding point %u", index, binding);
    return Moved::No;
  }
  Executable& executable = *program->executable;
  if (assign(executable.blockBindings[index], binding) == Moved::No) return Moved::No;
  ++executable.bindingsVersion;
  program->touch();
  return Moved::Yes;
}

}  // namespace mgl::gl
