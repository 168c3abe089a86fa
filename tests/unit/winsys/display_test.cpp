#include "egl_fixture.h"
#include "winsys/egl/proc_address.h"

namespace mgl::winsys::egl {
namespace {

TEST(EglDisplay, PlatformsAndTheirHandles) {
  EGLDisplay surfaceless = api::GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  EXPECT_NE(EGL_NO_DISPLAY, surfaceless);
  EXPECT_EQ(surfaceless, api::GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  EXPECT_EQ(surfaceless, api::GetDisplay(EGL_DEFAULT_DISPLAY));
  int thing = 0;
  EXPECT_EGL(EGL_BAD_PARAMETER, api::GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, &thing, nullptr));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, &thing, nullptr));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::GetPlatformDisplay(EGL_PLATFORM_GBM_KHR, EGL_DEFAULT_DISPLAY, nullptr));
  const EGLAttrib attribs[] = {EGL_WIDTH, 1, EGL_NONE};
  EXPECT_EGL(EGL_BAD_ATTRIBUTE,
             api::GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, attribs));
}

TEST(EglDisplay, Devices) {
  EGLint count = 0;
  ASSERT_TRUE(api::QueryDevicesEXT(0, nullptr, &count));
  ASSERT_EQ(2, count);
  EGLDeviceEXT devices[3] = {};
  ASSERT_TRUE(api::QueryDevicesEXT(1, devices, &count));
  EXPECT_EQ(1, count);
  ASSERT_TRUE(api::QueryDevicesEXT(3, devices, &count));
  EXPECT_EQ(2, count);
  EXPECT_EGL(EGL_BAD_PARAMETER, api::QueryDevicesEXT(0, devices, &count));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::QueryDevicesEXT(3, devices, nullptr));
  EXPECT_STREQ("second", api::QueryDeviceStringEXT(devices[1], 0x335F /* EGL_RENDERER_EXT */));
  EXPECT_NE(nullptr, api::QueryDeviceStringEXT(devices[1], EGL_EXTENSIONS));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::QueryDeviceStringEXT(devices[1], EGL_WIDTH));
  EXPECT_EGL(EGL_BAD_DEVICE_EXT, api::QueryDeviceStringEXT(&count, EGL_EXTENSIONS));

  EGLDisplay first = api::GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[0], nullptr);
  EGLDisplay second = api::GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[1], nullptr);
  EXPECT_NE(first, second);
  ASSERT_TRUE(api::Initialize(second, nullptr, nullptr));
  EGLAttrib device = 0;
  ASSERT_TRUE(api::QueryDisplayAttribEXT(second, EGL_DEVICE_EXT, &device));
  EXPECT_EQ(reinterpret_cast<EGLAttrib>(devices[1]), device);
  EXPECT_TRUE(api::Terminate(second));
  // Of the default display: the device that it opened.
  EGLDisplay any = api::GetDisplay(EGL_DEFAULT_DISPLAY);
  ASSERT_TRUE(api::Initialize(any, nullptr, nullptr));
  ASSERT_TRUE(api::QueryDisplayAttribEXT(any, EGL_DEVICE_EXT, &device));
  EXPECT_EQ(reinterpret_cast<EGLAttrib>(devices[0]), device);
  EXPECT_TRUE(api::Terminate(any));
}

TEST(EglDisplay, NothingWorksBeforeInitialise) {
  EGLDisplay display = api::GetDisplay(EGL_DEFAULT_DISPLAY);
  EGLint value = 0;
  EXPECT_EGL(EGL_NOT_INITIALIZED, api::GetConfigs(display, nullptr, 0, &value));
  EXPECT_EGL(EGL_NOT_INITIALIZED, api::CreateContext(display, nullptr, EGL_NO_CONTEXT, nullptr));
  EXPECT_EGL(EGL_NOT_INITIALIZED, api::QueryString(display, EGL_VENDOR));
  EXPECT_EGL(EGL_NOT_INITIALIZED, api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, &value));
  EXPECT_EGL(EGL_SUCCESS, api::MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  EXPECT_EGL(EGL_BAD_DISPLAY, api::Initialize(&value, nullptr, nullptr));
  EXPECT_EGL(EGL_BAD_DISPLAY, api::Terminate(EGL_NO_DISPLAY));
  EXPECT_EGL(EGL_SUCCESS, api::Terminate(display));
}

TEST(EglDisplay, AFailedOpenSaysSoAndCanBeTriedAgain) {
  EGLDisplay display = api::GetDisplay(EGL_DEFAULT_DISPLAY);
  world.openError = "no Vulkan driver was found";
  EXPECT_EGL(EGL_NOT_INITIALIZED, api::Initialize(display, nullptr, nullptr));
  world.openError.clear();
  EGLint major = 0, minor = 0;
  EXPECT_TRUE(api::Initialize(display, &major, &minor));
  EXPECT_EQ(1, major);
  EXPECT_EQ(5, minor);
  EXPECT_TRUE(api::Initialize(display, nullptr, nullptr));
  EXPECT_EQ(1, world.sessions);
  EXPECT_TRUE(api::Terminate(display));
  EXPECT_EQ(0, world.sessions);
}

TEST_F(EglTest, Strings) {
  EXPECT_STREQ("MobileGL", api::QueryString(display, EGL_VENDOR));
  EXPECT_EQ(0, std::string_view(api::QueryString(display, EGL_VERSION)).find("1.5 "));
  EXPECT_STREQ("OpenGL", api::QueryString(display, EGL_CLIENT_APIS));
  EXPECT_NE(std::string_view::npos,
            std::string_view(api::QueryString(display, EGL_EXTENSIONS)).find("EGL_KHR_surfaceless_context"));
  EXPECT_NE(std::string_view::npos,
            std::string_view(api::QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS)).find("EGL_EXT_platform_device"));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::QueryString(display, EGL_WIDTH));
  EXPECT_EGL(EGL_BAD_DISPLAY, api::QueryString(EGL_NO_DISPLAY, EGL_VENDOR));
}

TEST_F(EglTest, ConfigQueries) {
  EGLint count = 0, value = 0;
  EXPECT_TRUE(api::GetConfigs(display, nullptr, 0, &count));
  EXPECT_EQ(4, count);
  EGLConfig two[2] = {};
  EXPECT_TRUE(api::GetConfigs(display, two, 2, &count));
  EXPECT_EQ(2, count);
  EXPECT_EGL(EGL_BAD_PARAMETER, api::GetConfigs(display, two, 2, nullptr));
  EXPECT_EGL(EGL_BAD_PARAMETER, api::ChooseConfig(display, nullptr, two, 2, nullptr));
  const EGLint bad[] = {EGL_WIDTH, 1, EGL_NONE};
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::ChooseConfig(display, bad, two, 2, &count));
  EXPECT_TRUE(api::GetConfigAttrib(display, config, EGL_DEPTH_SIZE, &value));
  EXPECT_EQ(24, value);
  EXPECT_EGL(EGL_BAD_CONFIG, api::GetConfigAttrib(display, &value, EGL_DEPTH_SIZE, &value));
  EXPECT_EGL(EGL_BAD_ATTRIBUTE, api::GetConfigAttrib(display, config, EGL_WIDTH, &value));
}

TEST_F(EglTest, ErrorsArePerThreadAndReadOnce) {
  EXPECT_FALSE(api::BindAPI(EGL_NONE));
  EXPECT_EQ(EGL_BAD_PARAMETER, api::GetError());
  EXPECT_EQ(EGL_SUCCESS, api::GetError());
  EXPECT_EQ(static_cast<EGLenum>(EGL_OPENGL_API), api::QueryAPI());
}

TEST(EglProcAddress, EglAndGl) {
  EXPECT_NE(nullptr, procAddress("eglInitialize"));
  EXPECT_NE(nullptr, procAddress("eglCreateSyncKHR"));
  EXPECT_NE(nullptr, procAddress("eglQueryDeviceStringEXT"));
  EXPECT_EQ(nullptr, procAddress("eglNonesuch"));
  EXPECT_NE(nullptr, procAddress("glFlush"));
  EXPECT_EQ(nullptr, procAddress("glNonesuch"));
  EXPECT_EQ(nullptr, procAddress(nullptr));
}

}  // namespace
}  // namespace mgl::winsys::egl
