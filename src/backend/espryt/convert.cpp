#include "backend/espryt/convert.h"

namespace mgl::espryt {

using pipe::TextureTarget;

GLenum textureTarget(TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex3D:
      return GL_TEXTURE_3D;
    case TextureTarget::Cube:
      return GL_TEXTURE_CUBE_MAP;
    case TextureTarget::Tex1DArray:
    case TextureTarget::Tex2DArray:
      return GL_TEXTURE_2D_ARRAY;
    case TextureTarget::CubeArray:
      return GL_TEXTURE_CUBE_MAP_ARRAY;
    case TextureTarget::Buffer:
      return GL_TEXTURE_BUFFER;
    case TextureTarget::Tex2DMultisample:
      return GL_TEXTURE_2D_MULTISAMPLE;
    case TextureTarget::Tex2DMultisampleArray:
      return GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    default:
      return GL_TEXTURE_2D;
  }
}

bool isArrayOrVolume(GLenum target) {
  return target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_CUBE_MAP_ARRAY;
}

GLenum primitive(pipe::Primitive mode) {
  constexpr GLenum kModes[] = {GL_POINTS,
                               GL_LINES,
                               GL_LINE_LOOP,
                               GL_LINE_STRIP,
                               GL_TRIANGLES,
                               GL_TRIANGLE_STRIP,
                               GL_TRIANGLE_FAN,
                               GL_TRIANGLES,       // quads, rewritten
                               GL_TRIANGLE_STRIP,  // quad strip
                               GL_TRIANGLE_FAN,    // polygon
                               GL_LINES_ADJACENCY,
                               GL_LINE_STRIP_ADJACENCY,
                               GL_TRIANGLES_ADJACENCY,
                               GL_TRIANGLE_STRIP_ADJACENCY,
                               GL_PATCHES};
  static_assert(std::size(kModes) == countOf<pipe::Primitive>());
  return kModes[indexOf(mode)];
}

GLenum indexType(pipe::IndexType type) {
  constexpr GLenum kTypes[] = {0, GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT};
  return kTypes[indexOf(type)];
}
u32 indexBytes(pipe::IndexType type) { return type == pipe::IndexType::None ? 0 : 1u << (indexOf(type) - 1); }

GLenum compareOp(pipe::CompareOp op) { return GL_NEVER + indexOf(op); }

GLenum stencilOp(pipe::StencilOp op) {
  constexpr GLenum kOps[] = {GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
  static_assert(std::size(kOps) == countOf<pipe::StencilOp>());
  return kOps[indexOf(op)];
}

GLenum blendFactor(pipe::BlendFactor factor) {
  constexpr GLenum kFactors[] = {GL_ZERO,
                                 GL_ONE,
                                 GL_SRC_COLOR,
                                 GL_ONE_MINUS_SRC_COLOR,
                                 GL_DST_COLOR,
                                 GL_ONE_MINUS_DST_COLOR,
                                 GL_SRC_ALPHA,
                                 GL_ONE_MINUS_SRC_ALPHA,
                                 GL_DST_ALPHA,
                                 GL_ONE_MINUS_DST_ALPHA,
                                 GL_CONSTANT_COLOR,
                                 GL_ONE_MINUS_CONSTANT_COLOR,
                                 GL_CONSTANT_ALPHA,
                                 GL_ONE_MINUS_CONSTANT_ALPHA,
                                 GL_SRC_ALPHA_SATURATE,
                                 GL_SRC1_COLOR_EXT,
                                 GL_ONE_MINUS_SRC1_COLOR_EXT,
                                 GL_SRC1_ALPHA_EXT,
                                 GL_ONE_MINUS_SRC1_ALPHA_EXT};
  static_assert(std::size(kFactors) == countOf<pipe::BlendFactor>());
  return kFactors[indexOf(factor)];
}

GLenum blendOp(pipe::BlendOp op) {
  switch (op) {
    case pipe::BlendOp::Subtract:
      return GL_FUNC_SUBTRACT;
    case pipe::BlendOp::ReverseSubtract:
      return GL_FUNC_REVERSE_SUBTRACT;
    case pipe::BlendOp::Min:
      return GL_MIN;
    case pipe::BlendOp::Max:
      return GL_MAX;
    default:
      return GL_FUNC_ADD;
  }
}

GLenum minFilter(const pipe::SamplerState& state) {
  const bool linear = state.minFilter == pipe::Filter::Linear;
  switch (state.mipMode) {
    case pipe::MipMode::Nearest:
      return linear ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST_MIPMAP_NEAREST;
    case pipe::MipMode::Linear:
      return linear ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST_MIPMAP_LINEAR;
    default:
      return linear ? GL_LINEAR : GL_NEAREST;
  }
}
GLenum magFilter(const pipe::SamplerState& state) {
  return state.magFilter == pipe::Filter::Linear ? GL_LINEAR : GL_NEAREST;
}

GLenum wrap(pipe::Wrap wrap, const pipe::SamplerState& state, const HostFeatures& features) {
  switch (wrap) {
    case pipe::Wrap::Repeat:
      return GL_REPEAT;
    case pipe::Wrap::MirroredRepeat:
      return GL_MIRRORED_REPEAT;
    case pipe::Wrap::ClampToBorder:
      return features.borderClamp ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE;
    case pipe::Wrap::MirrorClampToEdge:
      return features.mirrorClamp ? GL_MIRROR_CLAMP_TO_EDGE_EXT : GL_MIRRORED_REPEAT;
    case pipe::Wrap::Clamp: {
      // GL_CLAMP blends with the border at the edge when it filters, and never reaches it when it does not.
      const bool filters = state.minFilter == pipe::Filter::Linear || state.magFilter == pipe::Filter::Linear;
      return filters && features.borderClamp ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE;
    }
    default:
      return GL_CLAMP_TO_EDGE;
  }
}

GLenum swizzle(const HostFormat& host, pipe::Swizzle swizzle) {
  if (swizzle == pipe::Swizzle::Zero) return GL_ZERO;
  if (swizzle == pipe::Swizzle::One) return GL_ONE;
  return host.swizzle[indexOf(swizzle)];
}

GLenum vertexType(const pipe::VertexAttrib& attrib) {
  using pipe::VertexType;
  if (attrib.bgra || attrib.cls == pipe::AttribClass::Double) return 0;
  switch (attrib.type) {
    case VertexType::Byte:
      return GL_BYTE;
    case VertexType::UByte:
      return GL_UNSIGNED_BYTE;
    case VertexType::Short:
      return GL_SHORT;
    case VertexType::UShort:
      return GL_UNSIGNED_SHORT;
    case VertexType::Int:
      return GL_INT;
    case VertexType::UInt:
      return GL_UNSIGNED_INT;
    case VertexType::Half:
      return GL_HALF_FLOAT;
    case VertexType::Float:
      return GL_FLOAT;
    case VertexType::Fixed:
      return GL_FIXED;
    case VertexType::Int2101010Rev:
      return attrib.components == 4 ? GL_INT_2_10_10_10_REV : 0;
    case VertexType::UInt2101010Rev:
      return attrib.components == 4 ? GL_UNSIGNED_INT_2_10_10_10_REV : 0;
    default:
      return 0;
  }
}

}  // namespace mgl::espryt
