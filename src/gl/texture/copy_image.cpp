// glCopyImageSubData (OpenGL 4.6 section 18.3.2).

#include "format/format.h"
#include "gl/framebuffer/renderbuffer.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/sub_image.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

struct CopySide {
  GLuint name;
  GLenum target;
  GLint level, x, y, z;
};

// One side of the copy: a texture's level or a renderbuffer.
struct Image {
  Ref<Texture> texture;
  Ref<Renderbuffer> renderbuffer;
  TextureImage shape;
  TextureTarget target = TextureTarget::Renderbuffer;
  u32 layers = 1;
  pipe::TextureHandle handle() const { return texture ? texture->handle : renderbuffer->handle; }
};

// The object of the name.
bool find(Context& ctx, const CopySide& end, Image* out, const char* side) {
  constexpr const char* kCall = "glCopyImageSubData";
  if (end.target == GL_RENDERBUFFER) {
    out->renderbuffer = lookUp<Renderbuffer>(*ctx.share, ctx.share->renderbuffers, end.name);
    if (!out->renderbuffer) {
      ctx.error(GL_INVALID_VALUE, "%s: the %s %u is not the name of a renderbuffer", kCall, side, end.name);
      return false;
    }
    if (end.level != 0) {
      ctx.error(GL_INVALID_VALUE, "%s: renderbuffers have level 0 only", kCall);
      return false;
    }
  } else {
    const auto target = bindTarget(ctx, end.target);
    if (!target || *target == TextureTarget::Buffer) {
      ctx.error(GL_INVALID_ENUM, "%s: images of target 0x%04x cannot be copied", kCall, end.target);
      return false;
    }
    out->texture = lookUp<Texture>(*ctx.share, ctx.share->textures, end.name);
    if (!out->texture) {
      ctx.error(GL_INVALID_VALUE, "%s: the %s %u is not the name of a texture", kCall, side, end.name);
      return false;
    }
    if (out->texture->target != *target) {
      ctx.error(GL_INVALID_ENUM, "%s: the %s has another target than 0x%04x", kCall, side, end.target);
      return false;
    }
    if (!checkLevel(ctx, *target, end.level, kCall)) return false;
    out->target = *target;
  }
  return true;
}

// What it is now. Under the Verb.
bool describe(Context& ctx, const CopySide& end, Image* out, const char* side) {
  constexpr const char* kCall = "glCopyImageSubData";
  if (out->renderbuffer) {
    out->shape = out->renderbuffer->image;
  } else {
    if (!out->texture->isComplete(out->texture->sampler) && !out->texture->immutable) {
      ctx.error(GL_INVALID_OPERATION, "%s: the %s is not a complete texture", kCall, side);
      return false;
    }
    out->shape = out->texture->image(0, end.level);
  }
  if (out->shape.format == pipe::Format::None) {
    ctx.error(GL_INVALID_VALUE, "%s: the %s has no level %d", kCall, side, end.level);
    return false;
  }
  out->layers = out->target == TextureTarget::Cube ? 6 : out->shape.depth;
  return true;
}

bool compatible(pipe::Format a, pipe::Format b) {
  if (a == b) return true;
  const format::FormatInfo &x = format::formatInfo(a), &y = format::formatInfo(b);
  if (x.isDepthOrStencil() || y.isDepthOrStencil()) return false;
  if (x.compressed && y.compressed) return viewClass(a) != GL_NONE && viewClass(a) == viewClass(b);
  if (x.compressed || y.compressed) return x.blockBytes == y.blockBytes && viewClass(x.compressed ? b : a) != GL_NONE;
  return viewClass(a) != GL_NONE && viewClass(a) == viewClass(b);
}

// The region in an image, in its own texels. The last block of an image may be cut off.
bool fits(Context& ctx, const Image& image, const CopySide& end, GLsizei width, GLsizei height, GLsizei depth, const char* side) {
  constexpr const char* kCall = "glCopyImageSubData";
  const format::FormatInfo& info = format::formatInfo(image.shape.format);
  const auto inside = [](GLint at, GLsizei size, u32 limit) { return at >= 0 && i64{at} + size <= static_cast<i64>(limit); };
  const u32 wide = alignUp<u32>(image.shape.width, info.blockWidth), high = alignUp<u32>(image.shape.height, info.blockHeight);
  if (!inside(end.x, width, wide) || !inside(end.y, height, high) || !inside(end.z, depth, image.layers)) {
    ctx.error(GL_INVALID_VALUE, "%s: the region reaches beyond the %s", kCall, side);
    return false;
  }
  const auto whole = [](GLint at, GLsizei size, u32 block, u32 limit) {
    return static_cast<u32>(at) % block == 0 &&
           (static_cast<u32>(size) % block == 0 || static_cast<u32>(at) + static_cast<u32>(size) == limit);
  };
  if (whole(end.x, width, info.blockWidth, image.shape.width) && whole(end.y, height, info.blockHeight, image.shape.height))
    return true;
  ctx.error(GL_INVALID_VALUE, "%s: the region does not hold whole blocks of the %s", kCall, side);
  return false;
}

}  // namespace

MGL_GL(void, CopyImageSubData)(Context& ctx, GLuint srcName, GLenum srcTarget, GLint srcLevel, GLint srcX, GLint srcY,
                               GLint srcZ, GLuint dstName, GLenum dstTarget, GLint dstLevel, GLint dstX, GLint dstY,
                               GLint dstZ, GLsizei srcWidth, GLsizei srcHeight, GLsizei srcDepth) {
  constexpr const char* kCall = "glCopyImageSubData";
  const CopySide from{srcName, srcTarget, srcLevel, srcX, srcY, srcZ}, to{dstName, dstTarget, dstLevel, dstX, dstY, dstZ};
  Image src, dst;
  if (!find(ctx, from, &src, "source") || !find(ctx, to, &dst, "destination")) return;
  const Verb verb(ctx);
  if (!describe(ctx, from, &src, "source") || !describe(ctx, to, &dst, "destination")) return;
  if (srcWidth < 0 || srcHeight < 0 || srcDepth < 0) return ctx.error(GL_INVALID_VALUE, "%s: the size is negative", kCall);
  if (!compatible(src.shape.format, dst.shape.format))
    return ctx.error(GL_INVALID_OPERATION, "%s: internal formats 0x%04x and 0x%04x are not compatible", kCall,
                     src.shape.internalFormat, dst.shape.internalFormat);
  if (src.shape.samples != dst.shape.samples)
    return ctx.error(GL_INVALID_OPERATION, "%s: %u samples cannot become %u", kCall, src.shape.samples, dst.shape.samples);
  const format::FormatInfo &a = format::formatInfo(src.shape.format), &b = format::formatInfo(dst.shape.format);
  // A block becomes a texel, and a texel a block.
  const auto scaled = [](GLsizei size, u32 fromBlock, u32 toBlock) {
    return static_cast<GLsizei>((static_cast<u32>(size) + fromBlock - 1) / fromBlock * toBlock);
  };
  GLsizei dstWidth = srcWidth, dstHeight = srcHeight;
  if (a.blockWidth != b.blockWidth || a.blockHeight != b.blockHeight) {
    dstWidth = scaled(srcWidth, a.blockWidth, b.blockWidth);
    dstHeight = scaled(srcHeight, a.blockHeight, b.blockHeight);
  }
  if (!fits(ctx, src, from, srcWidth, srcHeight, srcDepth, "source") ||
      !fits(ctx, dst, to, dstWidth, dstHeight, srcDepth, "destination"))
    return;
  if (srcWidth == 0 || srcHeight == 0 || srcDepth == 0) return;
  const SubBox srcBox{srcLevel, srcX, srcY, srcZ, std::min(srcWidth, static_cast<GLsizei>(src.shape.width) - srcX),
                      std::min(srcHeight, static_cast<GLsizei>(src.shape.height) - srcY), srcDepth};
  const pipe::TexelBox box = toPipe(src.target, 0, srcBox);
  const pipe::TexelBox at = toPipe(dst.target, 0, {dstLevel, dstX, dstY, dstZ, 1, 1, 1});
  client::Group out(*ctx.session, ctx.stream);
  out.emit(pipe::CopyImage{
      src.handle(), dst.handle(), static_cast<u32>(srcLevel), static_cast<u32>(dstLevel), box, {at.x, at.y, at.z}, 0});
}

}  // namespace mgl::gl
