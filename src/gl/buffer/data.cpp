// Stores, contents, copies and queries of buffers (OpenGL 4.6 sections 6.2, 6.5, 6.6, 6.7).
#include <algorithm>

#include "gl/buffer/binding.h"
#include "gl/memory.h"
#include "gl/verb.h"

namespace mgl::gl {

namespace {

bool isUsage(GLenum usage) {
  switch (usage) {
    case GL_STREAM_DRAW:
    case GL_STREAM_READ:
    case GL_STREAM_COPY:
    case GL_STATIC_DRAW:
    case GL_STATIC_READ:
    case GL_STATIC_COPY:
    case GL_DYNAMIC_DRAW:
    case GL_DYNAMIC_READ:
    case GL_DYNAMIC_COPY: return true;
    default: return false;
  }
}

u32 pipeFlags(const Buffer& buffer) {
  u32 flags = 0;
  if (buffer.immutable) {
    const GLbitfield f = buffer.storageFlags;
    flags = pipe::kBufferImmutable | ((f & GL_MAP_READ_BIT) ? pipe::kBufferMapRead : 0) |
            ((f & GL_MAP_WRITE_BIT) ? pipe::kBufferMapWrite : 0) | ((f & GL_MAP_PERSISTENT_BIT) ? pipe::kBufferPersistent : 0) |
            ((f & GL_MAP_COHERENT_BIT) ? pipe::kBufferCoherent : 0) | ((f & GL_DYNAMIC_STORAGE_BIT) ? pipe::kBufferDynamic : 0) |
            ((f & GL_CLIENT_STORAGE_BIT) ? pipe::kBufferClientStorage : 0);
  } else {
    flags = pipe::kBufferMapRead | pipe::kBufferMapWrite | pipe::kBufferDynamic;
    if (buffer.usage >= GL_STREAM_DRAW && buffer.usage <= GL_STREAM_COPY) flags |= pipe::kBufferStreamed;
  }
  return flags;
}

void sendStorage(Context& ctx, Buffer& buffer, const void* data) {
  const auto* bytes = static_cast<const std::byte*>(data);
  const u64 first = data == nullptr ? 0 : std::min<u64>(buffer.size, client::Group::maxBlobBytes());
  const u64 size = buffer.size;
  client::Group group(*ctx.session, ctx.stream);
  countHeld(Counter::UploadBytes, first);
  const pipe::BlobRef blob = group.blob(Bytes(bytes, first));
  group.emit(pipe::BufferStorage{buffer.handle, size, pipeFlags(buffer), ++buffer.stores, blob});
  if (data != nullptr && first < size) sendSubData(ctx, buffer, first, Bytes(bytes + first, size - first));
  noteStore(ctx, size);
}

Moved bufferData(Context& ctx, Buffer& buffer, GLsizeiptr size, const void* data, GLenum usage, const char* command) {
  if (!isUsage(usage)) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a usage", command, usage);
    return Moved::No;
  }
  if (size < 0) {
    ctx.error(GL_INVALID_VALUE, "%s: a negative size", command);
    return Moved::No;
  }
  const Verb verb(ctx);
  if (buffer.immutable) {
    ctx.error(GL_INVALID_OPERATION, "%s: the store of buffer %u is immutable", command, buffer.name);
    return Moved::No;
  }
  if (!checkMemory(ctx, static_cast<u64>(size), command)) return Moved::No;
  if (buffer.map.pointer != nullptr) unmap(ctx, buffer);
  const bool sameShape = buffer.size == static_cast<u64>(size);
  buffer.size = static_cast<u64>(size);
  buffer.usage = usage;
  sendStorage(ctx, buffer, data);
  if (sameShape) return Moved::No;  // an orphan: the same buffer to whoever has it bound
  buffer.touch();
  return Moved::Yes;
}

Moved bufferStorage(Context& ctx, Buffer& buffer, GLsizeiptr size, const void* data, GLbitfield flags, const char* command) {
  constexpr GLbitfield kAll = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT |
                              GL_DYNAMIC_STORAGE_BIT | GL_CLIENT_STORAGE_BIT;
  const bool persistent = (flags & GL_MAP_PERSISTENT_BIT) != 0, coherent = (flags & GL_MAP_COHERENT_BIT) != 0;
  if (size <= 0 || (flags & ~kAll) != 0 || (persistent && (flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT)) == 0) ||
      (coherent && !persistent)) {
    ctx.error(GL_INVALID_VALUE, "%s: the size is not above 0, or the flags do not fit each other", command);
    return Moved::No;
  }
  const Verb verb(ctx);
  if (buffer.immutable) {
    ctx.error(GL_INVALID_OPERATION, "%s: the store of buffer %u is immutable", command, buffer.name);
    return Moved::No;
  }
  if (!checkMemory(ctx, static_cast<u64>(size), command)) return Moved::No;
  if (buffer.map.pointer != nullptr) unmap(ctx, buffer);
  buffer.size = static_cast<u64>(size);
  buffer.immutable = true;
  buffer.storageFlags = flags;
  buffer.usage = GL_DYNAMIC_DRAW;
  sendStorage(ctx, buffer, data);
  buffer.touch();
  return Moved::Yes;
}

// A range inside the store that is not mapped (or persistently).
bool checkRange(Context& ctx, const Buffer& buffer, GLintptr offset, GLsizeiptr size, const char* command) {
  if (offset < 0 || size < 0 || static_cast<u64>(offset) + static_cast<u64>(size) > buffer.size) {
    ctx.error(GL_INVALID_VALUE, "%s: the range is not inside the %llu bytes of buffer %u", command,
              static_cast<unsigned long long>(buffer.size), buffer.name);
    return false;
  }
  if (buffer.map.pointer != nullptr && !buffer.persistentlyMapped()) {
    ctx.error(GL_INVALID_OPERATION, "%s: buffer %u is mapped", command, buffer.name);
    return false;
  }
  return true;
}

void bufferSubData(Context& ctx, Buffer& buffer, GLintptr offset, GLsizeiptr size, const void* data, const char* command) {
  const Verb verb(ctx);
  if (!checkRange(ctx, buffer, offset, size, command)) return;
  if (buffer.immutable && (buffer.storageFlags & GL_DYNAMIC_STORAGE_BIT) == 0)
    return ctx.error(GL_INVALID_OPERATION, "%s: the store of buffer %u has no GL_DYNAMIC_STORAGE_BIT", command, buffer.name);
  if (size == 0 || data == nullptr) return;
  sendSubData(ctx, buffer, static_cast<u64>(offset), Bytes(static_cast<const std::byte*>(data), static_cast<std::size_t>(size)));
}

void getBufferSubData(Context& ctx, Buffer& buffer, GLintptr offset, GLsizeiptr size, void* data, const char* command) {
  const Verb verb(ctx);
  if (!checkRange(ctx, buffer, offset, size, command) || size == 0) return;
  const ScopedStall stall(Stall::BufferRead);
  count(Counter::ReadBackBytes, static_cast<u64>(size));
  client::Group group(*ctx.session, ctx.stream);
  const pipe::ReadBuffer ask{buffer.handle, static_cast<u64>(offset), static_cast<u64>(size), 0, 0};
  static_cast<void>(group.ask(ask, MutableBytes(static_cast<std::byte*>(data), static_cast<std::size_t>(size))));
}

void copyBuffer(Context& ctx, Buffer& src, Buffer& dst, GLintptr srcOffset, GLintptr dstOffset, GLsizeiptr size,
                const char* command) {
  const Verb verb(ctx);
  if (!checkRange(ctx, src, srcOffset, size, command) || !checkRange(ctx, dst, dstOffset, size, command)) return;
  if (&src == &dst && srcOffset < dstOffset + size && dstOffset < srcOffset + size)
    return ctx.error(GL_INVALID_VALUE, "%s: the ranges of the same buffer overlap", command);
  if (size == 0) return;
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::CopyBuffer{src.handle, dst.handle, static_cast<u64>(srcOffset), static_cast<u64>(dstOffset),
                              static_cast<u64>(size)});
}

void invalidateBuffer(Context& ctx, GLuint name, GLintptr offset, GLsizeiptr length, bool whole, const char* command) {
  const auto buffer = lookUp<Buffer>(*ctx.share, ctx.share->buffers, name);
  if (!buffer) return ctx.error(GL_INVALID_VALUE, "%s: %u is not the name of a buffer object", command, name);
  const Verb verb(ctx);
  if (whole) offset = 0, length = static_cast<GLsizeiptr>(buffer->size);
  if (!checkRange(ctx, *buffer, offset, length, command) || length == 0) return;
  client::Group group(*ctx.session, ctx.stream);
  group.emit(pipe::InvalidateBuffer{buffer->handle, static_cast<u64>(offset), static_cast<u64>(length)});
}

}  // namespace

MGL_GL(Moved, BufferData)(Context& ctx, GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
  Buffer* buffer = boundBuffer(ctx, target, "glBufferData");
  return buffer != nullptr ? bufferData(ctx, *buffer, size, data, usage, "glBufferData") : Moved::No;
}
MGL_GL(Moved, NamedBufferData)(Context& ctx, GLuint buffer, GLsizeiptr size, const void* data, GLenum usage) {
  const auto object = namedBuffer(ctx, buffer, "glNamedBufferData");
  return object ? bufferData(ctx, *object, size, data, usage, "glNamedBufferData") : Moved::No;
}
MGL_GL(Moved, BufferStorage)(Context& ctx, GLenum target, GLsizeiptr size, const void* data, GLbitfield flags) {
  Buffer* buffer = boundBuffer(ctx, target, "glBufferStorage");
  return buffer != nullptr ? bufferStorage(ctx, *buffer, size, data, flags, "glBufferStorage") : Moved::No;
}
MGL_GL(Moved, NamedBufferStorage)(Context& ctx, GLuint buffer, GLsizeiptr size, const void* data, GLbitfield flags) {
  const auto object = namedBuffer(ctx, buffer, "glNamedBufferStorage");
  return object ? bufferStorage(ctx, *object, size, data, flags, "glNamedBufferStorage") : Moved::No;
}
MGL_GL(void, BufferSubData)(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
  if (Buffer* buffer = boundBuffer(ctx, target, "glBufferSubData"))
    bufferSubData(ctx, *buffer, offset, size, data, "glBufferSubData");
}
MGL_GL(void, NamedBufferSubData)(Context& ctx, GLuint buffer, GLintptr offset, GLsizeiptr size, const void* data) {
  if (const auto object = namedBuffer(ctx, buffer, "glNamedBufferSubData"))
    bufferSubData(ctx, *object, offset, size, data, "glNamedBufferSubData");
}
MGL_GL(void, GetBufferSubData)(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr size, void* data) {
  if (Buffer* buffer = boundBuffer(ctx, target, "glGetBufferSubData"))
    getBufferSubData(ctx, *buffer, offset, size, data, "glGetBufferSubData");
}
MGL_GL(void, GetNamedBufferSubData)(Context& ctx, GLuint buffer, GLintptr offset, GLsizeiptr size, void* data) {
  if (const auto object = namedBuffer(ctx, buffer, "glGetNamedBufferSubData"))
    getBufferSubData(ctx, *object, offset, size, data, "glGetNamedBufferSubData");
}
MGL_GL(void, CopyBufferSubData)(Context& ctx, GLenum readTarget, GLenum writeTarget, GLintptr readOffset, GLintptr writeOffset,
                                GLsizeiptr size) {
  Buffer* src = boundBuffer(ctx, readTarget, "glCopyBufferSubData");
  Buffer* dst = src != nullptr ? boundBuffer(ctx, writeTarget, "glCopyBufferSubData") : nullptr;
  if (dst != nullptr) copyBuffer(ctx, *src, *dst, readOffset, writeOffset, size, "glCopyBufferSubData");
}
MGL_GL(void, CopyNamedBufferSubData)(Context& ctx, GLuint readBuffer, GLuint writeBuffer, GLintptr readOffset,
                                     GLintptr writeOffset, GLsizeiptr size) {
  const auto src = namedBuffer(ctx, readBuffer, "glCopyNamedBufferSubData");
  const auto dst = src ? namedBuffer(ctx, writeBuffer, "glCopyNamedBufferSubData") : Ref<Buffer>();
  if (dst) copyBuffer(ctx, *src, *dst, readOffset, writeOffset, size, "glCopyNamedBufferSubData");
}
MGL_GL(void, InvalidateBufferData)(Context& ctx, GLuint buffer) {
  invalidateBuffer(ctx, buffer, 0, 0, true, "glInvalidateBufferData");
}
MGL_GL(void, InvalidateBufferSubData)(Context& ctx, GLuint buffer, GLintptr offset, GLsizeiptr length) {
  invalidateBuffer(ctx, buffer, offset, length, false, "glInvalidateBufferSubData");
}

// ---- Queries

namespace {

bool bufferParameter(Context& ctx, const Buffer& buffer, GLenum pname, GLint64* value, const char* command) {
  switch (pname) {
    case GL_BUFFER_SIZE: *value = static_cast<GLint64>(buffer.size); return true;
    case GL_BUFFER_USAGE: *value = buffer.usage; return true;
    case GL_BUFFER_ACCESS:
      *value = (buffer.map.access & GL_MAP_READ_BIT) == 0   ? (buffer.map.pointer != nullptr ? GL_WRITE_ONLY : GL_READ_WRITE)
               : (buffer.map.access & GL_MAP_WRITE_BIT) != 0 ? GL_READ_WRITE
                                                             : GL_READ_ONLY;
      return true;
    case GL_BUFFER_ACCESS_FLAGS: *value = buffer.map.access; return true;
    case GL_BUFFER_MAPPED: *value = buffer.map.pointer != nullptr; return true;
    case GL_BUFFER_MAP_OFFSET: *value = static_cast<GLint64>(buffer.map.offset); return true;
    case GL_BUFFER_MAP_LENGTH: *value = static_cast<GLint64>(buffer.map.length); return true;
    case GL_BUFFER_IMMUTABLE_STORAGE: *value = buffer.immutable; return true;
    case GL_BUFFER_STORAGE_FLAGS: *value = buffer.storageFlags; return true;
    default: ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a buffer parameter", command, pname); return false;
  }
}

}  // namespace

MGL_GL(void, GetBufferParameteriv)(Context& ctx, GLenum target, GLenum pname, GLint* params) {
  GLint64 value;
  if (Buffer* buffer = boundBuffer(ctx, target, "glGetBufferParameteriv");
      buffer != nullptr && bufferParameter(ctx, *buffer, pname, &value, "glGetBufferParameteriv"))
    *params = static_cast<GLint>(std::min<GLint64>(value, 0x7fffffff));
}
MGL_GL(void, GetBufferParameteri64v)(Context& ctx, GLenum target, GLenum pname, GLint64* params) {
  if (Buffer* buffer = boundBuffer(ctx, target, "glGetBufferParameteri64v"))
    bufferParameter(ctx, *buffer, pname, params, "glGetBufferParameteri64v");
}
MGL_GL(void, GetNamedBufferParameteriv)(Context& ctx, GLuint buffer, GLenum pname, GLint* params) {
  GLint64 value;
  if (const auto object = namedBuffer(ctx, buffer, "glGetNamedBufferParameteriv");
      object && bufferParameter(ctx, *object, pname, &value, "glGetNamedBufferParameteriv"))
    *params = static_cast<GLint>(std::min<GLint64>(value, 0x7fffffff));
}
MGL_GL(void, GetNamedBufferParameteri64v)(Context& ctx, GLuint buffer, GLenum pname, GLint64* params) {
  if (const auto object = namedBuffer(ctx, buffer, "glGetNamedBufferParameteri64v"))
    bufferParameter(ctx, *object, pname, params, "glGetNamedBufferParameteri64v");
}

}  // namespace mgl::gl
