// Buffer textures (OpenGL 4.6 section 8.9).

#include "gl/buffer/buffer.h"
#include "gl/texture/internal_format.h"
#include "gl/texture/target.h"
#include "gl/verb.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

struct RangeCall {
  const char* name;
  GLenum internalFormat;
  GLuint buffer;
  bool ranged;
  GLintptr offset;
  GLsizeiptr size;
};

Moved attachBuffer(Context& ctx, Texture& texture, const RangeCall& c) {
  const InternalFormat* const row = findInternalFormat(c.internalFormat);
  if (row == nullptr || !row->is(InternalFormat::Buffer) || (ctx.isCore() && row->is(InternalFormat::CompatOnly)))
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a format of buffer textures", c.name, c.internalFormat), Moved::No;
  const pipe::Format format = row->formats[0];
  if (!ctx.caps().can(format, pipe::kUseTexelBuffer))
    return ctx.error(GL_INVALID_ENUM, "%s: the device has no buffer textures of format 0x%04x", c.name, c.internalFormat),
           Moved::No;
  Ref<Buffer> buffer;
  if (c.buffer != 0) {
    buffer = lookUp<Buffer>(*ctx.share, ctx.share->buffers, c.buffer);
    if (!buffer)
      return ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a buffer", c.name, c.buffer), Moved::No;
  }
  const Verb verb(ctx);
  i64 offset = 0, size = -1;
  if (c.ranged && buffer) {
    if (c.offset < 0 || c.size <= 0 || static_cast<u64>(c.offset) + static_cast<u64>(c.size) > buffer->size)
      return ctx.error(GL_INVALID_VALUE, "%s: bytes %lld to %lld lie outside of the buffer", c.name,
                       static_cast<long long>(c.offset), static_cast<long long>(c.offset + c.size)),
             Moved::No;
    const i64 alignment = std::max<i64>(1, ctx.info->limits.texelBufferOffsetAlignment);
    if (c.offset % alignment != 0)
      return ctx.error(GL_INVALID_VALUE, "%s: the offset is no multiple of %lld", c.name, static_cast<long long>(alignment)),
             Moved::No;
    offset = c.offset, size = c.size;
  }
  if (texture.buffer == buffer && texture.bufferOffset == offset && texture.bufferSize == size &&
      texture.bufferFormat == c.internalFormat)
    return Moved::No;
  {
    client::Group out(*ctx.session, ctx.stream);
    out.emit(pipe::SetTextureBuffer{texture.handle,
                                    buffer ? buffer->handle : pipe::BufferHandle{},
                                    static_cast<u64>(offset),
                                    size < 0 ? pipe::kWholeBuffer : static_cast<u64>(size),
                                    format,
                                    {}});
  }
  texture.buffer = std::move(buffer);
  texture.bufferOffset = offset;
  texture.bufferSize = size;
  texture.bufferFormat = c.internalFormat;
  texture.bufferPipeFormat = format;
  texture.touch();
  return Moved::Yes;
}

Moved texBuffer(Context& ctx, GLenum target, const RangeCall& c) {
  if (target != GL_TEXTURE_BUFFER)
    return ctx.error(GL_INVALID_ENUM, "%s: the target is GL_TEXTURE_BUFFER, not 0x%04x", c.name, target), Moved::No;
  return attachBuffer(ctx, boundTexture(ctx, TextureTarget::Buffer), c);
}

Moved textureBuffer(Context& ctx, GLuint name, const RangeCall& c) {
  const Ref<Texture> texture = namedTexture(ctx, name, c.name);
  if (!texture) return Moved::No;
  if (texture->target != TextureTarget::Buffer)
    return ctx.error(GL_INVALID_ENUM, "%s: texture %u is not a buffer texture", c.name, name), Moved::No;
  return attachBuffer(ctx, *texture, c);
}

}  // namespace

MGL_GL(Moved, TexBuffer)(Context& ctx, GLenum target, GLenum internalformat, GLuint buffer) {
  return texBuffer(ctx, target, {"glTexBuffer", internalformat, buffer, false, 0, 0});
}
MGL_GL(Moved, TexBufferRange)(Context& ctx, GLenum target, GLenum internalformat, GLuint buffer, GLintptr offset,
                              GLsizeiptr size) {
  return texBuffer(ctx, target, {"glTexBufferRange", internalformat, buffer, true, offset, size});
}
MGL_GL(Moved, TextureBuffer)(Context& ctx, GLuint texture, GLenum internalformat, GLuint buffer) {
  return textureBuffer(ctx, texture, {"glTextureBuffer", internalformat, buffer, false, 0, 0});
}
MGL_GL(Moved, TextureBufferRange)(Context& ctx, GLuint texture, GLenum internalformat, GLuint buffer, GLintptr offset,
                                  GLsizeiptr size) {
  return textureBuffer(ctx, texture, {"glTextureBufferRange", internalformat, buffer, true, offset, size});
}

}  // namespace mgl::gl
