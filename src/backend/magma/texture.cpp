#include "backend/magma/texture.h"

#include <algorithm>
#include <bit>

#include "backend/magma/pass_manager.h"

namespace mgl::magma {

using pipe::TextureTarget;

namespace {

u32 fullChain(u32 width, u32 height, u32 depth) {
  return static_cast<u32>(std::bit_width(std::max({width, height, depth})));
}

bool hasMipmaps(TextureTarget target) {
  return target != TextureTarget::Rectangle && target != TextureTarget::Renderbuffer &&
         target != TextureTarget::Tex2DMultisample && target != TextureTarget::Tex2DMultisampleArray &&
         target != TextureTarget::Buffer;
}

}  // namespace

backend::TextureLevelDesc Texture::levelDesc(u32 level) const {
  if (viewOf) {
    backend::TextureLevelDesc desc = static_cast<const Texture*>(viewOf.get())->levelDesc(minLevel + level);
    desc.format = format;
    return desc;
  }
  if (!storage) return levels[0][level];
  if (level >= levelCount) return {};
  const bool volume = target == TextureTarget::Tex3D;
  return {format, std::max(width >> level, 1u), std::max(height >> level, 1u),
          volume ? std::max(depth >> level, 1u) : depth};
}

void Textures::moved(Texture& texture) {
  ++texture.placeSerial;
  engine_.epoch.move(EpochWriter::TextureStore);
}

Ref<Image> Textures::makeImage(const Texture& texture, const ImageShape& shape) {
  Ref<Image> image = Image::create(*engine_.device, engine_.formats, shape);
  if (image == nullptr) {
    engine_.reclaim();
    image = Image::create(*engine_.device, engine_.formats, shape);
  }
  if (image == nullptr) {
    engine_.device->outOfMemory("a texture's store", pipe::Call::TextureStorage, {texture.slot, texture.gen, 0});
  } else {
    engine_.passes->zero(*image);
  }
  return image;
}

void Textures::storage(Texture& texture) {
  ImageShape shape;
  shape.type = imageType(texture.target);
  shape.format = texture.format;
  shape.width = texture.width;
  shape.height =
      texture.target == TextureTarget::Tex1D || texture.target == TextureTarget::Tex1DArray ? 1 : texture.height;
  shape.depth = texture.target == TextureTarget::Tex3D ? texture.depth : 1;
  shape.levels = std::min(texture.levelCount, fullChain(texture.width, shape.height, shape.depth));
  shape.layers = texture.target == TextureTarget::Tex3D ? 1 : std::max(texture.depth, 1u);
  if (texture.target == TextureTarget::Cube) shape.layers = 6;
  shape.samples = std::max(texture.samples, 1u);
  shape.cube = isCube(texture.target) || (texture.target == TextureTarget::Tex2DArray && shape.samples == 1);
  shape.storage = (texture.flags & pipe::kTextureStorageImage) != 0;
  texture.loose.clear();
  texture.firstLevel = 0;
  texture.image = nullptr;  // its memory may be what the new one needs
  texture.image = makeImage(texture, shape);
  moved(texture);
}

// The shape of an image that holds the texture from `level` on.
ImageShape Textures::shapeFor(const Texture& texture, u32 level) const {
  const backend::TextureLevelDesc& desc = texture.levels[0][level];
  ImageShape shape;
  shape.type = imageType(texture.target);
  shape.format = desc.format;
  shape.width = desc.width;
  shape.height = shape.type == VK_IMAGE_TYPE_1D ? 1 : desc.height;
  shape.depth = texture.target == TextureTarget::Tex3D ? desc.depth : 1;
  shape.layers = texture.target == TextureTarget::Tex3D ? 1 : std::max(desc.depth, 1u);
  if (texture.target == TextureTarget::Cube) shape.layers = 6;
  shape.levels = hasMipmaps(texture.target) ? fullChain(shape.width, shape.height, shape.depth) : 1;
  shape.levels = std::min(shape.levels, pipe::kMaxTextureLevels - level);
  shape.cube = isCube(texture.target);
  return shape;
}

// Whether the level, as specified, is a level of the texture's image.
bool Textures::fits(const Texture& texture, u32 face, u32 level) const {
  const Image* image = texture.image.get();
  if (image == nullptr || level < texture.firstLevel || level - texture.firstLevel >= image->shape().levels)
    return false;
  const backend::TextureLevelDesc& desc = texture.levels[face][level];
  const u32 at = level - texture.firstLevel;
  const bool flat = image->shape().type == VK_IMAGE_TYPE_1D;
  const u32 layers = texture.target == TextureTarget::Cube ? 1 : std::max(desc.depth, 1u);
  return desc.format == image->shape().format && desc.width == image->width(at) &&
         (flat || desc.height == image->height(at)) &&
         (texture.target == TextureTarget::Tex3D
              ? desc.depth == image->depth(at)
              : texture.target == TextureTarget::Cube || layers == image->shape().layers);
}

void Textures::level(Texture& texture, u32 face, u32 level) {
  std::erase_if(texture.loose, [&](const Texture::Loose& l) { return l.face == face && l.level == level; });
  const backend::TextureLevelDesc& desc = texture.levels[face][level];
  moved(texture);
  if (desc.format == format::Format::None || desc.width == 0) return;
  if (fits(texture, face, level)) return;

  ImageShape shape;
  {
    // The face that is being specified says what the image is like.
    const backend::TextureLevelDesc first = texture.levels[0][level];
    texture.levels[0][level] = desc;
    shape = shapeFor(texture, level);
    texture.levels[0][level] = first;
  }
  if (level == 0 || (texture.image == nullptr && level == texture.baseLevel)) {
    // What the old image held of other levels stays, loose.
    if (texture.image != nullptr) {
      const u32 faces = texture.target == TextureTarget::Cube ? 6 : 1;
      for (u32 f = 0; f < faces; ++f) {
        for (u32 l = texture.firstLevel; l < texture.firstLevel + texture.image->shape().levels; ++l) {
          if ((f == face && l == level) || texture.levels[f][l].format == format::Format::None || !fits(texture, f, l))
            continue;
          texture.loose.push_back({f, l, texture.image, l - texture.firstLevel, faces == 6 ? f : 0});
        }
      }
    }
    texture.image = nullptr;
    texture.image = makeImage(texture, shape);
    texture.firstLevel = level;
    return;
  }
  shape.levels = 1;
  if (texture.target == TextureTarget::Cube) {
    shape.layers = 1;
    shape.cube = false;
  }
  if (Ref<Image> image = makeImage(texture, shape)) texture.loose.push_back({face, level, std::move(image), 0, 0});
}

void Textures::view(Texture& texture) {
  Texture& root = texture.root();
  if (root.image == nullptr) return;
  if (texture.format != root.image->shape().format || isCube(texture.target))
    require(root, true, root.image->shape().storage);
  moved(texture);
}

Place Textures::place(Texture& texture, u32 level, u32 z) {
  Texture& root = texture.root();
  if (texture.viewOf) {
    level += texture.minLevel;
    z += texture.minLayer;
  }
  const u32 face = root.target == TextureTarget::Cube ? z : 0;
  for (const Texture::Loose& loose : root.loose) {
    if (loose.level == level && loose.face == face) {
      return {loose.image.get(), loose.imageLevel, root.target == TextureTarget::Cube ? loose.imageLayer : z};
    }
  }
  if (root.image == nullptr || level < root.firstLevel || level - root.firstLevel >= root.image->shape().levels)
    return {};
  if (!root.storage && !fits(root, std::min(face, 5u), level)) return {};
  return {root.image.get(), level - root.firstLevel, z};
}

void Textures::copyWhole(Image& src, u32 srcLevel, u32 srcLayer, Image& dst, u32 dstLevel, u32 dstLayer, u32 layers) {
  engine_.passes->settle(src,
                         {srcLevel, 1, srcLayer, src.shape().type == VK_IMAGE_TYPE_3D ? src.depth(srcLevel) : layers},
                         ClearUse::CopySource);
  engine_.passes->drop(dst,
                       {dstLevel, 1, dstLayer, dst.shape().type == VK_IMAGE_TYPE_3D ? dst.depth(dstLevel) : layers});
  src.prepare(engine_.barriers, {srcLevel, 1, srcLayer, layers}, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
              usage::kTransferRead);
  dst.prepare(engine_.barriers, {dstLevel, 1, dstLayer, layers}, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
              usage::kTransferWrite, false);
  src.usedIn(engine_.recorder.serial(), true);
  dst.usedIn(engine_.recorder.serial(), true);
  const VkImageCopy region{{src.aspects(), srcLevel, srcLayer, layers},
                           {0, 0, 0},
                           {dst.aspects(), dstLevel, dstLayer, layers},
                           {0, 0, 0},
                           {src.width(srcLevel), src.height(srcLevel), src.depth(srcLevel)}};
  engine_.vk().vkCmdCopyImage(engine_.outside(), src.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, dst.handle(),
                              VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

bool Textures::require(Texture& texture, bool anyView, bool storage) {
  Texture& root = texture.root();
  if (root.image == nullptr) return false;
  const ImageShape old = root.image->shape();
  if ((!anyView || old.anyView) && (!storage || old.storage)) return true;
  ImageShape shape = old;
  shape.anyView |= anyView;
  shape.storage |= storage;
  Ref<Image> fresh = makeImage(root, shape);
  if (fresh == nullptr) return false;
  for (u32 l = 0; l < shape.levels; ++l) copyWhole(*root.image, l, 0, *fresh, l, 0, shape.layers);
  root.image = std::move(fresh);
  moved(root);
  return true;
}

// Copies every level that fits the image into it.
void Textures::moveIntoImage(Texture& texture, Image& image, u32 firstLevel) {
  const bool cube = texture.target == TextureTarget::Cube;
  for (u32 l = 0; l < image.shape().levels; ++l) {
    for (u32 face = 0; face < (cube ? 6u : 1u); ++face) {
      const Place from = place(texture, firstLevel + l, face);
      if (from.image == nullptr || texture.levels[face][firstLevel + l].format != image.shape().format) continue;
      if (from.image->width(from.level) != image.width(l) || from.image->height(from.level) != image.height(l) ||
          from.image->depth(from.level) != image.depth(l)) {
        continue;
      }
      const u32 layers = cube ? 1 : std::min(image.shape().layers, from.image->shape().layers);
      copyWhole(*from.image, from.level, cube ? from.layer : 0, image, l, cube ? face : 0, layers);
    }
  }
}

bool Textures::assemble(Texture& texture) {
  Texture& root = texture.root();
  if (root.storage || (root.loose.empty() && root.image != nullptr && root.firstLevel <= texture.baseLevel)) {
    return root.image != nullptr;
  }
  const u32 base = std::min<u32>(root.baseLevel, pipe::kMaxTextureLevels - 1);
  const bool reached = std::any_of(root.loose.begin(), root.loose.end(), [&root, base](const Texture::Loose& l) {
    return l.level >= base && l.level <= root.maxLevel;
  });
  const bool fitting = root.image != nullptr && base >= root.firstLevel && fits(root, 0, base);
  if (fitting && !reached) return true;
  if (root.levels[0][base].format == format::Format::None) return root.image != nullptr && fitting;
  if (fitting) {
    // The chain is right: loose levels that belong to it come home.
    for (std::size_t i = 0; i < root.loose.size();) {
      const Texture::Loose loose = root.loose[i];
      if (!fits(root, loose.face, loose.level)) {
        ++i;
        continue;
      }
      const bool cube = root.target == TextureTarget::Cube;
      copyWhole(*loose.image, loose.imageLevel, loose.imageLayer, *root.image, loose.level - root.firstLevel,
                cube ? loose.face : 0, cube ? 1 : root.image->shape().layers);
      root.loose.erase(root.loose.begin() + static_cast<std::ptrdiff_t>(i));
    }
    moved(root);
    return true;
  }
  const ImageShape shape = shapeFor(root, base);
  Ref<Image> image = makeImage(root, shape);
  if (image == nullptr) return false;
  moveIntoImage(root, *image, base);
  // Levels outside of the new image go on where they are.
  std::vector<Texture::Loose> kept;
  for (u32 l = 0; l < pipe::kMaxTextureLevels; ++l) {
    for (u32 face = 0; face < (root.target == TextureTarget::Cube ? 6u : 1u); ++face) {
      if (root.levels[face][l].format == format::Format::None) continue;
      if (const Place at = place(root, l, face); at.image != nullptr) {
        kept.push_back({face, l, Ref<Image>(at.image), at.level, at.layer});
      }
    }
  }
  root.image = std::move(image);
  root.firstLevel = base;
  root.loose.clear();
  for (Texture::Loose& loose : kept) {
    if (!fits(root, loose.face, loose.level)) root.loose.push_back(std::move(loose));
  }
  moved(root);
  return true;
}

SampledView Textures::sampled(Texture& texture, bool decodeSrgb, bool stencil) {
  Texture& root = texture.root();
  const u32 key = (decodeSrgb ? 1u : 0u) | (stencil ? 2u : 0u);
  Texture::CachedView& cached = texture.cached_[decodeSrgb ? 1 : 0];
  const auto result = [&cached] {
    return SampledView{cached.view, cached.image, cached.range,
                       cached.image != nullptr && !cached.image->isColor()
                           ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                           : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  };
  const u64 placeSerial = root.placeSerial + texture.placeSerial;
  if (cached.placeSerial == placeSerial && cached.serial == texture.serial && cached.key == key) return result();

  if (!assemble(texture) || root.image == nullptr) return {};
  Image& image = *root.image;
  // Assembling may have moved levels.
  cached.placeSerial = root.placeSerial + texture.placeSerial;
  cached.serial = texture.serial;
  cached.key = key;
  cached.image = &image;
  const u32 offset = texture.viewOf ? texture.minLevel : 0;
  const u32 held = image.shape().levels + root.firstLevel;
  u32 count = texture.storage || texture.viewOf ? texture.levelCount : held;
  if (!hasMipmaps(texture.target)) count = 1;
  u32 base = texture.baseLevel, last = std::min(texture.maxLevel, count - 1);
  if (texture.storage || texture.viewOf) base = std::min(base, count - 1);
  last = std::max(std::min(last + offset, held - 1), std::min(base + offset, held - 1));
  base = std::min(std::max(base + offset, root.firstLevel), held - 1);
  if (!texture.storage && !texture.viewOf) {
    // Levels that are not specified hold nothing worth a read.
    u32 specified = base;
    while (specified < last && root.levels[0][specified + 1].format == image.shape().format) ++specified;
    last = specified;
  }
  cached.range.level = base - root.firstLevel;
  cached.range.levels = last - base + 1;
  cached.range.layer = texture.viewOf ? texture.minLayer : 0;
  cached.range.layers = image.shape().layers;
  if (texture.viewOf) {
    cached.range.layers = texture.target == TextureTarget::Tex3D ? 1 : std::max(texture.depth, 1u);
    if (texture.target == TextureTarget::Cube) cached.range.layers = 6;
  }
  if (!isArray(texture.target) && texture.target != TextureTarget::Cube) cached.range.layers = 1;
  const HostFormat& host = engine_.formats[texture.viewOf ? texture.format : image.shape().format];
  ViewKey view;
  view.type = viewType(texture.target);
  view.format = decodeSrgb && host.srgb != VK_FORMAT_UNDEFINED ? host.srgb : host.image;
  view.aspects = image.aspects();
  if (!image.isColor()) {
    const bool wantsStencil = stencil || (image.aspects() & VK_IMAGE_ASPECT_DEPTH_BIT) == 0 ||
                              format::formatInfo(image.shape().format).base == format::BaseFormat::Stencil;
    view.aspects = wantsStencil ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
  }
  view.swizzle = composeSwizzle(host, texture.swizzle);
  view.range = cached.range;
  cached.view = image.view(view);
  return result();
}

void Textures::invalidate(Texture& texture, u32 level, const pipe::TexelBox& box) {
  const Place at = place(texture, level, box.z);
  if (at.image == nullptr) return;
  const backend::TextureLevelDesc desc = texture.levelDesc(level);
  if (box.x == 0 && box.y == 0 && box.width >= desc.width && box.height >= desc.height) {
    engine_.passes->drop(*at.image, {at.level, 1, at.layer, box.depth});
  }
}

}  // namespace mgl::magma
