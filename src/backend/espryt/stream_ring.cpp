#include "backend/espryt/stream_ring.h"

#include <algorithm>
#include <cstring>

#include "backend/espryt/engine.h"
#include "backend/espryt/wait_thread.h"

namespace mgl::espryt {

StreamRing::~StreamRing() {
  for (const auto& chunk : chunks_) engine_.bury(Dead::Buffer, chunk->buffer.name);
}

StreamRing::Chunk* StreamRing::chunkFor(u64 bytes) {
  ++generation_;
  if (closed_ != nullptr) closed_->ticket = engine_.waiter->push(engine_.fence(context_), {});
  closed_ = open_;
  if (closed_ != nullptr) closed_->ticket = kForever;
  const u64 done = engine_.waiter->completed();
  for (const auto& chunk : chunks_) {
    if (chunk->ticket > done || chunk->bytes < bytes) continue;
    chunk->used = 0;
    return open_ = chunk.get();
  }
  const Gl& gl = engine_.gl;
  auto chunk = std::make_unique<Chunk>();
  chunk->bytes = std::max(bytes, kChunkBytes);
  GLuint name = 0;
  gl.GenBuffers(1, &name);
  chunk->buffer = engine_.named(name);
  context_.bindBuffer(BufferTarget::CopyWrite, chunk->buffer);
  const auto size = static_cast<GLsizeiptr>(chunk->bytes);
  if (engine_.features.bufferStorage) {
    constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    gl.BufferStorageEXT(GL_COPY_WRITE_BUFFER, size, nullptr, kFlags);
    chunk->mapped = static_cast<std::byte*>(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, size, kFlags));
    if (chunk->mapped == nullptr) {
      engine_.bury(Dead::Buffer, name);
      return open_ = nullptr;
    }
  } else {
    gl.BufferData(GL_COPY_WRITE_BUFFER, size, nullptr, GL_STREAM_DRAW);
  }
  open_ = chunk.get();
  chunks_.push_back(std::move(chunk));
  return open_;
}

StreamSlice StreamRing::write(Bytes data, u64 alignment, u64 lead) {
  const u64 total = lead + std::max<u64>(data.size(), 4);
  u64 at = open_ != nullptr ? alignUp(open_->used, alignment) : 0;
  if (open_ == nullptr || at + total > open_->bytes) {
    if (chunkFor(total) == nullptr) return {};
    at = 0;
  }
  open_->used = at + total;
  if (open_->mapped != nullptr) {
    if (!data.empty()) std::memcpy(open_->mapped + at + lead, data.data(), data.size());
    return {&open_->buffer, at, generation_};
  }
  if (data.empty()) return {&open_->buffer, at, generation_};
  const Gl& gl = engine_.gl;
  context_.bindBuffer(BufferTarget::CopyWrite, open_->buffer);
  void* to = gl.MapBufferRange(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(at + lead),
                               static_cast<GLsizeiptr>(data.size()),
                               GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
  if (to == nullptr) return {};
  std::memcpy(to, data.data(), data.size());
  gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
  return {&open_->buffer, at, generation_};
}

}  // namespace mgl::espryt
