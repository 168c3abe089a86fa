// The stubs of a real context on the Null backend: who moves what.
#include <gtest/gtest.h>

#include <cstdlib>

#include "client/session.h"
#include "gl/context.h"
#include "gl/registry/lookup.h"

namespace mgl::gl {
namespace {

// Before the knobs are read: two entry points whose epochs are kept still, one under another name than its own.
const bool knobsSet = [] {
  setenv("MOBILEGL_PIPE_DRAW_DELTA_DROP", "glDepthFunc glBlendEquationEXT", 1);
  return true;
}();

template <class F>
F entry(const char* name) {
  return reinterpret_cast<F>(findEntryPoint(name));
}
using TakesEnum = void (*)(GLenum);
using TakesTwoEnums = void (*)(GLenum, GLenum);

class StubTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(knobsSet);
    std::string error;
    auto session = client::Session::open({"null", "", "monolith"}, &error);
    ASSERT_NE(nullptr, session) << error;
    context = std::make_unique<Context>(session, Ref<ShareGroup>(new ShareGroup(session)), ContextConfig{});
    Context::makeCurrent(context.get(), nullptr, nullptr);
  }
  void TearDown() override { Context::makeCurrent(nullptr, nullptr, nullptr); }

  std::unique_ptr<Context> context;
};

TEST_F(StubTest, AChangeMovesTheEpochOnce) {
  const u64 before = context->epoch;
  entry<TakesEnum>("glEnable")(GL_BLEND);
  EXPECT_EQ(before + 1, context->epoch);
  entry<TakesEnum>("glEnable")(GL_BLEND);  // set to itself
  EXPECT_EQ(before + 1, context->epoch);
  entry<TakesEnum>("glEnable")(0xdead);
  EXPECT_EQ(before + 1, context->epoch);
  EXPECT_EQ(static_cast<GLenum>(GL_INVALID_ENUM), context->firstError);
}

TEST_F(StubTest, ADroppedEntryMovesNothing) {
  const u64 before = context->epoch;
  entry<TakesEnum>("glDepthFunc")(GL_GREATER);
  EXPECT_EQ(before, context->epoch);
  EXPECT_EQ(pipe::CompareOp::Greater, context->render.depthFunc);
  EXPECT_NE(entry<void*>("glBlendEquation"), entry<void*>("glBlendEquationEXT"));
  entry<TakesEnum>("glBlendEquationEXT")(GL_FUNC_SUBTRACT);
  EXPECT_EQ(before, context->epoch);
  entry<TakesEnum>("glBlendEquation")(GL_FUNC_REVERSE_SUBTRACT);  // the other name is not dropped
  EXPECT_EQ(before + 1, context->epoch);
}

TEST_F(StubTest, AQueryMovesNothing) {
  const u64 before = context->epoch, shape = context->share->shapeEpoch;
  entry<GLenum (*)()>("glGetError")();
  EXPECT_EQ(before, context->epoch);
  EXPECT_EQ(shape, context->share->shapeEpoch);
}

TEST_F(StubTest, AnUnimplementedEntrySetsInvalidOperation) {
  for (const EntryInfo& info : allEntries()) {
    if (info.implemented || std::string_view(info.name) != "glAccum") continue;
    entry<void (*)(GLenum, GLfloat)>("glAccum")(GL_ACCUM, 1);
    EXPECT_EQ(static_cast<GLenum>(GL_INVALID_OPERATION), context->firstError);
  }
}

TEST_F(StubTest, WithoutAContextACallIsIgnored) {
  Context::makeCurrent(nullptr, nullptr, nullptr);
  const u64 before = context->epoch;
  entry<TakesEnum>("glEnable")(GL_BLEND);
  EXPECT_EQ(0u, entry<GLenum (*)()>("glGetError")());
  EXPECT_EQ(before, context->epoch);
}

}  // namespace
}  // namespace mgl::gl
