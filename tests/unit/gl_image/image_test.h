// A context on the Null backend, current on the test's thread.
#pragma once

#include <gtest/gtest.h>

#include "client/session.h"
#include "gl/context.h"
#include "gl/framebuffer/framebuffer.h"
#include "gl/texture/texture.h"

namespace mgl::gl {

class ImageTest : public testing::Test {
 protected:
  explicit ImageTest(Profile profile = Profile::Core) : profile_(profile) {}

  void SetUp() override {
    std::string error;
    auto session = client::Session::open({"null", "", "monolith"}, &error);
    ASSERT_NE(nullptr, session) << error;
    ContextConfig config;
    config.profile = profile_;
    context = std::make_unique<Context>(session, Ref<ShareGroup>(new ShareGroup(session)), config);
    Context::makeCurrent(context.get(), nullptr, nullptr);
  }
  void TearDown() override {
    EXPECT_FALSE(context->lost()) << context->session->fault();
    Context::makeCurrent(nullptr, nullptr, nullptr);
  }

  // The error so far, which is forgotten.
  GLenum error() { return std::exchange(context->firstError, static_cast<GLenum>(GL_NO_ERROR)); }

  GLuint boundTexture(GLenum target) {
    GLuint name = 0;
    api::GenTextures(*context, 1, &name);
    EXPECT_EQ(Moved::Yes, api::BindTexture(*context, target, name));
    return name;
  }
  Texture& texture(GLuint name) { return *context->share->textures.find(name); }
  GLint level(GLenum target, GLint at, GLenum pname) {
    GLint value = -1;
    api::GetTexLevelParameteriv(*context, target, at, pname, &value);
    return value;
  }

  std::unique_ptr<Context> context;

 private:
  Profile profile_;
};

}  // namespace mgl::gl
