// Texels into textures and between them.
#include <algorithm>
#include <cstring>

#include "backend/espryt/blit.h"
#include "backend/espryt/texture.h"

namespace mgl::espryt {

using pipe::TextureTarget;

namespace {

// Row and image strides as the pixel store's parameters have them, in texels and rows.
PixelStoreState storeOf(const Upload& upload, u32 texelBytes, u32 width, u32 height, u32 depth) {
  PixelStoreState store;
  store.alignment = 1;
  const u64 row = texelBytes != 0 ? upload.rowBytes / texelBytes : 0;
  if (row != width && height * depth > 1) store.rowLength = static_cast<i32>(row);
  if (depth > 1 && upload.rowBytes != 0 && upload.imageBytes / upload.rowBytes != height)
    store.imageHeight = static_cast<i32>(upload.imageBytes / upload.rowBytes);
  return store;
}

}  // namespace

// `upload.data` is memory, or an offset while a pixel buffer is bound.
void Textures::upload(HostContext& context, Texture& texture, u32 level, const pipe::TexelBox& box, const Upload& upload,
                      const HostFormat& host, Format named, bool compressed) {
  const Gl& gl = engine_.gl;
  const GLenum target = texture.image.target;
  context.bindForChange(target, texture.image.object);
  const auto at = static_cast<GLint>(level);
  const auto x = static_cast<GLint>(box.x), y = static_cast<GLint>(box.y), z = static_cast<GLint>(box.z);
  const auto w = static_cast<GLsizei>(box.width), h = static_cast<GLsizei>(box.height), d = static_cast<GLsizei>(box.depth);
  engine_.wrote(context, texture.image.object);
  if (!compressed) {
    const u32 texel = format::formatInfo(host.stored).blockBytes;
    context.setUnpack(storeOf(upload, texel, box.width, box.height, box.depth));
    if (isArrayOrVolume(target)) return gl.TexSubImage3D(target, at, x, y, z, w, h, d, host.format, host.type, upload.data);
    if (target != GL_TEXTURE_CUBE_MAP) return gl.TexSubImage2D(target, at, x, y, w, h, host.format, host.type, upload.data);
    for (u32 i = 0; i < box.depth; ++i) {
      gl.TexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + box.z + i, at, x, y, w, h, host.format, host.type,
                       upload.data + i * upload.imageBytes);
    }
    return;
  }
  // Compressed data is tight for the host: row by row and image by image where it is not.
  const u64 row = format::rowBytes(named, box.width), rows = format::rowCount(named, box.height);
  const bool tightRows = upload.rowBytes == row || rows == 1;
  const u32 blockHeight = format::formatInfo(named).blockHeight;
  for (u32 i = 0; i < box.depth; ++i) {
    const u64 steps = tightRows ? 1 : rows;
    for (u64 r = 0; r < steps; ++r) {
      const std::byte* data = upload.data + i * upload.imageBytes + r * upload.rowBytes;
      const auto top = static_cast<GLint>(box.y + r * blockHeight);
      const u32 high = tightRows ? box.height : std::min(blockHeight, box.height - static_cast<u32>(r) * blockHeight);
      const auto bytes = static_cast<GLsizei>(format::imageBytes(named, box.width, high));
      if (isArrayOrVolume(target)) {
        gl.CompressedTexSubImage3D(target, at, x, top, static_cast<GLint>(box.z + i), w, static_cast<GLsizei>(high), 1,
                                   host.internal, bytes, data);
      } else {
        const GLenum face = target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + box.z + i : target;
        gl.CompressedTexSubImage2D(face, at, x, top, w, static_cast<GLsizei>(high), host.internal, bytes, data);
      }
    }
  }
}

void Textures::subData(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout, Bytes data) {
  const HostScope context(engine_);
  if (!context || texture.image.object.name == 0) return;
  const bool faces = !texture.storage && texture.target == TextureTarget::Cube;
  const Format named = texture.levelDesc(level, faces ? box.z : 0).format;
  const HostFormat& host = (*engine_.formats)[named];
  if (!host.ok()) return;
  const TexelShape shape{named, &host, box.width, box.height, box.depth};
  const Upload made = prepareUpload(shape, layout, data.data(), &scratch_);
  if (made.data == nullptr) return;
  context->unbindBuffer(BufferTarget::PixelUnpack);
  upload(*context, texture, level, box, made, host, named, layout.compressed != 0);
}

void Textures::subDataFromBuffer(Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                                 Buffer& buffer, u64 offset) {
  const HostScope context(engine_);
  if (!context || texture.image.object.name == 0 || buffer.host.name == 0) return;
  const bool faces = !texture.storage && texture.target == TextureTarget::Cube;
  const Format named = texture.levelDesc(level, faces ? box.z : 0).format;
  const HostFormat& host = (*engine_.formats)[named];
  if (!host.ok()) return;
  const TexelShape shape{named, &host, box.width, box.height, box.depth};
  const u32 element = format::elementBytes(layout.type);
  if (isDirect(shape, layout) && layout.compressed == 0 && element != 0 && offset % element == 0) {
    context->bindBuffer(BufferTarget::PixelUnpack, buffer.host);
    upload(*context, texture, level, box, {reinterpret_cast<const std::byte*>(offset), layout.rowBytes, layout.imageBytes},
           host, named, false);
    return;
  }
  std::vector<std::byte> copied;
  if (!engine_.buffers->read(*context, buffer, [&](Bytes all) { copied.assign(all.begin() + static_cast<std::ptrdiff_t>(offset), all.end()); }))
    return;
  subData(texture, level, box, layout, copied);
}

void Textures::clear(Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel) {
  const bool faces = !texture.storage && texture.target == TextureTarget::Cube;
  const Format named = texture.levelDesc(level, faces ? box.z : 0).format;
  if (texture.samples > 1) {
    const HostScope context(engine_);
    if (context) engine_.blitter->clearSamples(*context, texture, level, box, texel);
    return;
  }
  // A slice at a time: one slice of texels in memory is enough.
  std::vector<std::byte> slice(format::imageBytes(named, box.width, box.height));
  for (u64 i = 0; i + texel.size() <= slice.size(); i += texel.size()) std::memcpy(slice.data() + i, texel.data(), texel.size());
  const HostScope context(engine_);
  const HostFormat& host = (*engine_.formats)[named];
  if (!context || !host.ok() || texture.image.object.name == 0) return;
  context->unbindBuffer(BufferTarget::PixelUnpack);
  const TexelShape shape{named, &host, box.width, box.height, 1};
  std::vector<std::byte> converted;
  const Upload made = prepareStored(shape, slice.data(), &converted);
  if (made.data == nullptr) return;
  for (u32 z = 0; z < box.depth; ++z) {
    const pipe::TexelBox one{box.x, box.y, box.z + z, box.width, box.height, 1};
    upload(*context, texture, level, one, made, host, named, false);
  }
}

void Textures::copy(Texture& src, u32 srcLevel, const pipe::TexelBox& box, Texture& dst, u32 dstLevel,
                    std::array<u32, 3> origin) {
  const HostScope context(engine_);
  if (!context || src.image.object.name == 0 || dst.image.object.name == 0) return;
  if (!engine_.features.copyImage) return engine_.decline("a copy between images: the host has none");
  const auto i = [](u32 value) { return static_cast<GLint>(value); };
  engine_.gl.CopyImageSubData(src.image.object.name, src.image.target, i(srcLevel), i(box.x), i(box.y), i(box.z),
                              dst.image.object.name, dst.image.target, i(dstLevel), i(origin[0]), i(origin[1]),
                              i(origin[2]), i(box.width), i(box.height), i(box.depth));
  engine_.wrote(*context, dst.image.object);
}

void Textures::generateMipmap(Texture& texture, u32 baseLevel, u32 lastLevel) {
  const HostScope context(engine_);
  if (!context || texture.image.object.name == 0) return;
  const Format named = texture.levelDesc(baseLevel).format;
  const HostFormat& host = (*engine_.formats)[named];
  const Gl& gl = engine_.gl;
  const GLenum target = texture.image.target;
  // OpenGL ES makes mipmaps of what it draws to and filters.
  if (host.renderable && engine_.caps.can(named, pipe::kUseFilter) && !format::formatInfo(named).isDepthOrStencil()) {
    context->bindForChange(target, texture.image.object);
    const auto base = static_cast<GLint>(baseLevel), last = static_cast<GLint>(lastLevel);
    if (texture.set.base != base) gl.TexParameteri(target, GL_TEXTURE_BASE_LEVEL, base);
    if (texture.set.max != last) gl.TexParameteri(target, GL_TEXTURE_MAX_LEVEL, last);
    gl.GenerateMipmap(target);
    texture.set.base = base;
    texture.set.max = last;
    engine_.wrote(*context, texture.image.object);
    applyParameters(*context, texture);
    return;
  }
  engine_.decline("mipmaps in a format that the host does not draw to");
}

}  // namespace mgl::espryt
