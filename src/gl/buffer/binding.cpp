#include "gl/buffer/binding.h"

#include <algorithm>

#include "gl/query/query.h"
#include "gl/version.h"
#include "gl/vertex/vertex_array.h"

namespace mgl::gl {

Buffer::Buffer(u32 glName, ShareGroup& group) : Object(glName), session(group.session) {
  ObjectGroup making(*session);
  client::Group& out = *making;
  handle = out.allocate<pipe::Kind::Buffer>();
  out.emit(pipe::CreateBuffer{handle});
}
Buffer::~Buffer() { session->retire(handle); }

std::optional<BufferTarget> fromBufferTarget(GLenum target) {
  switch (target) {
    case GL_ARRAY_BUFFER: return BufferTarget::Array;
    case GL_COPY_READ_BUFFER: return BufferTarget::CopyRead;
    case GL_COPY_WRITE_BUFFER: return BufferTarget::CopyWrite;
    case GL_DISPATCH_INDIRECT_BUFFER: return BufferTarget::DispatchIndirect;
    case GL_DRAW_INDIRECT_BUFFER: return BufferTarget::DrawIndirect;
    case GL_PARAMETER_BUFFER: return BufferTarget::Parameter;
    case GL_PIXEL_PACK_BUFFER: return BufferTarget::PixelPack;
    case GL_PIXEL_UNPACK_BUFFER: return BufferTarget::PixelUnpack;
    case GL_QUERY_BUFFER: return BufferTarget::Query;
    case GL_TEXTURE_BUFFER: return BufferTarget::Texture;
    case GL_UNIFORM_BUFFER: return BufferTarget::Uniform;
    case GL_SHADER_STORAGE_BUFFER: return BufferTarget::ShaderStorage;
    case GL_ATOMIC_COUNTER_BUFFER: return BufferTarget::AtomicCounter;
    case GL_TRANSFORM_FEEDBACK_BUFFER: return BufferTarget::TransformFeedback;
    case GL_ELEMENT_ARRAY_BUFFER: return BufferTarget::ElementArray;
    default: return std::nullopt;
  }
}

namespace {

// The core profile has no vertex array object 0 to draw with, and section 10.4 refuses what changes one; yet every
// driver lets a program bind an index buffer before it binds its first vertex array, to fill it, and programs do.
Ref<Buffer>& slotOf(Context& ctx, BufferTarget target) {
  return target == BufferTarget::ElementArray && ctx.vertexArray != nullptr ? ctx.vertexArray->indexBuffer
                                                                           : ctx.buffers[indexOf(target)];
}

}  // namespace

Buffer* boundBuffer(Context& ctx, GLenum target, const char* command) {
  const auto which = fromBufferTarget(target);
  if (!which) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a buffer target", command, target);
    return nullptr;
  }
  Buffer* buffer = slotOf(ctx, *which).get();
  if (buffer == nullptr) ctx.error(GL_INVALID_OPERATION, "%s: no buffer is bound to the target", command);
  return buffer;
}

Ref<Buffer> namedBuffer(Context& ctx, GLuint name, const char* command) {
  auto buffer = lookUp<Buffer>(*ctx.share, ctx.share->buffers, name);
  if (!buffer) ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a buffer object", command, name);
  return buffer;
}

Ref<Buffer> bufferForBind(Context& ctx, GLuint name, const char* command) {
  ShareGroup& share = *ctx.share;
  const std::scoped_lock lock(share.mutex);
  if (Buffer* found = share.buffers.find(name)) return Ref<Buffer>(found);
  if (ctx.isCore() && !share.buffers.isUsed(name)) {
    ctx.error(GL_INVALID_OPERATION, "%s: %u did not come from glGenBuffers", command, name);
    return {};
  }
  Ref<Buffer> made(new Buffer(name, share));
  share.buffers.insert(name, made);
  return made;
}

void unbindEverywhere(Context& ctx, const Buffer& buffer) {
  for (Ref<Buffer>& bound : ctx.buffers)
    if (bound == &buffer) bound.reset();
  for (u32 cls = 0; cls < ctx.indexedBuffers.size(); ++cls) {
    for (u32 i = 0; i < ctx.indexedHigh[cls]; ++i) {
      if (!(ctx.indexedBuffers[cls][i].buffer == &buffer)) continue;
      ctx.indexedBuffers[cls][i] = {};
      ctx.touch(static_cast<Group>(indexOf(Group::UniformBuffers) + cls));
    }
  }
  if (ctx.streamOutput && !ctx.streamOutput->active)
    for (Ref<Buffer>& bound : ctx.streamOutput->buffers)
      if (bound == &buffer) bound.reset();
  if (VertexArray* vertexArray = ctx.vertexArray; vertexArray != nullptr) {
    bool changed = false;
    if (vertexArray->indexBuffer == &buffer) vertexArray->indexBuffer.reset(), changed = true;
    for (VertexBufferBinding& binding : vertexArray->bindings)
      if (binding.buffer == &buffer) binding.buffer.reset(), changed = true;
    if (changed) ++vertexArray->bindingsVersion;
  }
}

MGL_GL(void, GenBuffers)(Context& ctx, GLsizei n, GLuint* buffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenBuffers: a negative count");
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->buffers.reserve(std::span(buffers, static_cast<std::size_t>(n)));
}
MGL_GL(void, CreateBuffers)(Context& ctx, GLsizei n, GLuint* buffers) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateBuffers: a negative count");
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->buffers.reserve(std::span(buffers, static_cast<std::size_t>(n)));
  for (GLsizei i = 0; i < n; ++i) ctx.share->buffers.insert(buffers[i], Ref<Buffer>(new Buffer(buffers[i], *ctx.share)));
}
MGL_GL(Moved, DeleteBuffers)(Context& ctx, GLsizei n, const GLuint* buffers) {
  if (n < 0) {
    ctx.error(GL_INVALID_VALUE, "glDeleteBuffers: a negative count");
    return Moved::No;
  }
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < n; ++i) {
    const auto buffer = lookUp<Buffer>(*ctx.share, ctx.share->buffers, buffers[i]);
    if (buffer) {
      buffer->deleted = true;
      if (buffer->map.pointer != nullptr) unmap(ctx, *buffer);
      unbindEverywhere(ctx, *buffer);
      moved = Moved::Yes;
    }
    const std::scoped_lock lock(ctx.share->mutex);
    if (buffers[i] != 0 && ctx.share->buffers.isUsed(buffers[i])) ctx.share->buffers.erase(buffers[i]);
  }
  return moved;
}
MGL_GL(GLboolean, IsBuffer)(Context& ctx, GLuint buffer) {
  const std::scoped_lock lock(ctx.share->mutex);
  return ctx.share->buffers.find(buffer) != nullptr;
}

MGL_GL(Scope, BindBuffer)(Context& ctx, GLenum target, GLuint buffer) {
  const auto which = fromBufferTarget(target);
  if (!which) {
    ctx.error(GL_INVALID_ENUM, "glBindBuffer: 0x%04x is not a buffer target", target);
    return Scope::None;
  }
  Ref<Buffer>& slot = slotOf(ctx, *which);
  if (slot && slot->name == buffer && !slot->deleted) return Scope::None;
  Ref<Buffer> object;
  if (buffer != 0 && !(object = bufferForBind(ctx, buffer, "glBindBuffer"))) return Scope::None;
  if (slot == object) return Scope::None;
  slot = std::move(object);
  if (*which != BufferTarget::ElementArray || ctx.vertexArray == nullptr) return Scope::None;
  ++ctx.vertexArray->bindingsVersion;
  return Scope::Vao;
}

namespace {

struct IndexedTarget {
  bool known = false, streamOutput = false;
  pipe::BufferClass cls = pipe::BufferClass::Uniform;
  Group group = Group::UniformBuffers;
  BufferTarget plain = BufferTarget::Uniform;
  u32 count = 0;
  u64 alignment = 4;
};

IndexedTarget indexedTarget(const Context& ctx, GLenum target) {
  const pipe::Limits& limits = ctx.info->limits;
  const auto points = [](i64 n) { return static_cast<u32>(std::clamp<i64>(n, 0, pipe::kMaxBufferBindings)); };
  switch (target) {
    case GL_UNIFORM_BUFFER:
      return {true, false, pipe::BufferClass::Uniform, Group::UniformBuffers, BufferTarget::Uniform,
              pipe::kMaxBufferBindings, static_cast<u64>(limits.uniformOffsetAlignment)};
    case GL_SHADER_STORAGE_BUFFER:
      return {true, false, pipe::BufferClass::Storage, Group::StorageBuffers, BufferTarget::ShaderStorage,
              points(limits.maxCombinedStorageBlocks), static_cast<u64>(limits.storageOffsetAlignment)};
    case GL_ATOMIC_COUNTER_BUFFER:
      return {true, false, pipe::BufferClass::AtomicCounter, Group::AtomicBuffers, BufferTarget::AtomicCounter,
              points(limits.maxAtomicCounterBuffers), 4};
    case GL_TRANSFORM_FEEDBACK_BUFFER:
      return {true, true, {}, Group::StreamOutput, BufferTarget::TransformFeedback, pipe::kMaxStreamOutputBuffers, 4};
    default: return {};
  }
}

Moved bindIndexed(Context& ctx, GLenum target, GLuint index, GLuint buffer, bool ranged, GLintptr offset, GLsizeiptr size,
                  const char* command) {
  const IndexedTarget point = indexedTarget(ctx, target);
  if (!point.known) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x has no indexed binding points", command, target);
    return Moved::No;
  }
  if (index >= point.count) {
    ctx.error(GL_INVALID_VALUE, "%s: binding point %u is not below %u", command, index, point.count);
    return Moved::No;
  }
  if (point.streamOutput && ctx.streamOutput->active) {
    ctx.error(GL_INVALID_OPERATION, "%s: transform feedback is active", command);
    return Moved::No;
  }
  Ref<Buffer> object;
  if (buffer != 0) {
    if (ranged && (offset < 0 || size <= 0)) {
      ctx.error(GL_INVALID_VALUE, "%s: the range is negative or empty", command);
      return Moved::No;
    }
    if (ranged && (static_cast<u64>(offset) % point.alignment != 0 || (point.streamOutput && size % 4 != 0))) {
      ctx.error(GL_INVALID_VALUE, "%s: the range is not a multiple of %u", command, static_cast<u32>(point.alignment));
      return Moved::No;
    }
    if (!(object = bufferForBind(ctx, buffer, command))) return Moved::No;
  }
  ctx.buffers[indexOf(point.plain)] = object;
  if (!ranged || buffer == 0) offset = size = 0;
  if (point.streamOutput) {
    ctx.streamOutput->buffers[index] = std::move(object);
    ctx.streamOutput->offsets[index] = offset;
    ctx.streamOutput->sizes[index] = size;
    ctx.streamOutput->touch();
    ctx.touch(Group::StreamOutput);
    return Moved::Yes;
  }
  IndexedBuffer& slot = ctx.indexedBuffers[indexOf(point.cls)][index];
  if (slot.buffer == object && slot.offset == offset && slot.size == size) return Moved::No;
  slot = {std::move(object), offset, size};
  ctx.indexedHigh[indexOf(point.cls)] = std::max(ctx.indexedHigh[indexOf(point.cls)], index + 1);
  ctx.touch(point.group);
  return Moved::Yes;
}

}  // namespace

MGL_GL(Moved, BindBufferBase)(Context& ctx, GLenum target, GLuint index, GLuint buffer) {
  return bindIndexed(ctx, target, index, buffer, false, 0, 0, "glBindBufferBase");
}
MGL_GL(Moved, BindBufferRange)(Context& ctx, GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size) {
  return bindIndexed(ctx, target, index, buffer, true, offset, size, "glBindBufferRange");
}
MGL_GL(Moved, BindBuffersBase)(Context& ctx, GLenum target, GLuint first, GLsizei count, const GLuint* buffers) {
  const IndexedTarget point = indexedTarget(ctx, target);
  if (point.known && u64{first} + static_cast<u64>(count) > point.count) {
    ctx.error(GL_INVALID_OPERATION, "glBindBuffersBase: beyond the last binding point");
    return Moved::No;
  }
  Moved moved = Moved::No;
  const Ref<Buffer> plain = point.known ? ctx.buffers[indexOf(point.plain)] : Ref<Buffer>();
  for (GLsizei i = 0; i < count; ++i)
    moved = moved | bindIndexed(ctx, target, first + static_cast<GLuint>(i), buffers != nullptr ? buffers[i] : 0, false, 0, 0,
                                "glBindBuffersBase");
  if (point.known) ctx.buffers[indexOf(point.plain)] = plain;
  return moved;
}
MGL_GL(Moved, BindBuffersRange)(Context& ctx, GLenum target, GLuint first, GLsizei count, const GLuint* buffers,
                                const GLintptr* offsets, const GLsizeiptr* sizes) {
  const IndexedTarget point = indexedTarget(ctx, target);
  if (point.known && u64{first} + static_cast<u64>(count) > point.count) {
    ctx.error(GL_INVALID_OPERATION, "glBindBuffersRange: beyond the last binding point");
    return Moved::No;
  }
  Moved moved = Moved::No;
  const Ref<Buffer> plain = point.known ? ctx.buffers[indexOf(point.plain)] : Ref<Buffer>();
  for (GLsizei i = 0; i < count; ++i) {
    const bool some = buffers != nullptr && buffers[i] != 0;
    moved = moved | bindIndexed(ctx, target, first + static_cast<GLuint>(i), some ? buffers[i] : 0, true,
                                some ? offsets[i] : 0, some ? sizes[i] : 0, "glBindBuffersRange");
  }
  if (point.known) ctx.buffers[indexOf(point.plain)] = plain;
  return moved;
}

}  // namespace mgl::gl
