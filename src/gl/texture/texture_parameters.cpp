// glTexParameter* and glTextureParameter* (OpenGL 4.6 section 8.10).

#include "gl/texture/sampler_parameters.h"
#include "gl/texture/target.h"

namespace mgl::gl {
namespace {

bool isSwizzle(GLenum value) {
  switch (value) {
    case GL_RED:
    case GL_GREEN:
    case GL_BLUE:
    case GL_ALPHA:
    case GL_ZERO:
    case GL_ONE: return true;
    default: return false;
  }
}

bool isSamplerParameter(GLenum pname) {
  switch (pname) {
    case GL_TEXTURE_MIN_FILTER:
    case GL_TEXTURE_MAG_FILTER:
    case GL_TEXTURE_WRAP_S:
    case GL_TEXTURE_WRAP_T:
    case GL_TEXTURE_WRAP_R:
    case GL_TEXTURE_MIN_LOD:
    case GL_TEXTURE_MAX_LOD:
    case GL_TEXTURE_LOD_BIAS:
    case GL_TEXTURE_COMPARE_MODE:
    case GL_TEXTURE_COMPARE_FUNC:
    case GL_TEXTURE_MAX_ANISOTROPY:
    case GL_TEXTURE_SRGB_DECODE_EXT:
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
    case GL_TEXTURE_BORDER_COLOR: return true;
    default: return false;
  }
}

template <class T>
Setting assignTo(T& slot, const std::type_identity_t<T>& value) {
  if (slot == value) return Setting::Same;
  slot = value;
  return Setting::Changed;
}

// named: through glTextureParameter, whose objects give INVALID_OPERATION where targets give INVALID_ENUM.
Setting setOwn(Context& ctx, Texture& t, GLenum pname, const ParameterValue& value, const char* call) {
  const auto bad = [&](GLenum code) {
    ctx.error(code, "%s: %d is no value of parameter 0x%04x", call, value.asInt(), pname);
    return Setting::Failed;
  };
  const bool oneLevel = t.target == TextureTarget::Rectangle || isMultisample(t.target);
  switch (pname) {
    case GL_TEXTURE_BASE_LEVEL:
      if (value.asInt() < 0) return bad(GL_INVALID_VALUE);
      if (value.asInt() != 0 && oneLevel) return bad(GL_INVALID_OPERATION);
      return assignTo(t.baseLevel, value.asInt());
    case GL_TEXTURE_MAX_LEVEL:
      if (value.asInt() < 0) return bad(GL_INVALID_VALUE);
      return assignTo(t.maxLevel, value.asInt());
    case GL_TEXTURE_SWIZZLE_R:
    case GL_TEXTURE_SWIZZLE_G:
    case GL_TEXTURE_SWIZZLE_B:
    case GL_TEXTURE_SWIZZLE_A:
      if (!isSwizzle(value.asEnum())) return bad(GL_INVALID_ENUM);
      return assignTo(t.swizzle[pname - GL_TEXTURE_SWIZZLE_R], value.asEnum());
    case GL_TEXTURE_SWIZZLE_RGBA: {
      if (!value.isVector()) return bad(GL_INVALID_ENUM);
      std::array<GLenum, 4> swizzle{};
      for (u32 i = 0; i < 4; ++i) {
        swizzle[i] = static_cast<GLenum>(value.asInt(i));
        if (!isSwizzle(swizzle[i])) return bad(GL_INVALID_ENUM);
      }
      return assignTo(t.swizzle, swizzle);
    }
    case GL_DEPTH_STENCIL_TEXTURE_MODE:
      if (!ctx.caps().has(pipe::Feature::StencilSample)) return Setting::NotMine;
      if (value.asEnum() != GL_DEPTH_COMPONENT && value.asEnum() != GL_STENCIL_INDEX) return bad(GL_INVALID_ENUM);
      return assignTo(t.depthStencilMode, value.asEnum());
    case GL_TEXTURE_PRIORITY:
      if (ctx.isCore()) return Setting::NotMine;
      t.priority = std::clamp(value.asFloat(), 0.0f, 1.0f);
      return Setting::Same;
    case GL_GENERATE_MIPMAP:
      if (ctx.isCore()) return Setting::NotMine;
      t.generateMipmap = value.asInt() != 0;
      return Setting::Same;
    default: return Setting::NotMine;
  }
}

Moved setOn(Context& ctx, Texture& texture, GLenum pname, const ParameterValue& value, bool named, const char* call) {
  Setting setting = Setting::NotMine;
  if (isSamplerParameter(pname)) {
    if (isMultisample(texture.target))
      return ctx.error(named ? GL_INVALID_OPERATION : GL_INVALID_ENUM, "%s: multisample textures have no sampler state", call),
             Moved::No;
    setting = setSamplerParameter(ctx, texture.sampler, pname, value, texture.target == TextureTarget::Rectangle, call);
  } else {
    setting = setOwn(ctx, texture, pname, value, call);
  }
  if (setting == Setting::NotMine) ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no texture parameter", call, pname);
  if (setting != Setting::Changed) return Moved::No;
  texture.touch();
  return Moved::Yes;
}

Moved setBound(Context& ctx, GLenum target, GLenum pname, const ParameterValue& value, const char* call) {
  const auto t = bindTarget(ctx, target);
  if (!t || *t == TextureTarget::Buffer)
    return ctx.error(GL_INVALID_ENUM, "%s: textures of target 0x%04x have no parameters", call, target), Moved::No;
  return setOn(ctx, boundTexture(ctx, *t), pname, value, false, call);
}

Moved setNamed(Context& ctx, GLuint name, GLenum pname, const ParameterValue& value, const char* call) {
  const Ref<Texture> texture = namedTexture(ctx, name, call);
  if (!texture) return Moved::No;
  if (texture->target == TextureTarget::Buffer)
    return ctx.error(GL_INVALID_OPERATION, "%s: buffer textures have no parameters", call), Moved::No;
  return setOn(ctx, *texture, pname, value, true, call);
}

}  // namespace

MGL_GL(Moved, TexParameteri)(Context& ctx, GLenum target, GLenum pname, GLint param) {
  return setBound(ctx, target, pname, ParameterValue::of(&param, false), "glTexParameteri");
}
MGL_GL(Moved, TexParameterf)(Context& ctx, GLenum target, GLenum pname, GLfloat param) {
  return setBound(ctx, target, pname, ParameterValue::of(&param, false), "glTexParameterf");
}
MGL_GL(Moved, TexParameteriv)(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
  return setBound(ctx, target, pname, ParameterValue::of(params, true), "glTexParameteriv");
}
MGL_GL(Moved, TexParameterfv)(Context& ctx, GLenum target, GLenum pname, const GLfloat* params) {
  return setBound(ctx, target, pname, ParameterValue::of(params, true), "glTexParameterfv");
}
MGL_GL(Moved, TexParameterIiv)(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
  return setBound(ctx, target, pname, ParameterValue::pure(params), "glTexParameterIiv");
}
MGL_GL(Moved, TexParameterIuiv)(Context& ctx, GLenum target, GLenum pname, const GLuint* params) {
  return setBound(ctx, target, pname, ParameterValue::pure(params), "glTexParameterIuiv");
}
MGL_GL(Moved, TextureParameteri)(Context& ctx, GLuint texture, GLenum pname, GLint param) {
  return setNamed(ctx, texture, pname, ParameterValue::of(&param, false), "glTextureParameteri");
}
MGL_GL(Moved, TextureParameterf)(Context& ctx, GLuint texture, GLenum pname, GLfloat param) {
  return setNamed(ctx, texture, pname, ParameterValue::of(&param, false), "glTextureParameterf");
}
MGL_GL(Moved, TextureParameteriv)(Context& ctx, GLuint texture, GLenum pname, const GLint* param) {
  return setNamed(ctx, texture, pname, ParameterValue::of(param, true), "glTextureParameteriv");
}
MGL_GL(Moved, TextureParameterfv)(Context& ctx, GLuint texture, GLenum pname, const GLfloat* param) {
  return setNamed(ctx, texture, pname, ParameterValue::of(param, true), "glTextureParameterfv");
}
MGL_GL(Moved, TextureParameterIiv)(Context& ctx, GLuint texture, GLenum pname, const GLint* params) {
  return setNamed(ctx, texture, pname, ParameterValue::pure(params), "glTextureParameterIiv");
}
MGL_GL(Moved, TextureParameterIuiv)(Context& ctx, GLuint texture, GLenum pname, const GLuint* params) {
  return setNamed(ctx, texture, pname, ParameterValue::pure(params), "glTextureParameterIuiv");
}

}  // namespace mgl::gl
