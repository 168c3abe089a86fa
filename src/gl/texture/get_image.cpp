// glGetTexImage and its kin (OpenGL 4.6 section 8.11.4).

#include "format/convert.h"
#include "gl/texture/image_spec.h"
#include "gl/texture/sub_image.h"
#include "gl/texture/transfer.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

struct Sink {
  GLenum format, type;
  i64 bufSize;  // negative: not given
  void* pixels;
};

// A named cube map is read as six layers.
TextureTarget regionTarget(const Texture& texture, bool wholeCube) {
  return wholeCube && texture.target == TextureTarget::Cube ? TextureTarget::Tex2DArray : texture.target;
}

Region regionOf(const Texture& texture, const SubBox& box, bool wholeCube) {
  return {regionTarget(texture, wholeCube), static_cast<u32>(box.width), static_cast<u32>(box.height),
          static_cast<u32>(box.depth)};
}

// Whether texels of the image can be returned so. canTransfer is wider: it lets a depth-stencil pair meet half of one.
bool checkReturned(Context& ctx, const TextureImage& image, format::TransferPair pair, const char* call) {
  const bool both = pair.format != pipe::TransferFormat::DepthStencil ||
                    format::formatInfo(image.format).base == format::BaseFormat::DepthStencil;
  // Blocks are decoded by the server; the kind of their texels decides.
  const ChosenFormat plain = uncompressed({nullptr, image.format, image.internalFormat});
  if (both && format::canTransfer(plain.format, pair.format, pair.type)) return true;
  ctx.error(GL_INVALID_OPERATION, "%s: internal format 0x%04x cannot be returned in this format and type", call,
            image.internalFormat);
  return false;
}

void getBox(Context& ctx, Texture& texture, u32 face, const SubBox& box, bool wholeCube, const Sink& sink,
            const char* call) {
  const auto pair = transferPair(ctx, sink.format, sink.type, call);
  if (!pair) return;
  const TextureImage& image = texture.image(face, box.level);
  if (!checkReturned(ctx, image, *pair, call)) return;
  Pixels pixels;
  if (!resolvePack(ctx, *pair, regionOf(texture, box, wholeCube), sink.pixels, sink.bufSize, &pixels, call)) return;
  readTexels(ctx, texture, static_cast<u32>(box.level), toPipe(texture.target, face, box), pixels);
}

void getBlocks(Context& ctx, Texture& texture, u32 face, const SubBox& box, bool wholeCube, i64 bufSize, void* pixels,
               const char* call) {
  const TextureImage& image = texture.image(face, box.level);
  if (!format::formatInfo(image.format).compressed)
    return ctx.error(GL_INVALID_OPERATION, "%s: level %d is not compressed", call, box.level);
  if (!checkBlocks(ctx, image, box, call)) return;
  Pixels place;
  if (!resolvePackCompressed(ctx, image.format, regionOf(texture, box, wholeCube), pixels, bufSize, &place, call)) return;
  readTexels(ctx, texture, static_cast<u32>(box.level), toPipe(texture.target, face, box), place);
}

// The whole level. False after an error, or when there is nothing in it.
bool wholeLevel(Context& ctx, const Texture& texture, u32 face, GLint level, bool wholeCube, SubBox* box, const char* call) {
  if (texture.target == TextureTarget::Buffer || isMultisample(texture.target)) {
    ctx.error(GL_INVALID_OPERATION, "%s: textures of target 0x%04x cannot be read back", call, targetToken(texture.target));
    return false;
  }
  if (!checkLevel(ctx, texture.target, level, call)) return false;
  const bool cube = wholeCube && texture.target == TextureTarget::Cube;
  if (cube && !texture.isCubeComplete()) {
    ctx.error(GL_INVALID_OPERATION, "%s: the faces of cube map %u are not alike", call, texture.name);
    return false;
  }
  const TextureImage& image = texture.image(face, level);
  *box = {level, 0, 0, 0, static_cast<GLsizei>(image.width), static_cast<GLsizei>(image.height),
          static_cast<GLsizei>(cube ? 6 : image.depth)};
  return image.format != pipe::Format::None && !image.isEmpty();
}

// The texture bound to a target of glGetTexImage; null after an error.
Texture* boundForReading(Context& ctx, GLenum target, u32* face, const char* call) {
  const auto t = imageTarget(ctx, target);
  const bool taken = t && !t->proxy && (t->target != TextureTarget::Cube || t->faceToken) &&
                     t->target != TextureTarget::Buffer && !isMultisample(t->target);
  if (!taken) {
    ctx.error(GL_INVALID_ENUM, "%s: images of target 0x%04x cannot be read back", call, target);
    return nullptr;
  }
  *face = t->face;
  return &boundTexture(ctx, t->target);
}

void getTexImage(Context& ctx, GLenum target, GLint level, const Sink& sink, const char* call) {
  u32 face = 0;
  Texture* const texture = boundForReading(ctx, target, &face, call);
  SubBox box;
  if (texture == nullptr) return;
  const Verb verb(ctx);
  if (wholeLevel(ctx, *texture, face, level, false, &box, call)) getBox(ctx, *texture, face, box, false, sink, call);
}

void getCompressed(Context& ctx, GLenum target, GLint level, i64 bufSize, void* pixels, const char* call) {
  u32 face = 0;
  Texture* const texture = boundForReading(ctx, target, &face, call);
  if (texture == nullptr) return;
  const Verb verb(ctx);
  SubBox box;
  if (wholeLevel(ctx, *texture, face, level, false, &box, call))
    getBlocks(ctx, *texture, face, box, false, bufSize, pixels, call);
  else if (ctx.firstError == GL_NO_ERROR)
    ctx.error(GL_INVALID_OPERATION, "%s: level %d is not compressed", call, level);
}

// A box of a named texture: INVALID_VALUE when it reaches beyond. False also when it is empty.
bool namedBox(Context& ctx, const Texture& texture, const SubBox& box, const char* call) {
  if (texture.target == TextureTarget::Buffer || isMultisample(texture.target)) {
    ctx.error(GL_INVALID_OPERATION, "%s: textures of target 0x%04x cannot be read back", call, targetToken(texture.target));
    return false;
  }
  return checkSubBox(ctx, texture, 0, box, call) != nullptr && box.width > 0 && box.height > 0 && box.depth > 0;
}

}  // namespace

MGL_GL(void, GetTexImage)(Context& ctx, GLenum target, GLint level, GLenum format, GLenum type, void* pixels) {
  getTexImage(ctx, target, level, {format, type, -1, pixels}, "glGetTexImage");
}

MGL_GL(void, GetnTexImage)(Context& ctx, GLenum target, GLint level, GLenum format, GLenum type, GLsizei bufSize,
                           void* pixels) {
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetnTexImage: the buffer's size is negative");
  getTexImage(ctx, target, level, {format, type, bufSize, pixels}, "glGetnTexImage");
}

MGL_GL(void, GetTextureImage)(Context& ctx, GLuint texture, GLint level, GLenum format, GLenum type, GLsizei bufSize,
                              void* pixels) {
  const Ref<Texture> object = namedTexture(ctx, texture, "glGetTextureImage");
  const Verb verb(ctx);
  SubBox box;
  if (object && wholeLevel(ctx, *object, 0, level, true, &box, "glGetTextureImage"))
    getBox(ctx, *object, 0, box, true, {format, type, bufSize, pixels}, "glGetTextureImage");
}

MGL_GL(void, GetTextureSubImage)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                 GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                                 GLsizei bufSize, void* pixels) {
  const Ref<Texture> object = namedTexture(ctx, texture, "glGetTextureSubImage");
  const Verb verb(ctx);
  const SubBox box{level, xoffset, yoffset, zoffset, width, height, depth};
  if (object && namedBox(ctx, *object, box, "glGetTextureSubImage"))
    getBox(ctx, *object, 0, box, true, {format, type, bufSize, pixels}, "glGetTextureSubImage");
}

MGL_GL(void, GetCompressedTexImage)(Context& ctx, GLenum target, GLint level, void* img) {
  getCompressed(ctx, target, level, -1, img, "glGetCompressedTexImage");
}

MGL_GL(void, GetnCompressedTexImage)(Context& ctx, GLenum target, GLint lod, GLsizei bufSize, void* pixels) {
  if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, "glGetnCompressedTexImage: the buffer's size is negative");
  getCompressed(ctx, target, lod, bufSize, pixels, "glGetnCompressedTexImage");
}

MGL_GL(void, GetCompressedTextureImage)(Context& ctx, GLuint texture, GLint level, GLsizei bufSize, void* pixels) {
  const Ref<Texture> object = namedTexture(ctx, texture, "glGetCompressedTextureImage");
  const Verb verb(ctx);
  SubBox box;
  if (object && wholeLevel(ctx, *object, 0, level, true, &box, "glGetCompressedTextureImage"))
    getBlocks(ctx, *object, 0, box, true, bufSize, pixels, "glGetCompressedTextureImage");
}

MGL_GL(void, GetCompressedTextureSubImage)(Context& ctx, GLuint texture, GLint level, GLint xoffset, GLint yoffset,
                                           GLint zoffset, GLsizei width, GLsizei height, GLsizei depth, GLsizei bufSize,
                                           void* pixels) {
  const Ref<Texture> object = namedTexture(ctx, texture, "glGetCompressedTextureSubImage");
  const Verb verb(ctx);
  const SubBox box{level, xoffset, yoffset, zoffset, width, height, depth};
  if (object && namedBox(ctx, *object, box, "glGetCompressedTextureSubImage"))
    getBlocks(ctx, *object, 0, box, true, bufSize, pixels, "glGetCompressedTextureSubImage");
}

}  // namespace mgl::gl
