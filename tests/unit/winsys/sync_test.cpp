#include "egl_fixture.h"

namespace mgl::winsys::egl {
namespace {

class SyncTest : public EglTest {
 protected:
  void SetUp() override {
    EglTest::SetUp();
    context = core();
    ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    sync = api::CreateSync(display, EGL_SYNC_FENCE, nullptr);
    ASSERT_NE(EGL_NO_SYNC, sync);
  }
  EGLContext context = EGL_NO_CONTEXT;
  EGLSync sync = EGL_NO_SYNC;
};

TEST_F(SyncTest, Creation) {
  EXPECT_EGL(EGL_BAD_PARAMETER, api::CreateSync(display, EGL_NONE, nullptr));
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::CreateSync(display, EGL_SYNC_CL_EVENT, nullptr));
  const EGLAttrib attribs[] = {EGL_WIDTH, 1, EGL_NONE};
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::CreateSync(display, EGL_SYNC_FENCE, attribs));
  const EGLint none[] = {EGL_NONE};
  EXPECT_NE(EGL_NO_SYNC_KHR, api::CreateSyncKHR(display, EGL_SYNC_FENCE_KHR, none));
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  EXPECT_EGL(EGL_BAD_MATCH, api::CreateSync(display, EGL_SYNC_FENCE, nullptr));
}

TEST_F(SyncTest, Attributes) {
  EGLAttrib value = 0;
  EXPECT_TRUE(api::GetSyncAttrib(display, sync, EGL_SYNC_TYPE, &value));
  EXPECT_EQ(EGL_SYNC_FENCE, value);
  EXPECT_TRUE(api::GetSyncAttrib(display, sync, EGL_SYNC_CONDITION, &value));
  EXPECT_EQ(EGL_SYNC_PRIOR_COMMANDS_COMPLETE, value);
  world.fenceDone = false;
  EXPECT_TRUE(api::GetSyncAttrib(display, sync, EGL_SYNC_STATUS, &value));
  EXPECT_EQ(EGL_UNSIGNALED, value);
  world.fenceDone = true;
  EGLint small = 0;
  EXPECT_TRUE(api::GetSyncAttribKHR(display, sync, EGL_SYNC_STATUS, &small));
  EXPECT_EQ(EGL_SIGNALED, small);
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::GetSyncAttrib(display, sync, EGL_WIDTH, &value));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::GetSyncAttrib(display, &small, EGL_SYNC_TYPE, &value));
}

TEST_F(SyncTest, Waits) {
  EXPECT_EQ(EGL_CONDITION_SATISFIED, api::ClientWaitSync(display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER));
  world.fenceDone = false;
  EXPECT_EQ(EGL_TIMEOUT_EXPIRED, api::ClientWaitSync(display, sync, 0, 0));
  world.lost = true;  // the device is gone: nothing is waited for any more
  EXPECT_EQ(EGL_CONDITION_SATISFIED, api::ClientWaitSync(display, sync, 0, 0));
  world.lost = false;
  EXPECT_EGL(EGL_BAD_PARAMETER, api::ClientWaitSync(display, sync, 8, 0));
  EXPECT_TRUE(api::WaitSync(display, sync, 0));
  EXPECT_EQ(1, world.serverWaits);
  EXPECT_EGL(EGL_BAD_PARAMETER, api::WaitSync(display, sync, 1));
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  EXPECT_EGL(EGL_BAD_MATCH, api::WaitSync(display, sync, 0));
}

TEST_F(SyncTest, Destruction) {
  EXPECT_TRUE(api::DestroySync(display, sync));
  EXPECT_EQ(0, world.fences);
  EXPECT_EGL(EGL_BAD_PARAMETER, api::DestroySync(display, sync));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::ClientWaitSync(display, sync, 0, 0));
}

TEST_F(SyncTest, Images) {
  EXPECT_EGL(EGL_BAD_PARAMETER, api::CreateImage(display, context, EGL_GL_TEXTURE_2D, nullptr, nullptr));
  int thing = 0;
  EXPECT_EGL(EGL_BAD_CONTEXT, api::CreateImage(display, &thing, EGL_GL_TEXTURE_2D, nullptr, nullptr));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::DestroyImage(display, &thing));
}

}  // namespace
}  // namespace mgl::winsys::egl
