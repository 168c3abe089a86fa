// GL_OUT_OF_MEMORY (OpenGL 4.6 section 2.3.1): whose error it is, when the server is asked, and that the context goes on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "base/counters.h"
#include "client/session.h"
#include "gl/context.h"
#include "gl/registry/lookup.h"
#include "limited_new.h"

namespace mgl::gl {
namespace {

constexpr u64 kMib = 1u << 20;

// Before the knobs are read.
const bool knobsSet = [] {
  setenv("MOBILEGL_MEMORY_MIB", "100", 1);
  return true;
}();

class MemoryTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(knobsSet);
    std::string error;
    session = client::Session::open({"null", "", GetParam()}, &error);
    ASSERT_NE(nullptr, session) << error;
    share = Ref<ShareGroup>(new ShareGroup(session));
    first = std::make_unique<Context>(session, share, ContextConfig{});
    second = std::make_unique<Context>(session, share, ContextConfig{});
    use(*first);
  }
  void TearDown() override {
    EXPECT_FALSE(session->lost()) << session->fault();
    Context::makeCurrent(nullptr, nullptr, nullptr);
  }
  void use(Context& context) {
    Context::makeCurrent(nullptr, nullptr, nullptr);
    Context::makeCurrent(&context, nullptr, nullptr);
  }
  GLenum error() { return api::GetError(*currentContext()); }
  GLuint buffer(u64 bytes) {
    GLuint name = 0;
    static_cast<void>(api::GenBuffers(*currentContext(), 1, &name));
    static_cast<void>(api::BindBuffer(*currentContext(), GL_ARRAY_BUFFER, name));
    static_cast<void>(api::BufferData(*currentContext(), GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STATIC_DRAW));
    return name;
  }
  GLint64 size() {
    GLint64 bytes = -1;
    static_cast<void>(api::GetBufferParameteri64v(*currentContext(), GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &bytes));
    return bytes;
  }
  u64 acknowledgements() { return stallTimes(Stall::Allocation); }
  static u64 stallTimes(Stall stall) { return stallCount(stall); }

  std::shared_ptr<client::Session> session;
  Ref<ShareGroup> share;
  std::unique_ptr<Context> first, second;
};

TEST_P(MemoryTest, ABufferThatTheServerCannotHaveIsAnErrorAndHasNoSize) {
  buffer(120 * kMib);
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(size(), 0);
  static_cast<void>(api::BufferData(*currentContext(), GL_ARRAY_BUFFER, 4096, nullptr, GL_STATIC_DRAW));
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(size(), 4096);
}

TEST_P(MemoryTest, AStoreThatCameAfterTheFailedOneKeepsItsSize) {
  buffer(120 * kMib);
  static_cast<void>(api::BufferData(*currentContext(), GL_ARRAY_BUFFER, 80 * kMib, nullptr, GL_STATIC_DRAW));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(size(), static_cast<GLint64>(80 * kMib));
}

TEST_P(MemoryTest, TheErrorIsTheContextsWhoseCallItWas) {
  use(*second);
  buffer(120 * kMib);
  use(*first);
  buffer(kMib);
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  use(*second);
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  use(*first);
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
}

TEST_P(MemoryTest, AContextsErrorsEndWithIt) {
  buffer(120 * kMib);
  use(*second);
  first.reset();
  first = std::make_unique<Context>(session, share, ContextConfig{});
  use(*first);
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
}

TEST_P(MemoryTest, TexturesAndRenderbuffersAreAcknowledgedToo) {
  GLuint name = 0;
  static_cast<void>(api::GenTextures(*currentContext(), 1, &name));
  static_cast<void>(api::BindTexture(*currentContext(), GL_TEXTURE_3D, name));
  static_cast<void>(api::TexImage3D(*currentContext(), GL_TEXTURE_3D, 0, GL_RGBA8, 512, 512, 128, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  static_cast<void>(api::GenRenderbuffers(*currentContext(), 1, &name));
  static_cast<void>(api::BindRenderbuffer(*currentContext(), GL_RENDERBUFFER, name));
  static_cast<void>(api::RenderbufferStorage(*currentContext(), GL_RENDERBUFFER, GL_RGBA32F, 4096, 4096));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  // The same again is no repetition: the server has none.
  static_cast<void>(api::RenderbufferStorage(*currentContext(), GL_RENDERBUFFER, GL_RGBA32F, 4096, 4096));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  static_cast<void>(api::TexImage3D(*currentContext(), GL_TEXTURE_3D, 0, GL_RGBA8, 512, 512, 128, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
}

TEST_P(MemoryTest, TheServerIsAskedOnceForLargeThingsAndOnlyByGlGetError) {
  const u64 before = acknowledgements();
  for (u32 i = 0; i < 4; ++i) buffer(kMib);
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(acknowledgements(), before);
  buffer(70 * kMib);
  buffer(80 * kMib);
  EXPECT_EQ(acknowledgements(), before);
  for (u32 i = 0; i < 8; ++i) EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(acknowledgements(), before + 1);
}

TEST_P(MemoryTest, WhatNoMemoryHoldsIsRefusedBeforeTheServerHearsOfIt) {
  buffer(4096);
  const u64 before = acknowledgements();
  static_cast<void>(api::BufferData(*currentContext(), GL_ARRAY_BUFFER, GLsizeiptr{1} << 46, nullptr, GL_STATIC_DRAW));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  EXPECT_EQ(size(), 4096);
  GLint most = 0, width = -1;
  static_cast<void>(api::GetIntegerv(*currentContext(), GL_MAX_3D_TEXTURE_SIZE, &most));
  GLuint name = 0;
  static_cast<void>(api::GenTextures(*currentContext(), 1, &name));
  static_cast<void>(api::BindTexture(*currentContext(), GL_TEXTURE_3D, name));
  static_cast<void>(api::TexImage3D(*currentContext(), GL_TEXTURE_3D, 0, GL_RGBA32F, most, most, most, 0, GL_RGBA, GL_FLOAT, nullptr));
  EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  static_cast<void>(api::TexImage3D(*currentContext(), GL_PROXY_TEXTURE_3D, 0, GL_RGBA32F, most, most, most, 0, GL_RGBA, GL_FLOAT, nullptr));
  static_cast<void>(api::GetTexLevelParameteriv(*currentContext(), GL_PROXY_TEXTURE_3D, 0, GL_TEXTURE_WIDTH, &width));
  EXPECT_EQ(width, 0);
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(acknowledgements(), before);
}

TEST_P(MemoryTest, NamesAreAllThereOrNone) {
  std::vector<GLuint> names(1u << 20);
  {
    const LimitedNew limit(kMib);
    using GenBuffers = void (*)(GLsizei, GLuint*);
    reinterpret_cast<GenBuffers>(findEntryPoint("glGenBuffers"))(static_cast<GLsizei>(names.size()), names.data());
    EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  }
  GLuint next = 0;
  static_cast<void>(api::GenBuffers(*currentContext(), 1, &next));
  EXPECT_EQ(next, 1u);
  static_cast<void>(api::GenBuffers(*currentContext(), static_cast<GLsizei>(names.size()), names.data()));
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(names.back(), names.size() + 1);
}

TEST_P(MemoryTest, AnAnswerThatTheServerCannotHoldIsAnError) {
  if (std::string(GetParam()) == "monolith") GTEST_SKIP() << "nothing is held on the way in a direct call";
  buffer(16 * kMib);
  std::vector<std::byte> data(16 * kMib, std::byte{7});
  {
    const LimitedNew limit(kMib);
    static_cast<void>(api::GetBufferSubData(*currentContext(), GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(data.size()), data.data()));
    EXPECT_EQ(error(), GLenum{GL_OUT_OF_MEMORY});
  }
  static_cast<void>(api::GetBufferSubData(*currentContext(), GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(data.size()), data.data()));
  EXPECT_EQ(error(), GLenum{GL_NO_ERROR});
  EXPECT_EQ(data.back(), std::byte{0});  // Null answers zeros
}

INSTANTIATE_TEST_SUITE_P(Topologies, MemoryTest, testing::Values("monolith", "inproc"));

}  // namespace
}  // namespace mgl::gl
