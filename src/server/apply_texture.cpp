// Textures and renderbuffers.
#include <algorithm>

#include "format/convert.h"
#include "server/image_checks.h"
#include "server/session_tables.h"

namespace mgl::server {

using backend::Texture;
using pipe::TextureTarget;

namespace {

// Whether texels may pass between a layout and a format in this direction.
bool layoutGoesWith(const pipe::TexelLayout& layout, pipe::Format format, bool read) {
  const format::FormatInfo& info = format::formatInfo(format);
  if (layout.compressed != 0) return info.compressed;
  if (info.compressed) return read && info.isColor();  // decompressed on the way out, never compressed on the way in
  return format::canTransfer(format, layout.format, layout.type);
}

}  // namespace

// The common checks of a transfer: the level is there, the box inside of it, the layout has a meaning. Null: good.
const char* Session::checkTransfer(const Texture& texture, u32 level, const pipe::TexelBox& box,
                                   const pipe::TexelLayout& layout, bool read, u64* bytes) {
  if (texture.target == TextureTarget::Buffer || isMultisample(texture.target) || texture.samples > 1) return "texture";
  pipe::Format format = pipe::Format::None;
  if (!boxFits(texture, level, box, &format)) return "box";
  if (!layoutGoesWith(layout, format, read)) return "layout";
  const LevelShape shape =
      levelShape(texture, level, texture.storage || !isCube(texture.target) ? 0 : std::min(box.z, 5u));
  if (layout.compressed != 0 && !blocksFit({format, shape.width, shape.height, shape.depth}, box)) return "box";
  const auto needed = layoutBytes(layout, format, box.width, box.height, box.depth);
  if (!needed) return "layout";
  *bytes = *needed;
  return nullptr;
}

bool Session::applyCreateTexture(pipe::RecordView<pipe::CreateTexture> record) {
  const pipe::TextureHandle handle = record.head.texture;
  if (!textures_.isFresh(handle.slot, handle.gen)) return corrupt("CreateTexture.texture");
  Texture& texture = textures_.insert(handle, backend_->makeTexture());
  texture.target = record.head.target;
  return true;
}

bool Session::applyTextureStorage(pipe::RecordView<pipe::TextureStorage> record) {
  const pipe::TextureStorage& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->target == TextureTarget::Buffer || texture->viewOf)
    return corrupt("TextureStorage.texture");
  if (!format::isValid(head.format)) return corrupt("TextureStorage.format");
  if (!extentFits(texture->target, head.width, head.height, head.depth)) return corrupt("TextureStorage.depth");
  if (head.levels > fullLevels(texture->target, head.width, head.height, head.depth))
    return corrupt("TextureStorage.levels");
  const bool multisample = isMultisample(texture->target) || texture->target == TextureTarget::Renderbuffer;
  if (head.samples > 1 && !multisample) return corrupt("TextureStorage.samples");
  texture->storage = true;
  texture->format = head.format;
  texture->levelCount = head.levels;
  texture->width = head.width;
  texture->height = head.height;
  texture->depth = head.depth;
  texture->samples = head.samples;
  texture->flags = head.flags;
  texture->levels = {};
  ++texture->serial;
  backend_->textureStorage(*texture);
  return true;
}

bool Session::applyTextureLevel(pipe::RecordView<pipe::TextureLevel> record) {
  const pipe::TextureLevel& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->storage) return corrupt("TextureLevel.texture");
  const TextureTarget target = texture->target;
  if (target == TextureTarget::Buffer || target == TextureTarget::Renderbuffer || isMultisample(target))
    return corrupt("TextureLevel.texture");
  if (head.face != 0 && target != TextureTarget::Cube) return corrupt("TextureLevel.face");
  if (target == TextureTarget::Rectangle && head.level != 0) return corrupt("TextureLevel.level");
  backend::TextureLevelDesc& desc = texture->levels[head.face][head.level];
  if (head.width == 0 || head.height == 0 || head.depth == 0) {
    desc = {};
  } else {
    if (!format::isValid(head.format)) return corrupt("TextureLevel.format");
    // Of a cube this is one face.
    const u32 depth = target == TextureTarget::Cube ? head.depth * 6 : head.depth;
    if (!extentFits(target, head.width, head.height, depth)) return corrupt("TextureLevel.depth");
    desc = {head.format, head.width, head.height, head.depth};
  }
  ++texture->serial;
  backend_->textureLevel(*texture, head.face, head.level);
  return true;
}

bool Session::applyTextureSubData(pipe::RecordView<pipe::TextureSubData> record) {
  const pipe::TextureSubData& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr) return corrupt("TextureSubData.texture");
  u64 needed = 0;
  if (const char* field = checkTransfer(*texture, head.level, head.box, head.layout, false, &needed))
    return corruptField(pipe::Call::TextureSubData, field);
  bool fits = false;
  const Bytes data = blobBytes(head.data, &fits);
  if (!fits || needed > data.size()) return corrupt("TextureSubData.data");
  if (needed != 0) backend_->textureSubData(*texture, head.level, head.box, head.layout, data);
  return true;
}

bool Session::applyTextureSubDataFromBuffer(pipe::RecordView<pipe::TextureSubDataFromBuffer> record) {
  const pipe::TextureSubDataFromBuffer& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr) return corrupt("TextureSubDataFromBuffer.texture");
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("TextureSubDataFromBuffer.buffer");
  u64 needed = 0;
  if (const char* field = checkTransfer(*texture, head.level, head.box, head.layout, false, &needed))
    return corruptField(pipe::Call::TextureSubDataFromBuffer, field);
  if (!rangeFits(head.offset, needed, buffer->bytes)) return corrupt("TextureSubDataFromBuffer.offset");
  if (needed != 0)
    backend_->textureSubDataFromBuffer(*texture, head.level, head.box, head.layout, *buffer, head.offset);
  return true;
}

bool Session::applyClearTexture(pipe::RecordView<pipe::ClearTexture> record) {
  const pipe::ClearTexture& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->target == TextureTarget::Buffer) return corrupt("ClearTexture.texture");
  pipe::Format format = pipe::Format::None;
  if (!boxFits(*texture, head.level, head.box, &format)) return corrupt("ClearTexture.box");
  const format::FormatInfo& info = format::formatInfo(format);
  if (info.compressed || head.texelBytes != info.blockBytes) return corrupt("ClearTexture.texelBytes");
  if (head.box.width == 0 || head.box.height == 0 || head.box.depth == 0) return true;
  backend_->clearTexture(*texture, head.level, head.box, std::as_bytes(std::span(head.texel)).first(head.texelBytes));
  return true;
}

bool Session::applyCopyImage(pipe::RecordView<pipe::CopyImage> record) {
  const pipe::CopyImage& head = record.head;
  Texture* src = textures_.find(head.src);
  Texture* dst = textures_.find(head.dst);
  if (src == nullptr || src->target == TextureTarget::Buffer) return corrupt("CopyImage.src");
  if (dst == nullptr || dst->target == TextureTarget::Buffer) return corrupt("CopyImage.dst");
  if (std::max(src->samples, 1u) != std::max(dst->samples, 1u)) return corrupt("CopyImage.dst");
  pipe::Format srcFormat = pipe::Format::None, dstFormat = pipe::Format::None;
  if (!boxFits(*src, head.srcLevel, head.srcBox, &srcFormat)) return corrupt("CopyImage.srcBox");
  const LevelShape srcShape =
      levelShape(*src, head.srcLevel, !src->storage && isCube(src->target) ? std::min(head.srcBox.z, 5u) : 0);
  const LevelShape dstShape =
      levelShape(*dst, head.dstLevel, !dst->storage && isCube(dst->target) ? std::min(head.dstOrigin[2], 5u) : 0);
  const format::FormatInfo& srcInfo = format::formatInfo(srcFormat);
  const format::FormatInfo& dstInfo = format::formatInfo(dstShape.format);
  if (dstShape.format == pipe::Format::None || srcInfo.blockBytes != dstInfo.blockBytes)
    return corrupt("CopyImage.dst");
  if (!blocksFit(srcShape, head.srcBox)) return corrupt("CopyImage.srcBox");
  // One block of one side goes to one block of the other (18.3.3).
  auto scaled = [](u32 size, u32 from, u32 to) { return (size + from - 1) / from * to; };
  pipe::TexelBox box{head.dstOrigin[0],
                     head.dstOrigin[1],
                     head.dstOrigin[2],
                     scaled(head.srcBox.width, srcInfo.blockWidth, dstInfo.blockWidth),
                     scaled(head.srcBox.height, srcInfo.blockHeight, dstInfo.blockHeight),
                     head.srcBox.depth};
  // A partial block at the edge of the destination.
  if (dstInfo.compressed && box.x < dstShape.width && box.y < dstShape.height) {
    if (box.width - std::min(box.width, dstShape.width - box.x) < dstInfo.blockWidth)
      box.width = std::min(box.width, dstShape.width - box.x);
    if (box.height - std::min(box.height, dstShape.height - box.y) < dstInfo.blockHeight)
      box.height = std::min(box.height, dstShape.height - box.y);
  }
  if (!boxFits(*dst, head.dstLevel, box, &dstFormat) || !blocksFit(dstShape, box))
    return corrupt("CopyImage.dstOrigin");
  if (head.srcBox.width == 0 || head.srcBox.height == 0 || head.srcBox.depth == 0) return true;
  backend_->copyImage(*src, head.srcLevel, head.srcBox, *dst, head.dstLevel, head.dstOrigin);
  return true;
}

// The client specified the levels: it is the one that answers for their sizes.
bool Session::applyGenerateMipmap(pipe::RecordView<pipe::GenerateMipmap> record) {
  const pipe::GenerateMipmap& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->target == TextureTarget::Buffer) return corrupt("GenerateMipmap.texture");
  if (head.lastLevel < head.baseLevel) return corrupt("GenerateMipmap.lastLevel");
  const bool faces = !texture->storage && texture->target == TextureTarget::Cube;
  for (u32 face = 0; face < (faces ? 6u : 1u); ++face) {
    const LevelShape base = levelShape(*texture, head.baseLevel, face);
    if (base.format == pipe::Format::None || format::formatInfo(base.format).compressed)
      return corrupt("GenerateMipmap.baseLevel");
    for (u32 level = head.baseLevel + 1; level <= head.lastLevel; ++level) {
      const LevelShape shape = levelShape(*texture, level, face);
      const u32 down = level - head.baseLevel;
      const bool oneRow = texture->target == TextureTarget::Tex1D || texture->target == TextureTarget::Tex1DArray;
      const u32 depth = texture->target == TextureTarget::Tex3D ? std::max(base.depth >> down, 1u) : base.depth;
      if (shape.format != base.format || shape.width != std::max(base.width >> down, 1u) ||
          shape.height != (oneRow ? base.height : std::max(base.height >> down, 1u)) || shape.depth != depth)
        return corrupt("GenerateMipmap.lastLevel");
    }
  }
  if (head.lastLevel > head.baseLevel) backend_->generateMipmap(*texture, head.baseLevel, head.lastLevel);
  return true;
}

bool Session::applyInvalidateTexture(pipe::RecordView<pipe::InvalidateTexture> record) {
  const pipe::InvalidateTexture& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->target == TextureTarget::Buffer) return corrupt("InvalidateTexture.texture");
  pipe::Format format = pipe::Format::None;
  if (!boxFits(*texture, head.level, head.box, &format)) return corrupt("InvalidateTexture.box");
  backend_->invalidateTexture(*texture, head.level, head.box);
  return true;
}

bool Session::applySetTextureParameters(pipe::RecordView<pipe::SetTextureParameters> record) {
  const pipe::SetTextureParameters& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr) return corrupt("SetTextureParameters.texture");
  backend::Sampler* sampler = samplers_.find(head.sampler);
  if (sampler == nullptr) return corrupt("SetTextureParameters.sampler");
  texture->sampler = Ref(sampler);
  texture->baseLevel = head.baseLevel;
  texture->maxLevel = head.maxLevel;
  texture->swizzle = {head.swizzleR, head.swizzleG, head.swizzleB, head.swizzleA};
  texture->sampleStencil = head.sampleStencil != 0;
  ++texture->serial;
  backend_->textureParametersChanged(*texture);
  return true;
}

// A range beyond the buffer's end reads as if the buffer ended there (8.9): backends cut it at use, as the buffer may
// change.
bool Session::applySetTextureBuffer(pipe::RecordView<pipe::SetTextureBuffer> record) {
  const pipe::SetTextureBuffer& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr || texture->target != TextureTarget::Buffer) return corrupt("SetTextureBuffer.texture");
  backend::Buffer* buffer = nullptr;
  if (!lookUp(buffers_, head.buffer, &buffer)) return corrupt("SetTextureBuffer.buffer");
  const format::FormatInfo& info = format::formatInfo(head.format);
  if (buffer != nullptr && (!info.isColor() || info.compressed)) return corrupt("SetTextureBuffer.format");
  texture->buffer = Ref(buffer);
  texture->bufferOffset = head.offset;
  texture->bufferBytes = head.bytes;
  texture->format = head.format;
  ++texture->serial;
  backend_->textureBuffer(*texture);
  return true;
}

bool Session::applyCreateTextureView(pipe::RecordView<pipe::CreateTextureView> record) {
  const pipe::CreateTextureView& head = record.head;
  if (!textures_.isFresh(head.texture.slot, head.texture.gen)) return corrupt("CreateTextureView.texture");
  Texture* source = textures_.find(head.source);
  if (source == nullptr || !source->storage) return corrupt("CreateTextureView.source");
  const format::FormatInfo& from = format::formatInfo(source->format);
  const format::FormatInfo& to = format::formatInfo(head.format);
  if (!format::isValid(head.format) || from.blockBytes != to.blockBytes || from.compressed != to.compressed ||
      from.isDepthOrStencil() != to.isDepthOrStencil() || (from.isDepthOrStencil() && head.format != source->format))
    return corrupt("CreateTextureView.format");
  if (!rangeFits(head.minLevel, head.levels, source->levelCount)) return corrupt("CreateTextureView.levels");
  const LevelShape shape = levelShape(*source, head.minLevel);
  const bool volume = source->target == TextureTarget::Tex3D;
  if (volume != (head.target == TextureTarget::Tex3D)) return corrupt("CreateTextureView.target");
  if (volume ? (head.minLayer != 0 || head.layers != 1) : !rangeFits(head.minLayer, head.layers, shape.depth))
    return corrupt("CreateTextureView.layers");
  const u32 depth = volume ? shape.depth : head.layers;
  if (head.target == TextureTarget::Renderbuffer || isMultisample(head.target) != isMultisample(source->target) ||
      !extentFits(head.target, shape.width, shape.height, depth))
    return corrupt("CreateTextureView.target");
  Texture& view = textures_.insert(head.texture, backend_->makeTexture());
  view.target = head.target;
  view.storage = true;
  view.format = head.format;
  view.levelCount = head.levels;
  view.width = shape.width;
  view.height = shape.height;
  view.depth = depth;
  view.samples = source->samples;
  view.flags = source->flags;
  view.viewOf = source->viewOf ? source->viewOf : Ref(source);
  view.minLevel = source->minLevel + head.minLevel;
  view.minLayer = source->minLayer + head.minLayer;
  ++view.serial;
  backend_->textureView(view);
  return true;
}

bool Session::applyDestroyTexture(pipe::RecordView<pipe::DestroyTexture> record) {
  return destroy(textures_, record.head.texture, "DestroyTexture.texture");
}

bool Session::applyReadTexture(pipe::RecordView<pipe::ReadTexture> record) {
  const pipe::ReadTexture& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr) return corrupt("ReadTexture.texture");
  u64 needed = 0;
  if (const char* field = checkTransfer(*texture, head.level, head.box, head.layout, true, &needed))
    return corruptField(pipe::Call::ReadTexture, field);
  const backend::Pending pending =
      needed != 0 ? backend_->beginReadTexture(*texture, head.level, head.box, head.layout) : backend::Pending{};
  return reply(pipe::Call::ReadTexture, head.replySlot, pending, needed);
}

bool Session::applyReadTextureToBuffer(pipe::RecordView<pipe::ReadTextureToBuffer> record) {
  const pipe::ReadTextureToBuffer& head = record.head;
  Texture* texture = textures_.find(head.texture);
  if (texture == nullptr) return corrupt("ReadTextureToBuffer.texture");
  backend::Buffer* buffer = buffers_.find(head.buffer);
  if (buffer == nullptr) return corrupt("ReadTextureToBuffer.buffer");
  u64 needed = 0;
  if (const char* field = checkTransfer(*texture, head.level, head.box, head.layout, true, &needed))
    return corruptField(pipe::Call::ReadTextureToBuffer, field);
  if (!rangeFits(head.offset, needed, buffer->bytes)) return corrupt("ReadTextureToBuffer.offset");
  if (needed != 0) backend_->readTextureToBuffer(*texture, head.level, head.box, head.layout, *buffer, head.offset);
  return true;
}

bool Session::applyImportTexture(pipe::RecordView<pipe::ImportTexture>) {
  return unimplemented(pipe::Call::ImportTexture);
}
bool Session::applyExportTexture(pipe::RecordView<pipe::ExportTexture>) {
  return unimplemented(pipe::Call::ExportTexture);
}
bool Session::applyBindSurfaceImage(pipe::RecordView<pipe::BindSurfaceImage>) {
  return unimplemented(pipe::Call::BindSurfaceImage);
}

}  // namespace mgl::server
