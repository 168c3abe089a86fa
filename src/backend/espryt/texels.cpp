#include "backend/espryt/texels.h"

#include <algorithm>
#include <cstring>

#include "format/convert.h"

namespace mgl::espryt {

using format::FormatInfo;
using format::formatInfo;

namespace {

format::Extent extentOf(const TexelShape& shape) { return {shape.width, shape.height, shape.depth}; }

template <class T>
T tight(Format f, const TexelShape& shape, decltype(T::data) data) {
  return {data, format::rowBytes(f, shape.width), format::imageBytes(f, shape.width, shape.height)};
}

u64 boxBytes(Format f, const TexelShape& shape) { return format::boxBytes(f, shape.width, shape.height, shape.depth); }

}  // namespace

bool isDirect(const TexelShape& shape, const pipe::TexelLayout& layout) {
  if (layout.compressed != 0) return true;
  if (!shape.host->sameMemory || layout.swapBytes != 0) return false;
  const format::TransferPair native = format::nativeTransfer(shape.named);
  if (native.format == format::TransferFormat::None || native.format != layout.format || native.type != layout.type)
    return false;
  const u32 texel = formatInfo(shape.named).blockBytes;
  return texel != 0 && layout.rowBytes % texel == 0 &&
         (shape.depth <= 1 || (layout.rowBytes != 0 && layout.imageBytes % layout.rowBytes == 0));
}

Upload prepareUpload(const TexelShape& shape, const pipe::TexelLayout& layout, const std::byte* data,
                     std::vector<std::byte>* scratch) {
  if (isDirect(shape, layout)) return {data, layout.rowBytes, layout.imageBytes};
  const Format named = shape.named;
  scratch->resize(boxBytes(named, shape));
  const auto made = tight<format::MutableTexels>(named, shape, scratch->data());
  // A combined texel keeps what the layout lacks: there is nothing of it here.
  std::fill(scratch->begin(), scratch->end(), std::byte{0});
  if (!format::unpack(named, made, layout.format, layout.type, layout.swapBytes != 0,
                      {data, layout.rowBytes, layout.imageBytes}, extentOf(shape))) {
    return {};
  }
  if (shape.host->sameMemory) return {scratch->data(), made.rowStride, made.imageStride};
  std::vector<std::byte> converted;
  const Upload upload = prepareStored(shape, scratch->data(), &converted);
  scratch->swap(converted);
  return upload;
}

Upload prepareStored(const TexelShape& shape, const std::byte* data, std::vector<std::byte>* scratch) {
  const auto from = tight<format::ConstTexels>(shape.named, shape, data);
  if (shape.host->sameMemory) return {from.data, from.rowStride, from.imageStride};
  scratch->resize(boxBytes(shape.host->stored, shape));
  const auto to = tight<format::MutableTexels>(shape.host->stored, shape, scratch->data());
  if (!format::convertTexels(shape.host->stored, to, shape.named, from, extentOf(shape))) return {};
  return {to.data, to.rowStride, to.imageStride};
}

ReadParts readParts(const TexelShape& shape, const pipe::TexelLayout& layout, bool drawn) {
  using format::TransferFormat;
  ReadParts parts;
  const FormatInfo& info = formatInfo(shape.named);
  if (info.isDepthOrStencil()) {
    const bool wantsDepth = layout.format == TransferFormat::Depth || layout.format == TransferFormat::DepthStencil;
    const bool wantsStencil = layout.format == TransferFormat::Stencil || layout.format == TransferFormat::DepthStencil;
    parts.main = wantsDepth && info.isDepth();
    parts.stencil = wantsStencil && info.isStencil();
    parts.drawn = drawn;
    parts.mainFormat = info.isFloat() || drawn ? Format::D32F : Format::D32;
    if (drawn) {
      const u64 bytes = boxBytes(Format::RGBA32F, shape);
      parts.mainBytes = parts.main ? bytes : 0;
      parts.stencilBytes = parts.stencil ? bytes : 0;
      return parts;
    }
  } else {
    parts.main = true;
    parts.mainFormat = shape.host->readAs;
  }
  if (parts.main) parts.mainBytes = boxBytes(parts.mainFormat, shape);
  if (parts.stencil) parts.stencilBytes = alignUp<u64>(boxBytes(Format::S8, shape), 4);
  return parts;
}

bool isDirectRead(const TexelShape& shape, const ReadParts& parts, const pipe::TexelLayout& layout, bool clampColor) {
  const FormatInfo& info = formatInfo(shape.named);
  if (!parts.main || parts.stencil || parts.drawn || !shape.host->sameMemory || layout.swapBytes != 0) return false;
  if (info.isColor() && info.base > format::BaseFormat::RGBA) return false;
  if (clampColor && (info.isFloat() || info.type == format::ComponentType::Snorm)) return false;
  const format::TransferPair native = format::nativeTransfer(parts.mainFormat);
  return native.format == layout.format && native.type == layout.type;
}

bool unpackRead(const TexelShape& shape, const ReadParts& parts, Bytes raw, const pipe::TexelLayout& layout,
                bool clampColor, MutableBytes dst) {
  if (raw.size() < parts.mainBytes + parts.stencilBytes) return false;
  if (parts.drawn) {
    const u64 texels = u64{shape.width} * shape.height * shape.depth;
    ReadParts plain = parts;
    plain.drawn = false;
    plain.mainBytes = parts.main ? 4 * texels : 0;
    plain.stencilBytes = parts.stencil ? alignUp<u64>(texels, 4) : 0;
    std::vector<std::byte> reds(plain.mainBytes + plain.stencilBytes);
    for (u64 i = 0; i < texels; ++i) {
      if (parts.main) std::memcpy(reds.data() + 4 * i, raw.data() + 16 * i, 4);
      if (parts.stencil) reds[plain.mainBytes + i] = raw[parts.mainBytes + 16 * i];
    }
    return unpackRead(shape, plain, reds, layout, clampColor, dst);
  }
  const format::Extent extent = extentOf(shape);
  const format::MutableTexels out{dst.data(), layout.rowBytes, layout.imageBytes};
  const FormatInfo& info = formatInfo(shape.named);
  const bool swap = layout.swapBytes != 0;
  if (info.isDepthOrStencil()) {
    const std::byte* stencil = raw.data() + parts.mainBytes;
    if (parts.main && parts.stencil) {
      // Both halves in one combined texel, depth as a float in any case.
      std::vector<std::byte> both(boxBytes(Format::D32F_S8, shape));
      const u64 texels = u64{shape.width} * shape.height * shape.depth;
      for (u64 i = 0; i < texels; ++i) {
        f32 depth = 0;
        if (parts.mainFormat == Format::D32F) {
          std::memcpy(&depth, raw.data() + 4 * i, 4);
        } else {
          u32 word = 0;
          std::memcpy(&word, raw.data() + 4 * i, 4);
          depth = static_cast<f32>(static_cast<f64>(word) / 4294967295.0);
        }
        const u32 value = static_cast<u32>(stencil[i]);
        std::memcpy(both.data() + 8 * i, &depth, 4);
        std::memcpy(both.data() + 8 * i + 4, &value, 4);
      }
      return format::pack(layout.format, layout.type, swap, out, Format::D32F_S8,
                          tight<format::ConstTexels>(Format::D32F_S8, shape, both.data()), extent, false);
    }
    if (parts.main) {
      return format::pack(layout.format, layout.type, swap, out, parts.mainFormat,
                          tight<format::ConstTexels>(parts.mainFormat, shape, raw.data()), extent, false);
    }
    return format::pack(layout.format, layout.type, swap, out, Format::S8,
                        tight<format::ConstTexels>(Format::S8, shape, stencil), extent, false);
  }
  if (isDirectRead(shape, parts, layout, clampColor)) {
    const u64 row = format::rowBytes(parts.mainFormat, shape.width);
    const std::byte* from = raw.data();
    for (u64 z = 0; z < shape.depth; ++z) {
      for (u64 y = 0; y < shape.height; ++y, from += row)
        std::memcpy(dst.data() + z * layout.imageBytes + y * layout.rowBytes, from, row);
    }
    return true;
  }
  auto texels = tight<format::ConstTexels>(parts.mainFormat, shape, raw.data());
  Format as = parts.mainFormat;
  // What the host holds otherwise than the pipe names it goes by way of the pipe's own texels.
  std::vector<std::byte> stored, named;
  if (!shape.host->sameMemory || info.base > format::BaseFormat::RGBA) {
    stored.resize(boxBytes(shape.host->stored, shape));
    const auto to = tight<format::MutableTexels>(shape.host->stored, shape, stored.data());
    if (!format::convertTexels(shape.host->stored, to, as, texels, extent)) return false;
    texels = {to.data, to.rowStride, to.imageStride};
    as = shape.named;
    if (!shape.host->sameMemory) {
      named.resize(boxBytes(shape.named, shape));
      const auto last = tight<format::MutableTexels>(shape.named, shape, named.data());
      if (!format::convertTexels(shape.named, last, shape.host->stored, texels, extent)) return false;
      texels = {last.data, last.rowStride, last.imageStride};
    }
  }
  return format::pack(layout.format, layout.type, swap, out, as, texels, extent, clampColor);
}

}  // namespace mgl::espryt
