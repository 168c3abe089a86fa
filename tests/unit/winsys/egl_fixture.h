// A display that is initialised, and the calls that most tests begin with.
#pragma once

#include <gtest/gtest.h>

#include "fake_driver.h"
#include "winsys/egl/functions.h"

namespace mgl::winsys::egl {

#define EXPECT_EGL(error, call)              \
  do {                                       \
    static_cast<void>(call);                 \
    EXPECT_EQ(error, api::GetError()) << #call; \
  } while (false)

class EglTest : public testing::Test {
 protected:
  void SetUp() override {
    api::BindAPI(EGL_OPENGL_API);
    display = api::GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    ASSERT_TRUE(api::Initialize(display, nullptr, nullptr));
    EGLint count = 0;
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                          EGL_DEPTH_SIZE,   24,              EGL_NONE};
    ASSERT_TRUE(api::ChooseConfig(display, any, &config, 1, &count));
    ASSERT_EQ(1, count);
  }
  void TearDown() override {
    world.lost = world.refuseCurrent = false;
    world.lastLost = 1 << 30;
    world.fenceDone = true;
    world.openError.clear();
    api::ReleaseThread();
    api::Terminate(display);
    EXPECT_EQ(0, world.contexts);
    EXPECT_EQ(0, world.surfaces);
    EXPECT_EQ(0, world.fences);
    EXPECT_EQ(0, world.sessions);
  }

  EGLContext core(EGLContext share = EGL_NO_CONTEXT) {
    const EGLint attribs[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    return api::CreateContext(display, config, share, attribs);
  }
  EGLSurface pbuffer(EGLint width = 64, EGLint height = 32) {
    const EGLint attribs[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    return api::CreatePbufferSurface(display, config, attribs);
  }

  EGLDisplay display = EGL_NO_DISPLAY;
  EGLConfig config = nullptr;
};

}  // namespace mgl::winsys::egl
