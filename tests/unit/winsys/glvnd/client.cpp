// A program on libEGL that a test starts with our vendor library and the Null backend: glvnd_client CASE
//
// Exits with 0 when all was as it should be; says what was not.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

namespace {

int failures = 0;

#define CHECK(condition)                                                                                       \
  do {                                                                                                         \
    if (!(condition)) {                                                                                        \
      std::fprintf(stderr, "line %d: %s (EGL error 0x%x)\n", __LINE__, #condition, static_cast<unsigned>(eglGetError())); \
      ++failures;                                                                                              \
    }                                                                                                          \
  } while (false)

template <class F>
F proc(const char* name) {
  return reinterpret_cast<F>(eglGetProcAddress(name));
}

EGLDisplay open() {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  CHECK(display != EGL_NO_DISPLAY);
  EGLint major = 0, minor = 0;
  CHECK(eglInitialize(display, &major, &minor));
  CHECK(major == 1 && minor == 5);
  CHECK(std::strcmp(eglQueryString(display, EGL_VENDOR), "MobileGL") == 0);
  return display;
}

EGLContext core(EGLDisplay display, EGLContext share = EGL_NO_CONTEXT) {
  const EGLint attribs[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
  CHECK(eglBindAPI(EGL_OPENGL_API));
  EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, share, attribs);
  CHECK(context != EGL_NO_CONTEXT);
  return context;
}

EGLSurface pbuffer(EGLDisplay display) {
  EGLConfig config = nullptr;
  EGLint count = 0;
  const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                           EGL_DEPTH_SIZE,   24,              EGL_NONE};
  CHECK(eglChooseConfig(display, wanted, &config, 1, &count) && count == 1);
  const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
  EGLSurface surface = eglCreatePbufferSurface(display, config, size);
  CHECK(surface != EGL_NO_SURFACE);
  return surface;
}

bool current(EGLDisplay display, EGLSurface surface, EGLContext context) {
  return eglMakeCurrent(display, surface, surface, context) == EGL_TRUE;
}

void basic() {
  EGLDisplay display = open();
  EGLContext context = core(display);
  EGLSurface surface = pbuffer(display);
  CHECK(current(display, surface, context));
  CHECK(eglGetCurrentContext() == context);
  const auto getString = proc<const unsigned char* (*)(unsigned)>("glGetString");
  CHECK(getString != nullptr);
  const auto* renderer = reinterpret_cast<const char*>(getString(0x1F01));
  CHECK(renderer != nullptr && std::strstr(renderer, "MobileGL") != nullptr);
  CHECK(eglSwapBuffers(display, surface));
  CHECK(eglWaitClient());
  EGLSync sync = eglCreateSync(display, EGL_SYNC_FENCE, nullptr);
  CHECK(sync != EGL_NO_SYNC);
  CHECK(eglClientWaitSync(display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER) == EGL_CONDITION_SATISFIED);
  CHECK(eglDestroySync(display, sync));
  // Through our own dispatch stubs.
  EGLSyncKHR khr = proc<PFNEGLCREATESYNCKHRPROC>("eglCreateSyncKHR")(display, EGL_SYNC_FENCE_KHR, nullptr);
  CHECK(khr != EGL_NO_SYNC_KHR);
  EGLint type = 0;
  CHECK(proc<PFNEGLGETSYNCATTRIBKHRPROC>("eglGetSyncAttribKHR")(display, khr, EGL_SYNC_TYPE_KHR, &type));
  CHECK(type == EGL_SYNC_FENCE_KHR);
  CHECK(!proc<PFNEGLGETSYNCATTRIBKHRPROC>("eglGetSyncAttribKHR")(display, khr, EGL_WIDTH, &type));
  CHECK(eglGetError() == EGL_BAD_ATTRIBUTE);
  CHECK(proc<PFNEGLDESTROYSYNCKHRPROC>("eglDestroySyncKHR")(display, khr));
  CHECK(!proc<PFNEGLDESTROYSYNCKHRPROC>("eglDestroySyncKHR")(&type, khr));
  CHECK(eglGetError() == EGL_BAD_DISPLAY);
  CHECK(current(display, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  CHECK(eglDestroyContext(display, context));
  CHECK(eglDestroySurface(display, surface));
  CHECK(eglTerminate(display));
}

void devices() {
  const auto query = proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto string = proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  EGLDeviceEXT all[16];
  EGLint count = 0;
  CHECK(query(16, all, &count) && count > 0);
  int ours = 0;
  for (EGLint i = 0; i < count; ++i) {
    const char* extensions = string(all[i], EGL_EXTENSIONS);
    CHECK(extensions != nullptr);
    const char* vendor = string(all[i], EGL_VENDOR);
    if (vendor == nullptr || std::strcmp(vendor, "MobileGL") != 0) continue;
    ++ours;
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, all[i], nullptr);
    CHECK(display != EGL_NO_DISPLAY);
    CHECK(eglInitialize(display, nullptr, nullptr));
    EGLAttrib device = 0;
    CHECK(proc<PFNEGLQUERYDISPLAYATTRIBEXTPROC>("eglQueryDisplayAttribEXT")(display, EGL_DEVICE_EXT, &device));
    CHECK(device == reinterpret_cast<EGLAttrib>(all[i]));
    CHECK(current(display, EGL_NO_SURFACE, core(display)));
    CHECK(current(display, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    CHECK(eglTerminate(display));
  }
  CHECK(ours > 0);
}

void threads() {
  EGLDisplay display = open();
  EGLContext shared = core(display);
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&, i] {
      EGLContext context = core(display, shared);
      for (int round = 0; round < 50; ++round) {
        EGLSurface surface = pbuffer(display);
        CHECK(current(display, surface, context));
        CHECK(eglSwapBuffers(display, surface));
        CHECK(eglDestroySurface(display, surface));
        CHECK(current(display, EGL_NO_SURFACE, EGL_NO_CONTEXT));
      }
      // One of them ends with its context current.
      if (i == 0) CHECK(current(display, EGL_NO_SURFACE, context));
    });
  }
  for (std::thread& worker : workers) worker.join();
  CHECK(eglTerminate(display));
}

// The process ends with everything alive, and an exit handler still calls EGL.
void exitCurrent() {
  std::atexit([] {
    eglGetCurrentContext();
    eglQueryString(eglGetDisplay(EGL_DEFAULT_DISPLAY), EGL_VENDOR);
    eglReleaseThread();
  });
  EGLDisplay display = open();
  CHECK(current(display, pbuffer(display), core(display)));
}

// ... while another thread has a context current and draws: GL only, since libEGL itself frees what it needs when the
// process ends.
void exitBusy() {
  static std::atomic<int> rounds{0};
  EGLDisplay display = open();
  EGLContext context = core(display);
  EGLSurface surface = pbuffer(display);
  std::thread([=] {
    CHECK(current(display, surface, context));
    const auto clear = proc<void (*)(unsigned)>("glClear");
    const auto flush = proc<void (*)()>("glFlush");
    for (;;) {
      clear(0x4000 /* GL_COLOR_BUFFER_BIT */);
      flush();
      ++rounds;
    }
  }).detach();
  while (rounds < 100) std::this_thread::yield();
}

// libEGL is opened, used and closed, twice.
void closeLibrary() {
  for (int round = 0; round < 2; ++round) {
    void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    CHECK(library != nullptr);
    const auto getDisplay = reinterpret_cast<EGLDisplay (*)(EGLNativeDisplayType)>(dlsym(library, "eglGetDisplay"));
    const auto initialize =
        reinterpret_cast<EGLBoolean (*)(EGLDisplay, EGLint*, EGLint*)>(dlsym(library, "eglInitialize"));
    CHECK(initialize(getDisplay(EGL_DEFAULT_DISPLAY), nullptr, nullptr));
    dlclose(library);
  }
}

// The device goes away under a running program: it is told once, nothing waits or ends for it, maps keep their memory, and a new
// context has a new device.
void deviceLost() {
  EGLDisplay display = open();
  EGLContext context = core(display);
  EGLSurface surface = pbuffer(display);
  CHECK(current(display, surface, context));
  const auto clear = proc<void (*)(unsigned)>("glClear");
  const auto getError = proc<unsigned (*)()>("glGetError");
  const auto flush = proc<void (*)()>("glFlush");
  const auto finish = proc<void (*)()>("glFinish");
  const auto resetStatus = proc<unsigned (*)()>("glGetGraphicsResetStatus");
  const auto genBuffers = proc<void (*)(int, unsigned*)>("glGenBuffers");
  const auto bindBuffer = proc<void (*)(unsigned, unsigned)>("glBindBuffer");
  const auto bufferData = proc<void (*)(unsigned, long, const void*, unsigned)>("glBufferData");
  const auto mapBuffer = proc<void* (*)(unsigned, unsigned)>("glMapBuffer");
  const auto unmapBuffer = proc<unsigned char (*)(unsigned)>("glUnmapBuffer");
  const auto fenceSync = proc<void* (*)(unsigned, unsigned)>("glFenceSync");
  const auto clientWaitSync = proc<unsigned (*)(void*, unsigned, unsigned long long)>("glClientWaitSync");
  constexpr unsigned kArrayBuffer = 0x8892, kStaticDraw = 0x88e4, kWriteOnly = 0x88b9, kContextLost = 0x507;
  static int told = 0;
  proc<void (*)(unsigned)>("glEnable")(0x92e0 /* GL_DEBUG_OUTPUT */);
  proc<void (*)(void (*)(unsigned, unsigned, unsigned, unsigned, int, const char*, const void*), const void*)>(
      "glDebugMessageCallback")(
      [](unsigned, unsigned, unsigned, unsigned severity, int, const char* text, const void*) {
        told += severity == 0x9146 /* GL_DEBUG_SEVERITY_HIGH */ && std::strstr(text, "lost") != nullptr;
      },
      nullptr);
  unsigned buffer = 0;
  genBuffers(1, &buffer);
  bindBuffer(kArrayBuffer, buffer);
  bufferData(kArrayBuffer, 4096, nullptr, kStaticDraw);
  auto* mapped = static_cast<char*>(mapBuffer(kArrayBuffer, kWriteOnly));
  CHECK(mapped != nullptr);
  unsigned error = 0;
  for (int frame = 0; frame < 1000 && error == 0; ++frame) {
    clear(0x4000 /* GL_COLOR_BUFFER_BIT */);
    flush();
    eglSwapBuffers(display, surface);
    error = getError();
  }
  CHECK(error == kContextLost);
  CHECK(getError() == 0);
  CHECK(resetStatus() != 0);
  CHECK(told == 1);
  CHECK(!eglSwapBuffers(display, surface) && eglGetError() == EGL_CONTEXT_LOST);
  std::memset(mapped, 1, 4096);
  unmapBuffer(kArrayBuffer);
  void* fence = fenceSync(0x9117 /* GL_SYNC_GPU_COMMANDS_COMPLETE */, 0);
  CHECK(fence == nullptr || clientWaitSync(fence, 1, ~0ull) != 0x911b /* GL_TIMEOUT_EXPIRED */);
  clear(0x4000);
  finish();
  CHECK(current(display, EGL_NO_SURFACE, EGL_NO_CONTEXT));
  CHECK(eglDestroySurface(display, surface));
  CHECK(eglDestroyContext(display, context));

  context = core(display);
  surface = pbuffer(display);
  CHECK(current(display, surface, context));
  CHECK(getError() == 0 && resetStatus() == 0);
  clear(0x4000);
  CHECK(getError() == 0);
}

// The host's Vulkan driver calls libEGL, and so us, while we ask for it (glvnd/reentrant_icd.cpp).
void reentrantDriver(bool devicesFirst) {
  if (devicesFirst) devices();
  EGLDisplay display = open();
  CHECK(current(display, pbuffer(display), core(display)));
  CHECK(std::getenv("REENTRANT_ICD_ASKED") != nullptr);
}

// No session can be opened: an error, and the program lives.
void refused() {
  EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  CHECK(display != EGL_NO_DISPLAY);
  CHECK(!eglInitialize(display, nullptr, nullptr));
  CHECK(eglGetError() == EGL_NOT_INITIALIZED);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "basic") basic();
  else if (name == "devices") devices();
  else if (name == "threads") threads();
  else if (name == "exit-current") exitCurrent();
  else if (name == "exit-busy") exitBusy();
  else if (name == "device-lost") deviceLost();
  else if (name == "reentrant-display") reentrantDriver(false);
  else if (name == "reentrant-devices") reentrantDriver(true);
  else if (name == "refused") refused();
  else if (name == "close-library") closeLibrary();
  else return 2;
  return failures == 0 ? 0 : 1;
}
