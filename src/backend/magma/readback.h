// Reads into client memory: begin records a copy and submits; finish waits, converts and hands the bytes out. begin* on
// the apply thread, finish on any.
#pragma once

#include <mutex>
#include <unordered_map>

#include "backend/magma/engine.h"
#include "backend/magma/texel_transfer.h"

namespace mgl::magma {

class Buffer;
class BufferStore;

// A part of an image, in the image's own levels and layers (z: slice of a 3D image).
struct ImageRegion {
  Image* image = nullptr;
  u32 level = 0, layer = 0;
  u32 x = 0, y = 0, z = 0, width = 0, height = 0, depth = 0;  // depth: layers, or slices
};

class ReadBacks {
 public:
  explicit ReadBacks(Engine& engine) : engine_(engine) {}
  ~ReadBacks();

  backend::Pending beginBuffer(Buffer& buffer, u64 offset, u64 bytes);
  // format: how the pipe names the texels (a view may name them otherwise than the image).
  backend::Pending beginImage(const ImageRegion& region, format::Format format, const pipe::TexelLayout& layout,
                              bool clampColor);
  // The same into a buffer, by way of the host only when the layouts differ.
  void imageToBuffer(const ImageRegion& region, format::Format format, const pipe::TexelLayout& layout, bool clampColor,
                     Buffer& buffer, u64 offset);
  backend::Pending immediate(std::vector<std::byte> bytes);
  backend::Pending afterSerial(u64 serial);
  // Finishes with eight bytes that `value` gives once the serial is complete.
  backend::Pending afterSerial(u64 serial, std::function<u64()> value);

  bool finish(backend::Pending pending, MutableBytes dst);

 private:
  struct Entry {
    u64 serial = 0;
    DeviceBuffer buffer;
    std::vector<std::byte> bytes;  // an answer that was there at once
    std::function<u64()> value;
    bool texels = false;
    TexelShape shape;
    StagingLayout staging;
    pipe::TexelLayout layout{};
    bool clampColor = false;
  };
  backend::Pending add(Entry entry);
  DeviceBuffer makeBuffer(u64 bytes, VkBufferUsageFlags usage, MemoryUse use);
  template <class Place>
  void copyRows(VkBuffer from, const BufferStore& to, u64 rows, u64 images, u64 bytes, Place place);
  // Records the copy of the region into a new buffer of the staging layout.
  DeviceBuffer copyOut(const ImageRegion& region, const StagingLayout& staging);

  Engine& engine_;
  std::mutex mutex_;
  u64 nextToken_ = 1;
  std::unordered_map<u64, Entry> entries_;
};

}  // namespace mgl::magma
