#include "backend/magma/device.h"

#include "base/counters.h"
#include "base/knobs.h"
#include "base/log.h"

namespace mgl::magma {

std::unique_ptr<Device> Device::create(std::unique_ptr<Instance> instance, std::unique_ptr<Adapter> adapter,
                                       backend::EventSink& sink, std::string* error) {
  std::unique_ptr<Device> device(new Device(sink));
  device->instance_ = std::move(instance);
  device->adapter_ = std::move(adapter);
  device->handle_ = device->adapter_->createDevice(error);
  if (device->handle_ == VK_NULL_HANDLE) return nullptr;
  volkLoadDeviceTable(&device->vk_, device->handle_);
  device->memory_ = std::make_unique<MemoryAllocator>(*device, MemoryAllocator::Options{});
  device->submitter_ = std::make_unique<SubmitThread>(device->handle_, device->vk_, device->adapter_->queueFamily(),
                                                      device->features().timelineSemaphore, sink);
  if (!device->features().dynamicRendering) device->renderPasses_ = std::make_unique<RenderPasses>(*device);
  if (!device->submitter_->start()) {
    *error = "the system gives no thread for the queue";
    return nullptr;
  }
  return device;
}

Device::~Device() {
  submitter_.reset();
  if (handle_ == VK_NULL_HANDLE) return;
  vk_.vkDeviceWaitIdle(handle_);
  for (DeviceBuffer& buffer : returned_) retire(0, buffer);
  for (const Grave& grave : graves_) destroy(grave);
  graves_.clear();
  renderPasses_.reset();
  memory_.reset();
  vk_.vkDestroyDevice(handle_, nullptr);
}

MemoryBlock Device::allocateBlock(u32 type, u64 bytes) {
  if (bytes > adapter_->memory().memoryHeaps[adapter_->memory().memoryTypes[type].heapIndex].size) return {};
  const u64 budget = static_cast<u64>(knobs().memoryMib) << 20;
  if (budget != 0 && memory_->heldBytes() + bytes > budget) return {};
  const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, bytes, type};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  if (vk_.vkAllocateMemory(handle_, &info, nullptr, &memory) != VK_SUCCESS) return {};
  MemoryBlock block{reinterpret_cast<u64>(memory), nullptr};
  if ((adapter_->memory().memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0) {
    void* mapped = nullptr;
    if (vk_.vkMapMemory(handle_, memory, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS) {
      block.mapped = static_cast<std::byte*>(mapped);
    } else {
      // No address space: as good as no memory.
      vk_.vkFreeMemory(handle_, memory, nullptr);
      return {};
    }
  }
  return block;
}

void Device::freeBlock(u32, MemoryBlock block, u64) {
  vk_.vkFreeMemory(handle_, reinterpret_cast<VkDeviceMemory>(block.handle), nullptr);
}

Allocation Device::allocate(const VkMemoryRequirements& requirements, MemoryUse use, MemoryContent content) {
  VkMemoryPropertyFlags required = 0, preferred = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  if (use != MemoryUse::Device) {
    required = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (use == MemoryUse::ReadBack) preferred = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  }
  u32 allowed = requirements.memoryTypeBits;
  // A full heap is not the end: the next best type is asked.
  for (u32 type = adapter_->memoryType(allowed, required, preferred); type != ~0u;
       type = adapter_->memoryType(allowed, required, preferred)) {
    if (Allocation allocation = memory_->allocate(type, content, requirements.size, requirements.alignment)) {
      return allocation;
    }
    allowed &= ~(1u << type);
  }
  MGL_LOGD("no device memory for %llu bytes", static_cast<unsigned long long>(requirements.size));
  return {};
}

void Device::outOfMemory(std::string_view what, pipe::Call call, const backend::StoreId& store) {
  sink_.glError(pipe::GlError::OutOfMemory, call, store);
  outOfMemoryForSurface(what);
}

void Device::outOfMemoryForSurface(std::string_view what) {
  allocationFailures_.fetch_add(1, std::memory_order_relaxed);
  count(Counter::OutOfMemory);
  const std::string text = "no memory for " + std::string(what) + ": skipped";
  MGL_LOGD("%s", text.c_str());
  sink_.log(pipe::DebugSeverity::High, text);
}

DeviceBuffer Device::makeBuffer(u64 bytes, VkBufferUsageFlags usage, MemoryUse use) {
  DeviceBuffer buffer;
  const VkBufferCreateInfo info{
      VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, nullptr, 0, bytes, usage, VK_SHARING_MODE_EXCLUSIVE, 0, nullptr};
  if (vk_.vkCreateBuffer(handle_, &info, nullptr, &buffer.handle) != VK_SUCCESS) return {};
  VkMemoryRequirements requirements{};
  vk_.vkGetBufferMemoryRequirements(handle_, buffer.handle, &requirements);
  buffer.memory = allocate(requirements, use, MemoryContent::Linear);
  if (!buffer.memory) {
    vk_.vkDestroyBuffer(handle_, buffer.handle, nullptr);
    return {};
  }
  vk_.vkBindBufferMemory(handle_, buffer.handle, reinterpret_cast<VkDeviceMemory>(buffer.memory.memory),
                         buffer.memory.offset);
  buffer.bytes = bytes;
  return buffer;
}

void Device::trim() {
  collect();
  memory_->trim();
}

void Device::retireHandle(u64 lastUse, Dead kind, u64 handle) {
  if (handle == 0) return;
  const Grave grave{lastUse, handle, kind, {}};
  if (lastUse <= submitter_->completed()) {
    destroy(grave);
  } else {
    graves_.push_back(grave);
  }
}

void Device::retire(u64 lastUse, const Allocation& allocation) {
  if (!allocation) return;
  if (submitter_ == nullptr || lastUse <= submitter_->completed()) {
    memory_->free(allocation);
  } else {
    graves_.push_back({lastUse, 0, Dead::Memory, allocation});
  }
}

void Device::retire(u64 lastUse, DeviceBuffer& buffer) {
  if (submitter_ == nullptr) {
    vk_.vkDestroyBuffer(handle_, buffer.handle, nullptr);
    memory_->free(buffer.memory);
  } else {
    retire(lastUse, buffer.handle);
    retire(lastUse, buffer.memory);
  }
  buffer = {};
}

void Device::retireFromAnyThread(DeviceBuffer buffer) {
  const std::lock_guard lock(returnedMutex_);
  returned_.push_back(buffer);
}

void Device::destroy(const Grave& grave) {
  count(Counter::DeferredDestroys);
  switch (grave.kind) {
    case Dead::Buffer:
      return vk_.vkDestroyBuffer(handle_, reinterpret_cast<VkBuffer>(grave.handle), nullptr);
    case Dead::BufferView:
      return vk_.vkDestroyBufferView(handle_, reinterpret_cast<VkBufferView>(grave.handle), nullptr);
    case Dead::Image:
      return vk_.vkDestroyImage(handle_, reinterpret_cast<VkImage>(grave.handle), nullptr);
    case Dead::ImageView:
      return vk_.vkDestroyImageView(handle_, reinterpret_cast<VkImageView>(grave.handle), nullptr);
    case Dead::Framebuffer:
      return vk_.vkDestroyFramebuffer(handle_, reinterpret_cast<VkFramebuffer>(grave.handle), nullptr);
    case Dead::Sampler:
      return vk_.vkDestroySampler(handle_, reinterpret_cast<VkSampler>(grave.handle), nullptr);
    case Dead::Pipeline:
      return vk_.vkDestroyPipeline(handle_, reinterpret_cast<VkPipeline>(grave.handle), nullptr);
    case Dead::PipelineLayout:
      return vk_.vkDestroyPipelineLayout(handle_, reinterpret_cast<VkPipelineLayout>(grave.handle), nullptr);
    case Dead::SetLayout:
      return vk_.vkDestroyDescriptorSetLayout(handle_, reinterpret_cast<VkDescriptorSetLayout>(grave.handle), nullptr);
    case Dead::Memory:
      return memory_->free(grave.memory);
  }
}

void Device::collect() {
  std::vector<DeviceBuffer> returned;
  {
    const std::lock_guard lock(returnedMutex_);
    returned.swap(returned_);
  }
  for (DeviceBuffer& buffer : returned) retire(0, buffer);
  const u64 completed = submitter_->completed();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < graves_.size(); ++i) {
    if (graves_[i].lastUse <= completed) {
      destroy(graves_[i]);
    } else {
      graves_[kept++] = graves_[i];
    }
  }
  graves_.resize(kept);
}

void Device::nameObject(VkObjectType type, u64 handle, const std::string& name) {
  if (!instance_->hasDebugUtils() || handle == 0 || vkSetDebugUtilsObjectNameEXT == nullptr) return;
  const VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type, handle,
                                           name.c_str()};
  vkSetDebugUtilsObjectNameEXT(handle_, &info);
}

}  // namespace mgl::magma
