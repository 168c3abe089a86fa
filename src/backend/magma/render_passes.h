// Render passes and framebuffers, for devices without dynamic rendering: begin() does with them what
// vkCmdBeginRendering does there. Both are made when first asked for and kept across frames: passes by formats, load
// operations and layouts, framebuffers by pass and views. A framebuffer goes with the first of its views, or when it
// was not used for long. The apply thread only.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "backend/magma/convert.h"
#include "pipe/limits.h"

namespace mgl::magma {

class Device;

// What makes two passes compatible: a pipeline made with one draws in the other.
struct PassFormats {
  std::array<u32, pipe::kMaxColorTargets> color{};  // VkFormat; VK_FORMAT_UNDEFINED: no attachment at this output
  u32 colorCount = 0, depthStencil = VK_FORMAT_UNDEFINED, samples = 1;
  bool operator==(const PassFormats&) const = default;
};

class RenderPasses {
 public:
  explicit RenderPasses(Device& device) : device_(device) {}
  ~RenderPasses();

  // A pass to make pipelines with. VK_NULL_HANDLE: the driver refuses it.
  VkRenderPass compatible(const PassFormats& formats);
  // Begins what `info` describes, with attachments of these formats. Depth and stencil, where both are there, are one
  // image. `serial`: the batch that is recorded. False: the driver refuses the pass or the framebuffer.
  bool begin(VkCommandBuffer commands, const VkRenderingInfoKHR& info, const PassFormats& formats, u64 serial);
  // The view is about to be retired: so are the framebuffers that hold it.
  void forget(VkImageView view);

  // Far more than the targets of a frame, so that a steady one makes none.
  static constexpr std::size_t kMaxFramebuffers = 256;

 private:
  // Plain bytes without padding: hashed and compared as memory.
  struct PassKey {
    PassFormats formats;
    static_assert(VK_ATTACHMENT_LOAD_OP_LOAD == 0, "zeros load");
    std::array<u8, pipe::kMaxColorTargets> load{}, general{};
    u8 depthLoad = 0, stencilLoad = 0, depthStencilGeneral = 0, pad = 0;
    u32 pad2 = 0;
  };
  static_assert(sizeof(PassKey) == 4 * pipe::kMaxColorTargets + 12 + 2 * pipe::kMaxColorTargets + 8);
  struct FramebufferKey {
    VkRenderPass pass = VK_NULL_HANDLE;
    std::array<VkImageView, pipe::kMaxColorTargets + 1> views{};  // in attachment order
    u32 viewCount = 0, width = 0, height = 0, layers = 0;
  };
  struct Framebuffer {
    FramebufferKey key;
    VkFramebuffer handle = VK_NULL_HANDLE;
    u64 lastUse = 0;
  };

  VkRenderPass pass(const PassKey& key);
  VkFramebuffer framebuffer(const FramebufferKey& key, u64 serial);
  void evict();

  Device& device_;
  std::unordered_multimap<u64, std::pair<PassKey, VkRenderPass>> passes_;
  std::unordered_multimap<u64, Framebuffer> framebuffers_;
};

}  // namespace mgl::magma
