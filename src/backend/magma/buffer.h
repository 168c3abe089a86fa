// Buffers: their stores, and how contents get in and out (design section 5: what a write to a buffer in use becomes).
#pragma once

#include <functional>

#include "backend/magma/engine.h"

namespace mgl::magma {

// A store; replaced when a write orphans or renames it. Destroying it retires the host objects.
class BufferStore : public LocalRefCounted {
 public:
  BufferStore(Device& device, DeviceBuffer buffer) : device_(device), buffer_(buffer) {}
  virtual ~BufferStore();
  VkBuffer handle() const { return buffer_.handle; }
  u64 bytes() const { return buffer_.bytes; }
  std::byte* mapped() const { return buffer_.mapped(); }
  void usedIn(u64 serial, bool inMain) {
    lastUse_ = serial;
    if (inMain) mainUse_ = serial;
  }
  u64 lastUse() const { return lastUse_; }
  u64 mainUse() const { return mainUse_; }
  // A view of the store as texels; cached.
  VkBufferView texelView(VkFormat format, u64 offset, u64 bytes);

  AccessState access;
  bool gpuWritten = false;  // some command wrote it: the host's view is valid only once that is complete
  u64 gpuWrite = 0;         // the batch of the last such command

 private:
  struct View {
    VkFormat format;
    u64 offset, bytes;
    VkBufferView handle;
  };
  Device& device_;
  DeviceBuffer buffer_;
  std::vector<View> views_;
  u64 lastUse_ = 0, mainUse_ = 0;
};

class Buffer final : public backend::Buffer {
 public:
  Ref<BufferStore> store;         // null: no store, or no memory
  std::vector<std::byte> shadow;  // the contents, while shadowed
  bool shadowed = false;
  u64 contents = 0;  // grows at every change of them that comes by a record

  // The program may write at any time without a record: the store is never replaced, and nothing made of the contents is
  // kept from one draw to the next.
  bool isPersistent() const { return (flags & pipe::kBufferPersistent) != 0; }
  bool changesUnseen() const { return isPersistent() && mapped; }

  // Vertex attributes of the buffer in a format that the host takes (vertex_convert.h).
  struct Converted {
    u64 start = 0, contents = 0;
    u32 stride = 0;
    pipe::VertexAttrib attrib{};
    Ref<BufferStore> store;
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
  void invalidate(Buffer& buffer, u64 offset, u64 bytes);
  // The store's own memory (tier T0), of persistent stores, once what the GPU does with it is done.
  backend::Pending beginMap(Buffer& buffer, u64 offset);
  backend::MapGrant finishMap(backend::Pending pending);

  // Adds the use to the gathered barriers of main.
  void use(BufferStore& store, const Usage& usage);
  // As use, and forgets what the host knew of the contents: a command writes them.
  void written(Buffer& buffer, const Usage& usage);
  // Hands the contents as the stream has them now to `work`, which converts them on the host into memory of the open
  // batch: at once when they are known, else in a host step (Engine::hostStep). openRead comes first and says which,
  // for it may submit; the memory that `work` fills is taken after it. `work` gets buffer.bytes bytes.
  enum class Readable : u8 { No, Now, Later };  // No: there is no store, or its memory cannot be read
  Readable openRead(Buffer& buffer);
  void read(Buffer& buffer, Readable when, std::function<void(Bytes)> work);  // REQUIRES: not No
  bool isKnown(const Buffer& buffer) const;                                   // REQUIRES: a store

 private:
  Ref<BufferStore> makeStore(u64 bytes);
  void replaceStore(Buffer& buffer, Ref<BufferStore> store);
  void stagedWrite(Buffer& buffer, u64 offset, Bytes data);
  bool isIdle(const BufferStore& store) const { return engine_.recorder.isComplete(store.lastUse()); }

  Engine& engine_;
};

}  // namespace mgl::magma
