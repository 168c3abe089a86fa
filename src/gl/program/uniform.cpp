// glUniform*, glProgramUniform* and their queries (OpenGL 4.6 sections 7.6.1 and 7.13).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "gl/program/lookup.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

using Kind = UniformLocation::Kind;

// The value's place; null when there is nothing to do (location -1) or with the error.
const UniformLocation* locate(Context& ctx, const Executable& executable, GLint location, GLsizei count, const char* command) {
  if (static_cast<u32>(location) >= executable.locations.size()) [[unlikely]] {
    if (location != -1) ctx.error(GL_INVALID_OPERATION, "%s: the program has no location %d", command, location);
    return nullptr;
  }
  const UniformLocation& found = executable.locations[static_cast<u32>(location)];
  if (found.kind == Kind::Unused) [[unlikely]]
    return nullptr;
  if (count < 0 || (count > 1 && !found.isArray)) [[unlikely]] {
    ctx.error(count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION,
              "%s: %d elements for a uniform that is not an array, or a negative count", command, count);
    return nullptr;
  }
  return &found;
}

void wrongType(Context& ctx, const char* command) {
  ctx.error(GL_INVALID_OPERATION, "%s: the uniform has another type or size", command);
}

// Of a size known here, so that compare and copy are a few loads and stores.
template <u32 Bytes>
[[gnu::always_inline]] inline void writeBytes(Executable& executable, u32 offset, const void* from) {
  static_assert(Bytes % 4 == 0);
  std::byte* at = executable.block.data() + offset;
  std::array<u32, Bytes / 4> now, next;
  std::memcpy(&now, at, Bytes);
  std::memcpy(&next, from, Bytes);
  u32 differs = 0;
  for (u32 i = 0; i < next.size(); ++i) differs |= now[i] ^ next[i];
  if (differs == 0) return;
  std::memcpy(at, &next, Bytes);
  executable.markDirty(offset, Bytes);
}

template <class T>
constexpr Kind kKindOf = std::is_same_v<T, f32>   ? Kind::Float
                         : std::is_same_v<T, i32> ? Kind::Int
                                                  : Kind::Uint;

// Scalars of 4 bytes into a vector uniform of the same size; bools become 0 and 1.
template <u32 N, class T>
[[gnu::noinline]] void setVectorSlow(Context& ctx, Executable& executable, GLint location, GLsizei count,
                                     const T* values, const char* command) {
  const UniformLocation* at = locate(ctx, executable, location, count, command);
  if (at == nullptr) return;
  constexpr Kind kOwn = kKindOf<T>;
  if (at->rows != N || at->columns != 1 || (at->kind != kOwn && at->kind != Kind::Bool)) [[unlikely]]
    return wrongType(ctx, command);
  const u32 elements = std::min(static_cast<u32>(count), at->remaining);
  for (u32 i = 0; i < elements; ++i) {
    const u32 offset = at->offset + i * at->arrayStride;
    if (at->kind == Kind::Bool) [[unlikely]] {
      std::array<u32, N> bools;
      for (u32 c = 0; c < N; ++c) bools[c] = values[i * N + c] != T{0} ? 1 : 0;
      writeBytes<N * 4>(executable, offset, bools.data());
    } else {
      writeBytes<N * 4>(executable, offset, values + i * N);
    }
  }
}

// One value for a uniform of just that type that is no array: what most calls are.
template <u32 N, class T>
inline void setVector(Context& ctx, Executable& executable, GLint location, GLsizei count, const T* values,
                      const char* command) {
  if (static_cast<u32>(location) < executable.locations.size() && count == 1) [[likely]] {
    const UniformLocation& at = executable.locations[static_cast<u32>(location)];
    if (at.isPlain(kKindOf<T>, N)) [[likely]]
      return writeBytes<N * 4>(executable, at.offset, values);
  }
  setVectorSlow<N>(ctx, executable, location, count, values, command);
}

template <u32 N>
void setDoubles(Context& ctx, Executable& executable, GLint location, GLsizei count, const f64* values, const char* command) {
  const UniformLocation* at = locate(ctx, executable, location, count, command);
  if (at == nullptr) return;
  if (at->rows != N || at->columns != 1 || at->kind != Kind::Double) return wrongType(ctx, command);
  const u32 elements = std::min(static_cast<u32>(count), at->remaining);
  for (u32 i = 0; i < elements; ++i)
    writeBytes<N * sizeof(f64)>(executable, at->offset + i * at->arrayStride, values + i * N);
}

template <u32 C, u32 R, class T>
void setMatrix(Context& ctx, Executable& executable, GLint location, GLsizei count, bool transpose, const T* values,
               const char* command) {
  const UniformLocation* at = locate(ctx, executable, location, count, command);
  if (at == nullptr) return;
  constexpr Kind kOwn = std::is_same_v<T, f32> ? Kind::Float : Kind::Double;
  if (at->columns != C || at->rows != R || at->kind != kOwn) return wrongType(ctx, command);
  const u32 elements = std::min(static_cast<u32>(count), at->remaining);
  for (u32 i = 0; i < elements; ++i) {
    const T* matrix = values + i * C * R;
    for (u32 c = 0; c < C; ++c) {
      std::array<T, R> column;
      for (u32 r = 0; r < R; ++r) column[r] = transpose ? matrix[r * C + c] : matrix[c * R + r];
      writeBytes<sizeof column>(executable, at->offset + i * at->arrayStride + c * at->matrixStride, column.data());
    }
  }
}

void followUnits(Executable& executable) {
  executable.unitCount = 0;
  for (const u32 unit : executable.samplerUnits) executable.unitCount = std::max(executable.unitCount, unit + 1);
  ++executable.bindingsVersion;
}

// Integers: plain values, or the units of samplers and images.
Scope setInteger(Context& ctx, Program& program, GLint location, GLsizei count, const GLint* values, const char* command) {
  Executable& executable = *program.executable;
  const UniformLocation* at = locate(ctx, executable, location, count, command);
  if (at == nullptr) return Scope::None;
  if (at->kind != Kind::Sampler && at->kind != Kind::Image) {
    setVector<1>(ctx, executable, location, count, values, command);
    return Scope::None;
  }
  const u32 units = at->kind == Kind::Sampler ? ctx.info->maxUnits : pipe::kMaxImageUnits;
  const u32 elements = std::min(static_cast<u32>(count), at->remaining);
  for (u32 i = 0; i < elements; ++i) {
    if (values[i] >= 0 && static_cast<u32>(values[i]) < units) continue;
    ctx.error(GL_INVALID_VALUE, "%s: there is no unit %d", command, values[i]);
    return Scope::None;
  }
  std::vector<u32>& slots = at->kind == Kind::Sampler ? executable.samplerUnits : executable.imageUnits;
  bool changed = false;
  for (u32 i = 0; i < elements; ++i) {
    u32& slot = slots[at->offset + i];
    changed = changed || slot != static_cast<u32>(values[i]);
    slot = static_cast<u32>(values[i]);
  }
  if (!changed) return Scope::None;
  followUnits(executable);
  program.touch();
  return Scope::Program;
}

}  // namespace

// One set of entry points for the program in use and one for a named program. Each pair shares the body.
#define MGL_PLAIN(name, params, ...)                                                                    \
  void api::Uniform##name(Context& ctx, GLint location, MGL_UNWRAP params) {                            \
    Program* program = ctx.program.get();                                                               \
    if (program == nullptr || program->executable == nullptr) [[unlikely]]                              \
      program = currentProgram(ctx, "glUniform" #name);                                                 \
    if (program == nullptr) return;                                                                     \
    [[maybe_unused]] const char* const command = "glUniform" #name;                                     \
    Executable& executable = *program->executable;                                                      \
    __VA_ARGS__;                                                                                        \
  }                                                                                                     \
  void api::ProgramUniform##name(Context& ctx, GLuint programName, GLint location, MGL_UNWRAP params) { \
    const auto program = linkedProgramOf(ctx, programName, "glProgramUniform" #name);                   \
    if (!program) return;                                                                               \
    [[maybe_unused]] const char* const command = "glProgramUniform" #name;                              \
    Executable& executable = *program->executable;                                                      \
    __VA_ARGS__;                                                                                        \
  }
#define MGL_UNWRAP(...) __VA_ARGS__

#define MGL_SCALARS(suffix, type, set)                                                                                     \
  MGL_PLAIN(2##suffix, (type v0, type v1), {                                                                               \
    const type v[] = {v0, v1};                                                                                             \
    set<2>(ctx, executable, location, 1, v, command);                                                                      \
  })                                                                                                                       \
  MGL_PLAIN(3##suffix, (type v0, type v1, type v2), {                                                                      \
    const type v[] = {v0, v1, v2};                                                                                         \
    set<3>(ctx, executable, location, 1, v, command);                                                                      \
  })                                                                                                                       \
  MGL_PLAIN(4##suffix, (type v0, type v1, type v2, type v3), {                                                             \
    const type v[] = {v0, v1, v2, v3};                                                                                     \
    set<4>(ctx, executable, location, 1, v, command);                                                                      \
  })                                                                                                                       \
  MGL_PLAIN(2##suffix##v, (GLsizei count, const type* value), set<2>(ctx, executable, location, count, value, command))    \
  MGL_PLAIN(3##suffix##v, (GLsizei count, const type* value), set<3>(ctx, executable, location, count, value, command))    \
  MGL_PLAIN(4##suffix##v, (GLsizei count, const type* value), set<4>(ctx, executable, location, count, value, command))
#define MGL_SCALAR1(suffix, type, set)                                                           \
  MGL_PLAIN(1##suffix, (type v0), set<1>(ctx, executable, location, 1, &v0, command))            \
  MGL_PLAIN(1##suffix##v, (GLsizei count, const type* value), set<1>(ctx, executable, location, count, value, command))

MGL_GL_IMPLEMENTS(Uniform1f, Uniform2f, Uniform3f, Uniform4f, Uniform1fv, Uniform2fv, Uniform3fv, Uniform4fv);
MGL_GL_IMPLEMENTS(ProgramUniform1f, ProgramUniform2f, ProgramUniform3f, ProgramUniform4f, ProgramUniform1fv,
                  ProgramUniform2fv, ProgramUniform3fv, ProgramUniform4fv);
MGL_SCALAR1(f, GLfloat, setVector)
MGL_SCALARS(f, GLfloat, setVector)
MGL_GL_IMPLEMENTS(Uniform2i, Uniform3i, Uniform4i, Uniform2iv, Uniform3iv, Uniform4iv);
MGL_GL_IMPLEMENTS(ProgramUniform2i, ProgramUniform3i, ProgramUniform4i, ProgramUniform2iv, ProgramUniform3iv, ProgramUniform4iv);
MGL_SCALARS(i, GLint, setVector)
MGL_GL_IMPLEMENTS(Uniform1ui, Uniform2ui, Uniform3ui, Uniform4ui, Uniform1uiv, Uniform2uiv, Uniform3uiv, Uniform4uiv);
MGL_GL_IMPLEMENTS(ProgramUniform1ui, ProgramUniform2ui, ProgramUniform3ui, ProgramUniform4ui, ProgramUniform1uiv,
                  ProgramUniform2uiv, ProgramUniform3uiv, ProgramUniform4uiv);
MGL_SCALAR1(ui, GLuint, setVector)
MGL_SCALARS(ui, GLuint, setVector)
MGL_GL_IMPLEMENTS(Uniform1d, Uniform2d, Uniform3d, Uniform4d, Uniform1dv, Uniform2dv, Uniform3dv, Uniform4dv);
MGL_GL_IMPLEMENTS(ProgramUniform1d, ProgramUniform2d, ProgramUniform3d, ProgramUniform4d, ProgramUniform1dv,
                  ProgramUniform2dv, ProgramUniform3dv, ProgramUniform4dv);
MGL_SCALAR1(d, GLdouble, setDoubles)
MGL_SCALARS(d, GLdouble, setDoubles)
#undef MGL_SCALARS
#undef MGL_SCALAR1

#define MGL_MATRIX(name, C, R, type)                                                             \
  MGL_PLAIN(Matrix##name, (GLsizei count, GLboolean transpose, const type* value),               \
            (setMatrix<C, R>(ctx, executable, location, count, transpose != GL_FALSE, value, command)))
#define MGL_MATRICES(suffix, type)   \
  MGL_MATRIX(2##suffix, 2, 2, type)   \
  MGL_MATRIX(3##suffix, 3, 3, type)   \
  MGL_MATRIX(4##suffix, 4, 4, type)   \
  MGL_MATRIX(2x3##suffix, 2, 3, type) \
  MGL_MATRIX(2x4##suffix, 2, 4, type) \
  MGL_MATRIX(3x2##suffix, 3, 2, type) \
  MGL_MATRIX(3x4##suffix, 3, 4, type) \
  MGL_MATRIX(4x2##suffix, 4, 2, type) \
  MGL_MATRIX(4x3##suffix, 4, 3, type)
MGL_GL_IMPLEMENTS(UniformMatrix2fv, UniformMatrix3fv, UniformMatrix4fv, UniformMatrix2x3fv, UniformMatrix2x4fv,
                  UniformMatrix3x2fv, UniformMatrix3x4fv, UniformMatrix4x2fv, UniformMatrix4x3fv);
MGL_GL_IMPLEMENTS(ProgramUniformMatrix2fv, ProgramUniformMatrix3fv, ProgramUniformMatrix4fv, ProgramUniformMatrix2x3fv,
                  ProgramUniformMatrix2x4fv, ProgramUniformMatrix3x2fv, ProgramUniformMatrix3x4fv,
                  ProgramUniformMatrix4x2fv, ProgramUniformMatrix4x3fv);
MGL_MATRICES(fv, GLfloat)
MGL_GL_IMPLEMENTS(UniformMatrix2dv, UniformMatrix3dv, UniformMatrix4dv, UniformMatrix2x3dv, UniformMatrix2x4dv,
                  UniformMatrix3x2dv, UniformMatrix3x4dv, UniformMatrix4x2dv, UniformMatrix4x3dv);
MGL_GL_IMPLEMENTS(ProgramUniformMatrix2dv, ProgramUniformMatrix3dv, ProgramUniformMatrix4dv, ProgramUniformMatrix2x3dv,
                  ProgramUniformMatrix2x4dv, ProgramUniformMatrix3x2dv, ProgramUniformMatrix3x4dv,
                  ProgramUniformMatrix4x2dv, ProgramUniformMatrix4x3dv);
MGL_MATRICES(dv, GLdouble)
#undef MGL_MATRICES
#undef MGL_MATRIX
#undef MGL_PLAIN
#undef MGL_UNWRAP

MGL_GL(Scope, Uniform1i)(Context& ctx, GLint location, GLint v0) {
  Program* program = currentProgram(ctx, "glUniform1i");
  return program != nullptr ? setInteger(ctx, *program, location, 1, &v0, "glUniform1i") : Scope::None;
}
MGL_GL(Scope, Uniform1iv)(Context& ctx, GLint location, GLsizei count, const GLint* value) {
  Program* program = currentProgram(ctx, "glUniform1iv");
  return program != nullptr ? setInteger(ctx, *program, location, count, value, "glUniform1iv") : Scope::None;
}
MGL_GL(Scope, ProgramUniform1i)(Context& ctx, GLuint name, GLint location, GLint v0) {
  const auto program = linkedProgramOf(ctx, name, "glProgramUniform1i");
  return program ? setInteger(ctx, *program, location, 1, &v0, "glProgramUniform1i") : Scope::None;
}
MGL_GL(Scope, ProgramUniform1iv)(Context& ctx, GLuint name, GLint location, GLsizei count, const GLint* value) {
  const auto program = linkedProgramOf(ctx, name, "glProgramUniform1iv");
  return program ? setInteger(ctx, *program, location, count, value, "glProgramUniform1iv") : Scope::None;
}

// ---- Queries

namespace {

template <class T>
T convertTo(f64 value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
  // Rounded to the nearest, as state queries convert.
  return static_cast<T>(static_cast<i64>(std::llround(value)));
}

template <class T>
void getUniform(Context& ctx, GLuint name, GLint location, GLsizei bufSize, T* out, const char* command) {
  const auto program = linkedProgramOf(ctx, name, command);
  if (!program) return;
  const Executable& executable = *program->executable;
  if (location < 0 || static_cast<u32>(location) >= executable.locations.size() ||
      executable.locations[static_cast<u32>(location)].kind == Kind::Unused)
    return ctx.error(GL_INVALID_OPERATION, "%s: the program has no location %d", command, location);
  const UniformLocation& at = executable.locations[static_cast<u32>(location)];
  if (static_cast<std::size_t>(bufSize) < sizeof(T) * at.columns * at.rows)
    return ctx.error(GL_INVALID_OPERATION, "%s: the buffer is too small", command);
  if (at.kind == Kind::Sampler || at.kind == Kind::Image) {
    *out = static_cast<T>((at.kind == Kind::Sampler ? executable.samplerUnits : executable.imageUnits)[at.offset]);
    return;
  }
  for (u32 c = 0; c < at.columns; ++c) {
    for (u32 r = 0; r < at.rows; ++r) {
      const u32 scalar = at.kind == Kind::Double ? 8 : 4;
      const std::byte* from = executable.block.data() + at.offset + c * at.matrixStride + r * scalar;
      u32 bits = 0;
      if (at.kind != Kind::Double) std::memcpy(&bits, from, sizeof bits);
      T& slot = out[c * at.rows + r];
      switch (at.kind) {
        case Kind::Float: slot = convertTo<T>(static_cast<f64>(std::bit_cast<f32>(bits))); break;
        case Kind::Int: slot = static_cast<T>(static_cast<i32>(bits)); break;
        case Kind::Double: {
          f64 value;
          std::memcpy(&value, from, sizeof value);
          slot = convertTo<T>(value);
          break;
        }
        default: slot = static_cast<T>(bits); break;
      }
    }
  }
}

}  // namespace

MGL_GL(void, GetUniformfv)(Context& ctx, GLuint program, GLint location, GLfloat* params) {
  getUniform(ctx, program, location, 0x7fffffff, params, "glGetUniformfv");
}
MGL_GL(void, GetUniformiv)(Context& ctx, GLuint program, GLint location, GLint* params) {
  getUniform(ctx, program, location, 0x7fffffff, params, "glGetUniformiv");
}
MGL_GL(void, GetUniformuiv)(Context& ctx, GLuint program, GLint location, GLuint* params) {
  getUniform(ctx, program, location, 0x7fffffff, params, "glGetUniformuiv");
}
MGL_GL(void, GetUniformdv)(Context& ctx, GLuint program, GLint location, GLdouble* params) {
  getUniform(ctx, program, location, 0x7fffffff, params, "glGetUniformdv");
}
MGL_GL(void, GetnUniformfv)(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLfloat* params) {
  getUniform(ctx, program, location, bufSize, params, "glGetnUniformfv");
}
MGL_GL(void, GetnUniformiv)(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLint* params) {
  getUniform(ctx, program, location, bufSize, params, "glGetnUniformiv");
}
MGL_GL(void, GetnUniformuiv)(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLuint* params) {
  getUniform(ctx, program, location, bufSize, params, "glGetnUniformuiv");
}
MGL_GL(void, GetnUniformdv)(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLdouble* params) {
  getUniform(ctx, program, location, bufSize, params, "glGetnUniformdv");
}

}  // namespace mgl::gl
