// glGenerateMipmap (OpenGL 4.6 section 8.14.4).

#include "format/format.h"
#include "gl/texture/image_spec.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

Moved generateChecked(Context& ctx, Texture& texture, const char* call) {
  const Verb verb(ctx);
  if (texture.target == TextureTarget::Cube && !texture.isCubeComplete())
    return ctx.error(GL_INVALID_OPERATION, "%s: the faces of cube map %u are not alike", call, texture.name), Moved::No;
  const i32 base = texture.effectiveBase();
  if (base >= static_cast<i32>(pipe::kMaxTextureLevels)) return Moved::No;
  const TextureImage& image = texture.image(0, base);
  const format::FormatInfo& info = format::formatInfo(image.format);
  if (image.format == pipe::Format::None || image.isEmpty()) return Moved::No;
  if (info.isInteger() || info.base == format::BaseFormat::Stencil || info.base == format::BaseFormat::DepthStencil)
    return ctx.error(GL_INVALID_OPERATION, "%s: internal format 0x%04x cannot be filtered", call, image.internalFormat),
           Moved::No;
  if (info.compressed)
    return ctx.error(GL_INVALID_OPERATION, "%s: compressed levels are not generated", call), Moved::No;
  return generateMipmap(ctx, texture);
}

}  // namespace

Moved generateMipmap(Context& ctx, Texture& texture) {
  const i32 base = texture.effectiveBase();
  const TextureImage first = texture.image(0, base);
  if (base >= texture.effectiveMax()) return Moved::No;
  const i32 last = texture.lastLevel();
  Moved moved = Moved::No;
  if (!texture.immutable) {
    for (i32 level = base + 1; level <= last; ++level) {
      const TextureImage wanted = levelOf(texture.target, first, static_cast<u32>(level - base));
      for (u32 face = 0; face < texture.faces(); ++face)
        moved = moved | defineImage(ctx, texture, face, static_cast<u32>(level), wanted);
    }
  }
  if (last > base) {
    client::Group out(*ctx.session, ctx.stream);
    out.emit(pipe::GenerateMipmap{texture.handle, static_cast<u32>(base), static_cast<u32>(last)});
  }
  return moved;
}

MGL_GL(Moved, GenerateMipmap)(Context& ctx, GLenum target) {
  const auto t = bindTarget(ctx, target);
  if (!t || !hasMipmaps(*t))
    return ctx.error(GL_INVALID_ENUM, "glGenerateMipmap: textures of target 0x%04x have no mipmaps", target), Moved::No;
  return generateChecked(ctx, boundTexture(ctx, *t), "glGenerateMipmap");
}

MGL_GL(Moved, GenerateTextureMipmap)(Context& ctx, GLuint texture) {
  const Ref<Texture> object = namedTexture(ctx, texture, "glGenerateTextureMipmap");
  if (!object) return Moved::No;
  if (!hasMipmaps(object->target))
    return ctx.error(GL_INVALID_OPERATION, "glGenerateTextureMipmap: textures of target 0x%04x have no mipmaps",
                     targetToken(object->target)),
           Moved::No;
  return generateChecked(ctx, *object, "glGenerateTextureMipmap");
}

}  // namespace mgl::gl
