// Texels into and out of textures.
#include <algorithm>
#include <array>
#include <cstring>

#include "backend/magma/blit.h"
#include "backend/magma/pass_manager.h"
#include "backend/magma/texture.h"
#include "base/counters.h"
#include "format/convert.h"

namespace mgl::magma {

namespace {

// Of a clear of a texture: the texels that are made at a time.
constexpr u64 kClearBytes = 1u << 20;

}  // namespace

// Calls each(region, firstLayer) for the parts of the box that lie together.
template <class Each>
void Textures::eachRegion(Texture& texture, u32 level, const pipe::TexelBox& box, Each each) {
  const bool volume = texture.root().target == pipe::TextureTarget::Tex3D;
  for (u32 z = 0; z < box.depth;) {
    const Place at = place(texture, level, box.z + z);
    u32 run = box.depth - z;
    if (!volume && !texture.root().loose.empty()) run = 1;
    if (at.image != nullptr) {
      each(ImageRegion{at.image, at.level, volume ? 0 : at.layer, box.x, box.y, volume ? at.layer : 0, box.width,
                       box.height, run},
           z);
    }
    z += run;
  }
}

void Textures::copyIn(const ImageRegion& region, const StagingLayout& staging, VkBuffer buffer, u64 bufferOffset) {
  Image& image = *region.image;
  const bool volume = image.shape().type == VK_IMAGE_TYPE_3D;
  const u32 layers = volume ? 1 : region.depth;
  const SubRange range{region.level, 1, region.layer, layers};
  const bool wholeLevel = region.x == 0 && region.y == 0 && region.z == 0 &&
                          region.width == image.width(region.level) && region.height == image.height(region.level) &&
                          (!volume || region.depth == image.depth(region.level));
  const bool allAspects = image.isColor() || ((image.aspects() & VK_IMAGE_ASPECT_STENCIL_BIT) == 0 || staging.stencil);
  const SubRange slices{region.level, 1, volume ? region.z : region.layer, region.depth};
  if (wholeLevel && allAspects && staging.main) {
    engine_.passes->drop(image, slices);
  } else {
    engine_.passes->settle(image, slices, ClearUse::Upload);
  }
  VkBufferImageCopy copies[2];
  u32 count = 0;
  VkBufferImageCopy copy{};
  copy.imageSubresource = {0, region.level, region.layer, layers};
  copy.imageOffset = {static_cast<i32>(region.x), static_cast<i32>(region.y), static_cast<i32>(region.z)};
  copy.imageExtent = {region.width, region.height, volume ? region.depth : 1};
  if (staging.main) {
    copy.imageSubresource.aspectMask =
        image.isColor() ? VkImageAspectFlags{VK_IMAGE_ASPECT_COLOR_BIT} : VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT};
    copy.bufferOffset = bufferOffset;
    copies[count++] = copy;
  }
  if (staging.stencil) {
    copy.imageSubresource.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
    copy.bufferOffset = bufferOffset + staging.stencilOffset;
    copies[count++] = copy;
  }
  countHeld(Counter::StagedCopies);
  const u64 serial = engine_.recorder.serial();
  if (image.mainUse() != serial) {
    countHeld(Counter::StagedAhead);
    Barriers barriers;
    image.prepare(barriers, range, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, usage::kTransferWrite,
                  !(wholeLevel && allAspects));
    const VkCommandBuffer ahead = engine_.recorder.ahead();
    barriers.record(engine_.vk(), ahead);
    engine_.vk().vkCmdCopyBufferToImage(ahead, buffer, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count,
                                        copies);
    image.usedIn(serial, false);
    engine_.epoch.move(EpochWriter::TextureCopyAhead);
    return;
  }
  image.prepare(engine_.barriers, range, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, usage::kTransferWrite,
                !(wholeLevel && allAspects));
  image.usedIn(serial, true);
  engine_.vk().vkCmdCopyBufferToImage(engine_.outside(), buffer, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                      count, copies);
}

void Textures::subData(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                       Bytes data) {
  const format::Format format = texture.levelDesc(level).format;
  if (box.width == 0 || box.height == 0 || box.depth == 0 || !engine_.formats[format].ok()) return;
  eachRegion(texture, level, box, [&](const ImageRegion& region, u32 first) {
    const TexelShape shape{format, &engine_.formats[format], region.width, region.height, region.depth};
    const StagingLayout staging = stagingLayout(shape, layout);
    if (staging.bytes == 0) return;
    const u64 from = u64{first} * layout.imageBytes;
    if (from + layoutBytes(shape, layout) > data.size()) return;
    const StreamSlice slice = engine_.stage(staging.bytes, "a texture upload");
    if (slice.buffer == VK_NULL_HANDLE) return;
    if (!toStaging(shape, layout, data.data() + from, staging, slice.data)) return;
    copyIn(region, staging, slice.buffer, slice.offset);
  });
}

void Textures::subDataFromBuffer(Texture& texture, u32 level, const pipe::TexelBox& box,
                                 const pipe::TexelLayout& layout, Buffer& buffer, u64 offset) {
  const format::Format format = texture.levelDesc(level).format;
  if (buffer.store == nullptr || box.width == 0 || box.height == 0 || box.depth == 0 || !engine_.formats[format].ok())
    return;
  const HostFormat& host = engine_.formats[format];
  const format::FormatInfo& info = format::formatInfo(format);
  const format::TransferPair native = format::nativeTransfer(format);
  const u32 texelBytes = info.blockBytes;
  const bool sameTexels =
      host.sameMemory && !info.isDepthOrStencil() &&
      (layout.compressed || (native.format == layout.format && native.type == layout.type && !layout.swapBytes));
  if (sameTexels && layout.rowBytes % texelBytes == 0 && offset % std::max(texelBytes, 4u) == 0 &&
      (layout.imageBytes == 0 || layout.rowBytes == 0 || layout.imageBytes % layout.rowBytes == 0) &&
      !layout.compressed) {
    eachRegion(texture, level, box, [&](const ImageRegion& region, u32 first) {
      Image& image = *region.image;
      const bool volume = image.shape().type == VK_IMAGE_TYPE_3D;
      const u32 layers = volume ? 1 : region.depth;
      engine_.passes->settle(image, {region.level, 1, volume ? region.z : region.layer, region.depth}, ClearUse::Upload);
      engine_.buffers->use(*buffer.store, usage::kTransferRead);
      image.prepare(engine_.barriers, {region.level, 1, region.layer, layers}, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                    usage::kTransferWrite);
      image.usedIn(engine_.recorder.serial(), true);
      const u64 rowTexels = layout.rowBytes / texelBytes;
      const VkBufferImageCopy copy{
          offset + u64{first} * layout.imageBytes,
          static_cast<u32>(region.height > 1 || region.depth > 1 ? rowTexels : 0),
          static_cast<u32>(region.depth > 1 && layout.rowBytes != 0 ? layout.imageBytes / layout.rowBytes : 0),
          {VK_IMAGE_ASPECT_COLOR_BIT, region.level, region.layer, layers},
          {static_cast<i32>(region.x), static_cast<i32>(region.y), static_cast<i32>(region.z)},
          {region.width, region.height, volume ? region.depth : 1}};
      engine_.vk().vkCmdCopyBufferToImage(engine_.outside(), buffer.store->handle(), image.handle(),
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    });
    return;
  }
  Buffers::Readable when{};
  // The conversion is the host's: at once, or in a host step when a command fills the buffer.
  if (offset >= buffer.bytes || !canStage({format, &host, 1, 1, 1}, layout) ||
      (when = engine_.buffers->openRead(buffer)) == Buffers::Readable::No)
    return;
  eachRegion(texture, level, box, [&](const ImageRegion& region, u32 first) {
    const TexelShape shape{format, &host, region.width, region.height, region.depth};
    const StagingLayout staging = stagingLayout(shape, layout);
    const u64 from = offset + u64{first} * layout.imageBytes;
    if (staging.bytes == 0 || from + layoutBytes(shape, layout) > buffer.bytes) return;
    const StreamSlice slice = engine_.recorder.stream(staging.bytes, 16);
    if (slice.buffer == VK_NULL_HANDLE) return;
    engine_.buffers->read(buffer, when, [shape, layout, staging, from, out = slice.data](Bytes contents) {
      (void)toStaging(shape, layout, contents.data() + from, staging, out);
    });
    copyIn(region, staging, slice.buffer, slice.offset);
  });
}

void Textures::clear(Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel) {
  const format::Format format = texture.levelDesc(level).format;
  const HostFormat& host = engine_.formats[format];
  const format::TransferPair native = format::nativeTransfer(format);
  if (!host.ok() || native.format == format::TransferFormat::None || box.width == 0 || box.height == 0 ||
      box.depth == 0) {
    return;
  }
  const u32 bytes = format::formatInfo(format).blockBytes;
  std::array<std::byte, 16> one{};
  std::memcpy(one.data(), texel.data(), std::min(texel.size(), one.size()));
  pipe::TexelLayout layout{};
  layout.rowBytes = u64{bytes} * box.width;
  layout.format = native.format;
  layout.type = native.type;
  // A piece of it, copied all along: what it takes does not grow with the box. Slices, or rows of one.
  const u32 rows = static_cast<u32>(std::clamp<u64>(kClearBytes / layout.rowBytes, 1, box.height));
  const u32 slices =
      rows < box.height
          ? 1
          : static_cast<u32>(std::clamp<u64>(kClearBytes / (layout.rowBytes * box.height), 1, box.depth));
  layout.imageBytes = layout.rowBytes * rows;
  std::vector<std::byte> texels(layout.imageBytes * slices);
  format::fillTexels({texels.data(), layout.rowBytes, layout.imageBytes}, {box.width, rows, slices},
                     Bytes(one).first(std::min<std::size_t>(bytes, one.size())));
  struct Piece {
    u32 rows = 0, slices = 0;
    StagingLayout staging;
    StreamSlice slice;
  };
  std::array<Piece, 4> pieces;  // whole ones, and what is over at each end
  u32 count = 0;
  const auto pieceOf = [&](u32 high, u32 deep) -> const Piece* {
    for (u32 i = 0; i < count; ++i) {
      if (pieces[i].rows == high && pieces[i].slices == deep) return &pieces[i];
    }
    Piece& made = pieces[count];
    const TexelShape shape{format, &host, box.width, high, deep};
    made.staging = stagingLayout(shape, layout);
    if (made.staging.bytes == 0) return nullptr;
    made.slice = engine_.stage(made.staging.bytes, "a clear of a texture");
    if (made.slice.buffer == VK_NULL_HANDLE || !toStaging(shape, layout, texels.data(), made.staging, made.slice.data))
      return nullptr;
    made.rows = high;
    made.slices = deep;
    ++count;
    return &made;
  };
  // All there before the first copy: making one may hand the batch over, and the others with it.
  const u32 lastRows = box.height % rows, lastSlices = box.depth % slices;
  u64 batch = 0;
  for (u32 attempt = 0; batch != engine_.recorder.serial(); ++attempt) {
    if (attempt == 2) return engine_.device->outOfMemory("a clear of a texture");
    batch = engine_.recorder.serial();
    count = 0;
    for (const u32 high : {rows, lastRows}) {
      for (const u32 deep : {slices, lastSlices}) {
        if (high != 0 && deep != 0 && pieceOf(high, deep) == nullptr) return;
      }
    }
  }
  for (u32 z = 0; z < box.depth; z += slices) {
    for (u32 y = 0; y < box.height; y += rows) {
      pipe::TexelBox part = box;
      part.y = box.y + y;
      part.height = std::min(rows, box.height - y);
      part.z = box.z + z;
      part.depth = std::min(slices, box.depth - z);
      const Piece* piece = pieceOf(part.height, part.depth);
      if (piece == nullptr) return;
      eachRegion(texture, level, part, [&](const ImageRegion& region, u32) {
        // Layers that lie apart take the first slices of the piece.
        const StagingLayout staging =
            region.depth == part.depth
                ? piece->staging
                : stagingLayout({format, &host, region.width, region.height, region.depth}, layout);
        StagingLayout lying = staging;
        lying.stencilOffset = piece->staging.stencilOffset;
        copyIn(region, lying, piece->slice.buffer, piece->slice.offset);
      });
    }
  }
}

void Textures::copy(Texture& src, u32 srcLevel, const pipe::TexelBox& box, Texture& dst, u32 dstLevel,
                    std::array<u32, 3> origin) {
  const format::Format srcFormat = src.levelDesc(srcLevel).format, dstFormat = dst.levelDesc(dstLevel).format;
  const format::FormatInfo& from = format::formatInfo(srcFormat);
  const format::FormatInfo& to = format::formatInfo(dstFormat);
  if (engine_.formats[srcFormat].sameMemory != engine_.formats[dstFormat].sameMemory && from.base != to.base) {
    engine_.decline("a copy between images that this device holds in different ways");
    return;
  }
  for (u32 z = 0; z < box.depth; ++z) {
    const Place a = place(src, srcLevel, box.z + z), b = place(dst, dstLevel, origin[2] + z);
    if (a.image == nullptr || b.image == nullptr) continue;
    const bool srcVolume = a.image->shape().type == VK_IMAGE_TYPE_3D,
               dstVolume = b.image->shape().type == VK_IMAGE_TYPE_3D;
    const SubRange srcRange{a.level, 1, srcVolume ? 0 : a.layer, 1}, dstRange{b.level, 1, dstVolume ? 0 : b.layer, 1};
    engine_.passes->settle(*a.image, {a.level, 1, a.layer, 1}, ClearUse::CopySource);
    engine_.passes->settle(*b.image, {b.level, 1, b.layer, 1}, ClearUse::Upload);
    const bool same = a.image == b.image;
    if (same) {
      const Usage both{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                       true};
      a.image->prepare(engine_.barriers, a.image->all(), VK_IMAGE_LAYOUT_GENERAL, both);
    } else {
      a.image->prepare(engine_.barriers, srcRange, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, usage::kTransferRead);
      b.image->prepare(engine_.barriers, dstRange, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, usage::kTransferWrite);
    }
    a.image->usedIn(engine_.recorder.serial(), true);
    b.image->usedIn(engine_.recorder.serial(), true);
    const VkImageCopy region{
        {a.image->aspects(), a.level, srcRange.layer, 1},
        {static_cast<i32>(box.x), static_cast<i32>(box.y), static_cast<i32>(srcVolume ? a.layer : 0)},
        {b.image->aspects(), b.level, dstRange.layer, 1},
        {static_cast<i32>(origin[0]), static_cast<i32>(origin[1]), static_cast<i32>(dstVolume ? b.layer : 0)},
        {box.width, box.height, 1}};
    engine_.vk().vkCmdCopyImage(
        engine_.outside(), a.image->handle(), same ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        b.image->handle(), same ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
  }
}

void Textures::generateMipmap(Texture& texture, u32 baseLevel, u32 lastLevel) {
  assemble(texture);
  const bool volume = texture.root().target == pipe::TextureTarget::Tex3D;
  const backend::TextureLevelDesc base = texture.levelDesc(baseLevel);
  if (base.format == format::Format::None) return;
  const u32 layers = volume ? 1
                     : texture.target == pipe::TextureTarget::Cube
                         ? 6
                         : std::max(texture.storage || texture.viewOf ? texture.depth : base.depth, 1u);
  for (u32 level = baseLevel + 1; level <= lastLevel; ++level) {
    const Place src = place(texture, level - 1, 0), dst = place(texture, level, 0);
    if (src.image == nullptr || dst.image == nullptr) return;
    const format::FormatInfo& info = format::formatInfo(base.format);
    engine_.blitter->halve(*src.image, src.level, *dst.image, dst.level, volume ? 0 : src.layer, layers, info.srgb);
  }
}

backend::Pending Textures::beginRead(Texture& texture, u32 level, const pipe::TexelBox& box,
                                     const pipe::TexelLayout& layout) {
  if (!texture.root().loose.empty() && texture.root().target == pipe::TextureTarget::Cube) assemble(texture);
  const Place at = place(texture, level, box.z);
  const bool volume = texture.root().target == pipe::TextureTarget::Tex3D;
  return engine_.readBacks->beginImage(ImageRegion{at.image, at.level, volume ? 0 : at.layer, box.x, box.y,
                                                   volume ? at.layer : 0, box.width, box.height, box.depth},
                                       texture.levelDesc(level).format, layout, false);
}

void Textures::readToBuffer(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                            Buffer& buffer, u64 offset) {
  if (!texture.root().loose.empty() && texture.root().target == pipe::TextureTarget::Cube) assemble(texture);
  const Place at = place(texture, level, box.z);
  const bool volume = texture.root().target == pipe::TextureTarget::Tex3D;
  engine_.readBacks->imageToBuffer(ImageRegion{at.image, at.level, volume ? 0 : at.layer, box.x, box.y,
                                               volume ? at.layer : 0, box.width, box.height, box.depth},
                                   texture.levelDesc(level).format, layout, false, buffer, offset);
}

}  // namespace mgl::magma
