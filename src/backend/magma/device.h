// The device of a session: its function table, memory, and what may be destroyed once the GPU is through with it.
//
// Everything here is for the apply thread, except what submit() returns and returnStaging(). Serials are those of
// batches (see Recorder): an object remembers the batch that used it last, and retire() destroys it when that batch is
// complete.
#pragma once

#include <memory>
#include <mutex>

#include "backend/magma/adapter.h"
#include "backend/magma/instance.h"
#include "backend/magma/memory_allocator.h"
#include "backend/magma/render_passes.h"
#include "backend/magma/submit_thread.h"

namespace mgl::magma {

// A buffer of the backend's own with its memory (staging, shadows of attributes, indices made here).
struct DeviceBuffer {
  VkBuffer handle = VK_NULL_HANDLE;
  Allocation memory;
  u64 bytes = 0;
  std::byte* mapped() const { return memory.mapped; }
};

enum class MemoryUse : u8 {
  Device,   // images, and buffers that the host does not touch
  Upload,   // the host writes once, the GPU reads
  ReadBack  // the GPU writes, the host reads
};

class Device final : public MemorySource {
 public:
  // Null with `error` set.
  static std::unique_ptr<Device> create(std::unique_ptr<Instance> instance, std::unique_ptr<Adapter> adapter,
                                        backend::EventSink& sink, std::string* error);
  ~Device() override;

  VkDevice handle() const { return handle_; }
  const VolkDeviceTable& vk() const { return vk_; }
  const Instance& instance() const { return *instance_; }
  const Adapter& adapter() const { return *adapter_; }
  const HostFeatures& features() const { return adapter_->features(); }
  const VkPhysicalDeviceLimits& limits() const { return adapter_->limits(); }
  SubmitThread& submitter() { return *submitter_; }
  RenderPasses* renderPasses() { return renderPasses_.get(); }  // null: the device has dynamic rendering
  backend::EventSink& sink() { return sink_; }

  // Empty when the host has none. Who gives up says so: outOfMemory.
  Allocation allocate(const VkMemoryRequirements& requirements, MemoryUse use, MemoryContent content);
  // handle VK_NULL_HANDLE when there is no memory.
  DeviceBuffer makeBuffer(u64 bytes, VkBufferUsageFlags usage, MemoryUse use);
  // Memory is not to be had and `what` is skipped: told as an error of the context, at high severity, and counted. Of a
  // surface it is nobody's error.
  void outOfMemory(std::string_view what, pipe::Call call = pipe::Call::Count, const backend::StoreId& store = {});
  void outOfMemoryForSurface(std::string_view what);
  u64 allocationFailures() const { return allocationFailures_.load(std::memory_order_relaxed); }

  // Destroys at once when the GPU is past `lastUse`, else when it is. Null handles are ignored.
  void retire(u64 lastUse, VkBuffer buffer) { retireHandle(lastUse, Dead::Buffer, reinterpret_cast<u64>(buffer)); }
  void retire(u64 lastUse, VkBufferView view) { retireHandle(lastUse, Dead::BufferView, reinterpret_cast<u64>(view)); }
  void retire(u64 lastUse, VkImage image) { retireHandle(lastUse, Dead::Image, reinterpret_cast<u64>(image)); }
  void retire(u64 lastUse, VkImageView view) { retireHandle(lastUse, Dead::ImageView, reinterpret_cast<u64>(view)); }
  void retire(u64 lastUse, VkFramebuffer f) { retireHandle(lastUse, Dead::Framebuffer, reinterpret_cast<u64>(f)); }
  void retire(u64 lastUse, VkSampler sampler) { retireHandle(lastUse, Dead::Sampler, reinterpret_cast<u64>(sampler)); }
  void retire(u64 lastUse, VkPipeline p) { retireHandle(lastUse, Dead::Pipeline, reinterpret_cast<u64>(p)); }
  void retire(u64 lastUse, VkPipelineLayout l) {
    retireHandle(lastUse, Dead::PipelineLayout, reinterpret_cast<u64>(l));
  }
  void retire(u64 lastUse, VkDescriptorSetLayout l) {
    retireHandle(lastUse, Dead::SetLayout, reinterpret_cast<u64>(l));
  }
  void retire(u64 lastUse, const Allocation& allocation);
  void retire(u64 lastUse, DeviceBuffer& buffer);
  void collect();
  // The same, and gives memory back that is kept for later.
  void trim();
  // For buffers whose last holder is on another thread; collected with the rest.
  void retireFromAnyThread(DeviceBuffer buffer);

  void nameObject(VkObjectType type, u64 handle, const std::string& name);

 private:
  enum class Dead : u8 {
    Buffer,
    BufferView,
    Image,
    ImageView,
    Framebuffer,
    Sampler,
    Pipeline,
    PipelineLayout,
    SetLayout,
    Memory
  };
  struct Grave {
    u64 lastUse = 0, handle = 0;
    Dead kind{};
    Allocation memory;
  };
  explicit Device(backend::EventSink& sink) : sink_(sink) {}
  MemoryBlock allocateBlock(u32 type, u64 bytes) override;
  void freeBlock(u32 type, MemoryBlock block, u64 bytes) override;
  void retireHandle(u64 lastUse, Dead kind, u64 handle);
  void destroy(const Grave& grave);

  backend::EventSink& sink_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<Adapter> adapter_;
  VkDevice handle_ = VK_NULL_HANDLE;
  VolkDeviceTable vk_{};
  std::unique_ptr<MemoryAllocator> memory_;
  std::unique_ptr<SubmitThread> submitter_;
  std::unique_ptr<RenderPasses> renderPasses_;
  std::vector<Grave> graves_;
  std::mutex returnedMutex_;
  std::vector<DeviceBuffer> returned_;
  std::atomic<u64> allocationFailures_{0};
};

}  // namespace mgl::magma
