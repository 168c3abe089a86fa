#include "gl/texture/transfer.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "format/format.h"
#include "gl/texture/target.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

constexpr u64 kPartBytes = client::Group::maxBlobBytes();

bool isVolume(TextureTarget target) { return imageDimensions(target) == 3; }

// Section 8.4.4.1 and 6.3.2: the pixel buffer must not be mapped, must be large enough, and aligned to the element.
bool checkBuffer(Context& ctx, const Buffer& buffer, u64 offset, u64 bytes, u32 element, const char* call) {
  if (buffer.map.pointer != nullptr && !buffer.persistentlyMapped()) {
    ctx.error(GL_INVALID_OPERATION, "%s: the pixel buffer is mapped", call);
    return false;
  }
  if (element > 1 && offset % element != 0) {
    ctx.error(GL_INVALID_OPERATION, "%s: the offset into the pixel buffer is no multiple of %u", call, element);
    return false;
  }
  if (bytes > buffer.size || offset > buffer.size - bytes) {
    ctx.error(GL_INVALID_OPERATION, "%s: the texels reach beyond the end of the pixel buffer", call);
    return false;
  }
  return true;
}

// Rows of a one-dimensional array lie where rows lie, but are images to the pipe.
void useWordsOfPipe(TextureTarget target, Pixels* pixels) {
  if (target != TextureTarget::Tex1DArray) return;
  pixels->images = pixels->rows;
  pixels->rows = 1;
  pixels->layout.imageBytes = pixels->layout.rowBytes;
}

// Places the region: in the bound buffer, or in client memory. bytes: one past the last that is touched.
bool place(Context& ctx, const Ref<Buffer>& buffer, const void* pixels, u64 first, u64 bytes, u32 element, i64 bufSize,
           Pixels* out, const char* call) {
  if (buffer) {
    const u64 offset = reinterpret_cast<u64>(pixels);
    if (bytes != 0 && !checkBuffer(ctx, *buffer, offset, bytes, element, call)) return false;
    out->buffer = buffer;
    out->offset = offset + first;
    return true;
  }
  if (bufSize >= 0 && static_cast<u64>(bufSize) < bytes) {
    ctx.error(GL_INVALID_OPERATION, "%s: the result has %llu bytes, and there is room for %lld", call,
              static_cast<unsigned long long>(bytes), static_cast<long long>(bufSize));
    return false;
  }
  out->none = pixels == nullptr;
  out->memory = const_cast<std::byte*>(static_cast<const std::byte*>(pixels)) + (out->none ? 0 : first);
  return true;
}

bool resolve(Context& ctx, const PixelStore& store, const Ref<Buffer>& buffer, format::TransferPair pair,
             const Region& region, const void* pixels, i64 bufSize, Pixels* out, const char* call) {
  const format::TransferLayout layout = format::transferLayout(store.layout, pair.format, pair.type, region.width,
                                                               region.height, region.depth, isVolume(region.target));
  out->layout.rowBytes = layout.rowStride;
  out->layout.imageBytes = layout.imageStride;
  out->layout.format = pair.format;
  out->layout.type = pair.type;
  out->layout.swapBytes = store.layout.swapBytes ? 1 : 0;
  out->tightRow = u64{format::bytesPerPixel(pair.format, pair.type)} * region.width;
  out->rows = region.height;
  out->images = region.depth;
  useWordsOfPipe(region.target, out);
  return place(ctx, buffer, pixels, layout.firstPixel, layout.totalBytes, format::elementBytes(pair.type), bufSize, out,
               call);
}

// Blocks are taken as tight unless the program describes them: GL_UNPACK_COMPRESSED_BLOCK_* (section 8.7).
bool resolveBlocks(Context& ctx, const PixelStore& store, const Ref<Buffer>& buffer, pipe::Format format,
                   const Region& region, const void* pixels, i64 bufSize, Pixels* out, const char* call) {
  const format::FormatInfo& info = format::formatInfo(format);
  const format::PixelStore& l = store.layout;
  const bool described = store.blockWidth != 0 && store.blockBytes != 0;
  const u64 tightRow = format::rowBytes(format, region.width);
  const u64 tightRows = format::rowCount(format, region.height);
  u64 rowStride = tightRow, imageRows = tightRows, first = 0;
  if (described) {
    if (l.rowLength != 0) rowStride = format::rowBytes(format, l.rowLength);
    if (isVolume(region.target) && l.imageHeight != 0) imageRows = format::rowCount(format, l.imageHeight);
    first = u64{l.skipPixels} / info.blockWidth * info.blockBytes + u64{l.skipRows} / info.blockHeight * rowStride;
    if (isVolume(region.target)) first += u64{l.skipImages} * imageRows * rowStride;
  }
  const u64 imageStride = imageRows * rowStride;
  u64 bytes = 0;
  if (!region.isEmpty())
    bytes = first + (u64{region.depth} - 1) * imageStride + (tightRows - 1) * rowStride + tightRow;
  out->layout.rowBytes = rowStride;
  out->layout.imageBytes = imageStride;
  out->layout.compressed = 1;
  out->tightRow = tightRow;
  out->rows = static_cast<u32>(tightRows);
  out->images = region.depth;
  out->rowTexels = info.blockHeight;
  return place(ctx, buffer, pixels, first, bytes, 1, bufSize, out, call);
}

const Ref<Buffer>& unpackBuffer(Context& ctx) { return ctx.buffers[indexOf(BufferTarget::PixelUnpack)]; }
const Ref<Buffer>& packBuffer(Context& ctx) { return ctx.buffers[indexOf(BufferTarget::PixelPack)]; }

bool isTight(const Pixels& p, u32 rows, u32 images) {
  return (rows <= 1 || p.layout.rowBytes == p.tightRow) && (images <= 1 || p.layout.imageBytes == p.tightRow * p.rows);
}

const std::byte* rowAt(const Pixels& p, u32 image, u32 row) {
  return p.memory + u64{image} * p.layout.imageBytes + u64{row} * p.layout.rowBytes;
}

pipe::TexelLayout tight(const Pixels& p, u32 rows) {
  pipe::TexelLayout layout = p.layout;
  layout.rowBytes = p.tightRow;
  layout.imageBytes = p.tightRow * rows;
  return layout;
}

// Cuts images x rows into parts of at most kPartBytes tight bytes: whole images, or rows of one image. Until one says no.
template <class Part>
void cut(const Pixels& p, Part&& part) {
  const u64 imageBytes = p.tightRow * p.rows;
  if (imageBytes <= kPartBytes) {
    const u32 step = static_cast<u32>(std::max<u64>(1, kPartBytes / std::max<u64>(1, imageBytes)));
    for (u32 image = 0; image < p.images; image += std::min(step, p.images - image))
      if (!part(image, std::min(step, p.images - image), 0u, p.rows)) return;
    return;
  }
  const u32 step = static_cast<u32>(std::max<u64>(1, kPartBytes / p.tightRow));
  for (u32 image = 0; image < p.images; ++image)
    for (u32 row = 0; row < p.rows; row += std::min(step, p.rows - row))
      if (!part(image, 1u, row, std::min(step, p.rows - row))) return;
}

// What a level of all faces was when its box was checked.
class LevelShape {
 public:
  LevelShape(const Texture& texture, u32 level) : texture_(texture), level_(level), faces_(now()) {}
  bool holds() const { return faces_ == now(); }

 private:
  std::array<TextureImage, 6> now() const {
    std::array<TextureImage, 6> faces;
    for (u32 face = 0; face < texture_.faces(); ++face) faces[face] = texture_.images[face][level_];
    return faces;
  }
  const Texture& texture_;
  const u32 level_;
  const std::array<TextureImage, 6> faces_;
};

// The part of a box that holds those images and rows.
pipe::TexelBox partOf(const pipe::TexelBox& box, const Pixels& p, u32 image, u32 images, u32 row, u32 rows) {
  pipe::TexelBox part = box;
  part.z = box.z + image;
  part.depth = images;
  part.y = box.y + row * p.rowTexels;
  part.height = std::min(rows * p.rowTexels, box.height - row * p.rowTexels);
  return part;
}

}  // namespace

bool resolveUnpack(Context& ctx, format::TransferPair pair, const Region& region, const void* pixels, Pixels* out,
                   const char* call) {
  return resolve(ctx, ctx.unpack, unpackBuffer(ctx), pair, region, pixels, -1, out, call);
}

bool resolvePack(Context& ctx, format::TransferPair pair, const Region& region, void* pixels, i64 bufSize, Pixels* out,
                 const char* call) {
  return resolve(ctx, ctx.pack, packBuffer(ctx), pair, region, pixels, bufSize, out, call);
}

bool resolveUnpackCompressed(Context& ctx, pipe::Format format, const Region& region, i64 imageSize, const void* pixels,
                             Pixels* out, const char* call) {
  const u64 expected = region.isEmpty() ? 0 : format::boxBytes(format, region.width, region.height, region.depth);
  if (imageSize < 0 || static_cast<u64>(imageSize) != expected) {
    ctx.error(GL_INVALID_VALUE, "%s: imageSize is %lld, but blocks of this size have %llu bytes", call,
              static_cast<long long>(imageSize), static_cast<unsigned long long>(expected));
    return false;
  }
  return resolveBlocks(ctx, ctx.unpack, unpackBuffer(ctx), format, region, pixels, -1, out, call);
}

bool resolvePackCompressed(Context& ctx, pipe::Format format, const Region& region, void* pixels, i64 bufSize, Pixels* out,
                           const char* call) {
  return resolveBlocks(ctx, ctx.pack, packBuffer(ctx), format, region, pixels, bufSize, out, call);
}

void uploadTexels(Context& ctx, const Texture& texture, u32 level, const pipe::TexelBox& box, const Pixels& pixels) {
  if (pixels.none || box.width == 0 || box.height == 0 || box.depth == 0) return;
  client::Group group(*ctx.session, ctx.stream);
  if (pixels.buffer) {
    group.emit(pipe::TextureSubDataFromBuffer{texture.handle, level, 0, box, pixels.layout, pixels.buffer->handle, pixels.offset});
    return;
  }
  const LevelShape checked(texture, level);
  std::unique_ptr<std::byte[]> copy;
  cut(pixels, [&](u32 image, u32 images, u32 row, u32 rows) {
    const u64 bytes = pixels.tightRow * rows * images;
    const std::byte* from = rowAt(pixels, image, row);
    if (!isTight(pixels, rows, images)) {
      if (!copy) copy = std::make_unique_for_overwrite<std::byte[]>(std::min(kPartBytes, pixels.tightRow * pixels.rows * pixels.images));
      std::byte* to = copy.get();
      for (u32 i = 0; i < images; ++i)
        for (u32 r = 0; r < rows; ++r, to += pixels.tightRow)
          std::memcpy(to, rowAt(pixels, image + i, row + r), pixels.tightRow);
      from = copy.get();
    }
    pipe::TextureSubData record{texture.handle, level, 0, partOf(box, pixels, image, images, row, rows), tight(pixels, rows), {}};
    const u32 interruptions = group.interruptions();
    record.data = group.blob(Bytes(from, bytes));
    if (interruptions != group.interruptions() && !checked.holds()) {
      group.dropBlobs();
      return false;
    }
    group.emit(record);
    return true;
  });
}

void readInParts(const Pixels& pixels, const AskPart& ask) {
  std::unique_ptr<std::byte[]> copy;
  cut(pixels, [&](u32 image, u32 images, u32 row, u32 rows) {
    const u64 bytes = pixels.tightRow * rows * images;
    std::byte* const to = const_cast<std::byte*>(rowAt(pixels, image, row));
    const pipe::TexelLayout layout = tight(pixels, rows);
    if (isTight(pixels, rows, images)) return ask(image, images, row, rows, layout, MutableBytes(to, bytes));
    if (!copy) copy = std::make_unique_for_overwrite<std::byte[]>(std::min(kPartBytes, pixels.tightRow * pixels.rows * pixels.images));
    if (!ask(image, images, row, rows, layout, MutableBytes(copy.get(), bytes))) return false;
    const std::byte* from = copy.get();
    for (u32 i = 0; i < images; ++i)
      for (u32 r = 0; r < rows; ++r, from += pixels.tightRow)
        std::memcpy(const_cast<std::byte*>(rowAt(pixels, image + i, row + r)), from, pixels.tightRow);
    return true;
  });
}

void readTexels(Context& ctx, const Texture& texture, u32 level, const pipe::TexelBox& box, const Pixels& pixels) {
  if (pixels.none || box.width == 0 || box.height == 0 || box.depth == 0) return;
  if (pixels.buffer) {
    client::Group group(*ctx.session, ctx.stream);
    group.emit(pipe::ReadTextureToBuffer{texture.handle, level, 0, box, pixels.layout, pixels.buffer->handle, pixels.offset});
    return;
  }
  const LevelShape checked(texture, level);
  readInParts(pixels, [&](u32 image, u32 images, u32 row, u32 rows, const pipe::TexelLayout& layout, MutableBytes dst) {
    Verb verb(ctx);
    if (!checked.holds()) return false;
    return verb.ask(pipe::ReadTexture{texture.handle, level, 0, partOf(box, pixels, image, images, row, rows), layout}, dst).ok;
  });
}

}  // namespace mgl::gl
