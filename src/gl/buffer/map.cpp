// Mappings (OpenGL 4.6 section 6.3). A map gets the backend's own memory where it grants it (T0). Elsewhere it gets memory
// of the client's: filled by a read unless invalidated, sent at flush or unmap.
#include <new>

#include <algorithm>
#include <optional>

#include "gl/buffer/binding.h"
#include "gl/verb.h"

namespace mgl::gl {

namespace {

// Persistent maps alone: what is unmapped before a draw is as well sent then, and its store free to be replaced.
bool isDirect(const Context& ctx, GLbitfield access) {
  return (access & GL_MAP_PERSISTENT_BIT) != 0 && ctx.caps().mapTier == pipe::MapTier::T0;
}

u32 pipeMapFlags(GLbitfield access) {
  return ((access & GL_MAP_READ_BIT) ? pipe::kBufferMapRead : 0) | ((access & GL_MAP_WRITE_BIT) ? pipe::kBufferMapWrite : 0) |
         ((access & GL_MAP_PERSISTENT_BIT) ? pipe::kBufferPersistent : 0) |
         ((access & GL_MAP_COHERENT_BIT) ? pipe::kBufferCoherent : 0);
}

void sendRange(Context& ctx, Buffer& buffer, u64 offset, u64 length) {
  sendSubData(ctx, buffer, offset, Bytes(buffer.map.shadow.get() + offset - buffer.map.offset, length));
}

void* mapRange(Context& ctx, Buffer& buffer, GLintptr offset, GLsizeiptr length, GLbitfield access, const char* command) {
  constexpr GLbitfield kAll = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT |
                              GL_MAP_FLUSH_EXPLICIT_BIT | GL_MAP_UNSYNCHRONIZED_BIT | GL_MAP_PERSISTENT_BIT |
                              GL_MAP_COHERENT_BIT;
  std::optional<Verb> verb(std::in_place, ctx);
  if (offset < 0 || length < 0 || static_cast<u64>(offset) + static_cast<u64>(length) > buffer.size || (access & ~kAll) != 0) {
    ctx.error(GL_INVALID_VALUE, "%s: the range is not inside the buffer, or there are unknown access bits", command);
    return nullptr;
  }
  const bool read = (access & GL_MAP_READ_BIT) != 0, write = (access & GL_MAP_WRITE_BIT) != 0;
  const GLbitfield discards = GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
  const char* why = nullptr;
  if (length == 0)
    why = "the length is 0";
  else if (buffer.map.pointer != nullptr)
    why = "the buffer is mapped already";
  else if (!read && !write)
    why = "neither read nor write access";
  else if (read && (access & discards) != 0)
    why = "read access with an invalidate or unsynchronised bit";
  else if ((access & GL_MAP_FLUSH_EXPLICIT_BIT) != 0 && !write)
    why = "explicit flushes without write access";
  else if (buffer.immutable && (access & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT) &
                                ~buffer.storageFlags) != 0)
    why = "access that the storage flags do not allow";
  else if (!buffer.immutable && (access & (GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT)) != 0)
    why = "a persistent map of a store that was not made for it";
  if (why != nullptr) {
    ctx.error(GL_INVALID_OPERATION, "%s: %s", command, why);
    return nullptr;
  }

  const u64 at = static_cast<u64>(offset), bytes = static_cast<u64>(length);
  BufferMapping map;
  map.offset = at;
  map.length = bytes;
  map.access = access;
  const bool invalidates = (access & (GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT)) != 0;
  if (isDirect(ctx, access)) {
    const ScopedStall stall(read ? Stall::MapRead : Stall::MapWrite);
    client::Group group(*ctx.session, ctx.stream);
    if ((access & GL_MAP_INVALIDATE_BUFFER_BIT) != 0)
      group.emit(pipe::InvalidateBuffer{buffer.handle, 0, buffer.size});
    else if (invalidates && at == 0 && bytes == buffer.size)
      group.emit(pipe::InvalidateBuffer{buffer.handle, 0, buffer.size});
    const client::Reply reply = group.ask(pipe::MapBuffer{buffer.handle, at, bytes, pipeMapFlags(access), 0});
    if (reply.memory != nullptr) {
      map.pointer = static_cast<std::byte*>(reply.memory);
      map.direct = true;
    }
  }
  if (map.pointer == nullptr && (access & GL_MAP_PERSISTENT_BIT) != 0) {
    ctx.error(GL_OUT_OF_MEMORY, "%s: the backend gave no memory for a persistent map", command);
    return nullptr;
  }
  if (map.pointer == nullptr) {
    map.shadow.reset(new (std::nothrow) std::byte[bytes]);
    if (map.shadow == nullptr) {
      ctx.error(GL_OUT_OF_MEMORY, "there is no memory for a mapping of %llu bytes", static_cast<unsigned long long>(bytes));
      return nullptr;
    }
    map.pointer = map.shadow.get();
    // What the program does not write must come back as it was.
    if (!invalidates || read) {
      const ScopedStall stall(read ? Stall::MapRead : Stall::MapWrite);
      client::Group group(*ctx.session, ctx.stream);
      static_cast<void>(group.ask(pipe::ReadBuffer{buffer.handle, at, bytes, 0, 0}, MutableBytes(map.pointer, bytes)));
    }
  }
  // Asking the server gave the lock back: somebody may have been quicker.
  verb.emplace(ctx);
  if (buffer.map.pointer != nullptr || at + bytes > buffer.size) {
    ctx.error(GL_INVALID_OPERATION, "%s: the buffer was mapped or respecified meanwhile by another thread", command);
    return nullptr;
  }
  buffer.map = std::move(map);
  if ((access & GL_MAP_PERSISTENT_BIT) == 0) {
    buffer.mappedNonPersistent.store(true, std::memory_order_release);
    ctx.share->liveMaps.fetch_add(1, std::memory_order_release);
  }
  return buffer.map.pointer;
}

void flushRange(Context& ctx, Buffer& buffer, GLintptr offset, GLsizeiptr length, const char* command) {
  const Verb verb(ctx);
  if (buffer.map.pointer == nullptr || (buffer.map.access & GL_MAP_FLUSH_EXPLICIT_BIT) == 0)
    return ctx.error(GL_INVALID_OPERATION, "%s: the buffer is not mapped for explicit flushes", command);
  if (offset < 0 || length < 0 || static_cast<u64>(offset) + static_cast<u64>(length) > buffer.map.length)
    return ctx.error(GL_INVALID_VALUE, "%s: the range is not inside the mapping", command);
  if (length == 0) return;
  const u64 at = buffer.map.offset + static_cast<u64>(offset);
  if (!buffer.map.direct) return sendRange(ctx, buffer, at, static_cast<u64>(length));
  client::Group group(*ctx.session, ctx.stream);
  // The bytes are where the server reads them: the record names the range only.
  group.emit(pipe::FlushMappedRange{buffer.handle, at, {0, static_cast<u32>(length), pipe::BlobWhere::None}});
}

GLboolean unmapBuffer(Context& ctx, Buffer& buffer, const char* command) {
  const Verb verb(ctx);
  if (buffer.map.pointer == nullptr) {
    ctx.error(GL_INVALID_OPERATION, "%s: the buffer is not mapped", command);
    return GL_FALSE;
  }
  unmap(ctx, buffer);
  return GL_TRUE;
}

GLbitfield accessBits(Context& ctx, GLenum access, const char* command) {
  switch (access) {
    case GL_READ_ONLY: return GL_MAP_READ_BIT;
    case GL_WRITE_ONLY: return GL_MAP_WRITE_BIT;
    case GL_READ_WRITE: return GL_MAP_READ_BIT | GL_MAP_WRITE_BIT;
    default: ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not an access", command, access); return 0;
  }
}

}  // namespace

void sendSubData(Context& ctx, Buffer& buffer, u64 offset, Bytes data) {
  client::Group group(*ctx.session, ctx.stream);
  countHeld(Counter::UploadBytes, data.size());
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t piece = std::min<std::size_t>(data.size() - at, client::Group::maxBlobBytes());
    const pipe::BlobRef blob = group.blob(data.subspan(at, piece));
    if (offset + at + piece > buffer.size) return group.dropBlobs();
    group.emit(pipe::BufferSubData{buffer.handle, offset + at, blob});
    at += piece;
  }
}

void unmap(Context& ctx, Buffer& buffer) {
  const Verb verb(ctx);
  const bool writes = (buffer.map.access & GL_MAP_WRITE_BIT) != 0;
  if (buffer.map.direct) {
    client::Group group(*ctx.session, ctx.stream);
    group.emit(pipe::UnmapBuffer{buffer.handle});
  } else if (writes && (buffer.map.access & GL_MAP_FLUSH_EXPLICIT_BIT) == 0) {
    sendRange(ctx, buffer, buffer.map.offset, buffer.map.length);
  }
  buffer.map = {};
  if (buffer.mappedNonPersistent.exchange(false, std::memory_order_acq_rel))
    ctx.share->liveMaps.fetch_sub(1, std::memory_order_release);
}

MGL_GL(void*, MapBufferRange)(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
  Buffer* buffer = boundBuffer(ctx, target, "glMapBufferRange");
  return buffer != nullptr ? mapRange(ctx, *buffer, offset, length, access, "glMapBufferRange") : nullptr;
}
MGL_GL(void*, MapNamedBufferRange)(Context& ctx, GLuint buffer, GLintptr offset, GLsizeiptr length, GLbitfield access) {
  const auto object = namedBuffer(ctx, buffer, "glMapNamedBufferRange");
  return object ? mapRange(ctx, *object, offset, length, access, "glMapNamedBufferRange") : nullptr;
}
MGL_GL(void*, MapBuffer)(Context& ctx, GLenum target, GLenum access) {
  const GLbitfield bits = accessBits(ctx, access, "glMapBuffer");
  Buffer* buffer = bits != 0 ? boundBuffer(ctx, target, "glMapBuffer") : nullptr;
  return buffer != nullptr ? mapRange(ctx, *buffer, 0, static_cast<GLsizeiptr>(buffer->size), bits, "glMapBuffer") : nullptr;
}
MGL_GL(void*, MapNamedBuffer)(Context& ctx, GLuint buffer, GLenum access) {
  const GLbitfield bits = accessBits(ctx, access, "glMapNamedBuffer");
  const auto object = bits != 0 ? namedBuffer(ctx, buffer, "glMapNamedBuffer") : Ref<Buffer>();
  return object ? mapRange(ctx, *object, 0, static_cast<GLsizeiptr>(object->size), bits, "glMapNamedBuffer") : nullptr;
}
MGL_GL(GLboolean, UnmapBuffer)(Context& ctx, GLenum target) {
  Buffer* buffer = boundBuffer(ctx, target, "glUnmapBuffer");
  return buffer != nullptr ? unmapBuffer(ctx, *buffer, "glUnmapBuffer") : GLboolean{GL_FALSE};
}
MGL_GL(GLboolean, UnmapNamedBuffer)(Context& ctx, GLuint buffer) {
  const auto object = namedBuffer(ctx, buffer, "glUnmapNamedBuffer");
  return object ? unmapBuffer(ctx, *object, "glUnmapNamedBuffer") : GLboolean{GL_FALSE};
}
MGL_GL(void, FlushMappedBufferRange)(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr length) {
  if (Buffer* buffer = boundBuffer(ctx, target, "glFlushMappedBufferRange"))
    flushRange(ctx, *buffer, offset, length, "glFlushMappedBufferRange");
}
MGL_GL(void, FlushMappedNamedBufferRange)(Context& ctx, GLuint buffer, GLintptr offset, GLsizeiptr length) {
  if (const auto object = namedBuffer(ctx, buffer, "glFlushMappedNamedBufferRange"))
    flushRange(ctx, *object, offset, length, "glFlushMappedNamedBufferRange");
}
MGL_GL(void, GetBufferPointerv)(Context& ctx, GLenum target, GLenum pname, void** params) {
  if (pname != GL_BUFFER_MAP_POINTER)
    return ctx.error(GL_INVALID_ENUM, "glGetBufferPointerv: 0x%04x is not GL_BUFFER_MAP_POINTER", pname);
  if (const Buffer* buffer = boundBuffer(ctx, target, "glGetBufferPointerv")) *params = buffer->map.pointer;
}
MGL_GL(void, GetNamedBufferPointerv)(Context& ctx, GLuint buffer, GLenum pname, void** params) {
  if (pname != GL_BUFFER_MAP_POINTER)
    return ctx.error(GL_INVALID_ENUM, "glGetNamedBufferPointerv: 0x%04x is not GL_BUFFER_MAP_POINTER", pname);
  if (const auto object = namedBuffer(ctx, buffer, "glGetNamedBufferPointerv")) *params = object->map.pointer;
}

}  // namespace mgl::gl
