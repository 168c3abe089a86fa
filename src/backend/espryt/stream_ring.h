// Memory that draws stream through: uniform blocks, client arrays, rewritten indices. Chunks are written from the CPU side
// while the GPU reads others; a chunk is used again when the fence after its last use completed.
#pragma once

#include <memory>
#include <vector>

#include "backend/espryt/host_context.h"

namespace mgl::espryt {

struct StreamSlice {
  const HostObject* buffer = nullptr;  // null: the host gives no memory
  u64 offset = 0;
  u64 generation = 0;
};

class StreamRing {
 public:
  StreamRing(Engine& engine, HostContext& context) : engine_(engine), context_(context) {}
  ~StreamRing();

  // Writes the bytes, `lead` bytes of nothing before them. The offset is that of the lead. REQUIRES the context current.
  // A slice may be read by draws while this stands where it stood when the slice was written.
  u64 generation() const { return generation_; }
  StreamSlice write(Bytes data, u64 alignment, u64 lead = 0);

 private:
  struct Chunk {
    HostObject buffer;
    std::byte* mapped = nullptr;  // persistent; else each write maps
    u64 bytes = 0, used = 0, ticket = 0;
  };
  static constexpr u64 kChunkBytes = 1 << 20;
  Chunk* chunkFor(u64 bytes);

  Engine& engine_;
  HostContext& context_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  Chunk* open_ = nullptr;
  Chunk* closed_ = nullptr;  // the one before: the draw on its way may still read it
  u64 generation_ = 1;
};

}  // namespace mgl::espryt
