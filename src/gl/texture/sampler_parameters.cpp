#include "gl/texture/sampler_parameters.h"

#include <algorithm>

#include "gl/version.h"

namespace mgl::gl {
namespace {

template <class T>
Setting assignTo(T& slot, const std::type_identity_t<T>& value) {
  if (slot == value) return Setting::Same;
  slot = value;
  return Setting::Changed;
}

bool isWrap(const Context& ctx, GLenum wrap, bool clampOnly) {
  switch (wrap) {
    case GL_CLAMP_TO_EDGE:
    case GL_CLAMP_TO_BORDER: return true;
    case GL_CLAMP: return !ctx.isCore();
    case GL_REPEAT:
    case GL_MIRRORED_REPEAT: return !clampOnly;
    case GL_MIRROR_CLAMP_TO_EDGE: return !clampOnly && ctx.caps().has(pipe::Feature::MirrorClampToEdge);
    default: return false;
  }
}

bool isMinFilter(GLenum filter, bool clampOnly) {
  switch (filter) {
    case GL_NEAREST:
    case GL_LINEAR: return true;
    case GL_NEAREST_MIPMAP_NEAREST:
    case GL_LINEAR_MIPMAP_NEAREST:
    case GL_NEAREST_MIPMAP_LINEAR:
    case GL_LINEAR_MIPMAP_LINEAR: return !clampOnly;
    default: return false;
  }
}

pipe::Wrap convertWrap(GLenum wrap) {
  switch (wrap) {
    case GL_MIRRORED_REPEAT: return pipe::Wrap::MirroredRepeat;
    case GL_CLAMP_TO_EDGE: return pipe::Wrap::ClampToEdge;
    case GL_CLAMP_TO_BORDER: return pipe::Wrap::ClampToBorder;
    case GL_MIRROR_CLAMP_TO_EDGE: return pipe::Wrap::MirrorClampToEdge;
    case GL_CLAMP: return pipe::Wrap::Clamp;
    default: return pipe::Wrap::Repeat;
  }
}

}  // namespace

pipe::SamplerState SamplerParameters::toPipe() const {
  pipe::SamplerState state{};
  const bool linearMin =
      minFilter == GL_LINEAR || minFilter == GL_LINEAR_MIPMAP_NEAREST || minFilter == GL_LINEAR_MIPMAP_LINEAR;
  state.minFilter = linearMin ? pipe::Filter::Linear : pipe::Filter::Nearest;
  state.magFilter = magFilter == GL_LINEAR ? pipe::Filter::Linear : pipe::Filter::Nearest;
  state.mipMode = !usesMipmaps() ? pipe::MipMode::None
                  : minFilter == GL_NEAREST_MIPMAP_LINEAR || minFilter == GL_LINEAR_MIPMAP_LINEAR
                      ? pipe::MipMode::Linear
                      : pipe::MipMode::Nearest;
  state.wrapS = convertWrap(wrapS);
  state.wrapT = convertWrap(wrapT);
  state.wrapR = convertWrap(wrapR);
  state.compareEnable = compareMode == GL_COMPARE_REF_TO_TEXTURE ? 1 : 0;
  state.compareOp = static_cast<pipe::CompareOp>(compareFunc - GL_NEVER);
  state.lodBias = lodBias;
  state.minLod = minLod;
  state.maxLod = maxLod;
  state.maxAnisotropy = maxAnisotropy;
  state.border = border;
  state.borderClass = borderClass;
  state.cubeSeamless = cubeSeamless ? 1 : 0;
  state.srgbDecodeSkip = srgbDecode == GL_SKIP_DECODE_EXT ? 1 : 0;
  return state;
}

// The pipe's order of comparisons is GL's own.
static_assert(indexOf(pipe::CompareOp::Always) == GL_ALWAYS - GL_NEVER &&
              indexOf(pipe::CompareOp::NotEqual) == GL_NOTEQUAL - GL_NEVER &&
              indexOf(pipe::CompareOp::LessEqual) == GL_LEQUAL - GL_NEVER);

Setting setSamplerParameter(Context& ctx, SamplerParameters& p, GLenum pname, const ParameterValue& value, bool clampOnly,
                            const char* call) {
  const auto refuse = [&] {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is no value of parameter 0x%04x", call, value.asEnum(), pname);
    return Setting::Failed;
  };
  switch (pname) {
    case GL_TEXTURE_MIN_FILTER:
      return isMinFilter(value.asEnum(), clampOnly) ? assignTo(p.minFilter, value.asEnum()) : refuse();
    case GL_TEXTURE_MAG_FILTER:
      if (value.asEnum() != GL_NEAREST && value.asEnum() != GL_LINEAR) return refuse();
      return assignTo(p.magFilter, value.asEnum());
    case GL_TEXTURE_WRAP_S:
      return isWrap(ctx, value.asEnum(), clampOnly) ? assignTo(p.wrapS, value.asEnum()) : refuse();
    case GL_TEXTURE_WRAP_T:
      return isWrap(ctx, value.asEnum(), clampOnly) ? assignTo(p.wrapT, value.asEnum()) : refuse();
    case GL_TEXTURE_WRAP_R:
      return isWrap(ctx, value.asEnum(), clampOnly) ? assignTo(p.wrapR, value.asEnum()) : refuse();
    case GL_TEXTURE_MIN_LOD: return assignTo(p.minLod, value.asFloat());
    case GL_TEXTURE_MAX_LOD: return assignTo(p.maxLod, value.asFloat());
    case GL_TEXTURE_LOD_BIAS: return assignTo(p.lodBias, value.asFloat());
    case GL_TEXTURE_COMPARE_MODE:
      if (value.asEnum() != GL_NONE && value.asEnum() != GL_COMPARE_REF_TO_TEXTURE) return refuse();
      return assignTo(p.compareMode, value.asEnum());
    case GL_TEXTURE_COMPARE_FUNC:
      if (value.asEnum() < GL_NEVER || value.asEnum() > GL_ALWAYS) return refuse();
      return assignTo(p.compareFunc, value.asEnum());
    case GL_TEXTURE_MAX_ANISOTROPY:
      if (!ctx.caps().has(pipe::Feature::AnisotropicFilter)) return Setting::NotMine;
      if (!(value.asFloat() >= 1)) {
        ctx.error(GL_INVALID_VALUE, "%s: anisotropy is at least 1", call);
        return Setting::Failed;
      }
      return assignTo(p.maxAnisotropy, std::min(value.asFloat(), ctx.caps().maxAnisotropy));
    case GL_TEXTURE_SRGB_DECODE_EXT:
      if (value.asEnum() != GL_DECODE_EXT && value.asEnum() != GL_SKIP_DECODE_EXT) return refuse();
      return assignTo(p.srgbDecode, value.asEnum());
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
      if (!ctx.caps().has(pipe::Feature::SeamlessCubePerTexture)) return Setting::NotMine;
      if (value.asInt() != GL_TRUE && value.asInt() != GL_FALSE) {
        ctx.error(GL_INVALID_VALUE, "%s: GL_TEXTURE_CUBE_MAP_SEAMLESS is GL_TRUE or GL_FALSE", call);
        return Setting::Failed;
      }
      return assignTo(p.cubeSeamless, value.asInt() != 0);
    case GL_TEXTURE_BORDER_COLOR: {
      if (!value.isVector()) {
        ctx.error(GL_INVALID_ENUM, "%s: a border colour has four values", call);
        return Setting::Failed;
      }
      std::array<u32, 4> bits{};
      const pipe::BorderClass cls = value.border(&bits);
      if (bits == p.border && cls == p.borderClass) return Setting::Same;
      p.border = bits;
      p.borderClass = cls;
      return Setting::Changed;
    }
    default: return Setting::NotMine;
  }
}

bool getSamplerParameter(const Context& ctx, const SamplerParameters& p, GLenum pname, const ParameterAnswer& answer) {
  switch (pname) {
    case GL_TEXTURE_MIN_FILTER: answer.setInt(p.minFilter); return true;
    case GL_TEXTURE_MAG_FILTER: answer.setInt(p.magFilter); return true;
    case GL_TEXTURE_WRAP_S: answer.setInt(p.wrapS); return true;
    case GL_TEXTURE_WRAP_T: answer.setInt(p.wrapT); return true;
    case GL_TEXTURE_WRAP_R: answer.setInt(p.wrapR); return true;
    case GL_TEXTURE_MIN_LOD: answer.setFloat(p.minLod); return true;
    case GL_TEXTURE_MAX_LOD: answer.setFloat(p.maxLod); return true;
    case GL_TEXTURE_LOD_BIAS: answer.setFloat(p.lodBias); return true;
    case GL_TEXTURE_COMPARE_MODE: answer.setInt(p.compareMode); return true;
    case GL_TEXTURE_COMPARE_FUNC: answer.setInt(p.compareFunc); return true;
    case GL_TEXTURE_MAX_ANISOTROPY:
      if (!ctx.caps().has(pipe::Feature::AnisotropicFilter)) return false;
      answer.setFloat(p.maxAnisotropy);
      return true;
    case GL_TEXTURE_SRGB_DECODE_EXT: answer.setInt(p.srgbDecode); return true;
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
      if (!ctx.caps().has(pipe::Feature::SeamlessCubePerTexture)) return false;
      answer.setInt(p.cubeSeamless ? 1 : 0);
      return true;
    case GL_TEXTURE_BORDER_COLOR: answer.setBorder(p.border, p.borderClass); return true;
    default: return false;
  }
}

}  // namespace mgl::gl
