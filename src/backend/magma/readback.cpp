#include "backend/magma/readback.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "backend/magma/buffer.h"
#include "backend/magma/pass_manager.h"
#include "base/event.h"

namespace mgl::magma {

ReadBacks::~ReadBacks() {
  for (auto& [token, entry] : entries_) {
    if (entry.buffer.handle != VK_NULL_HANDLE) engine_.device->retireFromAnyThread(entry.buffer);
  }
}

backend::Pending ReadBacks::add(Entry entry) {
  const std::lock_guard lock(mutex_);
  const u64 token = nextToken_++;
  const backend::Pending pending{entry.serial, token};
  entries_.emplace(token, std::move(entry));
  return pending;
}

backend::Pending ReadBacks::immediate(std::vector<std::byte> bytes) {
  Entry entry;
  entry.bytes = std::move(bytes);
  return add(std::move(entry));
}

backend::Pending ReadBacks::afterSerial(u64 serial) {
  Entry entry;
  entry.serial = serial;
  return add(std::move(entry));
}

backend::Pending ReadBacks::afterSerial(u64 serial, std::function<u64()> value) {
  Entry entry;
  entry.serial = serial;
  entry.value = std::move(value);
  return add(std::move(entry));
}

backend::Pending ReadBacks::beginBuffer(Buffer& buffer, u64 offset, u64 bytes) {
  if (buffer.store == nullptr || bytes == 0) return immediate({});
  BufferStore& store = *buffer.store;
  if (buffer.shadowed) {
    const auto* from = buffer.shadow.data() + offset;
    return immediate({from, from + bytes});
  }
  const bool idle = engine_.recorder.isComplete(store.lastUse());
  if (store.mapped() != nullptr && (idle || !store.gpuWritten)) {
    return immediate({store.mapped() + offset, store.mapped() + offset + bytes});
  }
  Entry entry;
  entry.buffer = makeBuffer(bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::ReadBack);
  if (entry.buffer.handle == VK_NULL_HANDLE) return immediate({});
  engine_.buffers->use(store, usage::kTransferRead);
  const VkBufferCopy region{offset, 0, bytes};
  engine_.vk().vkCmdCopyBuffer(engine_.outside(), store.handle(), entry.buffer.handle, 1, &region);
  engine_.recorder.hostReads();
  entry.serial = engine_.submit();
  return add(std::move(entry));
}

// Told when it cannot be had.
DeviceBuffer ReadBacks::makeBuffer(u64 bytes, VkBufferUsageFlags usage, MemoryUse use) {
  DeviceBuffer buffer = engine_.device->makeBuffer(bytes, usage, use);
  if (buffer.handle == VK_NULL_HANDLE) {
    engine_.reclaim();
    buffer = engine_.device->makeBuffer(bytes, usage, use);
  }
  if (buffer.handle == VK_NULL_HANDLE) engine_.device->outOfMemory("a read-back");
  return buffer;
}

DeviceBuffer ReadBacks::copyOut(const ImageRegion& region, const StagingLayout& staging) {
  DeviceBuffer buffer = makeBuffer(
      staging.bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::ReadBack);
  if (buffer.handle == VK_NULL_HANDLE) return {};
  Image& image = *region.image;
  const bool volume = image.shape().type == VK_IMAGE_TYPE_3D;
  const u32 layers = volume ? 1 : region.depth;
  const u32 firstLayer = volume ? 0 : region.layer;
  const SubRange range{region.level, 1, firstLayer, layers};
  engine_.passes->settle(image, {region.level, 1, volume ? region.z : region.layer, region.depth}, ClearUse::ReadBack);
  image.prepare(engine_.barriers, range, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, usage::kTransferRead);
  image.usedIn(engine_.recorder.serial(), true);
  VkBufferImageCopy copies[2];
  u32 count = 0;
  VkBufferImageCopy copy{};
  copy.imageSubresource = {0, region.level, firstLayer, layers};
  copy.imageOffset = {static_cast<i32>(region.x), static_cast<i32>(region.y), static_cast<i32>(volume ? region.z : 0)};
  copy.imageExtent = {region.width, region.height, volume ? region.depth : 1};
  if (staging.main) {
    copy.imageSubresource.aspectMask =
        image.isColor() ? VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT} : VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT};
    copies[count++] = copy;
  }
  if (staging.stencil) {
    copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
    copy.bufferOffset = staging.stencilOffset;
    copies[count++] = copy;
  }
  engine_.vk().vkCmdCopyImageToBuffer(engine_.outside(), image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                      buffer.handle, count, copies);
  return buffer;
}

backend::Pending ReadBacks::beginImage(const ImageRegion& region, format::Format format,
                                       const pipe::TexelLayout& layout, bool clampColor) {
  Entry entry;
  entry.texels = true;
  entry.shape = {format, &engine_.formats[format], region.width, region.height, region.depth};
  entry.layout = layout;
  entry.clampColor = clampColor;
  if (region.image == nullptr || region.width == 0 || region.height == 0 || region.depth == 0) return immediate({});
  entry.staging = stagingLayout(entry.shape, layout);
  if (entry.staging.bytes == 0) return immediate({});
  entry.buffer = copyOut(region, entry.staging);
  if (entry.buffer.handle == VK_NULL_HANDLE) return immediate({});
  engine_.recorder.hostReads();
  entry.serial = engine_.submit();
  return add(std::move(entry));
}

// Copies rows by a few at a time; place(row, image) says from where to where.
template <class Place>
void ReadBacks::copyRows(VkBuffer from, const BufferStore& to, u64 rows, u64 images, u64 bytes, Place place) {
  const VkCommandBuffer commands = engine_.outside();
  std::array<VkBufferCopy, 64> regions;
  u32 count = 0;
  const auto flush = [&] {
    if (count != 0) engine_.vk().vkCmdCopyBuffer(commands, from, to.handle(), count, regions.data());
    count = 0;
  };
  for (u64 z = 0; z < images; ++z) {
    for (u64 y = 0; y < rows; ++y) {
      const auto [source, target] = place(y, z);
      // Rows that lie together on both sides go as one.
      if (count != 0) {
        VkBufferCopy& last = regions[count - 1];
        if (last.srcOffset + last.size == source && last.dstOffset + last.size == target) {
          last.size += bytes;
          continue;
        }
      }
      if (count == regions.size()) flush();
      regions[count++] = {source, target, bytes};
    }
  }
  flush();
}

void ReadBacks::imageToBuffer(const ImageRegion& region, format::Format format, const pipe::TexelLayout& layout,
                              bool clampColor, Buffer& buffer, u64 offset) {
  if (region.image == nullptr || buffer.store == nullptr) return;
  const TexelShape shape{format, &engine_.formats[format], region.width, region.height, region.depth};
  const StagingLayout staging = stagingLayout(shape, layout);
  if (staging.bytes == 0) return;
  DeviceBuffer texels = copyOut(region, staging);
  if (texels.handle == VK_NULL_HANDLE) return;
  const format::TransferPair native = format::nativeTransfer(shape.host->stored);
  const bool same = layout.compressed ||
                    (native.format == layout.format && native.type == layout.type && shape.host->sameMemory &&
                     !layout.swapBytes && !clampColor && !staging.stencil && shape.host->stored != format::Format::D24);
  const bool word = format::formatInfo(format).isFloat() && clampColor;
  if (same && !word) {
    AccessState copied{.writeStages = VK_PIPELINE_STAGE_TRANSFER_BIT, .writeAccess = VK_ACCESS_TRANSFER_WRITE_BIT};
    engine_.barriers.buffer(copied, usage::kTransferRead);
    engine_.buffers->written(buffer, usage::kTransferWrite);
    copyRows(texels.handle, *buffer.store, staging.imageBytes / staging.rowBytes, region.depth, staging.rowBytes,
             [&](u64 y, u64 z) {
               return std::pair{z * staging.imageBytes + y * staging.rowBytes,
                                offset + z * layout.imageBytes + y * layout.rowBytes};
             });
    engine_.device->retire(engine_.recorder.serial(), texels);
    return;
  }
  // The conversion is the host's: a host step has the texels.
  const u64 total = layoutBytes(shape, layout);
  if (!canUnstage(shape, layout, clampColor)) return;
  engine_.recorder.hostReads();
  engine_.openHostStep(engine_.recorder.serial());
  DeviceBuffer packed = engine_.device->makeBuffer(total, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::Upload);
  const u64 serial = engine_.recorder.serial();
  if (packed.handle != VK_NULL_HANDLE) {
    engine_.hostStep([shape, staging, layout, clampColor, in = texels.mapped(), out = packed.mapped()] {
      (void)fromStaging(shape, staging, in, layout, clampColor, out);
    });
    // Gaps between rows are the program's: they keep what the buffer holds.
    const u64 row = u64{format::bytesPerPixel(layout.format, layout.type)} * region.width;
    engine_.buffers->written(buffer, usage::kTransferWrite);
    copyRows(packed.handle, *buffer.store, region.height, region.depth, row, [&](u64 y, u64 z) {
      const u64 at = z * layout.imageBytes + y * layout.rowBytes;
      return std::pair{at, offset + at};
    });
    engine_.device->retire(serial, packed);
  } else {
    engine_.device->outOfMemory("a read-back into a buffer");
  }
  engine_.device->retire(serial, texels);
}

bool ReadBacks::finish(backend::Pending pending, MutableBytes dst) {
  Entry entry;
  {
    const std::lock_guard lock(mutex_);
    const auto at = entries_.find(pending.token);
    if (at == entries_.end()) return false;
    entry = std::move(at->second);
    entries_.erase(at);
  }
  const bool alive = entry.serial == 0 || engine_.device->submitter().wait(entry.serial, kForever);
  if (alive && entry.texels) {
    std::fill(dst.begin(), dst.end(), std::byte{0});
    if (dst.size() >= layoutBytes(entry.shape, entry.layout)) {
      (void)fromStaging(entry.shape, entry.staging, entry.buffer.mapped(), entry.layout, entry.clampColor, dst.data());
    }
  } else if (alive && entry.value) {
    const u64 value = entry.value();
    if (dst.size() >= sizeof value) std::memcpy(dst.data(), &value, sizeof value);
  } else if (alive && entry.buffer.handle != VK_NULL_HANDLE) {
    if (!dst.empty()) std::memcpy(dst.data(), entry.buffer.mapped(), std::min<u64>(dst.size(), entry.buffer.bytes));
  } else if (alive && !dst.empty()) {
    std::fill(dst.begin(), dst.end(), std::byte{0});
    if (!entry.bytes.empty()) std::memcpy(dst.data(), entry.bytes.data(), std::min(dst.size(), entry.bytes.size()));
  }
  if (entry.buffer.handle != VK_NULL_HANDLE) engine_.device->retireFromAnyThread(entry.buffer);
  return alive;
}

}  // namespace mgl::magma
