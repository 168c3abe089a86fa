#include "backend/magma/render_passes.h"

#include <algorithm>
#include <cstring>

#include "backend/magma/device.h"
#include "base/counters.h"
#include "base/hash.h"

namespace mgl::magma {

namespace {

constexpr VkImageLayout colorLayout(bool general) {
  return general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
}
constexpr VkImageLayout depthLayout(bool general) {
  return general ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
}

}  // namespace

RenderPasses::~RenderPasses() {
  const VkDevice device = device_.handle();
  for (auto& [hash, framebuffer] : framebuffers_)
    device_.vk().vkDestroyFramebuffer(device, framebuffer.handle, nullptr);
  for (auto& [hash, pass] : passes_) device_.vk().vkDestroyRenderPass(device, pass.second, nullptr);
}

VkRenderPass RenderPasses::compatible(const PassFormats& formats) {
  PassKey key;
  key.formats = formats;  // and all loads: what an output without an attachment has too
  return pass(key);
}

VkRenderPass RenderPasses::pass(const PassKey& key) {
  const u64 hash = hashBytes(&key, sizeof key);
  const auto [begin, end] = passes_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (std::memcmp(&at->second.first, &key, sizeof key) == 0 && device_.features().renderPassCache)
      return at->second.second;
  }
  VkAttachmentDescription attachments[pipe::kMaxColorTargets + 1] = {};
  VkAttachmentReference colors[pipe::kMaxColorTargets], depth{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};
  u32 count = 0;
  const PassFormats& formats = key.formats;
  for (u32 i = 0; i < formats.colorCount; ++i) {
    colors[i] = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};
    if (formats.color[i] == VK_FORMAT_UNDEFINED) continue;
    const VkImageLayout layout = colorLayout(key.general[i] != 0);
    colors[i] = {count, layout};
    attachments[count++] = {0,
                            static_cast<VkFormat>(formats.color[i]),
                            sampleCount(formats.samples),
                            static_cast<VkAttachmentLoadOp>(key.load[i]),
                            VK_ATTACHMENT_STORE_OP_STORE,
                            VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                            VK_ATTACHMENT_STORE_OP_DONT_CARE,
                            layout,
                            layout};
  }
  if (formats.depthStencil != VK_FORMAT_UNDEFINED) {
    const VkImageLayout layout = depthLayout(key.depthStencilGeneral != 0);
    depth = {count, layout};
    attachments[count++] = {0,
                            static_cast<VkFormat>(formats.depthStencil),
                            sampleCount(formats.samples),
                            static_cast<VkAttachmentLoadOp>(key.depthLoad),
                            VK_ATTACHMENT_STORE_OP_STORE,
                            static_cast<VkAttachmentLoadOp>(key.stencilLoad),
                            VK_ATTACHMENT_STORE_OP_STORE,
                            layout,
                            layout};
  }
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = formats.colorCount;
  subpass.pColorAttachments = colors;
  subpass.pDepthStencilAttachment = formats.depthStencil != VK_FORMAT_UNDEFINED ? &depth : nullptr;
  // What the attachments wait for is said by the barriers before the pass, and what waits for them by those behind it.
  const VkRenderPassCreateInfo info{
      VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, nullptr, 0, count, attachments, 1, &subpass, 0, nullptr};
  VkRenderPass handle = VK_NULL_HANDLE;
  if (device_.vk().vkCreateRenderPass(device_.handle(), &info, nullptr, &handle) != VK_SUCCESS) return VK_NULL_HANDLE;
  countHeld(Counter::RenderPassesCreated);
  passes_.emplace(hash, std::pair(key, handle));
  return handle;
}

VkFramebuffer RenderPasses::framebuffer(const FramebufferKey& key, u64 serial) {
  const u64 hash = hashBytes(&key, sizeof key);
  const auto [begin, end] = framebuffers_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (std::memcmp(&at->second.key, &key, sizeof key) != 0 || !device_.features().renderPassCache) continue;
    at->second.lastUse = serial;
    return at->second.handle;
  }
  const VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                     nullptr,
                                     0,
                                     key.pass,
                                     key.viewCount,
                                     key.views.data(),
                                     key.width,
                                     key.height,
                                     key.layers};
  VkFramebuffer handle = VK_NULL_HANDLE;
  if (device_.vk().vkCreateFramebuffer(device_.handle(), &info, nullptr, &handle) != VK_SUCCESS) return VK_NULL_HANDLE;
  countHeld(Counter::FramebuffersCreated);
  if (framebuffers_.size() >= kMaxFramebuffers) evict();
  framebuffers_.emplace(hash, Framebuffer{key, handle, serial});
  return handle;
}

// The one that was not used for the longest time.
void RenderPasses::evict() {
  const auto oldest = std::min_element(framebuffers_.begin(), framebuffers_.end(), [](const auto& a, const auto& b) {
    return a.second.lastUse < b.second.lastUse;
  });
  device_.retire(oldest->second.lastUse, oldest->second.handle);
  framebuffers_.erase(oldest);
}

void RenderPasses::forget(VkImageView view) {
  for (auto at = framebuffers_.begin(); at != framebuffers_.end();) {
    const FramebufferKey& key = at->second.key;
    if (std::find(key.views.begin(), key.views.begin() + key.viewCount, view) == key.views.begin() + key.viewCount) {
      ++at;
      continue;
    }
    device_.retire(at->second.lastUse, at->second.handle);
    at = framebuffers_.erase(at);
  }
}

bool RenderPasses::begin(VkCommandBuffer commands, const VkRenderingInfoKHR& info, const PassFormats& formats,
                         u64 serial) {
  PassKey key;
  key.formats = formats;
  FramebufferKey to;
  VkClearValue clears[pipe::kMaxColorTargets + 1] = {};
  for (u32 i = 0; i < info.colorAttachmentCount; ++i) {
    const VkRenderingAttachmentInfoKHR& attachment = info.pColorAttachments[i];
    if (attachment.imageView == VK_NULL_HANDLE) continue;
    key.load[i] = static_cast<u8>(attachment.loadOp);
    key.general[i] = attachment.imageLayout == VK_IMAGE_LAYOUT_GENERAL;
    clears[to.viewCount] = attachment.clearValue;
    to.views[to.viewCount++] = attachment.imageView;
  }
  const VkRenderingAttachmentInfoKHR *depth = info.pDepthAttachment, *stencil = info.pStencilAttachment;
  // The aspect that the target has not is kept as it is.
  key.depthLoad = static_cast<u8>(depth != nullptr ? depth->loadOp : VK_ATTACHMENT_LOAD_OP_LOAD);
  key.stencilLoad = static_cast<u8>(stencil != nullptr ? stencil->loadOp : VK_ATTACHMENT_LOAD_OP_LOAD);
  if (const VkRenderingAttachmentInfoKHR* any = depth != nullptr ? depth : stencil; any != nullptr) {
    key.depthStencilGeneral = any->imageLayout == VK_IMAGE_LAYOUT_GENERAL;
    if (depth != nullptr) clears[to.viewCount].depthStencil.depth = depth->clearValue.depthStencil.depth;
    if (stencil != nullptr) clears[to.viewCount].depthStencil.stencil = stencil->clearValue.depthStencil.stencil;
    to.views[to.viewCount++] = any->imageView;
  }
  const VkRenderPass made = pass(key);
  to.pass = compatible(formats);
  to.width = info.renderArea.extent.width;
  to.height = info.renderArea.extent.height;
  to.layers = info.layerCount;
  const VkFramebuffer target = made != VK_NULL_HANDLE ? framebuffer(to, serial) : VK_NULL_HANDLE;
  if (target == VK_NULL_HANDLE) return false;
  const VkRenderPassBeginInfo begin{
      VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, nullptr, made, target, info.renderArea, to.viewCount, clears};
  device_.vk().vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  return true;
}

}  // namespace mgl::magma
