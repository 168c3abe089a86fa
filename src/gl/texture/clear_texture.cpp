// glClearTex*Image, glInvalidateTex*Image (OpenGL 4.6 sections 8.20 and 8.21).

#include <cstring>

#include "format/convert.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/sub_image.h"
#include "gl/texture/transfer.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

Ref<Texture> textureToClear(Context& ctx, GLuint name, GLint level, const char* call) {
  Ref<Texture> texture = name != 0 ? namedTexture(ctx, name, call) : Ref<Texture>();
  if (name == 0) ctx.error(GL_INVALID_OPERATION, "%s: texture 0 cannot be named here", call);
  if (!texture) return {};
  if (texture->target == TextureTarget::Buffer) {
    ctx.error(GL_INVALID_OPERATION, "%s: texture %u is a buffer texture", call, name);
    return {};
  }
  return checkLevel(ctx, texture->target, level, call) ? texture : Ref<Texture>();
}

// The whole level; a cube map's faces are its layers.
SubBox whole(const Texture& texture, GLint level) {
  const TextureImage& image = texture.image(0, level);
  const u32 depth = texture.target == TextureTarget::Cube ? 6 : image.depth;
  return {level, 0, 0, 0, static_cast<GLsizei>(image.width), static_cast<GLsizei>(image.height), static_cast<GLsizei>(depth)};
}

void clear(Context& ctx, Texture& texture, const SubBox& box, GLenum format, GLenum type, const void* data,
           const char* call) {
  const Verb verb(ctx);
  const TextureImage* const image = checkSubBox(ctx, texture, 0, box, call);
  if (image == nullptr) return;
  const auto pair = transferPair(ctx, format, type, call);
  if (!pair) return;
  const format::FormatInfo& info = format::formatInfo(image->format);
  if (info.compressed) return ctx.error(GL_INVALID_OPERATION, "%s: the level is compressed", call);
  if (!format::canTransfer(image->format, pair->format, pair->type) ||
      (pair->format == pipe::TransferFormat::DepthStencil) != (info.base == format::BaseFormat::DepthStencil))
    return ctx.error(GL_INVALID_OPERATION, "%s: a texel of format 0x%04x cannot fill internal format 0x%04x", call, format,
                     image->internalFormat);
  if (box.width == 0 || box.height == 0 || box.depth == 0) return;
  pipe::ClearTexture record{};
  record.texture = texture.handle;
  record.level = static_cast<u32>(box.level);
  record.box = toPipe(texture.target, 0, box);
  record.texelBytes = info.blockBytes;
  // Without data the texel is zero in every component that the format has.
  if (data != nullptr) {
    const auto* const from = static_cast<const std::byte*>(data);
    if (!format::unpack(image->format, {reinterpret_cast<std::byte*>(record.texel.data()), 0, 0}, pair->format, pair->type,
                        false, {from, 0, 0}, {1, 1, 1}))
      return ctx.error(GL_INVALID_OPERATION, "%s: the texel cannot be converted", call);
  }
  client::Group out(*ctx.session, ctx.stream);
  out.emit(record);
}

void invalidate(Context& ctx, Texture& texture, const SubBox& box, const char* call) {
  const Verb verb(ctx);
  if (checkSubBox(ctx, texture, 0, box, call) == nullptr) return;
  if (box.width == 0 || box.height == 0 || box.depth == 0) return;
  client::Group out(*ctx.session, ctx.stream);
  out.emit(pipe::InvalidateTexture{texture.handle, static_cast<u32>(box.level), 0, toPipe(texture.target, 0, box)});
}

}  // namespace

MGL_GL(void, ClearTexImage)(Context& ctx, GLuint texture, GLint level, GLenum format, GLenum type, const void* data) {
  if (const Ref<Texture> object = textureToClear(ctx, texture, level, "glClearTexImage"))
    clear(ctx, *object, whole(*object, level), format, type, data, "glClearTexImage");
}

MGL_GL(void, ClearTexSubImage)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                               GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                               const void* data) {
  if (const Ref<Texture> object = textureToClear(ctx, texture, level, "glClearTexSubImage"))
    clear(ctx, *object, {level, xoffset, yoffset, zoffset, width, height, depth}, format, type, data, "glClearTexSubImage");
}

MGL_GL(void, InvalidateTexImage)(Context& ctx, GLuint texture, GLint level) {
  if (texture == 0) return ctx.error(GL_INVALID_VALUE, "glInvalidateTexImage: texture 0 cannot be named here");
  const Ref<Texture> object = lookUp<Texture>(*ctx.share, ctx.share->textures, texture);
  if (!object) return ctx.error(GL_INVALID_VALUE, "glInvalidateTexImage: %u is not the name of a texture", texture);
  if (object->target == TextureTarget::Buffer || !checkLevel(ctx, object->target, level, "glInvalidateTexImage")) return;
  const TextureImage& image = object->image(0, level);
  // A level that is not there has nothing to lose.
  if (image.format != pipe::Format::None) invalidate(ctx, *object, whole(*object, level), "glInvalidateTexImage");
}

MGL_GL(void, InvalidateTexSubImage)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset,
                                    GLint zoffset, GLsizei width, GLsizei height, GLsizei depth) {
  const Ref<Texture> object = lookUp<Texture>(*ctx.share, ctx.share->textures, texture);
  if (!object) return ctx.error(GL_INVALID_VALUE, "glInvalidateTexSubImage: %u is not the name of a texture", texture);
  if (object->target == TextureTarget::Buffer || !checkLevel(ctx, object->target, level, "glInvalidateTexSubImage")) return;
  invalidate(ctx, *object, {level, xoffset, yoffset, zoffset, width, height, depth}, "glInvalidateTexSubImage");
}

}  // namespace mgl::gl
