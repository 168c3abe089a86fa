// Attaching images to framebuffer objects (OpenGL 4.6 sections 9.2.7 and 9.2.8).

#include "gl/framebuffer/attachment_point.h"
#include "gl/framebuffer/target.h"
#include "gl/texture/target.h"
#include "gl/version.h"

namespace mgl::gl {

bool attachmentPoint(Context& ctx, Framebuffer& framebuffer, GLenum attachment, AttachmentPoint* out, const char* call) {
  *out = {};
  switch (attachment) {
    case GL_DEPTH_ATTACHMENT: out->first = &framebuffer.depth; return true;
    case GL_STENCIL_ATTACHMENT: out->first = &framebuffer.stencil; return true;
    case GL_DEPTH_STENCIL_ATTACHMENT:
      out->first = &framebuffer.depth;
      out->second = &framebuffer.stencil;
      return true;
    default: break;
  }
  const u32 i = attachment - GL_COLOR_ATTACHMENT0;
  if (attachment < GL_COLOR_ATTACHMENT0 || i >= 32) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not an attachment point", call, attachment);
    return false;
  }
  if (i >= static_cast<u32>(ctx.info->limits.maxColorTargets)) {
    ctx.error(GL_INVALID_OPERATION, "%s: there is no colour attachment %u here", call, i);
    return false;
  }
  out->first = &framebuffer.color[i];
  return true;
}

namespace {

// The object bound to a target: attaching to the default framebuffer is an error. Null after one.
Framebuffer* boundObject(Context& ctx, GLenum target, const char* call) {
  Side side{};
  if (!framebufferSide(target, &side)) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a framebuffer target", call, target);
    return nullptr;
  }
  Framebuffer* const framebuffer = boundFramebuffer(ctx, side);
  if (framebuffer == nullptr) ctx.error(GL_INVALID_OPERATION, "%s: the default framebuffer is bound", call);
  return framebuffer;
}

Moved attach(Context& ctx, Framebuffer& framebuffer, GLenum attachment, Attachment image, const char* call) {
  AttachmentPoint point;
  if (!attachmentPoint(ctx, framebuffer, attachment, &point, call)) return Moved::No;
  if (*point.first == image && (point.second == nullptr || *point.second == image)) return Moved::No;
  *point.first = image;
  if (point.second != nullptr) *point.second = image;
  return framebufferChanged(ctx, &framebuffer);
}

// A texture for attaching; null with *ok false after an error, null with *ok true for name 0.
Ref<Texture> textureToAttach(Context& ctx, GLuint name, GLenum code, bool* ok, const char* call) {
  *ok = true;
  if (name == 0) return {};
  Ref<Texture> texture = lookUp<Texture>(*ctx.share, ctx.share->textures, name);
  if (!texture) {
    ctx.error(code, "%s: %u is not the name of a texture", call, name);
    *ok = false;
  } else if (texture->target == TextureTarget::Buffer) {
    ctx.error(GL_INVALID_OPERATION, "%s: buffer textures cannot be rendered to", call);
    *ok = false;
  }
  return texture;
}

bool checkAttachLevel(Context& ctx, const Texture& texture, GLint level, const char* call) {
  const bool fits = texture.immutable ? level >= 0 && static_cast<u32>(level) < texture.viewNumLevels
                                      : levelFits(ctx, texture.target, level);
  if (!fits) ctx.error(GL_INVALID_VALUE, "%s: texture %u has no level %d", call, texture.name, level);
  return fits;
}

// glFramebufferTexture: all layers of a texture that has some.
Moved attachWhole(Context& ctx, Framebuffer& framebuffer, GLenum attachment, GLuint name, GLint level, const char* call) {
  bool ok = false;
  Attachment image;
  image.texture = textureToAttach(ctx, name, GL_INVALID_VALUE, &ok, call);
  if (!ok || (image.texture && !checkAttachLevel(ctx, *image.texture, level, call))) return Moved::No;
  if (image.texture) {
    image.level = static_cast<u32>(level);
    image.layered = isLayeredTarget(image.texture->target);
  }
  return attach(ctx, framebuffer, attachment, std::move(image), call);
}

Moved attachLayer(Context& ctx, Framebuffer& framebuffer, GLenum attachment, GLuint name, GLint level, GLint layer,
                  const char* call) {
  bool ok = false;
  Attachment image;
  image.texture = textureToAttach(ctx, name, GL_INVALID_OPERATION, &ok, call);
  if (!ok) return Moved::No;
  if (image.texture) {
    const TextureTarget target = image.texture->target;
    if (!isLayeredTarget(target))
      return ctx.error(GL_INVALID_OPERATION, "%s: textures of target 0x%04x have no layers", call, targetToken(target)),
             Moved::No;
    const u32 limit = target == TextureTarget::Cube ? 6 : maxDepth(ctx, target);
    if (layer < 0 || static_cast<u32>(layer) >= limit)
      return ctx.error(GL_INVALID_VALUE, "%s: there is no layer %d", call, layer), Moved::No;
    if (!checkAttachLevel(ctx, *image.texture, level, call)) return Moved::No;
    image.level = static_cast<u32>(level);
    image.layer = static_cast<u32>(layer);
    if (target == TextureTarget::Cube) image.textureTarget = GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(layer);
  }
  return attach(ctx, framebuffer, attachment, std::move(image), call);
}

// glFramebufferTexture1D, 2D and 3D: textarget names the dimensions and a cube's face.
Moved attachPlain(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint name, GLint level, GLint layer,
                  u32 dimensions, const char* call) {
  Framebuffer* const framebuffer = boundObject(ctx, target, call);
  if (framebuffer == nullptr) return Moved::No;
  bool ok = false;
  Attachment image;
  image.texture = textureToAttach(ctx, name, GL_INVALID_OPERATION, &ok, call);
  if (!ok) return Moved::No;
  if (image.texture) {
    const auto t = imageTarget(ctx, textarget);
    const bool taken = t && !t->proxy && (t->target != TextureTarget::Cube || t->faceToken) &&
                       (dimensions == 1   ? t->target == TextureTarget::Tex1D
                        : dimensions == 3 ? t->target == TextureTarget::Tex3D
                                          : imageDimensions(t->target) == 2 && t->target != TextureTarget::Tex1DArray);
    if (!taken)
      return ctx.error(t ? GL_INVALID_OPERATION : GL_INVALID_ENUM, "%s: 0x%04x is not a target of %uD attachments", call,
                       textarget, dimensions),
             Moved::No;
    if (t->target != image.texture->target)
      return ctx.error(GL_INVALID_OPERATION, "%s: texture %u has target 0x%04x", call, name,
                       targetToken(image.texture->target)),
             Moved::No;
    if (!checkAttachLevel(ctx, *image.texture, level, call)) return Moved::No;
    if (dimensions == 3 && (layer < 0 || static_cast<u32>(layer) >= maxDepth(ctx, t->target)))
      return ctx.error(GL_INVALID_VALUE, "%s: there is no layer %d", call, layer), Moved::No;
    image.level = static_cast<u32>(level);
    image.layer = t->faceToken ? t->face : static_cast<u32>(layer);
    if (t->faceToken) image.textureTarget = textarget;
  }
  return attach(ctx, *framebuffer, attachment, std::move(image), call);
}

Moved attachRenderbuffer(Context& ctx, Framebuffer& framebuffer, GLenum attachment, GLenum target, GLuint name,
                         const char* call) {
  if (target != GL_RENDERBUFFER)
    return ctx.error(GL_INVALID_ENUM, "%s: the target is GL_RENDERBUFFER, not 0x%04x", call, target), Moved::No;
  Attachment image;
  if (name != 0) {
    image.renderbuffer = lookUp<Renderbuffer>(*ctx.share, ctx.share->renderbuffers, name);
    if (!image.renderbuffer)
      return ctx.error(GL_INVALID_OPERATION, "%s: %u is not the name of a renderbuffer", call, name), Moved::No;
  }
  return attach(ctx, framebuffer, attachment, std::move(image), call);
}

}  // namespace

MGL_GL(Moved, FramebufferTexture)(Context& ctx, GLenum target, GLenum attachment, GLuint texture, GLint level) {
  Framebuffer* const framebuffer = boundObject(ctx, target, "glFramebufferTexture");
  return framebuffer == nullptr ? Moved::No : attachWhole(ctx, *framebuffer, attachment, texture, level, "glFramebufferTexture");
}
MGL_GL(Moved, FramebufferTextureLayer)(Context& ctx, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                       GLint layer) {
  Framebuffer* const framebuffer = boundObject(ctx, target, "glFramebufferTextureLayer");
  if (framebuffer == nullptr) return Moved::No;
  return attachLayer(ctx, *framebuffer, attachment, texture, level, layer, "glFramebufferTextureLayer");
}
MGL_GL(Moved, FramebufferTexture1D)(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                    GLint level) {
  return attachPlain(ctx, target, attachment, textarget, texture, level, 0, 1, "glFramebufferTexture1D");
}
MGL_GL(Moved, FramebufferTexture2D)(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                    GLint level) {
  return attachPlain(ctx, target, attachment, textarget, texture, level, 0, 2, "glFramebufferTexture2D");
}
MGL_GL(Moved, FramebufferTexture3D)(Context& ctx, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                    GLint level, GLint zoffset) {
  return attachPlain(ctx, target, attachment, textarget, texture, level, zoffset, 3, "glFramebufferTexture3D");
}
MGL_GL(Moved, FramebufferRenderbuffer)(Context& ctx, GLenum target, GLenum attachment, GLenum renderbuffertarget,
                                       GLuint renderbuffer) {
  Framebuffer* const framebuffer = boundObject(ctx, target, "glFramebufferRenderbuffer");
  if (framebuffer == nullptr) return Moved::No;
  return attachRenderbuffer(ctx, *framebuffer, attachment, renderbuffertarget, renderbuffer, "glFramebufferRenderbuffer");
}
MGL_GL(Moved, NamedFramebufferTexture)(Context& ctx, GLuint framebuffer, GLenum attachment, GLuint texture, GLint level) {
  const Ref<Framebuffer> object = namedFramebuffer(ctx, framebuffer, "glNamedFramebufferTexture");
  return object ? attachWhole(ctx, *object, attachment, texture, level, "glNamedFramebufferTexture") : Moved::No;
}
MGL_GL(Moved, NamedFramebufferTextureLayer)(Context& ctx, GLuint framebuffer, GLenum attachment, GLuint texture,
                                            GLint level, GLint layer) {
  const Ref<Framebuffer> object = namedFramebuffer(ctx, framebuffer, "glNamedFramebufferTextureLayer");
  return object ? attachLayer(ctx, *object, attachment, texture, level, layer, "glNamedFramebufferTextureLayer") : Moved::No;
}
MGL_GL(Moved, NamedFramebufferRenderbuffer)(Context& ctx, GLuint framebuffer, GLenum attachment,
                                            GLenum renderbuffertarget, GLuint renderbuffer) {
  const Ref<Framebuffer> object = namedFramebuffer(ctx, framebuffer, "glNamedFramebufferRenderbuffer");
  if (!object) return Moved::No;
  return attachRenderbuffer(ctx, *object, attachment, renderbuffertarget, renderbuffer, "glNamedFramebufferRenderbuffer");
}

}  // namespace mgl::gl
