#include "egl_fixture.h"

namespace mgl::winsys::egl {
namespace {

EGLint queried(EGLDisplay display, EGLSurface surface, EGLint attribute) {
  EGLint value = -77;
  EXPECT_TRUE(api::QuerySurface(display, surface, attribute, &value));
  return value;
}

TEST_F(EglTest, Pbuffers) {
  EGLSurface surface = pbuffer(64, 32);
  ASSERT_NE(EGL_NO_SURFACE, surface);
  EXPECT_EQ(64u, world.lastSurface.width);
  EXPECT_EQ(24u, world.lastSurface.depthBits);
  EXPECT_EQ(64, queried(display, surface, EGL_WIDTH));
  EXPECT_EQ(32, queried(display, surface, EGL_HEIGHT));
  EXPECT_EQ(EGL_BACK_BUFFER, queried(display, surface, EGL_RENDER_BUFFER));
  EXPECT_EQ(EGL_GL_COLORSPACE_LINEAR, queried(display, surface, EGL_GL_COLORSPACE));
  EXPECT_EQ(EGL_NO_TEXTURE, queried(display, surface, EGL_TEXTURE_FORMAT));
  EXPECT_EQ(EGL_BUFFER_DESTROYED, queried(display, surface, EGL_SWAP_BEHAVIOR));
  EGLint value = 0;
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::QuerySurface(display, surface, EGL_DEPTH_SIZE, &value));
  EXPECT_TRUE(api::DestroySurface(display, surface));
  EXPECT_EGL(EGL_BAD_SURFACE, api::DestroySurface(display, surface));
  EXPECT_EGL(EGL_BAD_SURFACE, api::QuerySurface(display, surface, EGL_WIDTH, &value));
}

TEST_F(EglTest, PbufferAttributes) {
  const EGLint srgb[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_SRGB, EGL_NONE};
  EXPECT_NE(EGL_NO_SURFACE, api::CreatePbufferSurface(display, config, srgb));
  EXPECT_TRUE(world.lastSurface.srgb);
  const EGLint negative[] = {EGL_WIDTH, -1, EGL_NONE};
  EXPECT_EGL(EGL_BAD_PARAMETER, api::CreatePbufferSurface(display, config, negative));
  const EGLint texture[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA, EGL_NONE};
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::CreatePbufferSurface(display, config, texture));
  const EGLint unknown[] = {EGL_RENDER_BUFFER, EGL_BACK_BUFFER, EGL_NONE};
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::CreatePbufferSurface(display, config, unknown));
  int thing = 0;
  EXPECT_EGL(EGL_BAD_CONFIG, api::CreatePbufferSurface(display, &thing, nullptr));
}

TEST_F(EglTest, TheLargestPbuffer) {
  EXPECT_EGL(EGL_BAD_ALLOC, pbuffer(10000, 16));
  const EGLint largest[] = {EGL_WIDTH, 10000, EGL_HEIGHT, 16, EGL_LARGEST_PBUFFER, EGL_TRUE, EGL_NONE};
  EGLSurface surface = api::CreatePbufferSurface(display, config, largest);
  ASSERT_NE(EGL_NO_SURFACE, surface);
  EXPECT_EQ(4096, queried(display, surface, EGL_WIDTH));
  EXPECT_EQ(EGL_TRUE, queried(display, surface, EGL_LARGEST_PBUFFER));
}

TEST_F(EglTest, NoWindowsAndNoPixmaps) {
  int thing = 0;
  EXPECT_EGL(EGL_BAD_MATCH, api::CreateWindowSurface(display, config, {}, nullptr));
  EXPECT_EGL(EGL_BAD_CONFIG, api::CreateWindowSurface(display, &thing, {}, nullptr));
  EXPECT_EGL(EGL_BAD_MATCH, api::CreatePixmapSurface(display, config, {}, nullptr));
  EXPECT_EGL(EGL_BAD_MATCH, api::CreatePlatformWindowSurface(display, config, &thing, nullptr));
  EXPECT_EGL(EGL_BAD_MATCH, api::CreatePlatformPixmapSurface(display, config, &thing, nullptr));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::CreatePbufferFromClientBuffer(display, EGL_OPENVG_IMAGE, nullptr, config, nullptr));
  EGLSurface surface = pbuffer();
  EXPECT_EGL(EGL_BAD_NATIVE_PIXMAP, api::CopyBuffers(display, surface, {}));
  EXPECT_EGL(EGL_BAD_MATCH, api::BindTexImage(display, surface, EGL_BACK_BUFFER));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::ReleaseTexImage(display, surface, EGL_NONE));
  EXPECT_EGL(EGL_BAD_SURFACE, api::BindTexImage(display, &thing, EGL_BACK_BUFFER));
}

TEST_F(EglTest, SurfaceAttribs) {
  EGLSurface surface = pbuffer();
  EXPECT_TRUE(api::SurfaceAttrib(display, surface, EGL_MIPMAP_LEVEL, 3));
  EXPECT_EQ(3, queried(display, surface, EGL_MIPMAP_LEVEL));
  EXPECT_TRUE(api::SurfaceAttrib(display, surface, EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED));
  EXPECT_EGL(EGL_BAD_MATCH, api::SurfaceAttrib(display, surface, EGL_SWAP_BEHAVIOR, EGL_BUFFER_PRESERVED));
  EXPECT_EGL(EGL_BAD_MATCH, api::SurfaceAttrib(display, surface, EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_BOX));
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::SurfaceAttrib(display, surface, EGL_WIDTH, 3));
}

TEST_F(EglTest, Swaps) {
  EGLContext context = core();
  EGLSurface surface = pbuffer(), other = pbuffer();
  EXPECT_EGL(EGL_BAD_SURFACE, api::SwapBuffers(display, surface));  // not current
  EXPECT_EGL(EGL_BAD_CONTEXT, api::SwapInterval(display, 0));
  ASSERT_TRUE(api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
  EXPECT_EGL(EGL_BAD_SURFACE, api::SwapInterval(display, 0));
  ASSERT_TRUE(api::MakeCurrent(display, surface, surface, context));
  EXPECT_TRUE(api::SwapBuffers(display, surface));
  EXPECT_EQ(1, world.presents);
  EXPECT_EGL(EGL_BAD_SURFACE, api::SwapBuffers(display, other));
  EXPECT_TRUE(api::SwapInterval(display, 9));
  EXPECT_EQ(1, world.interval);
  EXPECT_TRUE(api::SwapInterval(display, -9));
  EXPECT_EQ(0, world.interval);
  EXPECT_EQ(1, world.presents);
}

}  // namespace
}  // namespace mgl::winsys::egl
