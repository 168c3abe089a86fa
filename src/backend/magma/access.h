// Who touched a buffer or an image part last, and the barriers that the next use needs. Barriers are made only for
// hazards: a read after a read needs none, a read that the last write was already made visible to needs none.
#pragma once

#include <vector>

#include "backend/magma/vk.h"

namespace mgl::magma {

struct Usage {
  VkPipelineStageFlags stages = 0;
  VkAccessFlags access = 0;
  bool write = false;
};

namespace usage {
inline constexpr Usage kTransferRead{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, false};
inline constexpr Usage kTransferWrite{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, true};
inline constexpr Usage kVertexRead{VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT, false};
inline constexpr Usage kIndexRead{VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_INDEX_READ_BIT, false};
inline constexpr Usage kIndirectRead{VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT, false};
inline constexpr Usage kColorAttachment{VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        true};
inline constexpr Usage kDepthAttachment{
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
    VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, true};
inline constexpr Usage kHostRead{VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT, false};
}  // namespace usage

struct AccessState {
  VkPipelineStageFlags writeStages = 0;  // of the last write
  VkAccessFlags writeAccess = 0;
  VkPipelineStageFlags readStages = 0;  // since that write
  VkPipelineStageFlags seenStages = 0;  // that the last write was made visible to
  VkAccessFlags seenAccess = 0;

  // What a use must wait for; then records the use. `moves`: a layout transition comes with it.
  struct Dependency {
    VkPipelineStageFlags stages = 0, toStages = 0;
    VkAccessFlags access = 0, toAccess = 0;
    bool needed = false;
  };
  Dependency use(const Usage& next, bool moves = false);

  bool operator==(const AccessState&) const = default;
};

// Barriers gathered for one point of a command buffer.
class Barriers {
 public:
  bool empty() const { return !any_; }
  void buffer(AccessState& state, const Usage& next) { memory(state.use(next)); }
  void memory(const AccessState::Dependency& dependency);
  // `barrier` without its access masks.
  void image(const AccessState::Dependency& dependency, const VkImageMemoryBarrier& barrier);
  void record(const VolkDeviceTable& vk, VkCommandBuffer commands);

 private:
  bool any_ = false;
  VkPipelineStageFlags from_ = 0, to_ = 0;
  VkAccessFlags fromAccess_ = 0, toAccess_ = 0;
  std::vector<VkImageMemoryBarrier> images_;
};

}  // namespace mgl::magma
