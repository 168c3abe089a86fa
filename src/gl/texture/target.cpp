#include "gl/texture/target.h"

#include <algorithm>
#include <bit>

#include "gl/buffer/buffer.h"
#include "gl/version.h"

namespace mgl::gl {

std::optional<TextureTarget> bindTarget(const Context& ctx, GLenum target) {
  switch (target) {
    case GL_TEXTURE_1D: return TextureTarget::Tex1D;
    case GL_TEXTURE_2D: return TextureTarget::Tex2D;
    case GL_TEXTURE_3D: return TextureTarget::Tex3D;
    case GL_TEXTURE_CUBE_MAP: return TextureTarget::Cube;
    case GL_TEXTURE_1D_ARRAY: return TextureTarget::Tex1DArray;
    case GL_TEXTURE_2D_ARRAY: return TextureTarget::Tex2DArray;
    case GL_TEXTURE_RECTANGLE: return TextureTarget::Rectangle;
    case GL_TEXTURE_BUFFER: return TextureTarget::Buffer;
    case GL_TEXTURE_CUBE_MAP_ARRAY:
      if (ctx.caps().has(pipe::Feature::CubeArray)) return TextureTarget::CubeArray;
      return std::nullopt;
    case GL_TEXTURE_2D_MULTISAMPLE:
      if (ctx.caps().has(pipe::Feature::MultisampleTexture)) return TextureTarget::Tex2DMultisample;
      return std::nullopt;
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
      if (ctx.caps().has(pipe::Feature::MultisampleTexture)) return TextureTarget::Tex2DMultisampleArray;
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<ImageTarget> imageTarget(const Context& ctx, GLenum target) {
  if (target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z)
    return ImageTarget{TextureTarget::Cube, static_cast<u8>(target - GL_TEXTURE_CUBE_MAP_POSITIVE_X), false, true};
  GLenum real = GL_NONE;
  switch (target) {
    case GL_PROXY_TEXTURE_1D: real = GL_TEXTURE_1D; break;
    case GL_PROXY_TEXTURE_2D: real = GL_TEXTURE_2D; break;
    case GL_PROXY_TEXTURE_3D: real = GL_TEXTURE_3D; break;
    case GL_PROXY_TEXTURE_CUBE_MAP: real = GL_TEXTURE_CUBE_MAP; break;
    case GL_PROXY_TEXTURE_1D_ARRAY: real = GL_TEXTURE_1D_ARRAY; break;
    case GL_PROXY_TEXTURE_2D_ARRAY: real = GL_TEXTURE_2D_ARRAY; break;
    case GL_PROXY_TEXTURE_RECTANGLE: real = GL_TEXTURE_RECTANGLE; break;
    case GL_PROXY_TEXTURE_CUBE_MAP_ARRAY: real = GL_TEXTURE_CUBE_MAP_ARRAY; break;
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE: real = GL_TEXTURE_2D_MULTISAMPLE; break;
    case GL_PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY: real = GL_TEXTURE_2D_MULTISAMPLE_ARRAY; break;
    default: break;
  }
  const auto plain = bindTarget(ctx, real != GL_NONE ? real : target);
  if (!plain) return std::nullopt;
  return ImageTarget{*plain, 0, real != GL_NONE, false};
}

GLenum targetToken(TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex1D: return GL_TEXTURE_1D;
    case TextureTarget::Tex2D: return GL_TEXTURE_2D;
    case TextureTarget::Tex3D: return GL_TEXTURE_3D;
    case TextureTarget::Cube: return GL_TEXTURE_CUBE_MAP;
    case TextureTarget::Tex1DArray: return GL_TEXTURE_1D_ARRAY;
    case TextureTarget::Tex2DArray: return GL_TEXTURE_2D_ARRAY;
    case TextureTarget::CubeArray: return GL_TEXTURE_CUBE_MAP_ARRAY;
    case TextureTarget::Rectangle: return GL_TEXTURE_RECTANGLE;
    case TextureTarget::Buffer: return GL_TEXTURE_BUFFER;
    case TextureTarget::Tex2DMultisample: return GL_TEXTURE_2D_MULTISAMPLE;
    case TextureTarget::Tex2DMultisampleArray: return GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    case TextureTarget::Renderbuffer: return GL_RENDERBUFFER;
    case TextureTarget::Count: break;
  }
  return GL_NONE;
}

u32 imageDimensions(TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex1D: return 1;
    case TextureTarget::Tex3D:
    case TextureTarget::Tex2DArray:
    case TextureTarget::CubeArray:
    case TextureTarget::Tex2DMultisampleArray: return 3;
    default: return 2;
  }
}

u32 maxSize(const Context& ctx, TextureTarget target) {
  const pipe::Limits& limits = ctx.info->limits;
  switch (target) {
    case TextureTarget::Tex3D: return static_cast<u32>(limits.max3dTextureSize);
    case TextureTarget::Cube:
    case TextureTarget::CubeArray: return static_cast<u32>(limits.maxCubeSize);
    case TextureTarget::Rectangle: return static_cast<u32>(limits.maxRectangleSize);
    case TextureTarget::Renderbuffer: return static_cast<u32>(limits.maxRenderbufferSize);
    default: return static_cast<u32>(limits.maxTextureSize);
  }
}

u32 maxDepth(const Context& ctx, TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex3D: return static_cast<u32>(ctx.info->limits.max3dTextureSize);
    case TextureTarget::Tex1DArray:
    case TextureTarget::Tex2DArray:
    case TextureTarget::CubeArray:
    case TextureTarget::Tex2DMultisampleArray: return static_cast<u32>(ctx.info->limits.maxArrayLayers);
    default: return 1;
  }
}

u32 maxLevels(const Context& ctx, TextureTarget target) {
  if (!hasMipmaps(target)) return 1;
  return std::min(static_cast<u32>(std::bit_width(maxSize(ctx, target))), pipe::kMaxTextureLevels);
}

bool levelFits(const Context& ctx, TextureTarget target, GLint level) {
  return level >= 0 && static_cast<u32>(level) < maxLevels(ctx, target);
}

pipe::TexelBox pipeBox(TextureTarget target, u32 face, u32 x, u32 y, u32 z, u32 width, u32 height, u32 depth) {
  if (target == TextureTarget::Tex1DArray) return {x, 0, y, width, 1, height};
  if (target == TextureTarget::Cube && face != 0) return {x, y, z + face, width, height, depth};
  return {x, y, z, width, height, depth};
}

TextureImage levelOf(TextureTarget target, const TextureImage& base, u32 levelsUp) {
  TextureImage image = base;
  image.width = std::max(base.width >> levelsUp, 1u);
  if (target != TextureTarget::Tex1DArray) image.height = std::max(base.height >> levelsUp, 1u);
  if (target == TextureTarget::Tex3D) image.depth = std::max(base.depth >> levelsUp, 1u);
  return image;
}

u32 fullLevels(TextureTarget target, u32 width, u32 height, u32 depth) {
  if (!hasMipmaps(target)) return 1;
  u32 largest = width;
  if (target != TextureTarget::Tex1D && target != TextureTarget::Tex1DArray) largest = std::max(largest, height);
  if (target == TextureTarget::Tex3D) largest = std::max(largest, depth);
  return static_cast<u32>(std::bit_width(largest));
}

Texture& boundTexture(Context& ctx, u32 unit, TextureTarget target) {
  if (Texture* const bound = ctx.units[unit].textures[indexOf(target)].get()) return *bound;
  Ref<Texture>& byDefault = ctx.defaultTextures[indexOf(target)];
  if (!byDefault) byDefault = makeRef<Texture>(0u, target, *ctx.share);
  return *byDefault;
}

Texture& boundTexture(Context& ctx, TextureTarget target) { return boundTexture(ctx, ctx.activeUnit, target); }

Ref<Texture> namedTexture(Context& ctx, GLuint name, const char* call) {
  Ref<Texture> texture = lookUp<Texture>(*ctx.share, ctx.share->textures, name);
  if (!texture) ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a texture", call, name);
  return texture;
}

}  // namespace mgl::gl
