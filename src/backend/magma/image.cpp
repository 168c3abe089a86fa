#include "backend/magma/image.h"

#include <algorithm>

#include "base/log.h"
#include "format/format.h"

namespace mgl::magma {

Ref<Image> Image::create(Device& device, const FormatTable& formats, const ImageShape& shape) {
  Ref<Image> image(new Image(device));
  image->shape_ = shape;
  image->host_ = &formats[shape.format];
  const HostFormat& host = *image->host_;
  if (!host.ok()) return nullptr;

  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = shape.type;
  info.format = host.image;
  info.extent = {shape.width, shape.height, shape.type == VK_IMAGE_TYPE_3D ? shape.depth : 1};
  info.mipLevels = shape.levels;
  info.arrayLayers = shape.layers;
  info.samples = sampleCount(shape.samples);
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  if ((host.features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) != 0) info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if ((host.features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) != 0) info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if ((host.features & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0) {
    info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  }
  if (shape.storage && (host.features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) != 0) {
    info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  }
  const VkFormat viewFormats[] = {host.image, host.srgb};
  const VkImageFormatListCreateInfoKHR list{VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO_KHR, nullptr, 2,
                                            viewFormats};
  if (shape.anyView || host.srgb != VK_FORMAT_UNDEFINED) {
    info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    if (!shape.anyView && device.features().imageFormatList) info.pNext = &list;
  }
  if (shape.cube && shape.width == shape.height && shape.layers >= 6) info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  if (shape.type == VK_IMAGE_TYPE_3D &&
      (info.usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)) != 0) {
    info.flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
  }

  VkImageFormatProperties properties{};
  // What the texels themselves take: the least that the image can have.
  u64 bytes = 0;
  for (u32 level = 0; level < shape.levels; ++level) {
    bytes += format::boxBytes(host.stored, std::max(shape.width >> level, 1u), std::max(shape.height >> level, 1u),
                              shape.type == VK_IMAGE_TYPE_3D ? std::max(shape.depth >> level, 1u) : 1);
  }
  bytes *= u64{shape.layers} * shape.samples;
  const auto possible = [&] {
    return vkGetPhysicalDeviceImageFormatProperties(device.adapter().handle(), info.format, info.imageType, info.tiling,
                                                    info.usage, info.flags, &properties) == VK_SUCCESS &&
           (properties.sampleCounts & static_cast<u32>(info.samples)) != 0 &&
           properties.maxMipLevels >= info.mipLevels && properties.maxArrayLayers >= info.arrayLayers &&
           properties.maxExtent.width >= info.extent.width && properties.maxExtent.height >= info.extent.height &&
           properties.maxExtent.depth >= info.extent.depth && properties.maxResourceSize >= bytes;
  };
  if (!possible()) {
    // Some shapes cannot be drawn to (3D and 1D depth images): they can still be sampled.
    info.usage &= ~(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    info.flags &= ~VkImageCreateFlags{VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT};
    if (!possible()) {
      MGL_LOGE("the device refuses an image of %s, %ux%ux%u, %u layers, %u samples",
               std::string(format::formatInfo(shape.format).name).c_str(), shape.width, shape.height, shape.depth,
               shape.layers, shape.samples);
      return nullptr;
    }
  }
  if (device.vk().vkCreateImage(device.handle(), &info, nullptr, &image->handle_) != VK_SUCCESS) return nullptr;
  VkMemoryRequirements requirements{};
  device.vk().vkGetImageMemoryRequirements(device.handle(), image->handle_, &requirements);
  image->memory_ = device.allocate(requirements, MemoryUse::Device, MemoryContent::Optimal);
  if (!image->memory_) return nullptr;
  device.vk().vkBindImageMemory(device.handle(), image->handle_,
                                reinterpret_cast<VkDeviceMemory>(image->memory_.memory), image->memory_.offset);
  image->parts_.resize(1);
  return image;
}

Image::~Image() {
  for (const View& view : views_) {
    if (view.key.attachment && device_.renderPasses() != nullptr) device_.renderPasses()->forget(view.handle);
    device_.retire(lastUse_, view.handle);
  }
  device_.retire(lastUse_, handle_);
  device_.retire(lastUse_, memory_);
}

VkImageView Image::view(const ViewKey& key) {
  for (const View& view : views_) {
    const ViewKey& k = view.key;
    if (k.type == key.type && k.format == key.format && k.aspects == key.aspects && k.range == key.range &&
        k.attachment == key.attachment && k.swizzle.r == key.swizzle.r && k.swizzle.g == key.swizzle.g &&
        k.swizzle.b == key.swizzle.b && k.swizzle.a == key.swizzle.a) {
      return view.handle;
    }
  }
  VkImageViewUsageCreateInfo usage{VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, nullptr, 0};
  usage.usage = key.attachment ? (isColor() ? VkImageUsageFlags{VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT}
                                            : VkImageUsageFlags{VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT})
                               : VkImageUsageFlags{VK_IMAGE_USAGE_SAMPLED_BIT};
  // A storage view has no restriction of its own: the image was made for it.
  const bool restrict = key.attachment || !shape_.storage;
  const VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   restrict ? &usage : nullptr,
                                   0,
                                   handle_,
                                   key.type,
                                   key.format,
                                   key.swizzle,
                                   {key.aspects, key.range.level, key.range.levels, key.range.layer, key.range.layers}};
  VkImageView view = VK_NULL_HANDLE;
  if (device_.vk().vkCreateImageView(device_.handle(), &info, nullptr, &view) != VK_SUCCESS) return VK_NULL_HANDLE;
  views_.push_back({key, view});
  return view;
}

bool Image::hasPending(const SubRange& range) const {
  return std::any_of(pendingClears.begin(), pendingClears.end(), [&range](const PendingClear& clear) {
    return clear.level >= range.level && clear.level < range.level + range.levels && clear.layer >= range.layer &&
           clear.layer < range.layer + range.layers;
  });
}

void Image::spread() {
  if (parts_.size() != 1) return;
  const Part one = parts_[0];
  parts_.assign(std::size_t{shape_.levels} * shape_.layers, one);
}

void Image::preparePart(Barriers& barriers, Part& part, const SubRange& range, VkImageLayout layout, const Usage& usage,
                        bool keep) {
  const bool moves = part.layout != layout;
  const AccessState::Dependency dependency = part.access.use(usage, moves);
  if (!moves) {
    barriers.memory(dependency);
    return;
  }
  barriers.image(dependency, {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                              nullptr,
                              0,
                              0,
                              keep ? part.layout : VK_IMAGE_LAYOUT_UNDEFINED,
                              layout,
                              VK_QUEUE_FAMILY_IGNORED,
                              VK_QUEUE_FAMILY_IGNORED,
                              handle_,
                              {aspects(), range.level, range.levels, range.layer, range.layers}});
  part.layout = layout;
}

void Image::prepare(Barriers& barriers, const SubRange& range, VkImageLayout layout, const Usage& usage, bool keep) {
  if (range == all()) {
    if (parts_.size() != 1 &&
        std::all_of(parts_.begin(), parts_.end(), [this](const Part& part) { return part == parts_[0]; })) {
      parts_.resize(1);
    }
    if (parts_.size() == 1) {
      preparePart(barriers, parts_[0], range, layout, usage, keep);
      return;
    }
  } else if (parts_.size() == 1) {
    Part probe = parts_[0];
    // A use that changes nothing need not split the state.
    if (!usage.write && probe.layout == layout && !probe.access.use(usage).needed) {
      parts_[0] = probe;
      return;
    }
    spread();
  }
  for (u32 level = range.level; level < range.level + range.levels; ++level) {
    // Neighbouring layers in the same state go as one barrier.
    for (u32 layer = range.layer; layer < range.layer + range.layers;) {
      const std::size_t first = std::size_t{level} * shape_.layers + layer;
      u32 run = 1;
      while (layer + run < range.layer + range.layers && parts_[first + run] == parts_[first]) ++run;
      preparePart(barriers, parts_[first], {level, 1, layer, run}, layout, usage, keep);
      for (u32 i = 1; i < run; ++i) parts_[first + i] = parts_[first];
      layer += run;
    }
  }
}

}  // namespace mgl::magma
