// Asking for attachments, and the parameters of framebuffers without any (OpenGL 4.6 sections 9.2.1 and 9.2.3).

#include "format/format.h"
#include "gl/framebuffer/attachment_point.h"
#include "gl/framebuffer/target.h"
#include "gl/surface.h"
#include "gl/texture/internal_format.h"
#include "gl/version.h"

namespace mgl::gl {
namespace {

GLenum componentType(const format::FormatInfo& info, GLenum attachment) {
  if (attachment == GL_STENCIL_ATTACHMENT || attachment == GL_STENCIL) return GL_UNSIGNED_INT;
  switch (info.type) {
    case format::ComponentType::Unorm: return GL_UNSIGNED_NORMALIZED;
    case format::ComponentType::Snorm: return GL_SIGNED_NORMALIZED;
    case format::ComponentType::Uint: return GL_UNSIGNED_INT;
    case format::ComponentType::Sint: return GL_INT;
    case format::ComponentType::Float: return GL_FLOAT;
    default: return GL_NONE;
  }
}

// What all kinds of attachments answer about their format. False: another parameter.
bool answerFormat(pipe::Format format, GLenum attachment, GLenum pname, GLint* params) {
  const format::FormatInfo& info = format::formatInfo(format);
  const auto set = [&](u32 value) {
    *params = static_cast<GLint>(value);
    return true;
  };
  switch (pname) {
    case GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE: return set(info.bits.red);
    case GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE: return set(info.bits.green);
    case GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE: return set(info.bits.blue);
    case GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE: return set(info.bits.alpha);
    case GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE: return set(info.bits.depth);
    case GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE: return set(info.bits.stencil);
    case GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE: return set(componentType(info, attachment));
    case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING: return set(info.srgb ? GL_SRGB : GL_LINEAR);
    default: return false;
  }
}

void queryDefault(Context& ctx, Side side, GLenum attachment, GLenum pname, GLint* params, const char* call) {
  const Surface* const surface = side == Side::Draw ? ctx.drawSurface.get() : ctx.readSurface.get();
  pipe::Format format = pipe::Format::None;
  switch (attachment) {
    case GL_FRONT:
    case GL_FRONT_LEFT:
    case GL_BACK:
    case GL_BACK_LEFT:
      if (surface != nullptr) format = surface->config().colorFormat;
      break;
    case GL_FRONT_RIGHT:
    case GL_BACK_RIGHT: break;
    case GL_DEPTH: format = depthFormat(ctx, nullptr, side); break;
    case GL_STENCIL: format = stencilFormat(ctx, nullptr, side); break;
    default: return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a buffer of the default framebuffer", call, attachment);
  }
  if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) {
    *params = format == pipe::Format::None ? GL_NONE : GL_FRAMEBUFFER_DEFAULT;
    return;
  }
  if (format == pipe::Format::None)
    return ctx.error(GL_INVALID_OPERATION, "%s: the default framebuffer has no buffer 0x%04x", call, attachment);
  if (!answerFormat(format, attachment, pname, params))
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no parameter of a default framebuffer's buffer", call, pname);
}

void queryAttachment(Context& ctx, Framebuffer& framebuffer, GLenum attachment, GLenum pname, GLint* params,
                     const char* call) {
  AttachmentPoint point;
  if (!attachmentPoint(ctx, framebuffer, attachment, &point, call)) return;
  if (point.second != nullptr) {
    if (!(*point.first == *point.second))
      return ctx.error(GL_INVALID_OPERATION, "%s: depth and stencil have different attachments", call);
    if (pname == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE)
      return ctx.error(GL_INVALID_OPERATION, "%s: depth and stencil have no common component type", call);
  }
  const Attachment& a = *point.first;
  const auto set = [&](u32 value) { *params = static_cast<GLint>(value); };
  if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE)
    return set(a.texture ? GL_TEXTURE : a.renderbuffer ? GL_RENDERBUFFER : GL_NONE);
  if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && (a.isSet() || !ctx.isCompat()))
    return set(a.texture ? a.texture->name : a.renderbuffer ? a.renderbuffer->name : 0);
  if (!a.isSet())
    return ctx.error(GL_INVALID_OPERATION, "%s: nothing is attached to 0x%04x", call, attachment);
  switch (pname) {
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
      if (a.texture) return set(a.level);
      break;
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
      if (a.texture) return set(a.textureTarget);
      break;
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER:
      if (a.texture) return set(a.textureTarget != GL_NONE ? 0 : a.layer);
      break;
    case GL_FRAMEBUFFER_ATTACHMENT_LAYERED:
      if (a.texture) return set(a.layered ? 1 : 0);
      break;
    default: {
      const TextureImage* const image = a.image();
      if (answerFormat(image != nullptr ? image->format : pipe::Format::None, attachment, pname, params)) return;
      break;
    }
  }
  ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no parameter of this attachment", call, pname);
}

Moved setParameter(Context& ctx, Framebuffer* framebuffer, GLenum pname, GLint param, const char* call) {
  if (framebuffer == nullptr)
    return ctx.error(GL_INVALID_OPERATION, "%s: the default framebuffer has no such parameters", call), Moved::No;
  const pipe::Limits& limits = ctx.info->limits;
  i64 limit = 1;
  u32* slot = nullptr;
  switch (pname) {
    case GL_FRAMEBUFFER_DEFAULT_WIDTH: slot = &framebuffer->defaultWidth, limit = limits.maxFramebufferWidth; break;
    case GL_FRAMEBUFFER_DEFAULT_HEIGHT: slot = &framebuffer->defaultHeight, limit = limits.maxFramebufferHeight; break;
    case GL_FRAMEBUFFER_DEFAULT_LAYERS: slot = &framebuffer->defaultLayers, limit = limits.maxFramebufferLayers; break;
    case GL_FRAMEBUFFER_DEFAULT_SAMPLES: slot = &framebuffer->defaultSamples, limit = limits.maxSamples; break;
    case GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
      if (framebuffer->defaultFixedSampleLocations == (param != 0)) return Moved::No;
      framebuffer->defaultFixedSampleLocations = param != 0;
      return framebufferChanged(ctx, framebuffer);
    default: return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no framebuffer parameter", call, pname), Moved::No;
  }
  if (param < 0 || param > limit)
    return ctx.error(GL_INVALID_VALUE, "%s: %d is not within 0 and %lld", call, param, static_cast<long long>(limit)), Moved::No;
  if (*slot == static_cast<u32>(param)) return Moved::No;
  *slot = static_cast<u32>(param);
  return framebufferChanged(ctx, framebuffer);
}

void getParameter(Context& ctx, Framebuffer* framebuffer, Side side, GLenum pname, GLint* params, const char* call) {
  const auto set = [&](u32 value) { *params = static_cast<GLint>(value); };
  switch (pname) {
    case GL_FRAMEBUFFER_DEFAULT_WIDTH:
    case GL_FRAMEBUFFER_DEFAULT_HEIGHT:
    case GL_FRAMEBUFFER_DEFAULT_LAYERS:
    case GL_FRAMEBUFFER_DEFAULT_SAMPLES:
    case GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
      if (framebuffer == nullptr)
        return ctx.error(GL_INVALID_OPERATION, "%s: the default framebuffer has no such parameters", call);
      return set(pname == GL_FRAMEBUFFER_DEFAULT_WIDTH     ? framebuffer->defaultWidth
                 : pname == GL_FRAMEBUFFER_DEFAULT_HEIGHT  ? framebuffer->defaultHeight
                 : pname == GL_FRAMEBUFFER_DEFAULT_LAYERS  ? framebuffer->defaultLayers
                 : pname == GL_FRAMEBUFFER_DEFAULT_SAMPLES ? framebuffer->defaultSamples
                                                           : (framebuffer->defaultFixedSampleLocations ? 1 : 0));
    case GL_DOUBLEBUFFER: {
      const Surface* const surface = side == Side::Draw ? ctx.drawSurface.get() : ctx.readSurface.get();
      return set(framebuffer == nullptr && surface != nullptr && surface->config().doubleBuffered ? 1 : 0);
    }
    case GL_STEREO: return set(0);
    case GL_SAMPLES:
    case GL_SAMPLE_BUFFERS:
    case GL_IMPLEMENTATION_COLOR_READ_FORMAT:
    case GL_IMPLEMENTATION_COLOR_READ_TYPE: {
      if (!checkComplete(ctx, framebuffer, side, call)) return;
      const u32 samples = targetShape(ctx, framebuffer, side).samples;
      if (pname == GL_SAMPLES) return set(samples);
      if (pname == GL_SAMPLE_BUFFERS) return set(samples > 0 ? 1 : 0);
      GLenum format = GL_NONE, type = GL_NONE;
      if (!implementationReadFormat(ctx, framebuffer, &format, &type))
        return ctx.error(GL_INVALID_OPERATION, "%s: there is no read buffer", call);
      return set(pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT ? format : type);
    }
    default: return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no framebuffer parameter", call, pname);
  }
}

}  // namespace

bool implementationReadFormat(const Context& ctx, const Framebuffer* framebuffer, GLenum* format, GLenum* type) {
  const pipe::Format read = readFormat(ctx, framebuffer);
  if (read == pipe::Format::None) return false;
  const format::FormatInfo& info = format::formatInfo(read);
  *format = info.isInteger() ? GL_RGBA_INTEGER : GL_RGBA;
  *type = info.isInteger() ? (info.type == format::ComponentType::Sint ? GL_INT : GL_UNSIGNED_INT)
          : info.isFloat() ? GL_FLOAT
                           : GL_UNSIGNED_BYTE;
  return true;
}

MGL_GL(void, GetFramebufferAttachmentParameteriv)(Context& ctx, GLenum target, GLenum attachment, GLenum pname,
                                                  GLint* params) {
  constexpr const char* kCall = "glGetFramebufferAttachmentParameteriv";
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a framebuffer target", kCall, target);
  if (Framebuffer* const framebuffer = boundFramebuffer(ctx, side))
    return queryAttachment(ctx, *framebuffer, attachment, pname, params, kCall);
  queryDefault(ctx, side, attachment, pname, params, kCall);
}

MGL_GL(void, GetNamedFramebufferAttachmentParameteriv)(Context& ctx, GLuint framebuffer, GLenum attachment, GLenum pname,
                                                       GLint* params) {
  constexpr const char* kCall = "glGetNamedFramebufferAttachmentParameteriv";
  if (framebuffer == 0) return queryDefault(ctx, Side::Draw, attachment, pname, params, kCall);
  const Ref<Framebuffer> object = namedFramebuffer(ctx, framebuffer, kCall);
  if (object) queryAttachment(ctx, *object, attachment, pname, params, kCall);
}

MGL_GL(Moved, FramebufferParameteri)(Context& ctx, GLenum target, GLenum pname, GLint param) {
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "glFramebufferParameteri: 0x%04x is not a framebuffer target", target), Moved::No;
  return setParameter(ctx, boundFramebuffer(ctx, side), pname, param, "glFramebufferParameteri");
}

MGL_GL(Moved, NamedFramebufferParameteri)(Context& ctx, GLuint framebuffer, GLenum pname, GLint param) {
  const Ref<Framebuffer> object = namedFramebuffer(ctx, framebuffer, "glNamedFramebufferParameteri");
  return object ? setParameter(ctx, object.get(), pname, param, "glNamedFramebufferParameteri") : Moved::No;
}

MGL_GL(void, GetFramebufferParameteriv)(Context& ctx, GLenum target, GLenum pname, GLint* params) {
  Side side{};
  if (!framebufferSide(target, &side))
    return ctx.error(GL_INVALID_ENUM, "glGetFramebufferParameteriv: 0x%04x is not a framebuffer target", target);
  getParameter(ctx, boundFramebuffer(ctx, side), side, pname, params, "glGetFramebufferParameteriv");
}

MGL_GL(void, GetNamedFramebufferParameteriv)(Context& ctx, GLuint framebuffer, GLenum pname, GLint* params) {
  Ref<Framebuffer> object;
  if (framebuffer != 0) {
    object = namedFramebuffer(ctx, framebuffer, "glGetNamedFramebufferParameteriv");
    if (!object) return;
  }
  getParameter(ctx, object.get(), Side::Draw, pname, params, "glGetNamedFramebufferParameteriv");
}

}  // namespace mgl::gl
