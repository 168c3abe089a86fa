// Drawing commands (OpenGL 4.6 section 10.4).
#include <optional>

#include "base/small_vector.h"
#include "gl/buffer/binding.h"
#include "gl/query/query.h"
#include "gl/state/convert.h"
#include "gl/verb.h"
#include "gl/vertex/vertex_array.h"
#include "tracker/tracker.h"

namespace mgl::gl {

namespace {

using tracker::DrawArguments;

[[gnu::cold, gnu::noinline]] void notAPrimitive(Context& ctx, GLenum mode, const char* command) {
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a primitive of this context", command, mode);
}

inline bool startDraw(Context& ctx, GLenum mode, pipe::Primitive* primitive, const char* command) {
  if (!isPrimitive(mode, ctx.isCore())) [[unlikely]]
    return notAPrimitive(ctx, mode, command), false;
  *primitive = static_cast<pipe::Primitive>(mode);
  return true;
}

u64 reference(const void* indices) { return static_cast<u64>(reinterpret_cast<uintptr_t>(indices)); }

[[gnu::cold, gnu::noinline]] void notAnIndexType(Context& ctx, GLenum type, const char* command) {
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not an index type", command, type);
}
[[gnu::cold, gnu::noinline]] void noIndexBuffer(Context& ctx, client::Group& group, const char* command) {
  group.giveBack();
  ctx.error(GL_INVALID_OPERATION, "%s: no buffer is bound to GL_ELEMENT_ARRAY_BUFFER", command);
}

// The primitive and the index type.
[[gnu::always_inline]] inline bool startElements(Context& ctx, GLenum mode, GLenum type, pipe::Primitive* primitive,
                                                 pipe::IndexType* indexType, const char* command) {
  if (!startDraw(ctx, mode, primitive, command)) return false;
  // GL_UNSIGNED_BYTE, _SHORT, _INT lie two apart.
  static_assert(GL_UNSIGNED_SHORT == GL_UNSIGNED_BYTE + 2 && GL_UNSIGNED_INT == GL_UNSIGNED_BYTE + 4);
  const u32 which = type - GL_UNSIGNED_BYTE;
  if (which > 4 || which % 2 != 0) [[unlikely]]
    return notAnIndexType(ctx, type, command), false;
  *indexType = static_cast<pipe::IndexType>(which / 2 + 1);
  return true;
}

// The context's state, and that there is an index buffer.
[[gnu::always_inline]] inline bool validateElements(Context& ctx, client::Group& group, pipe::Primitive primitive,
                                                    const char* command) {
  if (!ctx.tracker->validateDraw(ctx, group, primitive, true)) return false;
  if (!ctx.vertexArray->indexBuffer) [[unlikely]]
    return noIndexBuffer(ctx, group, command), false;
  return true;
}

void arrays(Context& ctx, GLenum mode, GLint first, GLsizei count, GLsizei instances, GLuint baseInstance, const char* command) {
  pipe::Primitive primitive;
  if (!startDraw(ctx, mode, &primitive, command)) return;
  if (first < 0 || count < 0 || instances < 0) [[unlikely]]
    return ctx.error(GL_INVALID_VALUE, "%s: a negative first, count or number of instances", command);
  client::DrawGroup group(*ctx.session, ctx.stream);
  if (!ctx.tracker->validateDraw(ctx, group, primitive, false) || count == 0 || instances == 0) return;
  const DrawArguments arguments{primitive, pipe::IndexType::None, static_cast<u32>(instances), baseInstance};
  const pipe::DrawRange range{static_cast<u64>(first), static_cast<u32>(count), 0};
  ctx.tracker->draw(group, arguments, range);
}

[[gnu::cold, gnu::noinline]] void negativeElements(Context& ctx, GLenum mode, const char* command) {
  pipe::Primitive primitive;
  if (startDraw(ctx, mode, &primitive, command))
    ctx.error(GL_INVALID_VALUE, "%s: a negative count or number of instances", command);
}

[[gnu::always_inline]] inline void elements(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                            GLsizei instances, GLint baseVertex, GLuint baseInstance,
                                            const char* command) {
  pipe::Primitive primitive;
  pipe::IndexType indexType;
  if (count < 0 || instances < 0) [[unlikely]]
    return negativeElements(ctx, mode, command);
  if (!startElements(ctx, mode, type, &primitive, &indexType, command)) return;
  client::DrawGroup group(*ctx.session, ctx.stream);
  if (!validateElements(ctx, group, primitive, command) || count == 0 || instances == 0) return;
  const DrawArguments arguments{primitive, indexType, static_cast<u32>(instances), baseInstance};
  const pipe::DrawRange range{reference(indices), static_cast<u32>(count), baseVertex};
  ctx.tracker->draw(group, arguments, range);
}

void multiElements(Context& ctx, GLenum mode, const GLsizei* count, GLenum type, const void* const* indices, GLsizei drawcount,
                   const GLint* baseVertex, const char* command) {
  DrawArguments arguments;
  if (drawcount < 0) return ctx.error(GL_INVALID_VALUE, "%s: a negative number of draws", command);
  for (GLsizei i = 0; i < drawcount; ++i)
    if (count[i] < 0) return ctx.error(GL_INVALID_VALUE, "%s: a negative count", command);
  if (!startElements(ctx, mode, type, &arguments.mode, &arguments.indexType, command)) return;
  SmallVector<pipe::DrawRange, 64> ranges;
  for (GLsizei i = 0; i < drawcount; ++i)
    ranges.push_back({reference(indices[i]), static_cast<u32>(count[i]), baseVertex != nullptr ? baseVertex[i] : 0});
  client::DrawGroup group(*ctx.session, ctx.stream);
  if (!validateElements(ctx, group, arguments.mode, command) || drawcount == 0) return;
  ctx.tracker->draw(group, arguments, std::span<const pipe::DrawRange>(ranges.data(), ranges.size()));
}

// The buffer with a draw's parameters; null with the error.
Buffer* indirectBuffer(Context& ctx, const void* indirect, u64 bytes, const char* command) {
  const u64 offset = reference(indirect);
  Buffer* buffer = ctx.buffers[indexOf(BufferTarget::DrawIndirect)].get();
  if (offset % 4 != 0) {
    ctx.error(GL_INVALID_VALUE, "%s: the offset is not a multiple of 4", command);
    return nullptr;
  }
  if (buffer == nullptr || buffer->mappedNonPersistent || bytes > buffer->size || offset > buffer->size - bytes) {
    ctx.error(GL_INVALID_OPERATION, "%s: no buffer is bound to GL_DRAW_INDIRECT_BUFFER, it is mapped, or the parameters lie beyond it",
              command);
    return nullptr;
  }
  return buffer;
}

void indirect(Context& ctx, GLenum mode, std::optional<GLenum> type, const void* parameters, GLsizei drawcount, GLsizei stride,
              Buffer* countBuffer, GLintptr countOffset, const char* command) {
  const u32 size = type ? 20 : 16;
  if (drawcount < 0 || stride < 0 || stride % 4 != 0)
    return ctx.error(GL_INVALID_VALUE, "%s: a negative number of draws, or a stride that is not a multiple of 4", command);
  DrawArguments arguments;
  if (type ? !startElements(ctx, mode, *type, &arguments.mode, &arguments.indexType, command)
           : !startDraw(ctx, mode, &arguments.mode, command))
    return;
  if (stride == 0) stride = static_cast<GLsizei>(size);
  const u64 bytes = drawcount == 0 ? 0 : static_cast<u64>(drawcount - 1) * static_cast<u64>(stride) + size;
  Verb group(ctx);
  if (type ? !validateElements(ctx, group, arguments.mode, command) : !ctx.tracker->validateDraw(ctx, group, arguments.mode, false)) return;
  Buffer* buffer = indirectBuffer(ctx, parameters, bytes, command);
  if (buffer == nullptr || drawcount == 0) return;
  ctx.tracker->drawIndirect(group, arguments, *buffer, reference(parameters), static_cast<u32>(stride), static_cast<u32>(drawcount),
                            countBuffer, static_cast<u64>(countOffset));
}

}  // namespace

MGL_GL(void, DrawArrays)(Context& ctx, GLenum mode, GLint first, GLsizei count) {
  arrays(ctx, mode, first, count, 1, 0, "glDrawArrays");
}
MGL_GL(void, DrawArraysInstanced)(Context& ctx, GLenum mode, GLint first, GLsizei count, GLsizei instancecount) {
  arrays(ctx, mode, first, count, instancecount, 0, "glDrawArraysInstanced");
}
MGL_GL(void, DrawArraysInstancedBaseInstance)(Context& ctx, GLenum mode, GLint first, GLsizei count, GLsizei instancecount,
                                              GLuint baseinstance) {
  arrays(ctx, mode, first, count, instancecount, baseinstance, "glDrawArraysInstancedBaseInstance");
}
MGL_GL(void, MultiDrawArrays)(Context& ctx, GLenum mode, const GLint* first, const GLsizei* count, GLsizei drawcount) {
  DrawArguments arguments;
  if (!startDraw(ctx, mode, &arguments.mode, "glMultiDrawArrays")) return;
  if (drawcount < 0) return ctx.error(GL_INVALID_VALUE, "glMultiDrawArrays: a negative number of draws");
  SmallVector<pipe::DrawRange, 64> ranges;
  for (GLsizei i = 0; i < drawcount; ++i) {
    if (first[i] < 0 || count[i] < 0) return ctx.error(GL_INVALID_VALUE, "glMultiDrawArrays: a negative first or count");
    ranges.push_back({static_cast<u64>(first[i]), static_cast<u32>(count[i]), 0});
  }
  client::DrawGroup group(*ctx.session, ctx.stream);
  if (!ctx.tracker->validateDraw(ctx, group, arguments.mode, false) || drawcount == 0) return;
  ctx.tracker->draw(group, arguments, std::span<const pipe::DrawRange>(ranges.data(), ranges.size()));
}

MGL_GL(void, DrawElements)(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices) {
  elements(ctx, mode, count, type, indices, 1, 0, 0, "glDrawElements");
}
MGL_GL(void, DrawElementsBaseVertex)(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                     GLint basevertex) {
  elements(ctx, mode, count, type, indices, 1, basevertex, 0, "glDrawElementsBaseVertex");
}
MGL_GL(void, DrawElementsInstanced)(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                    GLsizei instancecount) {
  elements(ctx, mode, count, type, indices, instancecount, 0, 0, "glDrawElementsInstanced");
}
MGL_GL(void, DrawElementsInstancedBaseVertex)(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                              GLsizei instancecount, GLint basevertex) {
  elements(ctx, mode, count, type, indices, instancecount, basevertex, 0, "glDrawElementsInstancedBaseVertex");
}
MGL_GL(void, DrawElementsInstancedBaseInstance)(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices,
                                                GLsizei instancecount, GLuint baseinstance) {
  elements(ctx, mode, count, type, indices, instancecount, 0, baseinstance, "glDrawElementsInstancedBaseInstance");
}
MGL_GL(void, DrawElementsInstancedBaseVertexBaseInstance)(Context& ctx, GLenum mode, GLsizei count, GLenum type,
                                                          const void* indices, GLsizei instancecount, GLint basevertex,
                                                          GLuint baseinstance) {
  elements(ctx, mode, count, type, indices, instancecount, basevertex, baseinstance,
           "glDrawElementsInstancedBaseVertexBaseInstance");
}
MGL_GL(void, DrawRangeElements)(Context& ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                const void* indices) {
  if (end < start) return ctx.error(GL_INVALID_VALUE, "glDrawRangeElements: the range ends before it starts");
  elements(ctx, mode, count, type, indices, 1, 0, 0, "glDrawRangeElements");
}
MGL_GL(void, DrawRangeElementsBaseVertex)(Context& ctx, GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                          const void* indices, GLint basevertex) {
  if (end < start) return ctx.error(GL_INVALID_VALUE, "glDrawRangeElementsBaseVertex: the range ends before it starts");
  elements(ctx, mode, count, type, indices, 1, basevertex, 0, "glDrawRangeElementsBaseVertex");
}
MGL_GL(void, MultiDrawElements)(Context& ctx, GLenum mode, const GLsizei* count, GLenum type, const void* const* indices,
                                GLsizei drawcount) {
  multiElements(ctx, mode, count, type, indices, drawcount, nullptr, "glMultiDrawElements");
}
MGL_GL(void, MultiDrawElementsBaseVertex)(Context& ctx, GLenum mode, const GLsizei* count, GLenum type,
                                          const void* const* indices, GLsizei drawcount, const GLint* basevertex) {
  multiElements(ctx, mode, count, type, indices, drawcount, basevertex, "glMultiDrawElementsBaseVertex");
}

MGL_GL(void, DrawArraysIndirect)(Context& ctx, GLenum mode, const void* parameters) {
  indirect(ctx, mode, std::nullopt, parameters, 1, 0, nullptr, 0, "glDrawArraysIndirect");
}
MGL_GL(void, DrawElementsIndirect)(Context& ctx, GLenum mode, GLenum type, const void* parameters) {
  indirect(ctx, mode, type, parameters, 1, 0, nullptr, 0, "glDrawElementsIndirect");
}
MGL_GL(void, MultiDrawArraysIndirect)(Context& ctx, GLenum mode, const void* parameters, GLsizei drawcount, GLsizei stride) {
  indirect(ctx, mode, std::nullopt, parameters, drawcount, stride, nullptr, 0, "glMultiDrawArraysIndirect");
}
MGL_GL(void, MultiDrawElementsIndirect)(Context& ctx, GLenum mode, GLenum type, const void* parameters, GLsizei drawcount,
                                        GLsizei stride) {
  indirect(ctx, mode, type, parameters, drawcount, stride, nullptr, 0, "glMultiDrawElementsIndirect");
}

}  // namespace mgl::gl
