// What a clear becomes: in the open pass, waiting on its image, or a pass of its own.
#include <algorithm>
#include <cstring>

#include "backend/magma/blit.h"
#include "backend/magma/pass_manager.h"
#include "backend/magma/query.h"
#include "base/counters.h"
#include "base/knobs.h"

namespace mgl::magma {

namespace {

VkRect2D clearRect(const Target& target, const pipe::Clear& clear) {
  i64 x0 = 0, y0 = 0, x1 = target.width, y1 = target.height;
  if (clear.scissored) {
    x0 = std::max<i64>(x0, clear.scissor.x);
    y0 = std::max<i64>(y0, clear.scissor.y);
    x1 = std::min<i64>(x1, i64{clear.scissor.x} + clear.scissor.width);
    y1 = std::min<i64>(y1, i64{clear.scissor.y} + clear.scissor.height);
  }
  if (x1 <= x0 || y1 <= y0) return {};
  return {{static_cast<i32>(x0), static_cast<i32>(y0)}, {static_cast<u32>(x1 - x0), static_cast<u32>(y1 - y0)}};
}

// The write mask bits that a format has components for; the others do not matter.
u32 componentMask(const format::FormatInfo& info) {
  switch (info.base) {
    case format::BaseFormat::Red:
      return 1;
    case format::BaseFormat::RG:
      return 3;
    case format::BaseFormat::RGB:
      return 7;
    default:
      return 15;
  }
}

// The clear colour as memory will hold it.
VkClearColorValue colorValue(const pipe::Clear& clear, const TargetAttachment& attachment, const HostFormat& host) {
  VkClearColorValue value{};
  std::memcpy(&value, clear.color.data(), sizeof value);
  const format::FormatInfo& info = format::formatInfo(attachment.named);
  if (clear.colorKind == pipe::ClearKind::Float) {
    if (info.srgb && clear.framebufferSrgb) {
      for (u32 i = 0; i < 3; ++i) value.float32[i] = encodeSrgb(value.float32[i]);
    }
    if (attachment.opaque) value.float32[3] = 1.0f;
    // A fixed-point format held as floats would keep what GL clamps.
    const bool held = format::formatInfo(host.stored).isFloat();
    if (held && (info.type == format::ComponentType::Unorm || info.type == format::ComponentType::Snorm)) {
      const f32 low = info.type == format::ComponentType::Unorm ? 0.0f : -1.0f;
      for (f32& f : value.float32) f = std::clamp(f, low, 1.0f);
    }
  } else if (attachment.opaque) {
    value.uint32[3] = 1;
  }
  return value;
}

}  // namespace

void PassManager::clear(backend::ContextState& context, backend::Framebuffer* framebuffer, const pipe::Clear& clear,
                        bool plain) {
  Target target;
  resolveDraw(context, framebuffer, clear.framebufferSrgb, &target);
  const VkRect2D rect = clearRect(target, clear);
  if (rect.extent.width == 0 || rect.extent.height == 0) return;
  for (u32 i = 0; i < target.colorCount; ++i) {
    const TargetAttachment& attachment = target.color[i];
    if (attachment.image == nullptr || ((clear.colorOutputs >> i) & 1) == 0) continue;
    const u32 all = componentMask(format::formatInfo(attachment.named));
    const u32 mask = (clear.colorMasks >> (4 * i)) & 15u & all;
    if (mask == 0) continue;
    VkClearValue value{};
    value.color = colorValue(clear, attachment, engine_.formats[attachment.named]);
    if (mask != all) {
      // Masked: a quad writes it.
      engine_.blitter->maskedClear(attachment, false, mask, forView(attachment, value), clear.colorKind, 0, rect);
      continue;
    }
    clearPart(target, attachment, i, VK_IMAGE_ASPECT_COLOR_BIT, value, rect, plain);
  }
  const bool depth = clear.clearDepth && target.depth.image != nullptr;
  const bool stencil = clear.clearStencil && target.stencil.image != nullptr && clear.stencilMask != 0;
  VkClearValue value{};
  value.depthStencil = {std::clamp(clear.depth, 0.0f, 1.0f), clear.stencil & 0xffu};
  if (stencil && clear.stencilMask != 0xff) {
    if (depth) clearPart(target, target.depth, 0, VK_IMAGE_ASPECT_DEPTH_BIT, value, rect, plain);
    engine_.blitter->maskedClear(target.stencil, true, clear.stencilMask, value, pipe::ClearKind::Float, clear.stencil,
                                 rect);
    return;
  }
  if (depth && stencil && target.depth == target.stencil) {
    clearPart(target, target.depth, 0, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, value, rect, plain);
    return;
  }
  if (depth) clearPart(target, target.depth, 0, VK_IMAGE_ASPECT_DEPTH_BIT, value, rect, plain);
  if (stencil) clearPart(target, target.stencil, 0, VK_IMAGE_ASPECT_STENCIL_BIT, value, rect, plain);
}

void PassManager::clearPart(const Target& target, const TargetAttachment& attachment, u32 output,
                            VkImageAspectFlags aspects, const VkClearValue& value, const VkRect2D& rect, bool plain) {
  Image& image = *attachment.image;
  const bool color = aspects == VK_IMAGE_ASPECT_COLOR_BIT;
  const bool wholeLevel = rect.offset.x == 0 && rect.offset.y == 0 &&
                          rect.extent.width == image.width(attachment.level) &&
                          rect.extent.height == image.height(attachment.level);
  const bool allSlices = image.shape().type != VK_IMAGE_TYPE_3D ||
                         (attachment.layer == 0 && attachment.layers == image.depth(attachment.level));
  u32 at = output;
  const bool held =
      holds(attachment, !color, &at) && (aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? target_.depth.image == &image : true) &&
      (aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? target_.stencil.image == &image : true) &&
      rect.offset.x + rect.extent.width <= target_.width && rect.offset.y + rect.extent.height <= target_.height;
  if (!held && wholeLevel && allSlices && !plain && knobs().magmaDeferredClears) {
    setPending(attachment, aspects, value);
    return;
  }
  if (!held || plain) {
    // What waits on the image is older: the pass loads it first.
    at = output;
    if (!open(target)) return;
  }
  countHeld(Counter::ClearsInPass);
  const TargetAttachment& open = color                           ? target_.color[at]
                                 : target_.depth.image == &image ? target_.depth
                                                                 : target_.stencil;
  const VkClearAttachment what{aspects, at, color ? forView(open, value) : value};
  const VkClearRect where{rect, attachment.layer - open.layer, std::min(attachment.layers, target_.layers)};
  const Predicate predicate(engine_);
  engine_.vk().vkCmdClearAttachments(engine_.recorder.main(), 1, &what, 1, &where);
}

}  // namespace mgl::magma
