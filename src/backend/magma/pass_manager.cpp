#include "backend/magma/pass_manager.h"

#include <algorithm>
#include <cstring>

#include "backend/magma/query.h"
#include "backend/magma/surface.h"
#include "backend/magma/texture.h"
#include "base/counters.h"
#include "base/knobs.h"

namespace mgl::magma {

PassManager::PassManager(Engine& engine) : engine_(engine) {
  constexpr std::string_view kUses[] = {
#define MGL_CLEAR_USE(id, what) #id,
#include "backend/magma/clear_use.def"
  };
  for (const std::string& name : knobs().magmaDropSettle) {
    const auto at = std::find(std::begin(kUses), std::end(kUses), name);
    if (at != std::end(kUses)) dropped_ |= 1u << (at - std::begin(kUses));
  }
}

TargetAttachment PassManager::resolveAttachment(const backend::Attachment& attachment, bool srgb) {
  if (!attachment.texture) return {};
  auto& texture = static_cast<Texture&>(*attachment.texture);
  const Place place = engine_.textures->place(texture, attachment.level, attachment.layered ? 0 : attachment.layer);
  if (place.image == nullptr) return {};
  TargetAttachment out;
  out.image = place.image;
  out.level = place.level;
  out.layer = place.layer;
  if (attachment.layered) {
    out.layers = place.image->layersAt(place.level) - place.layer;
    if (texture.viewOf) out.layers = std::max(texture.depth, 1u);
    if (texture.target == pipe::TextureTarget::Cube) out.layers = 6;
  }
  out.named = texture.levelDesc(attachment.level).format;
  const HostFormat& host = engine_.formats[out.named];
  out.format = srgb && host.srgb != VK_FORMAT_UNDEFINED ? host.srgb : host.image;
  out.opaque = host.opaque;
  return out;
}

namespace {

TargetAttachment wholeImage(Engine& engine, Image* image, format::Format named, bool srgb) {
  if (image == nullptr) return {};
  const HostFormat& host = engine.formats[named];
  TargetAttachment out;
  out.image = image;
  out.named = named;
  out.format = srgb && host.srgb != VK_FORMAT_UNDEFINED ? host.srgb : host.image;
  out.opaque = host.opaque;
  return out;
}

bool hasDepth(format::Format f) { return format::formatInfo(f).isDepth(); }
bool hasStencil(format::Format f) { return format::formatInfo(f).isStencil(); }

}  // namespace

PassFormats Target::formats() const {
  PassFormats formats;
  formats.colorCount = colorCount;
  for (u32 i = 0; i < colorCount; ++i)
    if (color[i].image != nullptr) formats.color[i] = static_cast<u32>(color[i].format);
  const TargetAttachment& both = depth.image != nullptr ? depth : stencil;
  if (both.image != nullptr) formats.depthStencil = static_cast<u32>(both.format);
  formats.samples = samples;
  return formats;
}

void PassManager::resolveDraw(const backend::ContextState& context, backend::Framebuffer* framebuffer, bool srgb,
                              Target* target) {
  *target = {};
  u32 width = ~0u, height = ~0u, layers = ~0u, samples = 0;
  const auto add = [&](const TargetAttachment& attachment) {
    if (attachment.image == nullptr) return;
    width = std::min(width, attachment.image->width(attachment.level));
    height = std::min(height, attachment.image->height(attachment.level));
    layers = std::min(layers, attachment.layers);
    samples = attachment.image->shape().samples;
  };
  if (framebuffer != nullptr) {
    for (u32 i = 0; i < framebuffer->drawBuffers.size(); ++i) {
      const u8 buffer = framebuffer->drawBuffers[i];
      if (buffer >= pipe::kMaxColorTargets) continue;
      target->color[i] = resolveAttachment(framebuffer->color[buffer], srgb);
      if (target->color[i].image != nullptr) target->colorCount = i + 1;
      add(target->color[i]);
    }
    // Attachments that no output goes to bound the area too (9.2.8).
    for (const backend::Attachment& attachment : framebuffer->color) add(resolveAttachment(attachment, srgb));
    target->depth = resolveAttachment(framebuffer->depth, false);
    target->stencil = resolveAttachment(framebuffer->stencil, false);
    add(target->depth);
    add(target->stencil);
    if (width == ~0u) {
      width = framebuffer->defaultWidth;
      height = framebuffer->defaultHeight;
      layers = std::max(framebuffer->defaultLayers, 1u);
      samples = framebuffer->defaultSamples;
    }
  } else if (context.drawSurface) {
    auto& surface = static_cast<Surface&>(*context.drawSurface);
    width = surface.width;
    height = surface.height;
    layers = 1;
    samples = std::max(surface.samples, 1u);
    if (context.defaultDrawBuffer != 0) {
      target->color[0] = wholeImage(engine_, surface.color.get(), surface.colorFormat, srgb);
      if (target->color[0].image != nullptr) target->colorCount = 1;
    }
    const TargetAttachment both = wholeImage(engine_, surface.depthStencil.get(), surface.depthStencilFormat, false);
    if (hasDepth(surface.depthStencilFormat)) target->depth = both;
    if (hasStencil(surface.depthStencilFormat)) target->stencil = both;
  }
  target->width = width == ~0u ? 0 : width;
  target->height = height == ~0u ? 0 : height;
  target->layers = layers == ~0u ? 1 : layers;
  target->samples = std::max(samples, 1u);
}

TargetAttachment PassManager::resolveRead(const backend::ContextState& context, backend::Framebuffer* framebuffer) {
  if (framebuffer != nullptr) {
    return framebuffer->readBuffer < pipe::kMaxColorTargets
               ? resolveAttachment(framebuffer->color[framebuffer->readBuffer], false)
               : TargetAttachment{};
  }
  if (!context.readSurface || context.defaultReadBuffer == 0) return {};
  auto& surface = static_cast<Surface&>(*context.readSurface);
  return wholeImage(engine_, surface.color.get(), surface.colorFormat, false);
}

TargetAttachment PassManager::resolveDepthStencil(const backend::ContextState& context,
                                                  backend::Framebuffer* framebuffer, bool stencil, bool readSide) {
  if (framebuffer != nullptr) return resolveAttachment(stencil ? framebuffer->stencil : framebuffer->depth, false);
  const Ref<backend::Surface>& bound = readSide ? context.readSurface : context.drawSurface;
  if (!bound) return {};
  auto& surface = static_cast<Surface&>(*bound);
  if (stencil ? !hasStencil(surface.depthStencilFormat) : !hasDepth(surface.depthStencilFormat)) return {};
  return wholeImage(engine_, surface.depthStencil.get(), surface.depthStencilFormat, false);
}

VkImageView PassManager::attachmentView(const TargetAttachment& attachment) {
  ViewKey key;
  key.type = attachment.layers > 1 || attachment.image->shape().type == VK_IMAGE_TYPE_3D ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                                                         : VK_IMAGE_VIEW_TYPE_2D;
  if (attachment.image->shape().type == VK_IMAGE_TYPE_1D) {
    key.type = attachment.layers > 1 ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
  }
  key.format = attachment.format;
  key.aspects = attachment.image->aspects();
  key.range = {attachment.level, 1, attachment.layer, attachment.layers};
  key.attachment = true;
  return attachment.image->view(key);
}

void PassManager::prepareAttachment(const TargetAttachment& attachment, bool keep) {
  Image& image = *attachment.image;
  const bool volume = image.shape().type == VK_IMAGE_TYPE_3D;
  const SubRange range{attachment.level, 1, volume ? 0 : attachment.layer, volume ? 1 : attachment.layers};
  Usage usage = image.isColor() ? usage::kColorAttachment : usage::kDepthAttachment;
  VkImageLayout layout =
      image.isColor() ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  if (attachment.general) {
    layout = VK_IMAGE_LAYOUT_GENERAL;
    usage.stages |= VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    usage.access |= VK_ACCESS_SHADER_READ_BIT;
  }
  image.prepare(engine_.barriers, range, layout, usage, keep || volume);
  image.usedIn(engine_.recorder.serial(), true);
}

// True when every layer of the attachment has the same pending clear of this aspect, which is then taken.
bool PassManager::takePending(const TargetAttachment& attachment, VkImageAspectFlags aspect, VkClearValue* value) {
  std::vector<PendingClear>& clears = attachment.image->pendingClears;
  if (clears.empty()) return false;
  u32 found = 0;
  bool same = true;
  for (const PendingClear& clear : clears) {
    if (clear.level != attachment.level || clear.layer < attachment.layer ||
        clear.layer >= attachment.layer + attachment.layers || (clear.aspects & aspect) == 0) {
      continue;
    }
    same &= found == 0 || std::memcmp(value, &clear.value, sizeof *value) == 0;
    if (found++ == 0) *value = clear.value;
  }
  if (found == 0) return false;
  if (!same || found != attachment.layers) {
    settle(*attachment.image, {attachment.level, 1, attachment.layer, attachment.layers}, ClearUse::UnlikeLayers);
    return false;
  }
  for (PendingClear& clear : clears) {
    if (clear.level == attachment.level && clear.layer >= attachment.layer &&
        clear.layer < attachment.layer + attachment.layers) {
      clear.aspects &= ~aspect;
    }
  }
  std::erase_if(clears, [](const PendingClear& clear) { return clear.aspects == 0; });
  countHeld(Counter::ClearsLoaded);
  return true;
}

// Pending colours of sRGB images are as memory holds them; a view that encodes wants them linear.
VkClearValue PassManager::forView(const TargetAttachment& attachment, VkClearValue value) const {
  const HostFormat& host = engine_.formats[attachment.named];
  if (host.srgb != VK_FORMAT_UNDEFINED && attachment.format == host.srgb) {
    for (u32 i = 0; i < 3; ++i) value.color.float32[i] = decodeSrgb(value.color.float32[i]);
  }
  return value;
}

bool PassManager::open(const Target& target) {
  if (open_) {
    if (target_ == target && engine_.barriers.empty()) return true;
    if (target_ == target) countHeld(Counter::PassSplits);
    close();
  }
  VkRenderingAttachmentInfoKHR colors[pipe::kMaxColorTargets], depth{}, stencil{};
  const auto fill = [&](const TargetAttachment& attachment, VkImageAspectFlags aspect) {
    VkRenderingAttachmentInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR;
    info.loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    if (attachment.image == nullptr) return info;
    VkClearValue value{};
    info.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    if (takePending(attachment, aspect, &value)) {
      info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
      info.clearValue = aspect == VK_IMAGE_ASPECT_COLOR_BIT ? forView(attachment, value) : value;
    }
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.imageLayout = attachment.general                    ? VK_IMAGE_LAYOUT_GENERAL
                       : aspect == VK_IMAGE_ASPECT_COLOR_BIT ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                                             : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    info.imageView = attachmentView(attachment);
    return info;
  };
  for (u32 i = 0; i < target.colorCount; ++i) {
    colors[i] = fill(target.color[i], VK_IMAGE_ASPECT_COLOR_BIT);
    if (target.color[i].image != nullptr)
      prepareAttachment(target.color[i], colors[i].loadOp != VK_ATTACHMENT_LOAD_OP_CLEAR);
  }
  depth = fill(target.depth, VK_IMAGE_ASPECT_DEPTH_BIT);
  stencil = fill(target.stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
  if (target.depth.image != nullptr) prepareAttachment(target.depth, true);
  if (target.stencil.image != nullptr && target.stencil.image != target.depth.image)
    prepareAttachment(target.stencil, true);

  const VkCommandBuffer commands = engine_.recorder.main();
  engine_.barriers.record(engine_.vk(), commands);
  VkRenderingInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO_KHR;
  info.renderArea = {{0, 0}, {target.width, target.height}};
  info.layerCount = target.layers;
  info.colorAttachmentCount = target.colorCount;
  info.pColorAttachments = colors;
  info.pDepthAttachment = target.depth.image != nullptr ? &depth : nullptr;
  info.pStencilAttachment = target.stencil.image != nullptr ? &stencil : nullptr;
  if (engine_.device->renderPasses() == nullptr) {
    engine_.vk().vkCmdBeginRenderingKHR(commands, &info);
  } else if (!engine_.device->renderPasses()->begin(commands, info, target.formats(), engine_.recorder.serial())) {
    engine_.decline("a draw: the driver refuses its render pass");
    return false;
  }
  countHeld(Counter::Passes);
  open_ = true;
  target_ = target;
  engine_.epoch.move(EpochWriter::PassOpened);
  engine_.queries->passBegan();
  return true;
}

void PassManager::close() {
  if (!open_) return;
  engine_.queries->passEnds();
  if (engine_.device->renderPasses() == nullptr) {
    engine_.vk().vkCmdEndRenderingKHR(engine_.recorder.main());
  } else {
    engine_.vk().vkCmdEndRenderPass(engine_.recorder.main());
  }
  open_ = false;
  engine_.epoch.move(EpochWriter::PassClosed);
}

void PassManager::pauseQueries(bool pause) {
  if (pause) {
    engine_.queries->passEnds();
  } else {
    engine_.queries->passBegan();
  }
}

bool PassManager::overlapsOpen(const Image& image) const {
  if (!open_) return false;
  return target_.depth.image == &image || target_.stencil.image == &image ||
         std::any_of(target_.color.begin(), target_.color.end(),
                     [&image](const TargetAttachment& held) { return held.image == &image; });
}

// Whether the open pass has the attachment, and at which output.
bool PassManager::holds(const TargetAttachment& attachment, bool depth, u32* output) const {
  const auto within = [&attachment](const TargetAttachment& held) {
    return held.image == attachment.image && held.level == attachment.level && attachment.layer >= held.layer &&
           attachment.layer + attachment.layers <= held.layer + held.layers;
  };
  if (!open_) return false;
  if (depth) return within(target_.depth) || within(target_.stencil);
  for (u32 i = 0; i < target_.colorCount; ++i) {
    if (!within(target_.color[i])) continue;
    *output = i;
    return true;
  }
  return false;
}

void PassManager::setPending(const TargetAttachment& attachment, VkImageAspectFlags aspects,
                             const VkClearValue& value) {
  Image& image = *attachment.image;
  // The open pass would go on drawing before the clear: it is to be begun again, with the clear as its load.
  if (overlapsOpen(image)) close();
  for (u32 layer = attachment.layer; layer < attachment.layer + attachment.layers; ++layer) {
    for (PendingClear& clear : image.pendingClears) {
      if (clear.level == attachment.level && clear.layer == layer) clear.aspects &= ~aspects;
    }
    image.pendingClears.push_back({attachment.level, layer, aspects, value});
  }
  std::erase_if(image.pendingClears, [](const PendingClear& clear) { return clear.aspects == 0; });
  if (std::none_of(waiting_.begin(), waiting_.end(), [&image](const Ref<Image>& w) { return w.get() == &image; })) {
    waiting_.emplace_back(&image);
  }
  engine_.epoch.move(EpochWriter::ClearPended);
  countHeld(Counter::ClearsPended);
}

void PassManager::zero(Image& image) {
  // Blocks cannot be cleared by command; a compressed level is never drawn to, and sampled after its upload.
  if (format::formatInfo(image.shape().format).compressed) return;
  for (u32 level = 0; level < image.shape().levels; ++level) {
    for (u32 layer = 0; layer < image.layersAt(level); ++layer) {
      image.pendingClears.push_back({level, layer, image.aspects(), VkClearValue{}});
    }
  }
  waiting_.emplace_back(&image);
}

void PassManager::drop(Image& image, const SubRange& range) {
  if (image.pendingClears.empty()) return;
  std::erase_if(image.pendingClears, [&range](const PendingClear& clear) {
    return clear.level >= range.level && clear.level < range.level + range.levels && clear.layer >= range.layer &&
           clear.layer < range.layer + range.layers;
  });
}

void PassManager::settle(Image& image, const SubRange& range, ClearUse use) {
  if (image.pendingClears.empty() || !image.hasPending(range) || isDropped(use)) return;
  std::vector<PendingClear> taken;
  std::erase_if(image.pendingClears, [&](const PendingClear& clear) {
    const bool inside = clear.level >= range.level && clear.level < range.level + range.levels &&
                        clear.layer >= range.layer && clear.layer < range.layer + range.layers;
    if (inside) taken.push_back(clear);
    return inside;
  });
  const bool ahead = image.mainUse() != engine_.recorder.serial();
  const bool volume = image.shape().type == VK_IMAGE_TYPE_3D;
  Barriers own;
  Barriers& barriers = ahead ? own : engine_.barriers;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  u32 volumeLevel = ~0u;
  for (const PendingClear& clear : taken) {
    // A 3D image's pending clears are of all its slices (clearPart sees to it), which one command clears.
    if (volume && clear.level == volumeLevel) continue;
    volumeLevel = clear.level;
    const u32 layer = volume ? 0 : clear.layer;
    image.prepare(barriers, {clear.level, 1, layer, 1}, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, usage::kTransferWrite);
  }
  image.usedIn(engine_.recorder.serial(), !ahead);
  if (ahead) {
    commands = engine_.recorder.ahead();
    own.record(engine_.vk(), commands);
    engine_.epoch.move(EpochWriter::ClearAhead);
  } else {
    commands = engine_.outside();
  }
  volumeLevel = ~0u;
  for (const PendingClear& clear : taken) {
    if (volume && clear.level == volumeLevel) continue;
    volumeLevel = clear.level;
    const VkImageSubresourceRange part{clear.aspects, clear.level, 1, volume ? 0 : clear.layer, 1};
    if (image.isColor()) {
      engine_.vk().vkCmdClearColorImage(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                        &clear.value.color, 1, &part);
    } else {
      engine_.vk().vkCmdClearDepthStencilImage(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                               &clear.value.depthStencil, 1, &part);
    }
    countHeld(Counter::ClearsMaterialised);
  }
}

void PassManager::settleAll() {
  std::vector<Ref<Image>> images;
  images.swap(waiting_);
  for (Ref<Image>& image : images) {
    // Nobody else holds it: what it would show, nobody sees.
    if (image->refCount() == 1) {
      image->pendingClears.clear();
    } else {
      settle(*image, {0, image->shape().levels, 0, ~0u}, ClearUse::Submit);
    }
  }
}

}  // namespace mgl::magma
