#include "gl/vertex/vertex_array.h"

#include "gl/buffer/binding.h"
#include "gl/version.h"
#include "gl/context.h"
#include "gl/vertex/attribute_type.h"

namespace mgl::gl {

VertexArray::VertexArray(u32 glName, std::shared_ptr<client::Session> s) : Object(glName), session(std::move(s)) {
  for (u32 i = 0; i < attributes.size(); ++i) attributes[i].binding = static_cast<u8>(i);
  ObjectGroup making(*session);
  client::Group& out = *making;
  handle = out.allocate<pipe::Kind::VertexArray>();
  out.emit(pipe::CreateVertexArray{handle});
}
VertexArray::~VertexArray() { session->retire(handle); }

u32 VertexArray::clientArrayMask() const {
  u32 mask = 0;
  for (u32 i = 0; i < attributes.size(); ++i)
    if (attributes[i].enabled && !bindings[attributes[i].binding].buffer) mask |= 1u << i;
  return mask;
}

namespace {

// The name gets its object, if it was generated.
[[gnu::cold, gnu::noinline]] void bindForTheFirstTime(Context& ctx, GLuint array) {
  if (!ctx.vertexArrays.isUsed(array))
    return ctx.error(GL_INVALID_OPERATION, "glBindVertexArray: %u did not come from glGenVertexArrays", array);
  auto* made = new VertexArray(array, ctx.session);
  ctx.vertexArrays.insert(array, Ref<VertexArray>(made));
  ctx.vertexArray = made;
}

// The bound vertex array; null with GL_INVALID_OPERATION.
VertexArray* bound(Context& ctx, const char* command) {
  if (!ctx.vertexArray) ctx.error(GL_INVALID_OPERATION, "%s: no vertex array object is bound", command);
  return ctx.vertexArray;
}
VertexArray* named(Context& ctx, GLuint name, const char* command) {
  VertexArray* found = ctx.vertexArrays.find(name);
  if (found == nullptr) ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a vertex array object", command, name);
  return found;
}

bool checkAttrib(Context& ctx, GLuint index, const char* command) {
  if (index < static_cast<GLuint>(ctx.info->limits.maxVertexAttribs)) return true;
  ctx.error(GL_INVALID_VALUE, "%s: attribute %u is not below GL_MAX_VERTEX_ATTRIBS", command, index);
  return false;
}
bool checkBinding(Context& ctx, GLuint index, const char* command) {
  if (index < static_cast<GLuint>(ctx.info->limits.maxVertexBindings)) return true;
  ctx.error(GL_INVALID_VALUE, "%s: binding %u is not below GL_MAX_VERTEX_ATTRIB_BINDINGS", command, index);
  return false;
}

Moved setEnabled(Context& ctx, VertexArray* array, GLuint index, bool on, const char* command) {
  if (array == nullptr || !checkAttrib(ctx, index, command)) return Moved::No;
  if (assign(array->attributes[index].enabled, on) == Moved::No) return Moved::No;
  array->enabledMask = on ? array->enabledMask | 1u << index : array->enabledMask & ~(1u << index);
  ++array->formatVersion;
  return Moved::Yes;
}

Moved setFormat(VertexArray& array, u32 index, const AttributeFormat& format, u32 relativeOffset) {
  VertexAttribute& attribute = array.attributes[index];
  const Moved moved = assign(attribute.type, format.type) | assign(attribute.cls, format.cls) |
                      assign(attribute.components, format.components) | assign(attribute.normalized, format.normalized) |
                      assign(attribute.bgra, format.bgra) | assign(attribute.relativeOffset, relativeOffset);
  if (moved == Moved::Yes) ++array.formatVersion;
  return moved;
}

Moved setAttribBinding(VertexArray& array, u32 index, u32 binding) {
  const Moved moved = assign(array.attributes[index].binding, static_cast<u8>(binding));
  if (moved == Moved::Yes) ++array.formatVersion, ++array.bindingsVersion;
  return moved;
}

Moved setBuffer(VertexArray& array, u32 binding, Ref<Buffer> buffer, i64 offset, u32 stride) {
  VertexBufferBinding& slot = array.bindings[binding];
  if (slot.buffer == buffer && slot.offset == offset && slot.stride == stride) return Moved::No;
  slot.buffer = std::move(buffer);
  slot.offset = offset;
  slot.stride = stride;
  ++array.bindingsVersion;
  return Moved::Yes;
}

Moved setDivisor(VertexArray& array, u32 binding, u32 divisor) {
  const Moved moved = assign(array.bindings[binding].divisor, divisor);
  if (moved == Moved::Yes) ++array.bindingsVersion;
  return moved;
}

Moved pointer(Context& ctx, GLuint index, GLint size, GLenum type, bool normalized, AttributeUse use, GLsizei stride,
              const void* data, const char* command) {
  if (!checkAttrib(ctx, index, command)) return Moved::No;
  VertexArray* array = bound(ctx, command);
  if (array == nullptr) return Moved::No;
  AttributeFormat format;
  if (!attributeFormat(ctx, size, type, normalized, use, &format, command)) return Moved::No;
  if (stride < 0 || stride > ctx.info->limits.maxVertexStride) {
    ctx.error(GL_INVALID_VALUE, "%s: the stride is negative or above GL_MAX_VERTEX_ATTRIB_STRIDE", command);
    return Moved::No;
  }
  const Ref<Buffer>& buffer = ctx.buffers[indexOf(BufferTarget::Array)];
  if (!buffer && data != nullptr && array != ctx.defaultVertexArray.get()) {
    ctx.error(GL_INVALID_OPERATION, "%s: a pointer into client memory needs the default vertex array", command);
    return Moved::No;
  }
  VertexAttribute& attribute = array->attributes[index];
  attribute.pointer = data;
  attribute.pointerStride = stride;
  const u32 effective = stride != 0 ? static_cast<u32>(stride) : format.bytes;
  return setFormat(*array, index, format, 0) | setAttribBinding(*array, index, index) |
         setBuffer(*array, index, buffer, static_cast<i64>(reinterpret_cast<intptr_t>(data)), effective);
}

Moved attribFormat(Context& ctx, VertexArray* array, GLuint index, GLint size, GLenum type, bool normalized, AttributeUse use,
                   GLuint relativeOffset, const char* command) {
  if (array == nullptr || !checkAttrib(ctx, index, command)) return Moved::No;
  AttributeFormat format;
  if (!attributeFormat(ctx, size, type, normalized, use, &format, command)) return Moved::No;
  if (relativeOffset > static_cast<GLuint>(ctx.info->limits.maxVertexOffset)) {
    ctx.error(GL_INVALID_VALUE, "%s: above GL_MAX_VERTEX_ATTRIB_RELATIVE_OFFSET", command);
    return Moved::No;
  }
  return setFormat(*array, index, format, relativeOffset);
}

Moved vertexBuffer(Context& ctx, VertexArray* array, GLuint binding, GLuint buffer, GLintptr offset, GLsizei stride,
                   const char* command) {
  if (array == nullptr || !checkBinding(ctx, binding, command)) return Moved::No;
  if (offset < 0 || stride < 0 || stride > ctx.info->limits.maxVertexStride) {
    ctx.error(GL_INVALID_VALUE, "%s: the offset or the stride is out of range", command);
    return Moved::No;
  }
  Ref<Buffer>& slot = array->bindings[binding].buffer;
  Ref<Buffer> object;
  if (slot && slot->name == buffer && !slot->deleted)
    object = slot;
  else if (buffer != 0 && !(object = bufferForBind(ctx, buffer, command)))
    return Moved::No;
  return setBuffer(*array, binding, std::move(object), offset, static_cast<u32>(stride));
}

Moved attribBinding(Context& ctx, VertexArray* array, GLuint index, GLuint binding, const char* command) {
  if (array == nullptr || !checkAttrib(ctx, index, command) || !checkBinding(ctx, binding, command)) return Moved::No;
  return setAttribBinding(*array, index, binding);
}

Moved bindingDivisor(Context& ctx, VertexArray* array, GLuint binding, GLuint divisor, const char* command) {
  if (array == nullptr || !checkBinding(ctx, binding, command)) return Moved::No;
  return setDivisor(*array, binding, divisor);
}

}  // namespace

// ---- Objects

MGL_GL(void, GenVertexArrays)(Context& ctx, GLsizei n, GLuint* arrays) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenVertexArrays: a negative count");
  ctx.vertexArrays.reserve(std::span(arrays, static_cast<std::size_t>(n)));
}
MGL_GL(void, CreateVertexArrays)(Context& ctx, GLsizei n, GLuint* arrays) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateVertexArrays: a negative count");
  ctx.vertexArrays.reserve(std::span(arrays, static_cast<std::size_t>(n)));
  for (GLsizei i = 0; i < n; ++i)
    ctx.vertexArrays.insert(arrays[i], Ref<VertexArray>(new VertexArray(arrays[i], ctx.session)));
}
MGL_GL(void, DeleteVertexArrays)(Context& ctx, GLsizei n, const GLuint* arrays) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteVertexArrays: a negative count");
  for (GLsizei i = 0; i < n; ++i) {
    if (arrays[i] == 0 || !ctx.vertexArrays.isUsed(arrays[i])) continue;
    if (ctx.vertexArray && ctx.vertexArray->name == arrays[i]) {
      ctx.vertexArray = ctx.defaultVertexArray.get();
      ctx.touch(Group::VertexArray);
    }
    ctx.vertexArrays.erase(arrays[i]);
  }
}
MGL_GL(GLboolean, IsVertexArray)(Context& ctx, GLuint array) { return ctx.vertexArrays.find(array) != nullptr; }
MGL_GL(void, BindVertexArray)(Context& ctx, GLuint array) {
  if (ctx.vertexArray && ctx.vertexArray->name == array) return;
  if (array == 0) {
    ctx.vertexArray = ctx.defaultVertexArray.get();
    return;
  }
  VertexArray* found = ctx.vertexArrays.find(array);
  if (found == nullptr) [[unlikely]]
    return bindForTheFirstTime(ctx, array);
  ctx.vertexArray = found;
}

// ---- Enables

MGL_GL(Moved, EnableVertexAttribArray)(Context& ctx, GLuint index) {
  return setEnabled(ctx, bound(ctx, "glEnableVertexAttribArray"), index, true, "glEnableVertexAttribArray");
}
MGL_GL(Moved, DisableVertexAttribArray)(Context& ctx, GLuint index) {
  return setEnabled(ctx, bound(ctx, "glDisableVertexAttribArray"), index, false, "glDisableVertexAttribArray");
}
MGL_GL(Moved, EnableVertexArrayAttrib)(Context& ctx, GLuint vaobj, GLuint index) {
  return setEnabled(ctx, named(ctx, vaobj, "glEnableVertexArrayAttrib"), index, true, "glEnableVertexArrayAttrib");
}
MGL_GL(Moved, DisableVertexArrayAttrib)(Context& ctx, GLuint vaobj, GLuint index) {
  return setEnabled(ctx, named(ctx, vaobj, "glDisableVertexArrayAttrib"), index, false, "glDisableVertexArrayAttrib");
}

// ---- Pointers

MGL_GL(Moved, VertexAttribPointer)(Context& ctx, GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride,
                                   const void* data) {
  return pointer(ctx, index, size, type, normalized != GL_FALSE, AttributeUse::Float, stride, data, "glVertexAttribPointer");
}
MGL_GL(Moved, VertexAttribIPointer)(Context& ctx, GLuint index, GLint size, GLenum type, GLsizei stride, const void* data) {
  return pointer(ctx, index, size, type, false, AttributeUse::Integer, stride, data, "glVertexAttribIPointer");
}
MGL_GL(Moved, VertexAttribLPointer)(Context& ctx, GLuint index, GLint size, GLenum type, GLsizei stride, const void* data) {
  return pointer(ctx, index, size, type, false, AttributeUse::Double, stride, data, "glVertexAttribLPointer");
}
MGL_GL(Moved, VertexAttribDivisor)(Context& ctx, GLuint index, GLuint divisor) {
  if (!checkAttrib(ctx, index, "glVertexAttribDivisor")) return Moved::No;
  VertexArray* array = bound(ctx, "glVertexAttribDivisor");
  if (array == nullptr) return Moved::No;
  return setAttribBinding(*array, index, index) | setDivisor(*array, index, divisor);
}

// ---- Formats and bindings apart

MGL_GL(Moved, VertexAttribFormat)(Context& ctx, GLuint attribindex, GLint size, GLenum type, GLboolean normalized,
                                  GLuint relativeoffset) {
  return attribFormat(ctx, bound(ctx, "glVertexAttribFormat"), attribindex, size, type, normalized != GL_FALSE,
                      AttributeUse::Float, relativeoffset, "glVertexAttribFormat");
}
MGL_GL(Moved, VertexAttribIFormat)(Context& ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) {
  return attribFormat(ctx, bound(ctx, "glVertexAttribIFormat"), attribindex, size, type, false, AttributeUse::Integer,
                      relativeoffset, "glVertexAttribIFormat");
}
MGL_GL(Moved, VertexAttribLFormat)(Context& ctx, GLuint attribindex, GLint size, GLenum type, GLuint relativeoffset) {
  return attribFormat(ctx, bound(ctx, "glVertexAttribLFormat"), attribindex, size, type, false, AttributeUse::Double,
                      relativeoffset, "glVertexAttribLFormat");
}
MGL_GL(Moved, VertexArrayAttribFormat)(Context& ctx, GLuint vaobj, GLuint attribindex, GLint size, GLenum type,
                                       GLboolean normalized, GLuint relativeoffset) {
  return attribFormat(ctx, named(ctx, vaobj, "glVertexArrayAttribFormat"), attribindex, size, type, normalized != GL_FALSE,
                      AttributeUse::Float, relativeoffset, "glVertexArrayAttribFormat");
}
MGL_GL(Moved, VertexArrayAttribIFormat)(Context& ctx, GLuint vaobj, GLuint attribindex, GLint size, GLenum type,
                                        GLuint relativeoffset) {
  return attribFormat(ctx, named(ctx, vaobj, "glVertexArrayAttribIFormat"), attribindex, size, type, false,
                      AttributeUse::Integer, relativeoffset, "glVertexArrayAttribIFormat");
}
MGL_GL(Moved, VertexArrayAttribLFormat)(Context& ctx, GLuint vaobj, GLuint attribindex, GLint size, GLenum type,
                                        GLuint relativeoffset) {
  return attribFormat(ctx, named(ctx, vaobj, "glVertexArrayAttribLFormat"), attribindex, size, type, false,
                      AttributeUse::Double, relativeoffset, "glVertexArrayAttribLFormat");
}
MGL_GL(Moved, VertexAttribBinding)(Context& ctx, GLuint attribindex, GLuint bindingindex) {
  return attribBinding(ctx, bound(ctx, "glVertexAttribBinding"), attribindex, bindingindex, "glVertexAttribBinding");
}
MGL_GL(Moved, VertexArrayAttribBinding)(Context& ctx, GLuint vaobj, GLuint attribindex, GLuint bindingindex) {
  return attribBinding(ctx, named(ctx, vaobj, "glVertexArrayAttribBinding"), attribindex, bindingindex,
                       "glVertexArrayAttribBinding");
}
MGL_GL(Moved, BindVertexBuffer)(Context& ctx, GLuint bindingindex, GLuint buffer, GLintptr offset, GLsizei stride) {
  return vertexBuffer(ctx, bound(ctx, "glBindVertexBuffer"), bindingindex, buffer, offset, stride, "glBindVertexBuffer");
}
MGL_GL(Moved, VertexArrayVertexBuffer)(Context& ctx, GLuint vaobj, GLuint bindingindex, GLuint buffer, GLintptr offset,
                                       GLsizei stride) {
  return vertexBuffer(ctx, named(ctx, vaobj, "glVertexArrayVertexBuffer"), bindingindex, buffer, offset, stride,
                      "glVertexArrayVertexBuffer");
}
MGL_GL(Moved, BindVertexBuffers)(Context& ctx, GLuint first, GLsizei count, const GLuint* buffers, const GLintptr* offsets,
                                 const GLsizei* strides) {
  VertexArray* array = bound(ctx, "glBindVertexBuffers");
  Moved moved = Moved::No;
  for (GLsizei i = 0; array != nullptr && i < count; ++i)
    moved = moved | (buffers != nullptr ? vertexBuffer(ctx, array, first + static_cast<GLuint>(i), buffers[i], offsets[i],
                                                       strides[i], "glBindVertexBuffers")
                                        : vertexBuffer(ctx, array, first + static_cast<GLuint>(i), 0, 0, 16,
                                                       "glBindVertexBuffers"));
  return moved;
}
MGL_GL(Moved, VertexArrayVertexBuffers)(Context& ctx, GLuint vaobj, GLuint first, GLsizei count, const GLuint* buffers,
                                        const GLintptr* offsets, const GLsizei* strides) {
  VertexArray* array = named(ctx, vaobj, "glVertexArrayVertexBuffers");
  Moved moved = Moved::No;
  for (GLsizei i = 0; array != nullptr && i < count; ++i)
    moved = moved | (buffers != nullptr ? vertexBuffer(ctx, array, first + static_cast<GLuint>(i), buffers[i], offsets[i],
                                                       strides[i], "glVertexArrayVertexBuffers")
                                        : vertexBuffer(ctx, array, first + static_cast<GLuint>(i), 0, 0, 16,
                                                       "glVertexArrayVertexBuffers"));
  return moved;
}
MGL_GL(Moved, VertexBindingDivisor)(Context& ctx, GLuint bindingindex, GLuint divisor) {
  return bindingDivisor(ctx, bound(ctx, "glVertexBindingDivisor"), bindingindex, divisor, "glVertexBindingDivisor");
}
MGL_GL(Moved, VertexArrayBindingDivisor)(Context& ctx, GLuint vaobj, GLuint bindingindex, GLuint divisor) {
  return bindingDivisor(ctx, named(ctx, vaobj, "glVertexArrayBindingDivisor"), bindingindex, divisor,
                        "glVertexArrayBindingDivisor");
}
MGL_GL(Moved, VertexArrayElementBuffer)(Context& ctx, GLuint vaobj, GLuint buffer) {
  VertexArray* array = named(ctx, vaobj, "glVertexArrayElementBuffer");
  if (array == nullptr) return Moved::No;
  Ref<Buffer> object;
  if (buffer != 0 && !(object = bufferForBind(ctx, buffer, "glVertexArrayElementBuffer"))) return Moved::No;
  if (array->indexBuffer == object) return Moved::No;
  array->indexBuffer = std::move(object);
  ++array->bindingsVersion;
  return Moved::Yes;
}

}  // namespace mgl::gl
