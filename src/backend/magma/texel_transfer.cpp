#include "backend/magma/texel_transfer.h"

#include <cstring>
#include <vector>

#include "format/convert.h"

namespace mgl::magma {

using format::ConstTexels;
using format::Extent;
using format::Format;
using format::MutableTexels;
using format::TransferFormat;

namespace {

void shiftWords(std::byte* data, u64 words, bool up) {
  for (u64 i = 0; i < words; ++i) {
    u32 word;
    std::memcpy(&word, data + 4 * i, 4);
    word = up ? word << 8 : word >> 8;
    std::memcpy(data + 4 * i, &word, 4);
  }
}

}  // namespace

StagingLayout stagingLayout(const TexelShape& shape, const pipe::TexelLayout& layout) {
  const format::FormatInfo& info = format::formatInfo(shape.format);
  StagingLayout staging;
  staging.main = layout.format != TransferFormat::Stencil;
  staging.stencil =
      info.isStencil() && (layout.format == TransferFormat::Stencil || layout.format == TransferFormat::DepthStencil);
  if (info.base == format::BaseFormat::Stencil) staging.main = false;
  if (staging.main) {
    staging.rowBytes = format::rowBytes(shape.host->stored, shape.width);
    staging.imageBytes = staging.rowBytes * format::rowCount(shape.host->stored, shape.height);
    staging.bytes = staging.imageBytes * shape.depth;
  }
  if (staging.stencil) {
    staging.stencilOffset = alignUp<u64>(staging.bytes, 16);
    staging.stencilRowBytes = shape.width;
    staging.stencilImageBytes = u64{shape.width} * shape.height;
    staging.bytes = staging.stencilOffset + staging.stencilImageBytes * shape.depth;
  }
  return staging;
}

u64 layoutBytes(const TexelShape& shape, const pipe::TexelLayout& layout) {
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return 0;
  const u64 rows = layout.compressed ? format::rowCount(shape.format, shape.height) : shape.height;
  const u64 row = layout.compressed ? format::rowBytes(shape.format, shape.width)
                                    : u64{shape.width} * format::bytesPerPixel(layout.format, layout.type);
  return layout.imageBytes * (shape.depth - 1) + layout.rowBytes * (rows - 1) + row;
}

bool toStaging(const TexelShape& shape, const pipe::TexelLayout& layout, const std::byte* data,
               const StagingLayout& staging, std::byte* out) {
  const ConstTexels src{data, layout.rowBytes, layout.imageBytes};
  const Extent extent{shape.width, shape.height, shape.depth};
  const MutableTexels main{out, staging.rowBytes, staging.imageBytes};
  if (layout.compressed) {
    const u64 rows = format::rowCount(shape.format, shape.height);
    for (u32 z = 0; z < shape.depth; ++z) {
      for (u64 y = 0; y < rows; ++y) {
        std::memcpy(out + z * staging.imageBytes + y * staging.rowBytes,
                    data + z * layout.imageBytes + y * layout.rowBytes, staging.rowBytes);
      }
    }
    return true;
  }
  if (format::formatInfo(shape.format).isDepthOrStencil()) {
    if (staging.main) {
      if (!format::unpack(shape.host->stored, main, layout.format, layout.type, layout.swapBytes, src, extent))
        return false;
      if (shape.host->stored == Format::D24) shiftWords(out, staging.imageBytes * shape.depth / 4, false);
    }
    if (!staging.stencil) return staging.main;
    const MutableTexels stencil{out + staging.stencilOffset, staging.stencilRowBytes, staging.stencilImageBytes};
    return format::unpack(Format::S8, stencil, layout.format, layout.type, layout.swapBytes, src, extent);
  }
  if (shape.host->sameMemory) {
    return format::unpack(shape.format, main, layout.format, layout.type, layout.swapBytes, src, extent);
  }
  // Through the pipe's format, so that what it lacks (alpha, bits) is not taken from the client's data.
  const u64 rowBytes = format::rowBytes(shape.format, shape.width);
  std::vector<std::byte> row(rowBytes);
  const Extent one{shape.width, 1, 1};
  for (u32 z = 0; z < shape.depth; ++z) {
    for (u32 y = 0; y < shape.height; ++y) {
      const ConstTexels from{data + z * layout.imageBytes + y * layout.rowBytes, layout.rowBytes, layout.imageBytes};
      if (!format::unpack(shape.format, {row.data(), rowBytes, rowBytes}, layout.format, layout.type, layout.swapBytes,
                          from, one)) {
        return false;
      }
      const MutableTexels to{out + z * staging.imageBytes + y * staging.rowBytes, staging.rowBytes, staging.imageBytes};
      if (!format::convertTexels(shape.host->stored, to, shape.format, {row.data(), rowBytes, rowBytes}, one))
        return false;
    }
  }
  return true;
}

namespace {

// Depth and stencil parts as one format's texels, row by row.
bool packDepthStencil(const TexelShape& shape, const StagingLayout& staging, const std::byte* in,
                      const pipe::TexelLayout& layout, std::byte* out) {
  const bool wide = shape.host->stored == Format::D32F;
  const Format format = wide ? Format::D32F_S8 : Format::D24_S8;
  const u32 texel = wide ? 8 : 4;
  std::vector<std::byte> row(u64{texel} * shape.width);
  for (u32 z = 0; z < shape.depth; ++z) {
    for (u32 y = 0; y < shape.height; ++y) {
      const std::byte* depth = in + z * staging.imageBytes + y * staging.rowBytes;
      const std::byte* stencil =
          in + staging.stencilOffset + z * staging.stencilImageBytes + y * staging.stencilRowBytes;
      for (u32 x = 0; x < shape.width; ++x) {
        const u32 s = static_cast<u32>(stencil[x]);
        u32 d;
        std::memcpy(&d, depth + 4 * x, 4);
        if (wide) {
          std::memcpy(row.data() + 8 * x, &d, 4);
          std::memcpy(row.data() + 8 * x + 4, &s, 4);
        } else {
          const u32 word = d << 8 | s;
          std::memcpy(row.data() + 4 * x, &word, 4);
        }
      }
      const MutableTexels to{out + z * layout.imageBytes + y * layout.rowBytes, layout.rowBytes, layout.imageBytes};
      if (!format::pack(layout.format, layout.type, layout.swapBytes, to, format, {row.data(), row.size(), row.size()},
                        {shape.width, 1, 1}, false)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool fromStaging(const TexelShape& shape, const StagingLayout& staging, const std::byte* in,
                 const pipe::TexelLayout& layout, bool clampColor, std::byte* out) {
  const MutableTexels dst{out, layout.rowBytes, layout.imageBytes};
  const Extent extent{shape.width, shape.height, shape.depth};
  if (layout.compressed) {
    const u64 rows = format::rowCount(shape.format, shape.height);
    for (u32 z = 0; z < shape.depth; ++z) {
      for (u64 y = 0; y < rows; ++y) {
        std::memcpy(out + z * layout.imageBytes + y * layout.rowBytes,
                    in + z * staging.imageBytes + y * staging.rowBytes, staging.rowBytes);
      }
    }
    return true;
  }
  if (format::formatInfo(shape.format).isDepthOrStencil()) {
    if (staging.main && staging.stencil) return packDepthStencil(shape, staging, in, layout, out);
    if (staging.stencil) {
      const ConstTexels src{in + staging.stencilOffset, staging.stencilRowBytes, staging.stencilImageBytes};
      return format::pack(layout.format, layout.type, layout.swapBytes, dst, Format::S8, src, extent, false);
    }
    if (shape.host->stored != Format::D24) {
      return format::pack(layout.format, layout.type, layout.swapBytes, dst, shape.host->stored,
                          {in, staging.rowBytes, staging.imageBytes}, extent, false);
    }
    std::vector<std::byte> words(staging.rowBytes);
    for (u32 z = 0; z < shape.depth; ++z) {
      for (u32 y = 0; y < shape.height; ++y) {
        std::memcpy(words.data(), in + z * staging.imageBytes + y * staging.rowBytes, words.size());
        shiftWords(words.data(), words.size() / 4, true);
        const MutableTexels to{out + z * layout.imageBytes + y * layout.rowBytes, layout.rowBytes, layout.imageBytes};
        if (!format::pack(layout.format, layout.type, layout.swapBytes, to, Format::D24,
                          {words.data(), words.size(), words.size()}, {shape.width, 1, 1}, false))
          return false;
      }
    }
    return true;
  }
  if (shape.host->sameMemory) {
    return format::pack(layout.format, layout.type, layout.swapBytes, dst, shape.format,
                        {in, staging.rowBytes, staging.imageBytes}, extent, clampColor);
  }
  const u64 rowBytes = format::rowBytes(shape.format, shape.width);
  std::vector<std::byte> row(rowBytes);
  for (u32 z = 0; z < shape.depth; ++z) {
    for (u32 y = 0; y < shape.height; ++y) {
      const ConstTexels from{in + z * staging.imageBytes + y * staging.rowBytes, staging.rowBytes, staging.imageBytes};
      const MutableTexels to{out + z * layout.imageBytes + y * layout.rowBytes, layout.rowBytes, layout.imageBytes};
      if (!format::convertTexels(shape.format, {row.data(), rowBytes, rowBytes}, shape.host->stored, from,
                                 {shape.width, 1, 1}) ||
          !format::pack(layout.format, layout.type, layout.swapBytes, to, shape.format,
                        {row.data(), rowBytes, rowBytes}, {shape.width, 1, 1}, clampColor)) {
        return false;
      }
    }
  }
  return true;
}

bool canStage(TexelShape shape, const pipe::TexelLayout& layout) {
  std::array<std::byte, 64> in{}, out{};
  shape.width = shape.height = shape.depth = 1;
  const StagingLayout staging = stagingLayout(shape, layout);
  return staging.bytes != 0 && staging.bytes <= out.size() && toStaging(shape, layout, in.data(), staging, out.data());
}

bool canUnstage(TexelShape shape, const pipe::TexelLayout& layout, bool clampColor) {
  std::array<std::byte, 64> in{}, out{};
  shape.width = shape.height = shape.depth = 1;
  const StagingLayout staging = stagingLayout(shape, layout);
  return staging.bytes != 0 && staging.bytes <= in.size() &&
         fromStaging(shape, staging, in.data(), layout, clampColor, out.data());
}

}  // namespace mgl::magma
