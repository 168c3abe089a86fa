#include <thread>

#include "egl_fixture.h"

namespace mgl::winsys::egl {
namespace {

TEST_F(EglTest, ContextsAndTheirErrors) {
  EGLint value = 0;
  EGLContext context = core();
  ASSERT_NE(EGL_NO_CONTEXT, context);
  EXPECT_EQ(3u, world.lastContext.version.minor);
  EXPECT_TRUE(api::QueryContext(display, context, EGL_CONTEXT_CLIENT_TYPE, &value));
  EXPECT_EQ(EGL_OPENGL_API, value);
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::QueryContext(display, context, EGL_WIDTH, &value));
  EXPECT_EGL(EGL_BAD_CONTEXT, api::QueryContext(display, &value, EGL_CONFIG_ID, &value));
  EXPECT_EGL(EGL_BAD_CONFIG, api::CreateContext(display, &value, EGL_NO_CONTEXT, nullptr));
  EXPECT_EGL(EGL_BAD_CONTEXT, api::CreateContext(display, config, &value, nullptr));
  EXPECT_EGL(EGL_BAD_MATCH, api::CreateContext(display, config, EGL_NO_CONTEXT, nullptr));  // no version: compatibility
  const EGLint bad[] = {EGL_WIDTH, 1, EGL_NONE};
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::CreateContext(display, config, EGL_NO_CONTEXT, bad));
  EXPECT_TRUE(api::DestroyContext(display, context));
  EXPECT_EGL(EGL_BAD_CONTEXT, api::DestroyContext(display, context));
  EXPECT_EQ(0, world.contexts);
}

TEST_F(EglTest, ContextsWithoutConfig) {
  const EGLint attribs[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  EGLContext context = api::CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
  ASSERT_NE(EGL_NO_CONTEXT, context);
  EGLint id = -1;
  EXPECT_TRUE(api::QueryContext(display, context, EGL_CONFIG_ID, &id));
  EXPECT_EQ(0, id);
  EGLSurface surface = pbuffer();
  EXPECT_TRUE(api::MakeCurrent(display, surface, surface, context));
}

TEST_F(EglTest, OpenGlMustBeBound) {
  // A fresh thread has OpenGL ES bound, which no config renders.
  std::thread([this] { EXPECT_EGL(EGL_BAD_CONFIG, core()); }).join();
}

TEST_F(EglTest, SharingNeedsTheSameResetAndErrorBehaviour) {
  EGLContext first = core();
  EXPECT_NE(EGL_NO_CONTEXT, core(first));
  EXPECT_NE(nullptr, world.lastShare);
  const EGLint reset[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                          EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};
  EXPECT_EGL(EGL_BAD_MATCH, api::CreateContext(display, config, first, reset));
  const EGLint noError[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_NO_ERROR_KHR,
                            EGL_TRUE, EGL_NONE};
  EXPECT_EGL(EGL_BAD_MATCH, api::CreateContext(display, config, first, noError));
}

TEST_F(EglTest, MakeCurrentErrors) {
  EGLContext context = core();
  EGLSurface surface = pbuffer();
  int thing = 0;
  EXPECT_EGL(EGL_BAD_DISPLAY, api::MakeCurrent(&thing, surface, surface, context));
  EXPECT_EGL(EGL_BAD_CONTEXT, api::MakeCurrent(display, surface, surface, &thing));
  EXPECT_EGL(EGL_BAD_SURFACE, api::MakeCurrent(display, &thing, surface, context));
  EXPECT_EGL(EGL_BAD_SURFACE, api::MakeCurrent(display, surface, &thing, context));
  EXPECT_EGL(EGL_BAD_MATCH, api::MakeCurrent(display, surface, EGL_NO_SURFACE, context));
  EXPECT_EGL(EGL_BAD_MATCH, api::MakeCurrent(display, surface, surface, EGL_NO_CONTEXT));
  EGLConfig other = nullptr;
  EGLint count = 0;
  const EGLint withoutDepth[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  ASSERT_TRUE(api::ChooseConfig(display, withoutDepth, &other, 1, &count));
  EGLSurface mismatch = api::CreatePbufferSurface(display, other, nullptr);
  EXPECT_EGL(EGL_BAD_MATCH, api::MakeCurrent(display, mismatch, mismatch, context));
  EXPECT_EQ(EGL_NO_CONTEXT, api::GetCurrentContext());
  world.refuseCurrent = true;
  EXPECT_FALSE(api::MakeCurrent(display, surface, surface, context));
  world.refuseCurrent = false;
  EXPECT_EQ(EGL_NO_CONTEXT, api::GetCurrentContext());
  // The failed claim was given back: another thread may have it.
  std::thread([&] {
    EXPECT_TRUE(api::MakeCurrent(display, surface, surface, context));
    EXPECT_TRUE(api::ReleaseThread());
  }).join();
}

TEST_F(EglTest, WhatIsCurrent) {
  EGLContext context = core();
  EGLSurface draw = pbuffer(), read = pbuffer();
  ASSERT_TRUE(api::MakeCurrent(display, draw, read, context));
  EXPECT_EQ(context, api::GetCurrentContext());
  EXPECT_EQ(display, api::GetCurrentDisplay());
  EXPECT_EQ(draw, api::GetCurrentSurface(EGL_DRAW));
  EXPECT_EQ(read, api::GetCurrentSurface(EGL_READ));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::GetCurrentSurface(EGL_WIDTH));
  EGLint value = 0;
  EXPECT_TRUE(api::QueryContext(display, context, EGL_RENDER_BUFFER, &value));
  EXPECT_EQ(EGL_BACK_BUFFER, value);
  // The same context without surfaces.
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
  EXPECT_EQ(EGL_NO_SURFACE, api::GetCurrentSurface(EGL_DRAW));
  EXPECT_TRUE(api::QueryContext(display, context, EGL_RENDER_BUFFER, &value));
  EXPECT_EQ(EGL_NONE, value);
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  EXPECT_EQ(EGL_NO_DISPLAY, api::GetCurrentDisplay());
}

TEST_F(EglTest, OneThreadAtATime) {
  EGLContext mine = core(), other = core();
  EGLSurface surface = pbuffer(), second = pbuffer();
  ASSERT_TRUE(api::MakeCurrent(display, surface, surface, mine));
  std::thread([&] {
    EXPECT_EGL(EGL_BAD_ACCESS, api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, mine));
    EXPECT_EGL(EGL_BAD_ACCESS, api::MakeCurrent(display, surface, surface, other));
    EXPECT_TRUE(api::MakeCurrent(display, second, second, other));
  }).join();
  // The thread is gone, and what it had is free.
  EXPECT_TRUE(api::MakeCurrent(display, second, second, other));
  std::thread([&] { EXPECT_TRUE(api::MakeCurrent(display, surface, surface, mine)); }).join();
}

TEST_F(EglTest, DestroyedWhileCurrentLivesUntilReleased) {
  EGLContext context = core();
  EGLSurface surface = pbuffer();
  ASSERT_TRUE(api::MakeCurrent(display, surface, surface, context));
  EXPECT_TRUE(api::DestroyContext(display, context));
  EXPECT_TRUE(api::DestroySurface(display, surface));
  EXPECT_EQ(1, world.contexts);
  EXPECT_EQ(1, world.surfaces);
  EXPECT_EQ(context, api::GetCurrentContext());
  EXPECT_EGL(EGL_BAD_CONTEXT, api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
  EXPECT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  EXPECT_EQ(0, world.contexts);
  EXPECT_EQ(0, world.surfaces);
}

TEST_F(EglTest, TerminateKeepsWhatIsCurrent) {
  EGLContext context = core();
  core();
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
  EXPECT_TRUE(api::Terminate(display));
  EXPECT_EQ(1, world.contexts);
  EXPECT_EQ(1, world.sessions);
  EXPECT_TRUE(api::Initialize(display, nullptr, nullptr));
  EXPECT_EGL(EGL_BAD_CONTEXT, api::DestroyContext(display, context));
  EXPECT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  EXPECT_EQ(0, world.contexts);
  EXPECT_EQ(1, world.sessions);
}

TEST_F(EglTest, AThreadThatEndsReleases) {
  EGLContext context = core();
  const int before = world.releases;
  std::thread([&] { EXPECT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)); }).join();
  EXPECT_EQ(before + 1, world.releases);
  EXPECT_TRUE(api::DestroyContext(display, context));
  EXPECT_EQ(0, world.contexts);
}

TEST_F(EglTest, ALostSession) {
  EGLContext context = core();
  EGLSurface surface = pbuffer();
  ASSERT_TRUE(api::MakeCurrent(display, surface, surface, context));
  world.lost = true;
  EXPECT_EGL(EGL_CONTEXT_LOST, api::SwapBuffers(display, surface));
  EXPECT_EGL(EGL_CONTEXT_LOST, api::MakeCurrent(display, surface, surface, context));
  EXPECT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
}

TEST_F(EglTest, ANewContextAfterALossOpensANewSession) {
  EGLContext before = core();
  EGLSurface old = pbuffer();
  world.lost = true;
  world.lastLost = world.opened;
  EGLContext after = core();
  ASSERT_NE(EGL_NO_CONTEXT, after);
  EXPECT_EQ(2, world.sessions);
  EXPECT_EGL(EGL_BAD_MATCH, core(before));                                  // objects never cross sessions
  EXPECT_EGL(EGL_BAD_MATCH, api::MakeCurrent(display, old, old, after));
  EXPECT_EGL(EGL_CONTEXT_LOST, api::MakeCurrent(display, old, old, before));
  EGLSurface surface = pbuffer();
  EXPECT_TRUE(api::MakeCurrent(display, surface, surface, after));
  EXPECT_TRUE(api::DestroyContext(display, before));
  EXPECT_TRUE(api::DestroySurface(display, old));
  EXPECT_EQ(1, world.sessions);
}

TEST_F(EglTest, Waits) {
  EXPECT_TRUE(api::WaitClient());
  EXPECT_EQ(0, world.finishes);
  EGLContext context = core();
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
  EXPECT_TRUE(api::WaitClient());
  EXPECT_TRUE(api::WaitGL());
  EXPECT_EQ(2, world.finishes);
  EXPECT_TRUE(api::WaitNative(EGL_CORE_NATIVE_ENGINE));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::WaitNative(EGL_NONE));
}

}  // namespace
}  // namespace mgl::winsys::egl
