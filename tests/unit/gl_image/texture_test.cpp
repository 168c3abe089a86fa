// Textures on a context: what calls refuse, what they leave, what they send.
#include "base/counters.h"
#include "image_test.h"

namespace mgl::gl {
namespace {

constexpr GLenum kInvalidEnum = GL_INVALID_ENUM, kInvalidValue = GL_INVALID_VALUE, kInvalidOperation = GL_INVALID_OPERATION,
                 kNoError = GL_NO_ERROR;

class Textures : public ImageTest {};

TEST_F(Textures, TexImageRefusesAndLeavesTheLevel) {
  const GLuint name = boundTexture(GL_TEXTURE_2D);
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 4, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  ASSERT_EQ(kNoError, error());
  struct Case {
    GLenum target;
    GLint level, internal, width, height, border;
    GLenum format, type, expected;
  };
  const Case cases[] = {
      {GL_TEXTURE_3D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidEnum},
      {GL_TEXTURE_CUBE_MAP, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidEnum},
      {GL_TEXTURE_2D, -1, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 100, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 0, 0x1234, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 0, GL_LUMINANCE8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 0, GL_RGBA8, -1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1 << 20, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, 0x1234, GL_UNSIGNED_BYTE, kInvalidEnum},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, 0x1234, kInvalidEnum},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4, kInvalidOperation},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, kInvalidOperation},
      {GL_TEXTURE_2D, 0, GL_RGBA8UI, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidOperation},
      {GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_DEPTH_COMPONENT, GL_FLOAT, kInvalidOperation},
      {GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, 1, 1, 0, GL_RGBA, GL_FLOAT, kInvalidOperation},
      {GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, 1, 1, 0, GL_STENCIL_INDEX, GL_INT, kInvalidOperation},
      {GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, GL_RGBA8, 4, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
      {GL_TEXTURE_RECTANGLE, 1, GL_RGBA8, 4, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, kInvalidValue},
  };
  const u64 version = texture(name).currentVersion();
  for (const Case& c : cases) {
    EXPECT_EQ(Moved::No,
              api::TexImage2D(*context, c.target, c.level, c.internal, c.width, c.height, c.border, c.format, c.type, nullptr));
    EXPECT_EQ(c.expected, error()) << "target " << c.target << " internal " << c.internal << " format " << c.format;
  }
  EXPECT_EQ(version, texture(name).currentVersion());
  EXPECT_EQ(4, level(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH));
  EXPECT_EQ(8, level(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT));
  EXPECT_EQ(GL_RGBA8, level(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT));
}

TEST_F(Textures, TheSameShapeMovesNothing) {
  boundTexture(GL_TEXTURE_2D);
  EXPECT_EQ(Moved::Yes, api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr));
  EXPECT_EQ(Moved::No, api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr));
  EXPECT_EQ(Moved::Yes, api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 4, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr));
  EXPECT_EQ(Moved::Yes, api::TexParameteri(*context, GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST));
  EXPECT_EQ(Moved::No, api::TexParameteri(*context, GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST));
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, UploadsSendTightRows) {
  boundTexture(GL_TEXTURE_2D);
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGB8, 3, 5, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
  const std::vector<u8> bytes(4096);
  const auto sent = [&](auto&& upload) {
    const u64 before = counted(Counter::BlobBytes);
    upload();
    EXPECT_EQ(kNoError, error());
    return counted(Counter::BlobBytes) - before;
  };
  // Rows of 9 bytes padded to 12, of which 9 travel.
  EXPECT_EQ(9u * 5, sent([&] {
              api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, 0, 0, 3, 5, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
            }));
  api::PixelStorei(*context, GL_UNPACK_ALIGNMENT, 1);
  api::PixelStorei(*context, GL_UNPACK_ROW_LENGTH, 20);
  api::PixelStorei(*context, GL_UNPACK_SKIP_ROWS, 2);
  api::PixelStorei(*context, GL_UNPACK_SKIP_PIXELS, 7);
  EXPECT_EQ(6u * 4, sent([&] {
              api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, 1, 1, 2, 4, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
            }));
  EXPECT_EQ(0u, sent([&] {
              api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, 1, 1, 0, 4, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
            }));
}

TEST_F(Textures, AnUploadLargerThanABlobIsCut) {
  boundTexture(GL_TEXTURE_2D);
  constexpr GLsizei kSize = 2048;
  const std::vector<u8> bytes(u64{kSize} * kSize * 16);
  const u64 blobs = counted(Counter::Blobs), sent = counted(Counter::BlobBytes);
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA32F, kSize, kSize, 0, GL_RGBA, GL_FLOAT, bytes.data());
  EXPECT_EQ(kNoError, error());
  EXPECT_EQ(bytes.size(), counted(Counter::BlobBytes) - sent);
  EXPECT_EQ((bytes.size() + client::Group::maxBlobBytes() - 1) / client::Group::maxBlobBytes(),
            counted(Counter::Blobs) - blobs);
}

TEST_F(Textures, SubImagesStayInside) {
  boundTexture(GL_TEXTURE_2D);
  const u8 texels[64] = {};
  api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  EXPECT_EQ(kInvalidOperation, error()) << "no level yet";
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  const GLint boxes[][4] = {{-1, 0, 1, 1}, {0, -1, 1, 1}, {4, 0, 1, 1}, {0, 3, 1, 2}, {0x7fffffff, 0, 1, 1}};
  for (const auto& b : boxes) {
    api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, b[0], b[1], b[2], b[3], GL_RGBA, GL_UNSIGNED_BYTE, texels);
    EXPECT_EQ(kInvalidValue, error()) << b[0] << ' ' << b[1];
  }
  api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, 4, 4, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, ImmutableStorageStays) {
  const GLuint name = boundTexture(GL_TEXTURE_2D);
  (void)api::TexStorage2D(*context, GL_TEXTURE_2D, 5, GL_RGBA8, 8, 8);
  EXPECT_EQ(kInvalidOperation, error()) << "8 x 8 has four levels";
  (void)api::TexStorage2D(*context, GL_TEXTURE_2D, 3, GL_RGBA, 8, 8);
  EXPECT_EQ(kInvalidEnum, error()) << "unsized";
  (void)api::TexStorage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8);
  EXPECT_EQ(kInvalidValue, error());
  EXPECT_FALSE(texture(name).immutable);
  EXPECT_EQ(Moved::Yes, api::TexStorage2D(*context, GL_TEXTURE_2D, 3, GL_RGBA8, 8, 4));
  EXPECT_EQ(kNoError, error());
  EXPECT_EQ(2, level(GL_TEXTURE_2D, 2, GL_TEXTURE_WIDTH));
  EXPECT_EQ(1, level(GL_TEXTURE_2D, 2, GL_TEXTURE_HEIGHT));
  EXPECT_EQ(0, level(GL_TEXTURE_2D, 3, GL_TEXTURE_WIDTH));
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(kInvalidOperation, error());
  (void)api::TexStorage2D(*context, GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1);
  EXPECT_EQ(kInvalidOperation, error());
  // Level clamping of section 8.17's immutable textures.
  (void)api::TexParameteri(*context, GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 7);
  EXPECT_EQ(2, texture(name).effectiveBase());
  EXPECT_EQ(2, texture(name).effectiveMax());
  EXPECT_TRUE(texture(name).isComplete(texture(name).sampler));
}

TEST_F(Textures, ProxiesAnswerWithoutError) {
  (void)api::TexImage2D(*context, GL_PROXY_TEXTURE_2D, 0, GL_RGBA8, 64, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(64, level(GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_WIDTH));
  EXPECT_EQ(8, level(GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_RED_SIZE));
  (void)api::TexImage2D(*context, GL_PROXY_TEXTURE_2D, 0, GL_RGBA8, 1 << 20, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(0, level(GL_PROXY_TEXTURE_2D, 0, GL_TEXTURE_WIDTH));
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, CompletenessFollowsTheLevels) {
  const GLuint name = boundTexture(GL_TEXTURE_2D);
  const auto image = [&](GLint at, GLsizei width, GLsizei height, GLint internal = GL_RGBA8, GLenum format = GL_RGBA) {
    (void)api::TexImage2D(*context, GL_TEXTURE_2D, at, internal, width, height, 0, format, GL_UNSIGNED_BYTE, nullptr);
  };
  Texture& t = texture(name);
  SamplerParameters mip, plain;
  plain.minFilter = GL_LINEAR;
  EXPECT_FALSE(t.isComplete(plain)) << "nothing yet";
  image(0, 8, 2);
  EXPECT_TRUE(t.isComplete(plain));
  EXPECT_FALSE(t.isComplete(mip));
  image(1, 4, 1), image(2, 2, 1);
  EXPECT_FALSE(t.isComplete(mip));
  image(3, 1, 1);
  EXPECT_TRUE(t.isComplete(mip));
  image(2, 2, 2);
  EXPECT_FALSE(t.isComplete(mip)) << "a level of another size";
  (void)api::TexParameteri(*context, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
  EXPECT_TRUE(t.isComplete(mip)) << "beyond the last level nothing counts";
  (void)api::TexParameteri(*context, GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2);
  EXPECT_FALSE(t.isComplete(mip)) << "base beyond max";
  EXPECT_TRUE(t.isComplete(plain));
  (void)api::TexParameteri(*context, GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
  image(0, 8, 2, GL_RGBA8UI, GL_RGBA_INTEGER);
  EXPECT_FALSE(t.isComplete(plain)) << "integers cannot be filtered";
  plain.minFilter = plain.magFilter = GL_NEAREST;
  EXPECT_TRUE(t.isComplete(plain));
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, CubesNeedSixEqualFaces) {
  const GLuint name = boundTexture(GL_TEXTURE_CUBE_MAP);
  SamplerParameters plain;
  plain.minFilter = GL_LINEAR;
  for (GLenum face = 0; face < 6; ++face) {
    EXPECT_FALSE(texture(name).isComplete(plain));
    (void)api::TexImage2D(*context, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                          nullptr);
  }
  EXPECT_TRUE(texture(name).isComplete(plain));
  (void)api::TexImage2D(*context, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_FALSE(texture(name).isComplete(plain));
  (void)api::GenerateMipmap(*context, GL_TEXTURE_CUBE_MAP);
  EXPECT_EQ(kInvalidOperation, error());
}

TEST_F(Textures, GenerateMipmapSpecifiesTheLevels) {
  const GLuint name = boundTexture(GL_TEXTURE_2D);
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA8, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(Moved::Yes, api::GenerateMipmap(*context, GL_TEXTURE_2D));
  EXPECT_EQ(1, level(GL_TEXTURE_2D, 3, GL_TEXTURE_WIDTH));
  EXPECT_TRUE(texture(name).isComplete(SamplerParameters{}));
  EXPECT_EQ(Moved::No, api::GenerateMipmap(*context, GL_TEXTURE_2D));
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, ParametersRefuseAndRoundTrip) {
  boundTexture(GL_TEXTURE_2D);
  struct Case {
    GLenum target, pname;
    GLint value;
    GLenum expected;
  };
  boundTexture(GL_TEXTURE_RECTANGLE);
  const Case cases[] = {
      {GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_REPEAT, kInvalidEnum},
      {GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR_MIPMAP_LINEAR, kInvalidEnum},
      {GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_LINEAR, kInvalidEnum},
      {GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP, kInvalidEnum},
      {GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, -1, kInvalidValue},
      {GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_RGBA, kInvalidEnum},
      {GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, 0, kInvalidEnum},
      {GL_TEXTURE_2D, 0x1234, 0, kInvalidEnum},
      {GL_TEXTURE_BUFFER, GL_TEXTURE_MIN_FILTER, GL_NEAREST, kInvalidEnum},
      {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST, kInvalidEnum},
      {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BASE_LEVEL, 1, kInvalidOperation},
      {GL_TEXTURE_RECTANGLE, GL_TEXTURE_WRAP_S, GL_REPEAT, kInvalidEnum},
      {GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR, kInvalidEnum},
      {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BASE_LEVEL, 1, kInvalidOperation},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Moved::No, api::TexParameteri(*context, c.target, c.pname, c.value));
    EXPECT_EQ(c.expected, error()) << c.target << ' ' << c.pname;
  }
  const GLfloat border[] = {0.25f, 0.5f, 0.75f, 1};
  EXPECT_EQ(Moved::Yes, api::TexParameterfv(*context, GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border));
  GLfloat got[4] = {};
  api::GetTexParameterfv(*context, GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, got);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(border[i], got[i]);
  const GLint integers[] = {-5, 0, 7, 0x7fffffff};
  EXPECT_EQ(Moved::Yes, api::TexParameterIiv(*context, GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, integers));
  GLint read[4] = {};
  api::GetTexParameterIiv(*context, GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, read);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(integers[i], read[i]);
  (void)api::TexParameterf(*context, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3.6f);
  api::GetTexParameteriv(*context, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, read);
  EXPECT_EQ(4, read[0]);
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, NamesAndBindings) {
  (void)api::BindTexture(*context, GL_TEXTURE_2D, 77);
  EXPECT_EQ(kInvalidOperation, error()) << "a name made up";
  const GLuint name = boundTexture(GL_TEXTURE_2D);
  EXPECT_EQ(GL_TRUE, api::IsTexture(*context, name));
  (void)api::BindTexture(*context, GL_TEXTURE_3D, name);
  EXPECT_EQ(kInvalidOperation, error()) << "another target";
  EXPECT_EQ(Moved::No, api::BindTexture(*context, GL_TEXTURE_2D, name));
  api::ActiveTexture(*context, GL_TEXTURE0 + 100000);
  EXPECT_EQ(kInvalidEnum, error());
  Ref<Texture> kept(&texture(name));
  EXPECT_EQ(Moved::Yes, api::DeleteTextures(*context, 1, &name));
  EXPECT_EQ(GL_FALSE, api::IsTexture(*context, name));
  EXPECT_FALSE(context->units[0].textures[indexOf(pipe::TextureTarget::Tex2D)]);
  EXPECT_EQ(1u, kept->refCount());
  EXPECT_EQ(Moved::No, api::DeleteTextures(*context, 1, &name));
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, PixelBuffersAreChecked) {
  boundTexture(GL_TEXTURE_2D);
  (void)api::TexImage2D(*context, GL_TEXTURE_2D, 0, GL_RGBA16, 4, 4, 0, GL_RGBA, GL_UNSIGNED_SHORT, nullptr);
  GLuint buffer = 0;
  api::GenBuffers(*context, 1, &buffer);
  (void)api::BindBuffer(*context, GL_PIXEL_UNPACK_BUFFER, buffer);
  (void)api::BufferData(*context, GL_PIXEL_UNPACK_BUFFER, 4 * 4 * 8 + 2, nullptr, GL_STATIC_DRAW);
  const auto upload = [&](std::uintptr_t offset) {
    api::TexSubImage2D(*context, GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_SHORT,
                       reinterpret_cast<const void*>(offset));
    return error();
  };
  EXPECT_EQ(kNoError, upload(0));
  EXPECT_EQ(kNoError, upload(2));
  EXPECT_EQ(kInvalidOperation, upload(1)) << "not aligned to the type";
  EXPECT_EQ(kInvalidOperation, upload(4)) << "beyond the end";
  EXPECT_EQ(kInvalidOperation, upload(~std::uintptr_t{1})) << "far beyond the end";
}

TEST_F(Textures, SamplerObjects) {
  GLuint sampler = 0;
  api::GenSamplers(*context, 1, &sampler);
  EXPECT_EQ(Moved::Yes, api::BindSampler(*context, 3, sampler));
  EXPECT_EQ(Moved::No, api::BindSampler(*context, 3, sampler));
  (void)api::BindSampler(*context, 3, sampler + 1);
  EXPECT_EQ(kInvalidOperation, error());
  EXPECT_EQ(Moved::Yes, api::SamplerParameteri(*context, sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST));
  EXPECT_EQ(Moved::Yes, api::SamplerParameteri(*context, sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE));
  EXPECT_EQ(Moved::Yes, api::SamplerParameteri(*context, sampler, GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL));
  EXPECT_EQ(Moved::Yes, api::SamplerParameterf(*context, sampler, GL_TEXTURE_LOD_BIAS, 0.5f));
  const pipe::SamplerState state = context->share->samplers.find(sampler)->parameters.toPipe();
  EXPECT_EQ(pipe::Filter::Linear, state.minFilter);
  EXPECT_EQ(pipe::MipMode::Nearest, state.mipMode);
  EXPECT_EQ(1, state.compareEnable);
  EXPECT_EQ(pipe::CompareOp::GreaterEqual, state.compareOp);
  EXPECT_EQ(0.5f, state.lodBias);
  (void)api::SamplerParameteri(*context, sampler, GL_TEXTURE_BASE_LEVEL, 0);
  EXPECT_EQ(kInvalidEnum, error());
  EXPECT_EQ(Moved::Yes, api::DeleteSamplers(*context, 1, &sampler));
  EXPECT_FALSE(context->units[3].sampler);
  EXPECT_EQ(kNoError, error());
}

TEST_F(Textures, PixelStoreValues) {
  api::PixelStorei(*context, GL_UNPACK_ALIGNMENT, 3);
  EXPECT_EQ(kInvalidValue, error());
  api::PixelStorei(*context, GL_PACK_ROW_LENGTH, -1);
  EXPECT_EQ(kInvalidValue, error());
  api::PixelStorei(*context, GL_TEXTURE_2D, 1);
  EXPECT_EQ(kInvalidEnum, error());
  api::PixelStoref(*context, GL_PACK_SKIP_ROWS, 2.6f);
  api::PixelStoref(*context, GL_PACK_SWAP_BYTES, 0.25f);
  i32 value = 0;
  EXPECT_TRUE(pixelStoreValue(*context, GL_PACK_SKIP_ROWS, &value));
  EXPECT_EQ(3, value);
  EXPECT_TRUE(pixelStoreValue(*context, GL_PACK_SWAP_BYTES, &value));
  EXPECT_EQ(1, value);
  EXPECT_FALSE(pixelStoreValue(*context, GL_TEXTURE_2D, &value));
  EXPECT_EQ(kNoError, error());
}

}  // namespace
}  // namespace mgl::gl
