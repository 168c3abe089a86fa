#include "backend/magma/recorder.h"

#include <algorithm>

#include "base/counters.h"

namespace mgl::magma {

Recorder::Recorder(Device& device) : device_(device) { openBatch(); }

Recorder::~Recorder() {
  const auto drop = [this](Batch& batch) {
    device_.vk().vkDestroyCommandPool(device_.handle(), batch.pool, nullptr);
    for (VkDescriptorPool pool : batch.setPools) device_.vk().vkDestroyDescriptorPool(device_.handle(), pool, nullptr);
  };
  if (open_ != nullptr) drop(*open_);
  for (auto& batch : flying_) drop(*batch);
  for (auto& batch : idle_) drop(*batch);
  if (chunk_.buffer.handle != VK_NULL_HANDLE) device_.retire(0, chunk_.buffer);
  for (Chunk& chunk : usedChunks_) device_.retire(0, chunk.buffer);
}

std::unique_ptr<Recorder::Batch> Recorder::newBatch() {
  auto batch = std::make_unique<Batch>();
  const VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr,
                                         VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, device_.adapter().queueFamily()};
  device_.vk().vkCreateCommandPool(device_.handle(), &poolInfo, nullptr, &batch->pool);
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, batch->pool,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
  VkCommandBuffer commands[2] = {};
  device_.vk().vkAllocateCommandBuffers(device_.handle(), &info, commands);
  batch->main = commands[0];
  batch->ahead = commands[1];
  return batch;
}

void Recorder::openBatch() {
  for (std::size_t i = 0; i < flying_.size();) {
    if (!isComplete(flying_[i]->serial)) {
      ++i;
      continue;
    }
    Batch& batch = *flying_[i];
    device_.vk().vkResetCommandPool(device_.handle(), batch.pool, 0);
    for (VkDescriptorPool pool : batch.setPools) device_.vk().vkResetDescriptorPool(device_.handle(), pool, 0);
    batch.setPool = 0;
    batch.mainBegun = batch.aheadBegun = false;
    idle_.push_back(std::move(flying_[i]));
    flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (idle_.empty()) idle_.push_back(newBatch());
  open_ = std::move(idle_.back());
  idle_.pop_back();
  open_->serial = ++serial_;
}

VkCommandBuffer Recorder::begin(VkCommandBuffer commands, bool& begun) {
  const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                      VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, nullptr};
  device_.vk().vkBeginCommandBuffer(commands, &info);
  begun = true;
  return commands;
}

bool Recorder::nextChunk(u64 bytes) {
  if (chunk_.buffer.handle != VK_NULL_HANDLE) {
    chunk_.lastUse = serial_;
    usedChunks_.push_back(chunk_);
    chunk_ = {};
  }
  for (std::size_t i = 0; i < usedChunks_.size(); ++i) {
    if (!isComplete(usedChunks_[i].lastUse)) continue;
    // Only the usual size is kept: a large upload must not hold its memory for good.
    if (usedChunks_[i].buffer.bytes == kChunkBytes && bytes <= kChunkBytes) {
      chunk_ = usedChunks_[i];
      chunk_.used = 0;
      usedChunks_.erase(usedChunks_.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    if (usedChunks_[i].buffer.bytes != kChunkBytes) {
      device_.retire(0, usedChunks_[i].buffer);
      usedChunks_.erase(usedChunks_.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  if (device_.features().conditionalRendering) usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
  chunk_.buffer = device_.makeBuffer(std::max(bytes, kChunkBytes), usage, MemoryUse::Upload);
  chunk_.used = 0;
  return chunk_.buffer.handle != VK_NULL_HANDLE;
}

void Recorder::trim() {
  std::erase_if(usedChunks_, [this](Chunk& chunk) {
    if (!isComplete(chunk.lastUse)) return false;
    device_.retire(0, chunk.buffer);
    return true;
  });
}

StreamSlice Recorder::tryStream(u64 bytes, u64 alignment) {
  u64 offset = alignUp(chunk_.used, alignment);
  if (chunk_.buffer.handle == VK_NULL_HANDLE || offset + bytes > chunk_.buffer.bytes) {
    if (!nextChunk(bytes)) return {};
    offset = 0;
  }
  chunk_.used = offset + bytes;
  return {chunk_.buffer.handle, offset, chunk_.buffer.mapped() + offset};
}

VkDescriptorSet Recorder::allocateSet(VkDescriptorSetLayout layout) {
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, VK_NULL_HANDLE, 1, &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  for (; open_->setPool < open_->setPools.size(); ++open_->setPool) {
    info.descriptorPool = open_->setPools[open_->setPool];
    if (device_.vk().vkAllocateDescriptorSets(device_.handle(), &info, &set) == VK_SUCCESS) return set;
  }
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, kSetsPerPool * 4},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kSetsPerPool * 4},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kSetsPerPool * 4},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kSetsPerPool * 8},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kSetsPerPool * 2},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kSetsPerPool},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, kSetsPerPool}};
  const VkDescriptorPoolCreateInfo poolInfo{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, kSetsPerPool, std::size(sizes), sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (device_.vk().vkCreateDescriptorPool(device_.handle(), &poolInfo, nullptr, &pool) != VK_SUCCESS)
    return device_.outOfMemory("a draw's descriptors"), VK_NULL_HANDLE;
  open_->setPools.push_back(pool);
  info.descriptorPool = pool;
  if (device_.vk().vkAllocateDescriptorSets(device_.handle(), &info, &set) != VK_SUCCESS) return VK_NULL_HANDLE;
  return set;
}

u64 Recorder::submit() {
  if (isEmpty() && clientSerials_.empty()) return lastWorked_;
  Submission submission;
  submission.serial = serial_;
  if (hostReads_ && (open_->mainBegun || open_->aheadBegun)) {
    const VkCommandBuffer last = open_->mainBegun ? open_->main : open_->ahead;
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                                  VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT};
    device_.vk().vkCmdPipelineBarrier(last, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                      &barrier, 0, nullptr, 0, nullptr);
  }
  if (open_->aheadBegun) {
    device_.vk().vkEndCommandBuffer(open_->ahead);
    submission.commands[submission.commandCount++] = open_->ahead;
  }
  if (open_->mainBegun) {
    device_.vk().vkEndCommandBuffer(open_->main);
    submission.commands[submission.commandCount++] = open_->main;
  }
  submission.clientSerials.swap(clientSerials_);
  submission.done.swap(done_);
  submission.before.swap(before_);
  hostReads_ = false;
  lastWorked_ = serial_;
  chunk_.lastUse = serial_;
  device_.submitter().submit(std::move(submission));
  flying_.push_back(std::move(open_));
  device_.collect();
  openBatch();
  return lastWorked_;
}

}  // namespace mgl::magma
