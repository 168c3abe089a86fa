// Buffers.
#pragma once

#include <functional>

#include "backend/espryt/engine.h"

namespace mgl::espryt {

class Buffer final : public backend::Buffer {
 public:
  ~Buffer() override;
  Engine* engine = nullptr;
  HostObject host;          // name 0: no store was ever given
  bool gpuWritten = false;  // since its store was made
  u64 contents = 0;         // grows at every write that the records tell of

  // Vertex attributes of the buffer in a type that the host takes (backend/vertex_convert.h).
  struct Converted {
    u64 start = 0;
    u32 stride = 0;
    pipe::VertexAttrib attrib{};
    u64 contents = ~u64{0};
    HostObject host;
  };
  std::vector<Converted> converted;
};

class Buffers {
 public:
  explicit Buffers(Engine& engine) : engine_(engine) {}

  void storage(Buffer& buffer, Bytes data);
  void subData(Buffer& buffer, u64 offset, Bytes data);
  void copy(Buffer& src, Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes);
  void clear(Buffer& buffer, u64 offset, u64 bytes, Bytes pattern);
  // The contents on the host's CPU side. Waits for the GPU, counted as Stall::ApplyGpu, when it wrote them: only where
  // something has to be rewritten that OpenGL ES has no form for. False: there are none.
  bool read(HostContext& context, Buffer& buffer, const std::function<void(Bytes)>& visit);
  // The GPU is about to write it.
  void written(HostContext& context, Buffer& buffer);
  // Zeros for what a shader reads and nobody gave.
  const HostObject& zeros(HostContext& context, u64 bytes);

 private:
  Engine& engine_;
  HostObject zeros_;
  u64 zeroBytes_ = 0;
};

}  // namespace mgl::espryt
