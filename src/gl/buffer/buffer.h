// A buffer object. Its store lives with the server; the client keeps its size, flags and mapping.
#pragma once

#include "gl/object.h"
#include "gl/share_group.h"

namespace mgl::gl {

struct BufferMapping {
  std::byte* pointer = nullptr;  // what the program got; null: not mapped
  u64 offset = 0, length = 0;
  GLbitfield access = 0;
  std::unique_ptr<std::byte[]> shadow;  // T2 or a write-only map: bytes to send at flush or unmap
  bool direct = false;                  // backend memory (T0, T1)
};

struct Buffer : Object {
  Buffer(u32 glName, ShareGroup& group);
  ~Buffer() override;

  const std::shared_ptr<client::Session> session;
  pipe::BufferHandle handle;  // made at the first bind
  u64 size = 0;
  u32 stores = 0;  // given to it so far: names the one that the server could not have
  GLenum usage = GL_STATIC_DRAW;
  bool immutable = false;
  GLbitfield storageFlags = 0;
  BufferMapping map;
  // Whether a draw that reads it must be refused or its map pushed: moved by map and unmap.
  std::atomic<bool> mappedNonPersistent{false};
  bool persistentlyMapped() const { return map.pointer != nullptr && (map.access & GL_MAP_PERSISTENT_BIT) != 0; }
};

}  // namespace mgl::gl
