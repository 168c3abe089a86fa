#include "server/image_checks.h"

#include <algorithm>
#include <bit>

#include "format/convert.h"
#include "format/format.h"
#include "format/transfer.h"

namespace mgl::server {

using backend::Texture;
using pipe::Format;
using pipe::TextureTarget;

bool isMultisample(TextureTarget target) {
  return target == TextureTarget::Tex2DMultisample || target == TextureTarget::Tex2DMultisampleArray;
}

bool isCube(TextureTarget target) { return target == TextureTarget::Cube || target == TextureTarget::CubeArray; }

LevelShape levelShape(const Texture& texture, u32 level, u32 face) {
  if (texture.storage) {
    if (level >= texture.levelCount) return {};
    LevelShape shape{texture.format, std::max(texture.width >> level, 1u), texture.height, texture.depth};
    if (texture.target != TextureTarget::Tex1D && texture.target != TextureTarget::Tex1DArray)
      shape.height = std::max(texture.height >> level, 1u);
    if (texture.target == TextureTarget::Tex3D) shape.depth = std::max(texture.depth >> level, 1u);
    return shape;
  }
  if (level >= pipe::kMaxTextureLevels || face >= 6) return {};
  const backend::TextureLevelDesc& desc = texture.levels[face][level];
  return {desc.format, desc.width, desc.height, desc.depth};
}

bool boxFits(const Texture& texture, u32 level, const pipe::TexelBox& box, Format* format) {
  // Faces given one by one lie behind one another: z is the face.
  const bool faces = !texture.storage && texture.target == TextureTarget::Cube;
  if (faces && !rangeFits(box.z, box.depth, 6)) return false;
  const u32 first = faces ? std::min(box.z, 5u) : 0;
  const u32 last = faces && box.depth > 0 ? box.z + box.depth - 1 : first;
  for (u32 face = first; face <= last; ++face) {
    const LevelShape shape = levelShape(texture, level, face);
    if (shape.format == Format::None) return false;
    if (!rangeFits(box.x, box.width, shape.width) || !rangeFits(box.y, box.height, shape.height)) return false;
    if (!faces && !rangeFits(box.z, box.depth, shape.depth)) return false;
    if (face != first && shape.format != *format) return false;
    *format = shape.format;
  }
  return true;
}

bool blocksFit(const LevelShape& shape, const pipe::TexelBox& box) {
  const format::FormatInfo& info = format::formatInfo(shape.format);
  if (box.x % info.blockWidth != 0 || box.y % info.blockHeight != 0) return false;
  const bool width = box.width % info.blockWidth == 0 || box.x + box.width == shape.width;
  const bool height = box.height % info.blockHeight == 0 || box.y + box.height == shape.height;
  return width && height;
}

std::optional<u64> layoutBytes(const pipe::TexelLayout& layout, Format format, u32 width, u32 height, u32 depth) {
  const format::FormatInfo& info = format::formatInfo(format);
  u64 tightRow = 0;
  u64 rows = height;
  if (layout.compressed != 0) {
    if (!info.compressed) return std::nullopt;
    tightRow = format::rowBytes(format, width);
    rows = format::rowCount(format, height);
  } else {
    const u32 pixel = format::bytesPerPixel(layout.format, layout.type);
    if (pixel == 0) return std::nullopt;
    tightRow = u64{pixel} * width;
  }
  if (width == 0 || height == 0 || depth == 0) return 0;
  u64 images = 0, lines = 0, total = 0;
  if (__builtin_mul_overflow(layout.imageBytes, u64{depth} - 1, &images)) return std::nullopt;
  if (__builtin_mul_overflow(layout.rowBytes, rows - 1, &lines)) return std::nullopt;
  if (__builtin_add_overflow(images, lines, &total) || __builtin_add_overflow(total, tightRow, &total))
    return std::nullopt;
  return total;
}

bool extentFits(TextureTarget target, u32 width, u32 height, u32 depth) {
  switch (target) {
    case TextureTarget::Tex1D:
      return height == 1 && depth == 1;
    case TextureTarget::Tex1DArray:
      return height == 1;
    case TextureTarget::Tex2D:
    case TextureTarget::Rectangle:
    case TextureTarget::Renderbuffer:
    case TextureTarget::Tex2DMultisample:
      return depth == 1;
    case TextureTarget::Cube:
      return width == height && depth == 6;
    case TextureTarget::CubeArray:
      return width == height && depth % 6 == 0;
    case TextureTarget::Tex3D:
    case TextureTarget::Tex2DArray:
    case TextureTarget::Tex2DMultisampleArray:
      return true;
    case TextureTarget::Buffer:
    case TextureTarget::Count:
      return false;
  }
  return false;
}

u32 fullLevels(TextureTarget target, u32 width, u32 height, u32 depth) {
  if (target == TextureTarget::Rectangle || target == TextureTarget::Renderbuffer || isMultisample(target)) return 1;
  u32 largest = width;
  if (target != TextureTarget::Tex1D && target != TextureTarget::Tex1DArray) largest = std::max(largest, height);
  if (target == TextureTarget::Tex3D) largest = std::max(largest, depth);
  return static_cast<u32>(std::bit_width(largest));
}

std::optional<LevelShape> attachmentShape(const backend::Attachment& attachment) {
  const Texture& texture = *attachment.texture;
  const bool faces = !texture.storage && texture.target == TextureTarget::Cube;
  LevelShape shape = levelShape(texture, attachment.level, faces && !attachment.layered ? attachment.layer : 0);
  if (shape.format == Format::None) return std::nullopt;
  if (faces) {
    for (u32 face = 0; attachment.layered && face < 6; ++face) {
      const LevelShape other = levelShape(texture, attachment.level, face);
      if (other.format != shape.format || other.width != shape.width || other.height != shape.height)
        return std::nullopt;
    }
    shape.depth = 6;
  }
  if (!attachment.layered) {
    if (attachment.layer >= shape.depth) return std::nullopt;
    shape.depth = 1;
  }
  return shape;
}

}  // namespace mgl::server
