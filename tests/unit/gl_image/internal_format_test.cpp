#include "gl/texture/internal_format.h"

#include <gtest/gtest.h>

#include "format/format.h"

namespace mgl::gl {
namespace {

pipe::Caps everything() {
  pipe::Caps caps;
  caps.formatUses.fill(0xffff);
  return caps;
}

TEST(InternalFormat, RowsAreSortedAndUnique) {
  const auto rows = internalFormats();
  ASSERT_GT(rows.size(), 150u);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].gl, rows[i].gl);
  for (const InternalFormat& row : rows) EXPECT_EQ(&row, findInternalFormat(row.gl));
  EXPECT_EQ(nullptr, findInternalFormat(GL_TEXTURE_2D));
  EXPECT_EQ(nullptr, findInternalFormat(GL_NONE));
}

format::BaseFormat baseOf(GLenum base) {
  switch (base) {
    case GL_RED: return format::BaseFormat::Red;
    case GL_RG: return format::BaseFormat::RG;
    case GL_RGB: return format::BaseFormat::RGB;
    case GL_RGBA: return format::BaseFormat::RGBA;
    case GL_ALPHA: return format::BaseFormat::Alpha;
    case GL_LUMINANCE: return format::BaseFormat::Luminance;
    case GL_LUMINANCE_ALPHA: return format::BaseFormat::LuminanceAlpha;
    case GL_INTENSITY: return format::BaseFormat::Intensity;
    case GL_DEPTH_COMPONENT: return format::BaseFormat::Depth;
    case GL_DEPTH_STENCIL: return format::BaseFormat::DepthStencil;
    case GL_STENCIL_INDEX: return format::BaseFormat::Stencil;
    default: return format::BaseFormat::None;
  }
}

TEST(InternalFormat, EveryChoiceHasTheBaseFormat) {
  for (const InternalFormat& row : internalFormats()) {
    ASSERT_NE(pipe::Format::None, row.formats[0]) << row.gl;
    for (const pipe::Format choice : row.formats) {
      if (choice == pipe::Format::None) continue;
      EXPECT_EQ(baseOf(row.base), format::formatInfo(choice).base) << row.gl;
    }
  }
}

TEST(InternalFormat, EveryFormatOfThePipeHasAToken) {
  for (u32 i = 1; i < countOf<pipe::Format>(); ++i) {
    const auto format = static_cast<pipe::Format>(i);
    if (format == pipe::Format::BGRA8 || format == pipe::Format::BGRA8_SRGB) continue;  // window images only
    // RGB12 and its like: rows of their own
    EXPECT_NE(static_cast<GLenum>(GL_NONE), sizedToken(format)) << format::formatInfo(format).name;
  }
}

// Resolutions that the specification requires exactly or at least (tables 8.12, 8.13).
TEST(InternalFormat, ResolutionsAreNotLessThanAsked) {
  struct Wanted {
    GLenum gl;
    u32 red, alpha, depth, stencil;
  };
  constexpr Wanted kWanted[] = {
      {GL_RGBA8, 8, 8, 0, 0},          {GL_RGB10_A2, 10, 2, 0, 0},      {GL_RGBA12, 12, 12, 0, 0},
      {GL_RGBA16, 16, 16, 0, 0},       {GL_RGBA32F, 32, 32, 0, 0},      {GL_R11F_G11F_B10F, 11, 0, 0, 0},
      {GL_DEPTH_COMPONENT16, 0, 0, 16, 0}, {GL_DEPTH_COMPONENT24, 0, 0, 24, 0}, {GL_DEPTH24_STENCIL8, 0, 0, 24, 8},
      {GL_DEPTH32F_STENCIL8, 0, 0, 32, 8}, {GL_STENCIL_INDEX8, 0, 0, 0, 8},
  };
  const pipe::Caps caps = everything();
  for (const Wanted& wanted : kWanted) {
    const format::FormatInfo& info = format::formatInfo(textureFormat(caps, *findInternalFormat(wanted.gl)));
    EXPECT_GE(info.bits.red, wanted.red) << wanted.gl;
    EXPECT_GE(info.bits.alpha, wanted.alpha) << wanted.gl;
    EXPECT_GE(info.bits.depth, wanted.depth) << wanted.gl;
    EXPECT_GE(info.bits.stencil, wanted.stencil) << wanted.gl;
  }
}

TEST(InternalFormat, ADeviceWithout24BitsOfDepthLends32) {
  pipe::Caps caps = everything();
  caps.formatUses[indexOf(pipe::Format::D24)] = 0;
  caps.formatUses[indexOf(pipe::Format::D24_S8)] = 0;
  caps.formatUses[indexOf(pipe::Format::D32)] = 0;
  EXPECT_EQ(pipe::Format::D32F, textureFormat(caps, *findInternalFormat(GL_DEPTH_COMPONENT24)));
  EXPECT_EQ(pipe::Format::D32F_S8, renderFormat(caps, *findInternalFormat(GL_DEPTH24_STENCIL8)));
  caps.formatUses[indexOf(pipe::Format::D32F_S8)] = 0;
  EXPECT_EQ(pipe::Format::None, renderFormat(caps, *findInternalFormat(GL_DEPTH24_STENCIL8)));
}

TEST(InternalFormat, SamplesAreTheNextThatTheDeviceHas) {
  pipe::Caps caps = everything();
  caps.formatSamples[indexOf(pipe::Format::RGBA8)] = 1 | 4 | 8;  // 1, 4 and 8
  EXPECT_EQ(4u, chooseSamples(caps, pipe::Format::RGBA8, 1));
  EXPECT_EQ(4u, chooseSamples(caps, pipe::Format::RGBA8, 2));
  EXPECT_EQ(8u, chooseSamples(caps, pipe::Format::RGBA8, 5));
  EXPECT_EQ(0u, chooseSamples(caps, pipe::Format::RGBA8, 9));
  EXPECT_EQ(8u, maxSamples(caps, pipe::Format::RGBA8));
  EXPECT_EQ(0u, maxSamples(caps, pipe::Format::R8));
  caps.formatSamples[indexOf(pipe::Format::R8)] = 1;
  EXPECT_EQ(1u, chooseSamples(caps, pipe::Format::R8, 1));
}

TEST(InternalFormat, ViewClassesAreTheTables) {
  EXPECT_EQ(static_cast<GLenum>(GL_VIEW_CLASS_32_BITS), viewClass(pipe::Format::RGBA8));
  EXPECT_EQ(viewClass(pipe::Format::RGBA8), viewClass(pipe::Format::SRGB8_A8));
  EXPECT_EQ(viewClass(pipe::Format::RGBA8), viewClass(pipe::Format::R32F));
  EXPECT_EQ(viewClass(pipe::Format::RGBA8), viewClass(pipe::Format::RGB9_E5));
  EXPECT_EQ(static_cast<GLenum>(GL_VIEW_CLASS_24_BITS), viewClass(pipe::Format::RGB8));
  EXPECT_EQ(static_cast<GLenum>(GL_VIEW_CLASS_96_BITS), viewClass(pipe::Format::RGB32F));
  EXPECT_EQ(static_cast<GLenum>(GL_NONE), viewClass(pipe::Format::RGB565));
  EXPECT_EQ(static_cast<GLenum>(GL_NONE), viewClass(pipe::Format::D24_S8));
  EXPECT_NE(viewClass(pipe::Format::BC1_RGB), viewClass(pipe::Format::BC1_RGBA));
}

}  // namespace
}  // namespace mgl::gl
