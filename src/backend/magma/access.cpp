#include "backend/magma/access.h"

#include "base/counters.h"

namespace mgl::magma {

namespace {

constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                                  VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                                  VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT | VK_ACCESS_MEMORY_WRITE_BIT;

}  // namespace

AccessState::Dependency AccessState::use(const Usage& next, bool moves) {
  Dependency dependency{.toStages = next.stages, .toAccess = next.access};
  if (next.write || moves) {
    if (readStages != 0 || writeStages != 0) {
      dependency.needed = true;
      dependency.stages = readStages | writeStages;
      // Reads that saw the write had it made available: an execution dependency is enough then.
      dependency.access = readStages != 0 ? 0 : writeAccess;
    }
    writeStages = next.stages;
    writeAccess = next.write ? next.access & kWrites : 0;
    // A transition alone was made visible to this read by the barrier that did it.
    readStages = next.write ? 0 : next.stages;
    seenStages = next.write ? 0 : next.stages;
    seenAccess = next.write ? 0 : next.access;
    return dependency;
  }
  if (writeStages != 0 && ((seenStages & next.stages) != next.stages || (seenAccess & next.access) != next.access)) {
    seenStages |= next.stages;
    seenAccess |= next.access;
    // The two sets stand for their product, so the barrier covers all of it.
    dependency = {writeStages, seenStages, writeAccess, seenAccess, true};
  }
  readStages |= next.stages;
  return dependency;
}

void Barriers::memory(const AccessState::Dependency& dependency) {
  if (!dependency.needed) return;
  any_ = true;
  from_ |= dependency.stages;
  to_ |= dependency.toStages;
  fromAccess_ |= dependency.access;
  if (dependency.access != 0) toAccess_ |= dependency.toAccess;
}

void Barriers::image(const AccessState::Dependency& dependency, const VkImageMemoryBarrier& barrier) {
  any_ = true;
  from_ |= dependency.stages != 0 ? dependency.stages : VkPipelineStageFlags{VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT};
  to_ |= dependency.toStages;
  images_.push_back(barrier);
  images_.back().srcAccessMask = dependency.access;
  images_.back().dstAccessMask = dependency.toAccess;
}

void Barriers::record(const VolkDeviceTable& vk, VkCommandBuffer commands) {
  if (!any_) return;
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, fromAccess_, toAccess_};
  const bool global = fromAccess_ != 0;
  vk.vkCmdPipelineBarrier(commands, from_ != 0 ? from_ : VkPipelineStageFlags{VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT}, to_,
                          0, global ? 1 : 0, &memory, 0, nullptr, static_cast<u32>(images_.size()), images_.data());
  count(Counter::Barriers);
  any_ = false;
  from_ = to_ = 0;
  fromAccess_ = toAccess_ = 0;
  images_.clear();
}

}  // namespace mgl::magma
