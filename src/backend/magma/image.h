// A Vulkan image with its memory, views, layouts and pending clears. Held by textures, views and surfaces through Ref;
// the apply thread only. Destroying it retires the host objects after their last use.
#pragma once

#include <vector>

#include "backend/magma/access.h"
#include "backend/magma/convert.h"
#include "backend/magma/recorder.h"
#include "base/ref.h"

namespace mgl::magma {

struct ImageShape {
  VkImageType type = VK_IMAGE_TYPE_2D;
  format::Format format = format::Format::None;
  u32 width = 1, height = 1, depth = 1;  // depth: of 3D images
  u32 levels = 1, layers = 1, samples = 1;
  bool cube = false;
  bool anyView = false;  // views of other formats than the linear and the sRGB one
  bool storage = false;  // image access by shaders
  bool operator==(const ImageShape&) const = default;
};

struct SubRange {
  u32 level = 0, levels = 1, layer = 0, layers = 1;
  bool operator==(const SubRange&) const = default;
};

// A clear that waits: of one level and layer (of a 3D image: slice), of some aspects. Colour is what memory will hold:
// linear values for linear images, encoded ones for images of sRGB formats.
struct PendingClear {
  u32 level = 0, layer = 0;
  VkImageAspectFlags aspects = 0;
  VkClearValue value{};
};

struct ViewKey {
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  VkComponentMapping swizzle{};
  SubRange range;
  bool attachment = false;
};

class Image : public LocalRefCounted {
 public:
  // Null when there is no memory or the device refuses the shape.
  static Ref<Image> create(Device& device, const FormatTable& formats, const ImageShape& shape);
  virtual ~Image();

  VkImage handle() const { return handle_; }
  const ImageShape& shape() const { return shape_; }
  const HostFormat& host() const { return *host_; }
  VkImageAspectFlags aspects() const { return host_->aspects; }
  bool isColor() const { return (host_->aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0; }
  u32 width(u32 level) const { return std::max(shape_.width >> level, 1u); }
  u32 height(u32 level) const { return std::max(shape_.height >> level, 1u); }
  u32 depth(u32 level) const { return std::max(shape_.depth >> level, 1u); }
  // Layers that a level can be drawn to: array layers, or slices of a 3D image.
  u32 layersAt(u32 level) const { return shape_.type == VK_IMAGE_TYPE_3D ? depth(level) : shape_.layers; }
  SubRange all() const { return {0, shape_.levels, 0, shape_.layers}; }

  VkImageView view(const ViewKey& key);

  // Makes the part ready for the use in that layout; adds what must be waited for. keep false: the contents may go.
  // For 3D images layers count slices elsewhere; here the range is of array layers.
  void prepare(Barriers& barriers, const SubRange& range, VkImageLayout layout, const Usage& usage, bool keep = true);

  void usedIn(u64 serial, bool inMain) {
    lastUse_ = serial;
    if (inMain) mainUse_ = serial;
  }
  u64 lastUse() const { return lastUse_; }
  u64 mainUse() const { return mainUse_; }

  std::vector<PendingClear> pendingClears;
  // True when any pending clear touches the levels and layers (slices for 3D images).
  bool hasPending(const SubRange& range) const;

 private:
  struct Part {
    AccessState access;
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    bool operator==(const Part&) const = default;
  };
  struct View {
    ViewKey key;
    VkImageView handle = VK_NULL_HANDLE;
  };
  explicit Image(Device& device) : device_(device) {}
  void spread();
  void preparePart(Barriers& barriers, Part& part, const SubRange& range, VkImageLayout layout, const Usage& usage,
                   bool keep);

  Device& device_;
  ImageShape shape_;
  const HostFormat* host_ = nullptr;
  VkImage handle_ = VK_NULL_HANDLE;
  Allocation memory_;
  std::vector<View> views_;
  std::vector<Part> parts_;  // one for all, or one for each level and layer
  u64 lastUse_ = 0, mainUse_ = 0;
};

}  // namespace mgl::magma
