#include "gl/texture/image_spec.h"

#include <algorithm>

#include "format/compressed.h"
#include "format/format.h"
#include "gl/buffer/buffer.h"
#include "gl/memory.h"
#include "gl/texture/proxy.h"

namespace mgl::gl {

std::optional<ChosenFormat> chooseTextureFormat(Context& ctx, GLenum internalFormat, GLenum code, const char* call) {
  const InternalFormat* const row = findInternalFormat(internalFormat);
  if (row == nullptr || (ctx.isCore() && row->is(InternalFormat::CompatOnly))) {
    ctx.error(code, "%s: 0x%04x is not an internal format", call, internalFormat);
    return std::nullopt;
  }
  const pipe::Format format = textureFormat(ctx.caps(), *row);
  if (format == pipe::Format::None) {
    ctx.error(code, "%s: the device has no textures of internal format 0x%04x", call, internalFormat);
    return std::nullopt;
  }
  return ChosenFormat{row, format, row->is(InternalFormat::GenericCompressed) ? sizedToken(format) : internalFormat};
}

ChosenFormat uncompressed(const ChosenFormat& chosen) {
  const format::FormatInfo& info = format::formatInfo(chosen.format);
  if (!info.compressed) return chosen;
  pipe::Format plain = format::decodedFormat(chosen.format);
  if (plain == pipe::Format::None) {
    const bool isSigned = info.type == format::ComponentType::Snorm;
    switch (info.base) {
      case format::BaseFormat::Red: plain = isSigned ? pipe::Format::R16_SNORM : pipe::Format::R16; break;
      case format::BaseFormat::RG: plain = isSigned ? pipe::Format::RG16_SNORM : pipe::Format::RG16; break;
      case format::BaseFormat::RGB:
        plain = info.isFloat() ? pipe::Format::RGB16F : info.srgb ? pipe::Format::SRGB8 : pipe::Format::RGB8;
        break;
      default: plain = info.srgb ? pipe::Format::SRGB8_A8 : pipe::Format::RGBA8; break;
    }
  }
  return {chosen.row, plain, sizedToken(plain)};
}

bool checkFormatForTarget(Context& ctx, TextureTarget target, pipe::Format format, const char* call) {
  const format::FormatInfo& info = format::formatInfo(format);
  if (info.isDepthOrStencil() && target == TextureTarget::Tex3D) {
    ctx.error(GL_INVALID_OPERATION, "%s: three-dimensional textures have no depth or stencil formats", call);
    return false;
  }
  if (!info.compressed) return true;
  switch (target) {
    case TextureTarget::Tex2D:
    case TextureTarget::Cube:
    case TextureTarget::Tex2DArray:
    case TextureTarget::CubeArray: return true;
    case TextureTarget::Tex3D: {
      const bool bptc = format == pipe::Format::BC7_RGBA || format == pipe::Format::BC7_SRGB_A ||
                        format == pipe::Format::BC6H_RGB_SF || format == pipe::Format::BC6H_RGB_UF;
      if (bptc) return true;
      ctx.error(GL_INVALID_OPERATION, "%s: %s is no format of three-dimensional textures", call, info.name.data());
      return false;
    }
    default:
      ctx.error(GL_INVALID_ENUM, "%s: textures of target 0x%04x cannot be compressed", call, targetToken(target));
      return false;
  }
}

std::optional<ImageTarget> checkImageTarget(Context& ctx, GLenum target, u32 dimensions, const char* call) {
  const auto t = imageTarget(ctx, target);
  const bool wholeCube = t && t->target == TextureTarget::Cube && !t->faceToken && !t->proxy;
  if (!t || imageDimensions(t->target) != dimensions || wholeCube || isMultisample(t->target) ||
      t->target == TextureTarget::Buffer) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a target of %uD images", call, target, dimensions);
    return std::nullopt;
  }
  return t;
}

bool checkLevel(Context& ctx, TextureTarget target, GLint level, const char* call) {
  if (levelFits(ctx, target, level)) return true;
  ctx.error(GL_INVALID_VALUE, "%s: there is no level %d", call, level);
  return false;
}

Fit checkExtent(Context& ctx, TextureTarget target, bool proxy, GLint level, GLsizei width, GLsizei height, GLsizei depth,
                const char* call) {
  if (width < 0 || height < 0 || depth < 0) {
    ctx.error(GL_INVALID_VALUE, "%s: the size is negative", call);
    return Fit::Bad;
  }
  const bool cube = target == TextureTarget::Cube || target == TextureTarget::CubeArray;
  if (cube && width != height) {
    ctx.error(GL_INVALID_VALUE, "%s: cube map faces are square, not %dx%d", call, width, height);
    return Fit::Bad;
  }
  if (target == TextureTarget::CubeArray && depth % 6 != 0) {
    ctx.error(GL_INVALID_VALUE, "%s: the depth of a cube map array is a multiple of 6, not %d", call, depth);
    return Fit::Bad;
  }
  const u32 across = std::max(maxSize(ctx, target) >> level, 1u);
  const u32 layers = maxDepth(ctx, target);
  const u32 deep = target == TextureTarget::Tex3D ? std::max(layers >> level, 1u) : layers;
  const u32 high = target == TextureTarget::Tex1DArray ? layers : across;
  const bool fits = static_cast<u32>(width) <= across && static_cast<u32>(height) <= high &&
                    static_cast<u32>(depth) <= std::max(deep, 1u);
  if (fits) return Fit::Fits;
  if (!proxy)
    ctx.error(GL_INVALID_VALUE, "%s: %dx%dx%d is larger than level %d can be", call, width, height, depth, level);
  return Fit::TooLarge;
}

Fit checkImageMemory(Context& ctx, TextureTarget target, bool proxy, const TextureImage& base, u32 levels, const char* call) {
  const u64 bytes = imageBytes(target, base, levels);
  if (canHold(ctx, bytes)) return Fit::Fits;
  if (!proxy) static_cast<void>(checkMemory(ctx, bytes, call));
  return Fit::TooLarge;
}

Moved defineImage(Context& ctx, Texture& texture, u32 face, u32 level, const TextureImage& image) {
  TextureImage& slot = texture.images[face][level];
  if (slot == image && !texture.storeFailed) return Moved::No;
  const bool sameStore = !texture.storeFailed && slot.format == image.format && slot.width == image.width && slot.height == image.height &&
                         slot.depth == image.depth;
  slot = image;
  if (!sameStore) {
    PipeExtent extent = pipeExtent(texture.target, image.width, image.height, image.depth);
    if (image.isEmpty()) extent = {};
    client::Group out(*ctx.session, ctx.stream);
    out.emit(pipe::TextureLevel{texture.handle, image.format, static_cast<u8>(level), static_cast<u8>(face),
                                extent.width, extent.height, extent.depth});
  }
  noteStore(ctx, imageBytes(texture.target, image));
  texture.touch();
  return Moved::Yes;
}

Moved defineStorage(Context& ctx, Texture& texture, u32 levels, const TextureImage& base, bool immutable) {
  const bool same = !immutable && !texture.storeFailed && texture.storageWhole && texture.images[0][0] == base;
  for (u32 face = 0; face < texture.faces(); ++face)
    for (u32 level = 0; level < levels; ++level) texture.images[face][level] = levelOf(texture.target, base, level);
  texture.storageWhole = true;
  if (immutable) {
    texture.immutable = true;
    texture.immutableLevels = levels;
    texture.viewNumLevels = levels;
    switch (texture.target) {
      case TextureTarget::Tex1DArray: texture.viewNumLayers = base.height; break;
      case TextureTarget::Tex2DArray:
      case TextureTarget::CubeArray:
      case TextureTarget::Tex2DMultisampleArray: texture.viewNumLayers = base.depth; break;
      case TextureTarget::Cube: texture.viewNumLayers = 6; break;
      default: texture.viewNumLayers = 1; break;
    }
  }
  if (same) return Moved::No;
  if (!base.isEmpty()) {
    PipeExtent extent = pipeExtent(texture.target, base.width, base.height, base.depth);
    if (texture.target == TextureTarget::Cube) extent.depth = 6;
    u32 flags = immutable ? pipe::kTextureImmutable : 0;
    if (base.fixedSampleLocations && isMultisample(texture.target)) flags |= pipe::kTextureFixedSampleLocations;
    if (isRenderable(ctx.caps(), base.format)) flags |= pipe::kTextureRenderable;
    if (ctx.caps().can(base.format, pipe::kUseStorage)) flags |= pipe::kTextureStorageImage;
    client::Group out(*ctx.session, ctx.stream);
    out.emit(pipe::TextureStorage{texture.handle, base.format, static_cast<u16>(levels), extent.width, extent.height,
                                  extent.depth, base.samples, flags});
    texture.storeFailed = false;
  }
  noteStore(ctx, imageBytes(texture.target, base, levels));
  texture.touch();
  return Moved::Yes;
}

Moved generateIfAsked(Context& ctx, Texture& texture, u32 level) {
  if (!texture.generateMipmap || static_cast<i32>(level) != texture.effectiveBase()) return Moved::No;
  if (!texture.isCubeComplete()) return Moved::No;
  return generateMipmap(ctx, texture);
}

ProxyImages& proxyImages(Context& ctx) {
  if (!ctx.proxies) ctx.proxies = std::make_shared<ProxyImages>();
  return *ctx.proxies;
}

}  // namespace mgl::gl
