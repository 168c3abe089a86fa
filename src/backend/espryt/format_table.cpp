// What the host holds each pipe format in, and what it gives back.
#include "backend/espryt/convert.h"

namespace mgl::espryt {

namespace {

struct Builder {
  const HostFeatures& features;
  std::array<HostFormat, countOf<Format>()>& rows;

  HostFormat& put(Format f, GLenum internal, GLenum format, GLenum type) {
    HostFormat& row = rows[indexOf(f)];
    row.internal = internal;
    row.format = format;
    row.type = type;
    row.stored = f;
    return row;
  }
  // Held in another format: `memory` when the bytes are the same all the same.
  void as(Format f, Format stored, bool memory, bool opaque = false) {
    HostFormat& row = rows[indexOf(f)];
    row = rows[indexOf(stored)];
    if (!row.ok()) return;
    row.stored = stored;
    row.sameMemory = memory;
    row.opaque = opaque;
    if (opaque) row.swizzle[3] = GL_ONE;
  }
  void swizzled(Format f, Format stored, std::array<GLenum, 4> swizzle) {
    as(f, stored, true);
    rows[indexOf(f)].swizzle = swizzle;
  }
  void block(Format f, GLenum internal, bool there) {
    if (there) put(f, internal, 0, 0);
  }

  void plain() {
    using F = Format;
    put(F::R8, GL_R8, GL_RED, GL_UNSIGNED_BYTE);
    put(F::RG8, GL_RG8, GL_RG, GL_UNSIGNED_BYTE);
    put(F::RGB8, GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE);
    put(F::RGBA8, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
    put(F::RGB565, GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
    put(F::RGBA4, GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4);
    put(F::RGB5_A1, GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1);
    put(F::RGB10_A2, GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV);
    put(F::SRGB8, GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE);
    put(F::SRGB8_A8, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE);
    if (features.norm16) {
      put(F::R16, GL_R16_EXT, GL_RED, GL_UNSIGNED_SHORT);
      put(F::RG16, GL_RG16_EXT, GL_RG, GL_UNSIGNED_SHORT);
      put(F::RGBA16, GL_RGBA16_EXT, GL_RGBA, GL_UNSIGNED_SHORT);
      put(F::R16_SNORM, GL_R16_SNORM_EXT, GL_RED, GL_SHORT);
      put(F::RG16_SNORM, GL_RG16_SNORM_EXT, GL_RG, GL_SHORT);
      put(F::RGB16_SNORM, GL_RGB16_SNORM_EXT, GL_RGB, GL_SHORT);
      put(F::RGBA16_SNORM, GL_RGBA16_SNORM_EXT, GL_RGBA, GL_SHORT);
    }
    put(F::R8_SNORM, GL_R8_SNORM, GL_RED, GL_BYTE);
    put(F::RG8_SNORM, GL_RG8_SNORM, GL_RG, GL_BYTE);
    put(F::RGB8_SNORM, GL_RGB8_SNORM, GL_RGB, GL_BYTE);
    put(F::RGBA8_SNORM, GL_RGBA8_SNORM, GL_RGBA, GL_BYTE);
    put(F::R16F, GL_R16F, GL_RED, GL_HALF_FLOAT);
    put(F::RG16F, GL_RG16F, GL_RG, GL_HALF_FLOAT);
    put(F::RGB16F, GL_RGB16F, GL_RGB, GL_HALF_FLOAT);
    put(F::RGBA16F, GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT);
    put(F::R32F, GL_R32F, GL_RED, GL_FLOAT);
    put(F::RG32F, GL_RG32F, GL_RG, GL_FLOAT);
    put(F::RGB32F, GL_RGB32F, GL_RGB, GL_FLOAT);
    put(F::RGBA32F, GL_RGBA32F, GL_RGBA, GL_FLOAT);
    put(F::R11F_G11F_B10F, GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV);
    put(F::RGB9_E5, GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV);
  }

  void integers() {
    struct Row {
      Format f;
      GLenum internal, format, type;
    };
    using F = Format;
    constexpr GLenum R = GL_RED_INTEGER, RG = GL_RG_INTEGER, RGB = GL_RGB_INTEGER, RGBA = GL_RGBA_INTEGER;
    constexpr Row kRows[] = {
        {F::R8I, GL_R8I, R, GL_BYTE},           {F::R8UI, GL_R8UI, R, GL_UNSIGNED_BYTE},
        {F::R16I, GL_R16I, R, GL_SHORT},        {F::R16UI, GL_R16UI, R, GL_UNSIGNED_SHORT},
        {F::R32I, GL_R32I, R, GL_INT},          {F::R32UI, GL_R32UI, R, GL_UNSIGNED_INT},
        {F::RG8I, GL_RG8I, RG, GL_BYTE},        {F::RG8UI, GL_RG8UI, RG, GL_UNSIGNED_BYTE},
        {F::RG16I, GL_RG16I, RG, GL_SHORT},     {F::RG16UI, GL_RG16UI, RG, GL_UNSIGNED_SHORT},
        {F::RG32I, GL_RG32I, RG, GL_INT},       {F::RG32UI, GL_RG32UI, RG, GL_UNSIGNED_INT},
        {F::RGB8I, GL_RGB8I, RGB, GL_BYTE},     {F::RGB8UI, GL_RGB8UI, RGB, GL_UNSIGNED_BYTE},
        {F::RGB16I, GL_RGB16I, RGB, GL_SHORT},  {F::RGB16UI, GL_RGB16UI, RGB, GL_UNSIGNED_SHORT},
        {F::RGB32I, GL_RGB32I, RGB, GL_INT},    {F::RGB32UI, GL_RGB32UI, RGB, GL_UNSIGNED_INT},
        {F::RGBA8I, GL_RGBA8I, RGBA, GL_BYTE},  {F::RGBA8UI, GL_RGBA8UI, RGBA, GL_UNSIGNED_BYTE},
        {F::RGBA16I, GL_RGBA16I, RGBA, GL_SHORT}, {F::RGBA16UI, GL_RGBA16UI, RGBA, GL_UNSIGNED_SHORT},
        {F::RGBA32I, GL_RGBA32I, RGBA, GL_INT}, {F::RGBA32UI, GL_RGBA32UI, RGBA, GL_UNSIGNED_INT},
        {F::RGB10_A2UI, GL_RGB10_A2UI, RGBA, GL_UNSIGNED_INT_2_10_10_10_REV}};
    for (const Row& row : kRows) put(row.f, row.internal, row.format, row.type);
  }

  void depths() {
    using F = Format;
    put(F::D16, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT);
    put(F::D24, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    put(F::D32F, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT);
    put(F::D24_S8, GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8);
    put(F::D32F_S8, GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV);
    if (features.version >= 320 || features.has("GL_OES_texture_stencil8"))
      put(F::S8, GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE);
  }

  // Desktop GL's formats that OpenGL ES has not, in the next larger one.
  void lowered() {
    using F = Format;
    as(F::R3_G3_B2, F::RGB8, false);
    as(F::RGB4, F::RGB8, false);
    as(F::RGB5, F::RGB8, false);
    as(F::RGB10, F::RGB10_A2, true, true);
    as(F::RGB12, F::RGBA16, false, true);
    as(F::RGB16, F::RGBA16, false, true);
    as(F::RGBA2, F::RGBA4, true);
    as(F::RGBA12, F::RGBA16, true);
    as(F::BGRA8, F::RGBA8, false);
    as(F::BGRA8_SRGB, F::SRGB8_A8, false);
    constexpr std::array<GLenum, 4> kAlpha{GL_ZERO, GL_ZERO, GL_ZERO, GL_RED}, kLuminance{GL_RED, GL_RED, GL_RED, GL_ONE},
        kLuminanceAlpha{GL_RED, GL_RED, GL_RED, GL_GREEN}, kIntensity{GL_RED, GL_RED, GL_RED, GL_RED};
    constexpr Format kReds[] = {F::R8, F::R16, F::R16F, F::R32F};
    constexpr Format kRgs[] = {F::RG8, F::RG16, F::RG16F, F::RG32F};
    constexpr Format kAs[] = {F::A8, F::A16, F::A16F, F::A32F}, kLs[] = {F::L8, F::L16, F::L16F, F::L32F},
                     kIs[] = {F::I8, F::I16, F::I16F, F::I32F}, kLas[] = {F::LA8, F::LA16, F::LA16F, F::LA32F};
    for (u32 i = 0; i < 4; ++i) {
      swizzled(kAs[i], kReds[i], kAlpha);
      swizzled(kLs[i], kReds[i], kLuminance);
      swizzled(kIs[i], kReds[i], kIntensity);
      swizzled(kLas[i], kRgs[i], kLuminanceAlpha);
    }
    if (features.srgbR8) {
      put(F::SL8, GL_SR8_EXT, GL_RED, GL_UNSIGNED_BYTE).swizzle = kLuminance;
    }
    if (features.srgbRg8) {
      put(F::SLA8, GL_SRG8_EXT, GL_RG, GL_UNSIGNED_BYTE).swizzle = kLuminanceAlpha;
    }
  }

  void blocks() {
    using F = Format;
    block(F::BC1_RGB, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, features.s3tc);
    block(F::BC1_RGBA, GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, features.s3tc);
    block(F::BC2_RGBA, GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, features.s3tc);
    block(F::BC3_RGBA, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, features.s3tc);
    block(F::BC1_SRGB, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, features.s3tcSrgb);
    block(F::BC1_SRGB_A, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, features.s3tcSrgb);
    block(F::BC2_SRGB_A, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, features.s3tcSrgb);
    block(F::BC3_SRGB_A, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, features.s3tcSrgb);
    block(F::BC4_R, GL_COMPRESSED_RED_RGTC1_EXT, features.rgtc);
    block(F::BC4_R_SNORM, GL_COMPRESSED_SIGNED_RED_RGTC1_EXT, features.rgtc);
    block(F::BC5_RG, GL_COMPRESSED_RED_GREEN_RGTC2_EXT, features.rgtc);
    block(F::BC5_RG_SNORM, GL_COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT, features.rgtc);
    block(F::BC6H_RGB_SF, GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT, features.bptc);
    block(F::BC6H_RGB_UF, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT, features.bptc);
    block(F::BC7_RGBA, GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, features.bptc);
    block(F::BC7_SRGB_A, GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT, features.bptc);
    block(F::ETC2_RGB8, GL_COMPRESSED_RGB8_ETC2, true);
    block(F::ETC2_SRGB8, GL_COMPRESSED_SRGB8_ETC2, true);
    block(F::ETC2_RGB8_A1, GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, true);
    block(F::ETC2_SRGB8_A1, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, true);
    block(F::ETC2_RGBA8, GL_COMPRESSED_RGBA8_ETC2_EAC, true);
    block(F::ETC2_SRGB8_A8, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, true);
    block(F::EAC_R11, GL_COMPRESSED_R11_EAC, true);
    block(F::EAC_R11_SNORM, GL_COMPRESSED_SIGNED_R11_EAC, true);
    block(F::EAC_RG11, GL_COMPRESSED_RG11_EAC, true);
    block(F::EAC_RG11_SNORM, GL_COMPRESSED_SIGNED_RG11_EAC, true);
    constexpr u32 kAstc = indexOf(F::ASTC_12x12) - indexOf(F::ASTC_4x4);
    for (u32 i = 0; i <= kAstc; ++i) {
      block(static_cast<F>(indexOf(F::ASTC_4x4) + i), GL_COMPRESSED_RGBA_ASTC_4x4_KHR + i, features.astc);
      block(static_cast<F>(indexOf(F::ASTC_4x4_SRGB) + i), GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR + i, features.astc);
    }
  }

  // What glReadPixels gives of a renderable image of the format.
  static void reads(HostFormat& row) {
    const format::FormatInfo& info = format::formatInfo(row.stored);
    const auto set = [&row](GLenum format, GLenum type, Format as) {
      row.readFormat = format;
      row.readType = type;
      row.readAs = as;
    };
    using format::ComponentType;
    if (info.isDepthOrStencil() || info.compressed) return;
    const bool wide = info.storage == format::Storage::U16 || info.storage == format::Storage::I16;
    switch (info.type) {
      case ComponentType::Unorm:
        if (row.stored == Format::RGB10_A2) return set(GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, Format::RGB10_A2);
        if (wide) return set(GL_RGBA, GL_UNSIGNED_SHORT, Format::RGBA16);
        return set(GL_RGBA, GL_UNSIGNED_BYTE, info.srgb ? Format::SRGB8_A8 : Format::RGBA8);
      case ComponentType::Snorm:
        if (wide) return set(GL_RGBA, GL_SHORT, Format::RGBA16_SNORM);
        return set(GL_RGBA, GL_BYTE, Format::RGBA8_SNORM);
      case ComponentType::Float:
        return set(GL_RGBA, GL_FLOAT, Format::RGBA32F);
      case ComponentType::Sint:
        return set(GL_RGBA_INTEGER, GL_INT, Format::RGBA32I);
      case ComponentType::Uint:
        return set(GL_RGBA_INTEGER, GL_UNSIGNED_INT, Format::RGBA32UI);
      default:
        return;
    }
  }
};

// A small framebuffer of the format: complete or not.
bool tryRender(const Gl& gl, const HostFormat& row, const format::FormatInfo& info) {
  GLuint texture = 0;
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexStorage2D(GL_TEXTURE_2D, 1, row.internal, 4, 4);
  const GLenum point = info.isDepth() && info.isStencil() ? GL_DEPTH_STENCIL_ATTACHMENT
                       : info.isDepth()                   ? GL_DEPTH_ATTACHMENT
                       : info.isStencil()                 ? GL_STENCIL_ATTACHMENT
                                                          : GL_COLOR_ATTACHMENT0;
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, texture, 0);
  const bool complete = gl.GetError() == GL_NO_ERROR && gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  gl.FramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, 0, 0);
  gl.DeleteTextures(1, &texture);
  while (gl.GetError() != GL_NO_ERROR) {
  }
  return complete;
}

}  // namespace

FormatTable::FormatTable(const Gl& gl, const HostFeatures& features) {
  Builder builder{features, rows_};
  builder.plain();
  builder.integers();
  builder.depths();
  GLuint framebuffer = 0;
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  for (u32 i = 1; i < rows_.size(); ++i) {
    if (!rows_[i].ok()) continue;
    rows_[i].renderable = tryRender(gl, rows_[i], format::formatInfo(static_cast<Format>(i)));
    Builder::reads(rows_[i]);
  }
  gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
  gl.DeleteFramebuffers(1, &framebuffer);
  builder.lowered();
  builder.blocks();
}

}  // namespace mgl::espryt
