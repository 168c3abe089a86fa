// The open batch of a session: command buffers in stream order, the space that they take from rings, and what happens
// when they complete. The apply thread only.
//
//   main   what the stream says, in its order.
//   ahead  runs before main in the same submission: uploads into objects that main has not used, query resets.
//
// A batch's serial is known from its start; an object that a command names remembers it as its last use.
#pragma once

#include <vector>

#include "backend/magma/device.h"

namespace mgl::magma {

// A piece of upload memory, valid until the open batch completes.
struct StreamSlice {
  VkBuffer buffer = VK_NULL_HANDLE;  // VK_NULL_HANDLE: no memory
  u64 offset = 0;
  std::byte* data = nullptr;
};

class Recorder {
 public:
  explicit Recorder(Device& device);
  // Everything submitted must be complete.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  VkCommandBuffer main() { return open_->mainBegun ? open_->main : begin(open_->main, open_->mainBegun); }
  VkCommandBuffer ahead() { return open_->aheadBegun ? open_->ahead : begin(open_->ahead, open_->aheadBegun); }
  u64 serial() const { return serial_; }
  bool isEmpty() const { return !open_->mainBegun && !open_->aheadBegun && done_.empty() && before_.empty(); }
  bool mainBegun() const { return open_->mainBegun; }
  bool isComplete(u64 serial) const { return serial <= device_.submitter().completed(); }

  StreamSlice tryStream(u64 bytes, u64 alignment);
  // As tryStream; that there is no memory is told: what needed it is skipped.
  StreamSlice stream(u64 bytes, u64 alignment) {
    const StreamSlice slice = tryStream(bytes, alignment);
    if (slice.buffer == VK_NULL_HANDLE) [[unlikely]]
      device_.outOfMemory("what a draw or a transfer takes along");
    return slice;
  }
  // Lets go of the chunks that the GPU is through with.
  void trim();
  // From pools that are reset when the batch completes. VK_NULL_HANDLE: no memory.
  VkDescriptorSet allocateSet(VkDescriptorSetLayout layout);

  void addClientSerial(u64 serial) { clientSerials_.push_back(serial); }
  void whenDone(std::function<void(bool lost)> done) { done_.push_back(std::move(done)); }
  // Work for the host between the batches before this one and this one (Submission::before).
  void beforeBatch(std::function<void()> work) { before_.push_back(std::move(work)); }
  // Makes what the batch writes visible to the host.
  void hostReads() { hostReads_ = true; }

  // Hands the batch over and opens the next; returns the serial of the last batch that has anything in it.
  u64 submit();

 private:
  struct Chunk {
    DeviceBuffer buffer;
    u64 used = 0, lastUse = 0;
  };
  struct Batch {
    u64 serial = 0;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer main = VK_NULL_HANDLE, ahead = VK_NULL_HANDLE;
    bool mainBegun = false, aheadBegun = false;
    std::vector<VkDescriptorPool> setPools;
    u32 setPool = 0;
  };
  VkCommandBuffer begin(VkCommandBuffer commands, bool& begun);
  std::unique_ptr<Batch> newBatch();
  void openBatch();
  bool nextChunk(u64 bytes);

  // What pulls it up: fewer buffers to bind. What pulls it down: memory that idles.
  static constexpr u64 kChunkBytes = 1u << 20;
  static constexpr u32 kSetsPerPool = 256;

  Device& device_;
  u64 serial_ = 0, lastWorked_ = 0;
  std::unique_ptr<Batch> open_;
  std::vector<std::unique_ptr<Batch>> flying_, idle_;
  Chunk chunk_;
  std::vector<Chunk> usedChunks_;
  std::vector<u64> clientSerials_;
  std::vector<std::function<void(bool)>> done_;
  std::vector<std::function<void()>> before_;
  bool hostReads_ = false;
};

}  // namespace mgl::magma
