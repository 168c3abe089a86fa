// Texture names and binding points (OpenGL 4.6 section 8.1).

#include "gl/framebuffer/framebuffer.h"
#include "gl/texture/target.h"
#include "gl/texture/unit.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

// The object of a name, made at its first bind. Null after an error.
Ref<Texture> textureToBind(Context& ctx, TextureTarget target, GLuint name, const char* call) {
  const std::scoped_lock lock(ctx.share->mutex);
  auto& table = ctx.share->textures;
  if (Texture* const found = table.find(name)) {
    if (found->target != target) {
      ctx.error(GL_INVALID_OPERATION, "%s: texture %u has target 0x%04x", call, name, targetToken(found->target));
      return {};
    }
    return Ref<Texture>(found);
  }
  if (ctx.isCore() && !table.isUsed(name)) {
    ctx.error(GL_INVALID_OPERATION, "%s: %u was not returned by glGenTextures", call, name);
    return {};
  }
  auto texture = makeRef<Texture>(name, target, *ctx.share);
  table.insert(name, texture);
  return texture;
}

}  // namespace

Moved bindTexture(Context& ctx, u32 unit, TextureTarget target, Ref<Texture> texture) {
  Ref<Texture>& slot = ctx.units[unit].textures[indexOf(target)];
  if (slot == texture) return Moved::No;
  slot = std::move(texture);
  ctx.touchedUnits = std::max(ctx.touchedUnits, unit + 1);
  ctx.touch(Group::Textures);
  return Moved::Yes;
}

Moved unbindUnit(Context& ctx, u32 unit) {
  Moved moved = Moved::No;
  for (u32 t = 0; t < kTargets; ++t) moved = moved | bindTexture(ctx, unit, static_cast<TextureTarget>(t), {});
  return moved;
}

MGL_GL(void, GenTextures)(Context& ctx, GLsizei n, GLuint* textures) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenTextures: n is negative");
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->textures.reserve(std::span<u32>(textures, static_cast<std::size_t>(n)));
}

MGL_GL(void, CreateTextures)(Context& ctx, GLenum target, GLsizei n, GLuint* textures) {
  const auto t = bindTarget(ctx, target);
  if (!t) return ctx.error(GL_INVALID_ENUM, "glCreateTextures: 0x%04x is not a texture target", target);
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateTextures: n is negative");
  const std::scoped_lock lock(ctx.share->mutex);
  for (GLsizei i = 0; i < n; ++i) {
    textures[i] = ctx.share->textures.reserve();
    ctx.share->textures.insert(textures[i], makeRef<Texture>(textures[i], *t, *ctx.share));
  }
}

MGL_GL(Moved, DeleteTextures)(Context& ctx, GLsizei n, const GLuint* textures) {
  if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteTextures: n is negative"), Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < n; ++i) {
    Ref<Texture> texture;
    {
      const std::scoped_lock lock(ctx.share->mutex);
      if (!ctx.share->textures.isUsed(textures[i])) continue;
      texture = ctx.share->textures.erase(textures[i]);
    }
    if (!texture) continue;
    texture->deleted = true;
    // Section 5.1.2: what this context has bound lets go of it, and so do the framebuffers that are bound now.
    for (u32 unit = 0; unit < ctx.touchedUnits; ++unit)
      if (ctx.units[unit].textures[indexOf(texture->target)] == texture)
        moved = moved | bindTexture(ctx, unit, texture->target, {});
    for (ImageUnit& unit : ctx.images) {
      if (unit.texture != texture) continue;
      unit = ImageUnit{};
      ctx.touch(Group::Images);
      moved = Moved::Yes;
    }
    for (Framebuffer* const framebuffer : {ctx.drawFramebuffer.get(), ctx.readFramebuffer.get()})
      if (framebuffer != nullptr) moved = moved | detachTexture(*framebuffer, *texture);
  }
  return moved;
}

MGL_GL(GLboolean, IsTexture)(Context& ctx, GLuint texture) {
  const std::scoped_lock lock(ctx.share->mutex);
  return ctx.share->textures.find(texture) != nullptr ? GL_TRUE : GL_FALSE;
}

MGL_GL(Moved, BindTexture)(Context& ctx, GLenum target, GLuint texture) {
  const auto t = bindTarget(ctx, target);
  if (!t) return ctx.error(GL_INVALID_ENUM, "glBindTexture: 0x%04x is not a texture target", target), Moved::No;
  Ref<Texture> object;
  if (texture != 0) {
    // The usual case: the name that is bound already.
    Texture* const bound = ctx.units[ctx.activeUnit].textures[indexOf(*t)].get();
    if (bound != nullptr && bound->name == texture && !bound->deleted) return Moved::No;
    object = textureToBind(ctx, *t, texture, "glBindTexture");
    if (!object) return Moved::No;
  }
  return bindTexture(ctx, ctx.activeUnit, *t, std::move(object));
}

MGL_GL(void, ActiveTexture)(Context& ctx, GLenum texture) {
  const u32 unit = texture - GL_TEXTURE0;
  if (texture < GL_TEXTURE0 || unit >= ctx.info->maxUnits)
    return ctx.error(GL_INVALID_ENUM, "glActiveTexture: there is no texture unit 0x%04x", texture);
  ctx.activeUnit = unit;
}

MGL_GL(Moved, BindTextureUnit)(Context& ctx, GLuint unit, GLuint texture) {
  if (unit >= ctx.info->maxUnits)
    return ctx.error(GL_INVALID_VALUE, "glBindTextureUnit: there is no texture unit %u", unit), Moved::No;
  if (texture == 0) return unbindUnit(ctx, unit);
  Ref<Texture> object = namedTexture(ctx, texture, "glBindTextureUnit");
  if (!object) return Moved::No;
  const TextureTarget target = object->target;
  return bindTexture(ctx, unit, target, std::move(object));
}

MGL_GL(Moved, BindTextures)(Context& ctx, GLuint first, GLsizei count, const GLuint* textures) {
  if (count < 0) return ctx.error(GL_INVALID_VALUE, "glBindTextures: count is negative"), Moved::No;
  if (u64{first} + static_cast<u64>(count) > ctx.info->maxUnits)
    return ctx.error(GL_INVALID_OPERATION, "glBindTextures: units %u to %u do not all exist", first,
                     first + static_cast<GLuint>(count) - 1),
           Moved::No;
  Moved moved = Moved::No;
  for (GLsizei i = 0; i < count; ++i) {
    const u32 unit = first + static_cast<u32>(i);
    if (textures == nullptr || textures[i] == 0) {
      moved = moved | unbindUnit(ctx, unit);
      continue;
    }
    // A bad name is an error, and the others are bound all the same.
    Ref<Texture> object = namedTexture(ctx, textures[i], "glBindTextures");
    if (!object) continue;
    const TextureTarget target = object->target;
    moved = moved | bindTexture(ctx, unit, target, std::move(object));
  }
  return moved;
}

}  // namespace mgl::gl
