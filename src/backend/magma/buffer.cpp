#include "backend/magma/buffer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/magma/readback.h"
#include "base/counters.h"

namespace mgl::magma {

namespace {

// Up to this size the server keeps a buffer's bytes, so that a partial write to a busy store is a new store filled from
// them.
constexpr u64 kShadowBytes = 64u << 10;

}  // namespace

BufferStore::~BufferStore() {
  for (const View& view : views_) device_.retire(lastUse_, view.handle);
  device_.retire(lastUse_, buffer_);
}

VkBufferView BufferStore::texelView(VkFormat format, u64 offset, u64 bytes) {
  for (const View& view : views_) {
    if (view.format == format && view.offset == offset && view.bytes == bytes) return view.handle;
  }
  const VkBufferViewCreateInfo info{
      VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, nullptr, 0, buffer_.handle, format, offset, bytes};
  VkBufferView handle = VK_NULL_HANDLE;
  if (device_.vk().vkCreateBufferView(device_.handle(), &info, nullptr, &handle) != VK_SUCCESS) return VK_NULL_HANDLE;
  views_.push_back({format, offset, bytes, handle});
  return handle;
}

Ref<BufferStore> Buffers::makeStore(u64 bytes) {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                             VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                             VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                             VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (engine_.features().transformFeedback) usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
  if (engine_.features().conditionalRendering) usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
  // Memory that both sides reach, where there is plenty of it: writes to idle stores are then plain copies.
  DeviceBuffer buffer = engine_.device->makeBuffer(alignUp<u64>(bytes, 4), usage, MemoryUse::Upload);
  if (buffer.handle == VK_NULL_HANDLE)
    buffer = engine_.device->makeBuffer(alignUp<u64>(bytes, 4), usage, MemoryUse::Device);
  if (buffer.handle == VK_NULL_HANDLE) return nullptr;
  return makeRef<BufferStore>(*engine_.device, buffer);
}

void Buffers::replaceStore(Buffer& buffer, Ref<BufferStore> store) {
  buffer.store = std::move(store);
  engine_.epoch.move(EpochWriter::BufferStore);
}

void Buffers::storage(Buffer& buffer, Bytes data) {
  ++buffer.contents;
  buffer.shadowed = buffer.bytes <= kShadowBytes && buffer.bytes != 0 && !buffer.isPersistent();
  if (buffer.bytes == 0) {
    replaceStore(buffer, nullptr);
    return;
  }
  BufferStore* old = buffer.store.get();
  const bool reuse =
      old != nullptr && old->bytes() == alignUp<u64>(buffer.bytes, 4) && isIdle(*old) && old->mapped() != nullptr;
  if (reuse) {
    old->access = {};
    old->gpuWritten = false;
  } else {
    if (old != nullptr) countHeld(Counter::BufferOrphans);
    Ref<BufferStore> fresh = makeStore(buffer.bytes);
    if (fresh == nullptr) {
      // What the buffer had is given up in any case.
      replaceStore(buffer, nullptr);
      engine_.reclaim();
      fresh = makeStore(buffer.bytes);
    }
    replaceStore(buffer, std::move(fresh));
  }
  if (buffer.store == nullptr) {
    buffer.shadowed = false;
    buffer.shadow = {};
    engine_.device->outOfMemory("a buffer's store", pipe::Call::BufferStorage, {buffer.slot, buffer.gen, buffer.storeSerial});
    return;
  }
  if (buffer.shadowed) {
    buffer.shadow.assign(buffer.bytes, std::byte{0});
    if (!data.empty()) std::memcpy(buffer.shadow.data(), data.data(), data.size());
  } else {
    buffer.shadow = {};
  }
  if (data.empty()) return;
  if (buffer.store->mapped() != nullptr) {
    std::memcpy(buffer.store->mapped(), data.data(), data.size());
  } else {
    stagedWrite(buffer, 0, data);
  }
}

void Buffers::subData(Buffer& buffer, u64 offset, Bytes data) {
  if (buffer.store == nullptr || data.empty()) return;
  ++buffer.contents;
  if (buffer.shadowed) std::memcpy(buffer.shadow.data() + offset, data.data(), data.size());
  BufferStore& store = *buffer.store;
  if (isIdle(store) && store.mapped() != nullptr) {
    std::memcpy(store.mapped() + offset, data.data(), data.size());
    return;
  }
  const bool whole = offset == 0 && data.size() == buffer.bytes && !buffer.isPersistent();
  if ((whole || buffer.shadowed) && store.mapped() != nullptr) {
    if (Ref<BufferStore> fresh = makeStore(buffer.bytes)) {
      countHeld(whole ? Counter::BufferOrphans : Counter::BufferRenames);
      const Bytes contents = whole ? data : Bytes(buffer.shadow);
      std::memcpy(fresh->mapped(), contents.data(), contents.size());
      replaceStore(buffer, std::move(fresh));
      return;
    }
  }
  stagedWrite(buffer, offset, data);
}

void Buffers::stagedWrite(Buffer& buffer, u64 offset, Bytes data) {
  const StreamSlice slice = engine_.stage(data.size(), "a write to a buffer");
  if (slice.buffer == VK_NULL_HANDLE) return;
  countHeld(Counter::StagedCopies);
  std::memcpy(slice.data, data.data(), data.size());
  BufferStore& store = *buffer.store;
  const VkBufferCopy region{slice.offset, offset, data.size()};
  store.gpuWritten = true;
  store.gpuWrite = engine_.recorder.serial();
  engine_.recorder.hostReads();
  if (store.mainUse() != engine_.recorder.serial()) {
    countHeld(Counter::StagedAhead);
    Barriers barriers;
    barriers.buffer(store.access, usage::kTransferWrite);
    const VkCommandBuffer ahead = engine_.recorder.ahead();
    barriers.record(engine_.vk(), ahead);
    engine_.vk().vkCmdCopyBuffer(ahead, slice.buffer, store.handle(), 1, &region);
    store.usedIn(engine_.recorder.serial(), false);
    engine_.epoch.move(EpochWriter::BufferCopyAhead);
    return;
  }
  use(store, usage::kTransferWrite);
  engine_.vk().vkCmdCopyBuffer(engine_.outside(), slice.buffer, store.handle(), 1, &region);
}

void Buffers::use(BufferStore& store, const Usage& usage) {
  engine_.barriers.buffer(store.access, usage);
  store.usedIn(engine_.recorder.serial(), true);
}

void Buffers::written(Buffer& buffer, const Usage& usage) {
  use(*buffer.store, usage);
  buffer.store->gpuWritten = true;
  buffer.store->gpuWrite = engine_.recorder.serial();
  buffer.shadowed = false;
  buffer.shadow = {};
  ++buffer.contents;
  engine_.epoch.move(EpochWriter::BufferWritten);
  engine_.recorder.hostReads();
}

void Buffers::copy(Buffer& src, Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes) {
  if (src.store == nullptr || dst.store == nullptr || bytes == 0) return;
  if (src.store == dst.store) {
    written(dst, {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, true});
  } else {
    use(*src.store, usage::kTransferRead);
    written(dst, usage::kTransferWrite);
  }
  const VkBufferCopy region{srcOffset, dstOffset, bytes};
  engine_.vk().vkCmdCopyBuffer(engine_.outside(), src.store->handle(), dst.store->handle(), 1, &region);
}

namespace {

void fillPattern(std::byte* to, u64 bytes, Bytes pattern) {
  for (u64 i = 0; i < bytes; i += pattern.size()) {
    std::memcpy(to + i, pattern.data(), std::min<u64>(pattern.size(), bytes - i));
  }
}

}  // namespace

void Buffers::clear(Buffer& buffer, u64 offset, u64 bytes, Bytes pattern) {
  if (buffer.store == nullptr || bytes == 0 || pattern.empty()) return;
  const bool idle = isIdle(*buffer.store);
  // A pattern of one word goes by a fill.
  const bool word = 4 % pattern.size() == 0 && offset % 4 == 0 && bytes % 4 == 0;
  if (word && !buffer.shadowed && !(idle && buffer.store->mapped() != nullptr)) {
    u32 value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value |= static_cast<u32>(pattern[i % pattern.size()]) << (8 * i);
    }
    written(buffer, usage::kTransferWrite);
    engine_.vk().vkCmdFillBuffer(engine_.outside(), buffer.store->handle(), offset, bytes, value);
    return;
  }
  if (bytes <= kShadowBytes) {
    std::vector<std::byte> contents(bytes);
    fillPattern(contents.data(), bytes, pattern);
    subData(buffer, offset, contents);
    return;
  }
  if (idle && buffer.store->mapped() != nullptr) {
    ++buffer.contents;
    fillPattern(buffer.store->mapped() + offset, bytes, pattern);
    return;
  }
  // A piece of it, copied all along: what it takes does not grow with the range.
  const u64 piece = kShadowBytes / pattern.size() * pattern.size();
  const StreamSlice slice = engine_.stage(piece, "a clear of a buffer");
  if (slice.buffer == VK_NULL_HANDLE) return;
  fillPattern(slice.data, piece, pattern);
  written(buffer, usage::kTransferWrite);
  const VkCommandBuffer commands = engine_.outside();
  std::array<VkBufferCopy, 64> regions;
  u32 count = 0;
  for (u64 at = 0; at < bytes; at += piece) {
    regions[count++] = {slice.offset, offset + at, std::min(piece, bytes - at)};
    if (count < regions.size() && at + piece < bytes) continue;
    engine_.vk().vkCmdCopyBuffer(commands, slice.buffer, buffer.store->handle(), count, regions.data());
    count = 0;
  }
}

void Buffers::invalidate(Buffer& buffer, u64 offset, u64 bytes) {
  if (buffer.store == nullptr || buffer.isPersistent() || offset != 0 || bytes < buffer.bytes || isIdle(*buffer.store)) return;
  if (Ref<BufferStore> fresh = makeStore(buffer.bytes)) {
    countHeld(Counter::BufferOrphans);
    replaceStore(buffer, std::move(fresh));
    ++buffer.contents;
    if (buffer.shadowed) std::memcpy(buffer.store->mapped(), buffer.shadow.data(), buffer.shadow.size());
  }
}

backend::Pending Buffers::beginMap(Buffer& buffer, u64 offset) {
  if (buffer.store == nullptr || buffer.store->mapped() == nullptr || !buffer.isPersistent())
    return engine_.readBacks->afterSerial(0, [] { return u64{0}; });
  const u64 memory = reinterpret_cast<u64>(buffer.store->mapped() + offset);
  const u64 busy = isIdle(*buffer.store) ? 0 : engine_.submit();
  return engine_.readBacks->afterSerial(busy, [memory] { return memory; });
}

backend::MapGrant Buffers::finishMap(backend::Pending pending) {
  u64 memory = 0;
  if (!engine_.readBacks->finish(pending, std::as_writable_bytes(std::span(&memory, 1))) || memory == 0) return {};
  return {pipe::MapTier::T0, reinterpret_cast<void*>(memory)};
}

bool Buffers::isKnown(const Buffer& buffer) const {
  return buffer.shadowed || !buffer.store->gpuWritten || engine_.recorder.isComplete(buffer.store->gpuWrite);
}

Buffers::Readable Buffers::openRead(Buffer& buffer) {
  if (buffer.store == nullptr || (!buffer.shadowed && buffer.store->mapped() == nullptr)) return Readable::No;
  if (isKnown(buffer)) return Readable::Now;
  engine_.openHostStep(buffer.store->gpuWrite);
  return Readable::Later;
}

void Buffers::read(Buffer& buffer, Readable when, std::function<void(Bytes)> work) {
  if (when == Readable::Now) {
    work(buffer.shadowed ? Bytes(buffer.shadow) : Bytes(buffer.store->mapped(), buffer.bytes));
    return;
  }
  // Used in the open batch: nobody writes to it on the host before the step has read it.
  buffer.store->usedIn(engine_.recorder.serial(), true);
  engine_.hostStep(
      [work = std::move(work), contents = Bytes(buffer.store->mapped(), buffer.bytes)] { work(contents); });
}

}  // namespace mgl::magma
