#include "backend/espryt/buffer.h"

#include <algorithm>
#include <cstring>

namespace mgl::espryt {

namespace {

constexpr u64 kLargeBytes = 1 << 20;  // from here on the host is asked whether it had the memory

}  // namespace

Buffer::~Buffer() {
  if (engine == nullptr) return;
  engine->bury(Dead::Buffer, host.name);
  for (const Converted& c : converted) engine->bury(Dead::Buffer, c.host.name);
}

void Buffers::storage(Buffer& buffer, Bytes data) {
  const HostScope context(engine_);
  if (!context) return;
  const Gl& gl = engine_.gl;
  if (buffer.host.name == 0) {
    GLuint name = 0;
    gl.GenBuffers(1, &name);
    buffer.engine = &engine_;
    buffer.host = engine_.named(name);
  }
  context->bindBuffer(BufferTarget::CopyWrite, buffer.host);
  const bool large = buffer.bytes >= kLargeBytes;
  if (large) {
    while (gl.GetError() != GL_NO_ERROR) {
    }
  }
  const GLenum usage = (buffer.flags & (pipe::kBufferDynamic | pipe::kBufferStreamed)) != 0 ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW;
  const bool whole = !data.empty() && data.size() == buffer.bytes;
  gl.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(buffer.bytes), whole ? data.data() : nullptr, usage);
  if (large && gl.GetError() == GL_OUT_OF_MEMORY) {
    engine_.allocationFailures.fetch_add(1, std::memory_order_relaxed);
    engine_.sink.glError(pipe::GlError::OutOfMemory, pipe::Call::BufferStorage, {buffer.slot, buffer.gen, buffer.storeSerial});
    return;
  }
  if (!whole && !data.empty())
    gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(data.size()), data.data());
  buffer.gpuWritten = false;
  ++buffer.contents;
  engine_.wrote(*context, buffer.host);
  countHeld(Counter::BufferOrphans);
  ++engine_.epoch;
}

void Buffers::subData(Buffer& buffer, u64 offset, Bytes data) {
  const HostScope context(engine_);
  if (!context || buffer.host.name == 0) return;
  context->bindBuffer(BufferTarget::CopyWrite, buffer.host);
  engine_.gl.BufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(data.size()),
                           data.data());
  ++buffer.contents;
  engine_.wrote(*context, buffer.host);
}

void Buffers::copy(Buffer& src, Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes) {
  const HostScope context(engine_);
  if (!context || src.host.name == 0 || dst.host.name == 0) return;
  context->bindBuffer(BufferTarget::CopyRead, src.host);
  context->bindBuffer(BufferTarget::CopyWrite, dst.host);
  engine_.gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(srcOffset),
                               static_cast<GLintptr>(dstOffset), static_cast<GLsizeiptr>(bytes));
  written(*context, dst);
}

void Buffers::clear(Buffer& buffer, u64 offset, u64 bytes, Bytes pattern) {
  std::vector<std::byte> filled(bytes);
  for (u64 i = 0; i < bytes; i += pattern.size()) std::memcpy(filled.data() + i, pattern.data(), pattern.size());
  subData(buffer, offset, filled);
}

void Buffers::written(HostContext& context, Buffer& buffer) {
  buffer.gpuWritten = true;
  ++buffer.contents;
  engine_.wrote(context, buffer.host);
}

bool Buffers::read(HostContext& context, Buffer& buffer, const std::function<void(Bytes)>& visit) {
  if (buffer.host.name == 0 || buffer.bytes == 0) return false;
  context.bindBuffer(BufferTarget::CopyRead, buffer.host);
  const auto bytes = static_cast<GLsizeiptr>(buffer.bytes);
  const void* mapped = nullptr;
  if (buffer.gpuWritten) {
    const ScopedStall stall(Stall::ApplyGpu);
    mapped = engine_.gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
  } else {
    mapped = engine_.gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
  }
  if (mapped == nullptr) return false;
  visit(Bytes(static_cast<const std::byte*>(mapped), buffer.bytes));
  engine_.gl.UnmapBuffer(GL_COPY_READ_BUFFER);
  return true;
}

const HostObject& Buffers::zeros(HostContext& context, u64 bytes) {
  if (zeroBytes_ >= bytes) return zeros_;
  const std::vector<std::byte> nothing(std::max<u64>(bytes, 4096));
  if (zeros_.name == 0) {
    engine_.gl.GenBuffers(1, &zeros_.name);
    zeros_ = engine_.named(zeros_.name);
  }
  context.bindBuffer(BufferTarget::CopyWrite, zeros_);
  engine_.gl.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(nothing.size()), nothing.data(), GL_STATIC_DRAW);
  engine_.wrote(context, zeros_);
  zeroBytes_ = nothing.size();
  return zeros_;
}

}  // namespace mgl::espryt
