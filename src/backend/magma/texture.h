// Textures: where their levels are held, how texels get in and out, and the views that draws sample.
//
// An image is held for all levels that fit together (`image`, whose level 0 is the texture's `firstLevel`). A level
// given another size or format than the chain has lies loose, in a level of another image, until the chain is
// consistent again: the first use of a whole chain assembles it by copies. A texture view holds nothing: its root does.
#pragma once

#include "backend/magma/buffer.h"
#include "backend/magma/readback.h"

namespace mgl::magma {

class Texture final : public backend::Texture {
 public:
  struct Loose {
    u32 face = 0, level = 0;
    Ref<Image> image;
    u32 imageLevel = 0, imageLayer = 0;
  };
  Ref<Image> image;
  u32 firstLevel = 0;
  std::vector<Loose> loose;
  u64 placeSerial = 0;  // grows when levels move to other images: cached views and passes are stale then

  // The texture whose store this one shares; itself when it is no view.
  Texture& root() { return viewOf ? *static_cast<Texture*>(viewOf.get()) : *this; }
  const backend::TextureLevelDesc& desc(u32 face, u32 level) const { return levels[face][level]; }
  // As specified; all zero for a level that is not.
  backend::TextureLevelDesc levelDesc(u32 level) const;

 private:
  // The view that was asked for last, and what for.
  friend class Textures;
  struct CachedView {
    u64 placeSerial = ~u64{0}, serial = ~u64{0};
    u32 key = 0;
    VkImageView view = VK_NULL_HANDLE;
    Image* image = nullptr;
    SubRange range;
  };
  std::array<CachedView, 2> cached_;
};

// Where a level's layers are.
struct Place {
  Image* image = nullptr;  // null: nowhere
  u32 level = 0, layer = 0;
};

struct SampledView {
  VkImageView view = VK_NULL_HANDLE;  // VK_NULL_HANDLE: sample the dummy
  Image* image = nullptr;
  SubRange range;
  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
};

class Textures {
 public:
  explicit Textures(Engine& engine) : engine_(engine) {}

  void storage(Texture& texture);
  void level(Texture& texture, u32 face, u32 level);
  void view(Texture& texture);
  void subData(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout, Bytes data);
  void subDataFromBuffer(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                         Buffer& buffer, u64 offset);
  void clear(Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel);
  void copy(Texture& src, u32 srcLevel, const pipe::TexelBox& box, Texture& dst, u32 dstLevel,
            std::array<u32, 3> origin);
  void generateMipmap(Texture& texture, u32 baseLevel, u32 lastLevel);
  void invalidate(Texture& texture, u32 level, const pipe::TexelBox& box);
  backend::Pending beginRead(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout);
  void readToBuffer(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                    Buffer& buffer, u64 offset);

  // z: layer or slice of the texture (a view's own counting).
  Place place(Texture& texture, u32 level, u32 z);
  // Brings all levels that sampling can reach into one image. False: they do not fit together.
  bool assemble(Texture& texture);
  SampledView sampled(Texture& texture, bool decodeSrgb, bool stencil);
  // Makes the image's contents available for shader image access or other views; recreates it when it was not made so.
  bool require(Texture& texture, bool anyView, bool storage);

  // Texels of the staging layout at `from` into the image.
  void copyIn(const ImageRegion& region, const StagingLayout& staging, VkBuffer buffer, u64 bufferOffset);

 private:
  Ref<Image> makeImage(const Texture& texture, const ImageShape& shape);
  ImageShape shapeFor(const Texture& texture, u32 level) const;
  bool fits(const Texture& texture, u32 face, u32 level) const;
  void moved(Texture& texture);
  void moveIntoImage(Texture& texture, Image& image, u32 firstLevel);
  void copyWhole(Image& src, u32 srcLevel, u32 srcLayer, Image& dst, u32 dstLevel, u32 dstLayer, u32 layers);
  template <class Each>
  void eachRegion(Texture& texture, u32 level, const pipe::TexelBox& box, Each each);

  Engine& engine_;
};

}  // namespace mgl::magma
