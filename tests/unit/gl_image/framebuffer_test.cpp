// Framebuffers on a context: completeness, attachments, buffers, and the errors of the verbs.
#include "gl/registry/lookup.h"
#include "image_test.h"

namespace mgl::gl {
namespace {

constexpr GLenum kInvalidEnum = GL_INVALID_ENUM, kInvalidValue = GL_INVALID_VALUE, kInvalidOperation = GL_INVALID_OPERATION,
                 kIncomplete = GL_INVALID_FRAMEBUFFER_OPERATION, kNoError = GL_NO_ERROR;

using PFNGLTEXIMAGE2DPROC = void (*)(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*);

template <class F>
F entry(const char* name) {
  return reinterpret_cast<F>(findEntryPoint(name));
}

class Framebuffers : public ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    api::GenFramebuffers(*context, 1, &name);
    (void)api::BindFramebuffer(*context, GL_FRAMEBUFFER, name);
  }
  GLenum status() { return api::CheckFramebufferStatus(*context, GL_FRAMEBUFFER); }
  GLuint color(GLenum internal, GLsizei width, GLsizei height, GLenum format = GL_RGBA) {
    const GLuint texture = boundTexture(GL_TEXTURE_2D);
    texImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), width, height, 0, format, GL_UNSIGNED_BYTE, nullptr);
    return texture;
  }
  GLuint renderbuffer(GLenum internal, GLsizei width, GLsizei height, GLsizei samples = 0) {
    GLuint made = 0;
    api::GenRenderbuffers(*context, 1, &made);
    api::BindRenderbuffer(*context, GL_RENDERBUFFER, made);
    storage(GL_RENDERBUFFER, samples, internal, width, height);
    return made;
  }
  Moved attach(GLenum point, GLuint texture) {
    return api::FramebufferTexture2D(*context, GL_FRAMEBUFFER, point, GL_TEXTURE_2D, texture, 0);
  }
  Moved attachRenderbuffer(GLenum point, GLuint made) {
    return api::FramebufferRenderbuffer(*context, GL_FRAMEBUFFER, point, GL_RENDERBUFFER, made);
  }
  // Through the stubs, which move the share group's epoch: a framebuffer's status is kept by it.
  const PFNGLTEXIMAGE2DPROC texImage2D = entry<PFNGLTEXIMAGE2DPROC>("glTexImage2D");
  const PFNGLTEXIMAGE3DPROC texImage3D = entry<PFNGLTEXIMAGE3DPROC>("glTexImage3D");
  const PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC storage =
      entry<PFNGLRENDERBUFFERSTORAGEMULTISAMPLEPROC>("glRenderbufferStorageMultisample");
  GLuint name = 0;
};

TEST_F(Framebuffers, Completeness) {
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT), status());
  const GLuint texture = boundTexture(GL_TEXTURE_2D);
  EXPECT_EQ(Moved::Yes, attach(GL_COLOR_ATTACHMENT0, texture));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT), status()) << "no image yet";
  texImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 8, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE), status()) << "specified after it was attached";
  EXPECT_EQ(8u, context->drawFramebuffer->width);
  EXPECT_EQ(Moved::Yes, attachRenderbuffer(GL_DEPTH_ATTACHMENT, renderbuffer(GL_RGBA8, 8, 6)));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT), status()) << "colour as depth";
  (void)attachRenderbuffer(GL_DEPTH_ATTACHMENT, renderbuffer(GL_DEPTH_COMPONENT16, 4, 10));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE), status());
  EXPECT_EQ(4u, context->drawFramebuffer->width) << "the smallest";
  EXPECT_EQ(6u, context->drawFramebuffer->height);
  EXPECT_EQ(kNoError, error());
}

TEST_F(Framebuffers, SamplesMustAgree) {
  (void)attachRenderbuffer(GL_COLOR_ATTACHMENT0, renderbuffer(GL_RGBA8, 8, 8, 4));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE), status());
  EXPECT_EQ(4u, context->drawFramebuffer->samples);
  (void)attachRenderbuffer(GL_COLOR_ATTACHMENT1, renderbuffer(GL_RGBA8, 8, 8));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE), status());
  EXPECT_EQ(kNoError, error());
}

TEST_F(Framebuffers, LayersMustAgree) {
  const GLuint array = boundTexture(GL_TEXTURE_2D_ARRAY);
  texImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  (void)api::FramebufferTexture(*context, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0);
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE), status());
  EXPECT_EQ(3u, context->drawFramebuffer->layers);
  (void)attach(GL_COLOR_ATTACHMENT1, color(GL_RGBA8, 4, 4));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_LAYER_TARGETS), status());
  (void)attach(GL_COLOR_ATTACHMENT1, 0);
  (void)api::FramebufferTextureLayer(*context, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, array, 0, 3);
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT), status()) << "three layers only";
  EXPECT_EQ(kNoError, error());
}

TEST_F(Framebuffers, AttachmentsAreChecked) {
  const GLuint texture = color(GL_RGBA8, 4, 4);
  (void)attach(GL_COLOR_ATTACHMENT0 + 31, texture);
  EXPECT_EQ(kInvalidOperation, error());
  (void)attach(GL_TEXTURE_2D, texture);
  EXPECT_EQ(kInvalidEnum, error());
  (void)attach(GL_COLOR_ATTACHMENT0, texture + 50);
  EXPECT_EQ(kInvalidOperation, error());
  (void)api::FramebufferTexture2D(*context, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, -1);
  EXPECT_EQ(kInvalidValue, error());
  (void)api::FramebufferTexture2D(*context, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_RECTANGLE, texture, 0);
  EXPECT_EQ(kInvalidOperation, error());
  (void)api::FramebufferTextureLayer(*context, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 0);
  EXPECT_EQ(kInvalidOperation, error());
  (void)api::BindFramebuffer(*context, GL_FRAMEBUFFER, 0);
  (void)attach(GL_COLOR_ATTACHMENT0, texture);
  EXPECT_EQ(kInvalidOperation, error());
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_UNDEFINED), status()) << "no surface";
}

TEST_F(Framebuffers, DeletingDetachesFromTheBoundOne) {
  const GLuint texture = color(GL_RGBA8, 4, 4);
  (void)attach(GL_COLOR_ATTACHMENT0, texture);
  EXPECT_EQ(Moved::Yes, api::DeleteTextures(*context, 1, &texture));
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT), status());
  // Of one that is not bound it stays attached (section 5.1.3).
  const GLuint other = color(GL_RGBA8, 4, 4);
  (void)attach(GL_COLOR_ATTACHMENT0, other);
  (void)api::BindFramebuffer(*context, GL_FRAMEBUFFER, 0);
  (void)api::DeleteTextures(*context, 1, &other);
  (void)api::BindFramebuffer(*context, GL_FRAMEBUFFER, name);
  EXPECT_EQ(static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE), status());
  EXPECT_EQ(Moved::Yes, api::DeleteFramebuffers(*context, 1, &name));
  EXPECT_FALSE(context->drawFramebuffer);
  EXPECT_EQ(kNoError, error());
}

TEST_F(Framebuffers, DrawBuffers) {
  const GLenum twice[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0};
  (void)api::DrawBuffers(*context, 2, twice);
  EXPECT_EQ(kInvalidOperation, error());
  const GLenum back[] = {GL_BACK_LEFT};
  (void)api::DrawBuffers(*context, 1, back);
  EXPECT_EQ(kInvalidOperation, error());
  const GLenum front[] = {GL_FRONT};
  (void)api::DrawBuffers(*context, 1, front);
  EXPECT_EQ(kInvalidEnum, error());
  (void)api::DrawBuffers(*context, 99, twice);
  EXPECT_EQ(kInvalidValue, error());
  const GLenum swapped[] = {GL_COLOR_ATTACHMENT1, GL_NONE, GL_COLOR_ATTACHMENT0};
  EXPECT_EQ(Moved::Yes, api::DrawBuffers(*context, 3, swapped));
  EXPECT_EQ(Moved::No, api::DrawBuffers(*context, 3, swapped));
  EXPECT_EQ(static_cast<GLenum>(GL_COLOR_ATTACHMENT0), context->drawFramebuffer->drawBuffers[2]);
  EXPECT_EQ(static_cast<GLenum>(GL_NONE), context->drawFramebuffer->drawBuffers[3]);
  EXPECT_EQ(Moved::Yes, api::ReadBuffer(*context, GL_COLOR_ATTACHMENT2));
  (void)api::ReadBuffer(*context, GL_FRONT);
  EXPECT_EQ(kInvalidOperation, error());
}

TEST_F(Framebuffers, VerbsAreChecked) {
  u8 pixels[64] = {};
  api::Clear(*context, GL_COLOR_BUFFER_BIT);
  EXPECT_EQ(kIncomplete, error());
  (void)attach(GL_COLOR_ATTACHMENT0, color(GL_RGBA8, 4, 4));
  api::Clear(*context, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  EXPECT_EQ(kNoError, error());
  api::Clear(*context, 1);
  EXPECT_EQ(kInvalidValue, error());
  const GLint ints[4] = {};
  api::ClearBufferiv(*context, GL_DEPTH, 0, ints);
  EXPECT_EQ(kInvalidEnum, error());
  api::ClearBufferiv(*context, GL_COLOR, 99, ints);
  EXPECT_EQ(kInvalidValue, error());
  api::ReadPixels(*context, 0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, pixels);
  EXPECT_EQ(kInvalidOperation, error());
  api::ReadPixels(*context, 0, 0, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, pixels);
  EXPECT_EQ(kInvalidOperation, error());
  api::ReadPixels(*context, 0, 0, -1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  EXPECT_EQ(kInvalidValue, error());
  api::ReadnPixels(*context, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, 63, pixels);
  EXPECT_EQ(kInvalidOperation, error());
  api::ReadnPixels(*context, -2, 3, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, 64, pixels);
  EXPECT_EQ(kNoError, error());
  api::BlitFramebuffer(*context, 0, 0, 4, 4, 0, 0, 2, 2, GL_DEPTH_BUFFER_BIT, GL_LINEAR);
  EXPECT_EQ(kInvalidOperation, error());
  api::BlitFramebuffer(*context, 0, 0, 4, 4, 0, 0, 2, 2, 1, GL_NEAREST);
  EXPECT_EQ(kInvalidValue, error());
  api::BlitFramebuffer(*context, 0, 0, 4, 4, 0, 0, 2, 2, GL_COLOR_BUFFER_BIT, GL_REPEAT);
  EXPECT_EQ(kInvalidEnum, error());
}

TEST_F(Framebuffers, BlitsOfSamples) {
  (void)attachRenderbuffer(GL_COLOR_ATTACHMENT0, renderbuffer(GL_RGBA8, 8, 8, 4));
  GLuint single = 0;
  api::GenFramebuffers(*context, 1, &single);
  (void)api::BindFramebuffer(*context, GL_DRAW_FRAMEBUFFER, single);
  (void)api::FramebufferTexture2D(*context, GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color(GL_RGBA8, 8, 8), 0);
  api::BlitFramebuffer(*context, 0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  EXPECT_EQ(kNoError, error());
  api::BlitFramebuffer(*context, 0, 0, 8, 8, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  EXPECT_EQ(kInvalidOperation, error()) << "scaled";
  u8 pixel[4] = {};
  api::ReadPixels(*context, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
  EXPECT_EQ(kInvalidOperation, error()) << "multisampled";
}

TEST_F(Framebuffers, AttachmentQueries) {
  const GLuint texture = color(GL_RGBA8, 4, 4);
  (void)attach(GL_COLOR_ATTACHMENT0, texture);
  const auto ask = [&](GLenum point, GLenum pname) {
    GLint value = -1;
    api::GetFramebufferAttachmentParameteriv(*context, GL_FRAMEBUFFER, point, pname, &value);
    return value;
  };
  EXPECT_EQ(GL_TEXTURE, ask(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE));
  EXPECT_EQ(static_cast<GLint>(texture), ask(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME));
  EXPECT_EQ(8, ask(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE));
  EXPECT_EQ(GL_LINEAR, ask(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING));
  EXPECT_EQ(GL_NONE, ask(GL_DEPTH_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE));
  EXPECT_EQ(kNoError, error());
  (void)ask(GL_DEPTH_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL);
  EXPECT_EQ(kInvalidOperation, error());
}

}  // namespace
}  // namespace mgl::gl
