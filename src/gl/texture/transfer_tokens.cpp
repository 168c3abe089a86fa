#include "gl/texture/transfer.h"

namespace mgl::gl {

using pipe::TransferFormat;
using pipe::TransferType;

std::optional<TransferFormat> transferFormat(const Context& ctx, GLenum format) {
  switch (format) {
    case GL_RED: return TransferFormat::Red;
    case GL_GREEN: return TransferFormat::Green;
    case GL_BLUE: return TransferFormat::Blue;
    case GL_RG: return TransferFormat::RG;
    case GL_RGB: return TransferFormat::RGB;
    case GL_BGR: return TransferFormat::BGR;
    case GL_RGBA: return TransferFormat::RGBA;
    case GL_BGRA: return TransferFormat::BGRA;
    case GL_RED_INTEGER: return TransferFormat::RedInteger;
    case GL_GREEN_INTEGER: return TransferFormat::GreenInteger;
    case GL_BLUE_INTEGER: return TransferFormat::BlueInteger;
    case GL_RG_INTEGER: return TransferFormat::RGInteger;
    case GL_RGB_INTEGER: return TransferFormat::RGBInteger;
    case GL_BGR_INTEGER: return TransferFormat::BGRInteger;
    case GL_RGBA_INTEGER: return TransferFormat::RGBAInteger;
    case GL_BGRA_INTEGER: return TransferFormat::BGRAInteger;
    case GL_DEPTH_COMPONENT: return TransferFormat::Depth;
    case GL_STENCIL_INDEX: return TransferFormat::Stencil;
    case GL_DEPTH_STENCIL: return TransferFormat::DepthStencil;
    default: break;
  }
  if (ctx.isCore()) return std::nullopt;
  switch (format) {
    case GL_ALPHA: return TransferFormat::Alpha;
    case GL_ALPHA_INTEGER: return TransferFormat::AlphaInteger;
    case GL_LUMINANCE: return TransferFormat::Luminance;
    case GL_LUMINANCE_ALPHA: return TransferFormat::LuminanceAlpha;
    default: return std::nullopt;
  }
}

std::optional<TransferType> transferType(GLenum type) {
  switch (type) {
    case GL_UNSIGNED_BYTE: return TransferType::UByte;
    case GL_BYTE: return TransferType::Byte;
    case GL_UNSIGNED_SHORT: return TransferType::UShort;
    case GL_SHORT: return TransferType::Short;
    case GL_UNSIGNED_INT: return TransferType::UInt;
    case GL_INT: return TransferType::Int;
    case GL_HALF_FLOAT: return TransferType::HalfFloat;
    case GL_FLOAT: return TransferType::Float;
    case GL_UNSIGNED_BYTE_3_3_2: return TransferType::UByte332;
    case GL_UNSIGNED_BYTE_2_3_3_REV: return TransferType::UByte233Rev;
    case GL_UNSIGNED_SHORT_5_6_5: return TransferType::UShort565;
    case GL_UNSIGNED_SHORT_5_6_5_REV: return TransferType::UShort565Rev;
    case GL_UNSIGNED_SHORT_4_4_4_4: return TransferType::UShort4444;
    case GL_UNSIGNED_SHORT_4_4_4_4_REV: return TransferType::UShort4444Rev;
    case GL_UNSIGNED_SHORT_5_5_5_1: return TransferType::UShort5551;
    case GL_UNSIGNED_SHORT_1_5_5_5_REV: return TransferType::UShort1555Rev;
    case GL_UNSIGNED_INT_8_8_8_8: return TransferType::UInt8888;
    case GL_UNSIGNED_INT_8_8_8_8_REV: return TransferType::UInt8888Rev;
    case GL_UNSIGNED_INT_10_10_10_2: return TransferType::UInt1010102;
    case GL_UNSIGNED_INT_2_10_10_10_REV: return TransferType::UInt2101010Rev;
    case GL_UNSIGNED_INT_24_8: return TransferType::UInt248;
    case GL_UNSIGNED_INT_10F_11F_11F_REV: return TransferType::UInt10F11F11FRev;
    case GL_UNSIGNED_INT_5_9_9_9_REV: return TransferType::UInt5999Rev;
    case GL_FLOAT_32_UNSIGNED_INT_24_8_REV: return TransferType::Float32UInt248Rev;
    default: return std::nullopt;
  }
}

std::optional<format::TransferPair> transferPair(Context& ctx, GLenum format, GLenum type, const char* call) {
  const auto f = transferFormat(ctx, format);
  if (!f) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a pixel format", call, format);
    return std::nullopt;
  }
  const auto t = transferType(type);
  if (!t) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a pixel type", call, type);
    return std::nullopt;
  }
  if (!format::isLegal(*f, *t)) {
    if (*f == TransferFormat::DepthStencil)
      ctx.error(GL_INVALID_ENUM, "%s: GL_DEPTH_STENCIL needs a depth-stencil type, not 0x%04x", call, type);
    else
      ctx.error(GL_INVALID_OPERATION, "%s: pixel type 0x%04x cannot hold format 0x%04x", call, type, format);
    return std::nullopt;
  }
  return format::TransferPair{*f, *t};
}

}  // namespace mgl::gl
