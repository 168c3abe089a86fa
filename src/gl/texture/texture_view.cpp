// glTextureView (OpenGL 4.6 section 8.18).

#include <algorithm>

#include "format/format.h"
#include "gl/texture/image_spec.h"
#include "gl/verb.h"

namespace mgl::gl {
namespace {

// Table 8.21: the targets that a view of this target may have.
bool viewTargetFits(TextureTarget source, TextureTarget view) {
  using T = TextureTarget;
  switch (source) {
    case T::Tex1D:
    case T::Tex1DArray: return view == T::Tex1D || view == T::Tex1DArray;
    case T::Tex2D: return view == T::Tex2D || view == T::Tex2DArray;
    case T::Tex3D: return view == T::Tex3D;
    case T::Cube:
    case T::CubeArray:
    case T::Tex2DArray: return view == T::Tex2D || view == T::Tex2DArray || view == T::Cube || view == T::CubeArray;
    case T::Rectangle: return view == T::Rectangle;
    case T::Tex2DMultisample:
    case T::Tex2DMultisampleArray: return view == T::Tex2DMultisample || view == T::Tex2DMultisampleArray;
    default: return false;
  }
}

u32 layersOf(const Texture& texture) {
  const TextureImage& image = texture.image(0, 0);
  switch (texture.target) {
    case TextureTarget::Cube: return 6;
    case TextureTarget::Tex1DArray: return image.height;
    case TextureTarget::Tex2DArray:
    case TextureTarget::CubeArray:
    case TextureTarget::Tex2DMultisampleArray: return image.depth;
    default: return 1;
  }
}

bool isArray(TextureTarget target) {
  return target == TextureTarget::Tex1DArray || target == TextureTarget::Tex2DArray ||
         target == TextureTarget::Tex2DMultisampleArray;
}

// The layers of a view must suit its target. False after an error.
bool checkLayers(Context& ctx, TextureTarget target, u32 asked, u32 layers) {
  constexpr const char* kCall = "glTextureView";
  if (target == TextureTarget::Cube && layers != 6) {
    ctx.error(GL_INVALID_VALUE, "%s: a cube map has 6 layers, not %u", kCall, layers);
    return false;
  }
  if (target == TextureTarget::CubeArray && layers % 6 != 0) {
    ctx.error(GL_INVALID_VALUE, "%s: a cube map array has a multiple of 6 layers, not %u", kCall, layers);
    return false;
  }
  const bool single = !isArray(target) && target != TextureTarget::Cube && target != TextureTarget::CubeArray;
  if (single && asked != 1) {
    ctx.error(GL_INVALID_VALUE, "%s: a view of this target has one layer, not %u", kCall, asked);
    return false;
  }
  return true;
}

}  // namespace

MGL_GL(Moved, TextureView)(Context& ctx, GLuint texture, GLenum target, GLuint origtexture, GLenum internalformat,
                           GLuint minlevel, GLuint numlevels, GLuint minlayer, GLuint numlayers) {
  constexpr const char* kCall = "glTextureView";
  const auto fail = [&](GLenum code, const char* why) {
    ctx.error(code, "%s: %s", kCall, why);
    return Moved::No;
  };
  {
    const std::scoped_lock lock(ctx.share->mutex);
    if (texture == 0 || !ctx.share->textures.isUsed(texture))
      return fail(texture == 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION, "the view's name is not from glGenTextures");
    if (ctx.share->textures.find(texture) != nullptr)
      return fail(GL_INVALID_OPERATION, "the view's name has been used already");
  }
  const Ref<Texture> source = lookUp<Texture>(*ctx.share, ctx.share->textures, origtexture);
  if (!source) return fail(GL_INVALID_VALUE, "the original is not the name of a texture");
  std::optional<Verb> verb(std::in_place, ctx);
  if (!source->immutable) return fail(GL_INVALID_OPERATION, "the original's storage is not immutable");
  const auto viewTarget = bindTarget(ctx, target);
  if (!viewTarget) return fail(GL_INVALID_ENUM, "that is not a texture target");
  if (!viewTargetFits(source->target, *viewTarget))
    return fail(GL_INVALID_OPERATION, "the original's target has no views of that target");
  const auto chosen = chooseTextureFormat(ctx, internalformat, GL_INVALID_OPERATION, kCall);
  if (!chosen) return Moved::No;
  const TextureImage& first = source->image(0, 0);
  const GLenum cls = viewClass(first.format);
  if (chosen->format != first.format && (cls == GL_NONE || cls != viewClass(chosen->format)))
    return fail(GL_INVALID_OPERATION, "the formats are not of the same view class");
  const u32 sourceLayers = layersOf(*source);
  if (numlevels == 0 || numlayers == 0) return fail(GL_INVALID_VALUE, "a view has at least one level and one layer");
  if (minlevel >= source->viewNumLevels || minlayer >= sourceLayers)
    return fail(GL_INVALID_VALUE, "the original has no such level or layer");
  const u32 levels = std::min(numlevels, source->viewNumLevels - minlevel);
  const u32 layers = std::min(numlayers, sourceLayers - minlayer);
  if (!checkLayers(ctx, *viewTarget, numlayers, layers)) return Moved::No;
  TextureImage base = source->image(0, static_cast<i32>(minlevel));
  if ((*viewTarget == TextureTarget::Cube || *viewTarget == TextureTarget::CubeArray) && base.width != base.height)
    return fail(GL_INVALID_OPERATION, "the faces of a cube map are square");

  base.format = chosen->format;
  base.internalFormat = chosen->reported;
  if (*viewTarget == TextureTarget::Tex1DArray) {
    base.height = layers, base.depth = 1;
  } else if (*viewTarget == TextureTarget::Tex1D) {
    base.height = base.depth = 1;
  } else if (*viewTarget != TextureTarget::Tex3D) {
    base.depth = *viewTarget == TextureTarget::Cube ? 1 : layers;
  }
  pipe::TextureHandle handle;
  {
    client::Group out(*ctx.session, ctx.stream);
    handle = out.allocate<pipe::Kind::Texture>();
    out.emit(pipe::CreateTextureView{handle, source->handle, *viewTarget, static_cast<u8>(minlevel), chosen->format, levels,
                                     minlayer, layers});
  }
  auto view = makeRef<Texture>(texture, *viewTarget, *ctx.share, handle);
  for (u32 face = 0; face < view->faces(); ++face)
    for (u32 level = 0; level < levels; ++level) view->images[face][level] = levelOf(*viewTarget, base, level);
  view->storageWhole = view->immutable = true;
  view->immutableLevels = source->immutableLevels;
  view->viewNumLevels = levels;
  view->viewMinLevel = source->viewMinLevel + minlevel;
  view->viewMinLayer = source->viewMinLayer + minlayer;
  view->viewNumLayers = layers;
  verb.reset();
  const std::scoped_lock lock(ctx.share->mutex);
  ctx.share->textures.insert(texture, std::move(view));
  return Moved::Yes;
}

}  // namespace mgl::gl
