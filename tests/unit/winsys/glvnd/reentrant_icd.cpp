// A Vulkan driver that asks libEGL for its devices and displays when the loader negotiates with it, and then has no device of
// its own: NVIDIA's does the first. The loader's lock is held meanwhile.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) int vk_icdNegotiateLoaderICDInterfaceVersion(std::uint32_t* version) {
  if (*version > 5) *version = 5;
  void* egl = dlopen("libEGL.so.1", RTLD_NOW);
  using Proc = void (*)();
  const auto getProc = reinterpret_cast<Proc (*)(const char*)>(dlsym(egl, "eglGetProcAddress"));
  const auto getDisplay = reinterpret_cast<void* (*)(void*)>(dlsym(egl, "eglGetDisplay"));
  const auto initialize = reinterpret_cast<unsigned (*)(void*, int*, int*)>(dlsym(egl, "eglInitialize"));
  if (getProc == nullptr || getDisplay == nullptr || initialize == nullptr) return -9;
  const auto queryDevices = reinterpret_cast<unsigned (*)(int, void**, int*)>(getProc("eglQueryDevicesEXT"));
  void* devices[16];
  int count = 0;
  if (queryDevices != nullptr) queryDevices(16, devices, &count);
  if (void* display = getDisplay(nullptr)) initialize(display, nullptr, nullptr);
  setenv("REENTRANT_ICD_ASKED", "1", 1);
  return -9;  // VK_ERROR_INCOMPATIBLE_DRIVER
}

extern "C" __attribute__((visibility("default"))) void (*vk_icdGetInstanceProcAddr(void*, const char*))() { return nullptr; }
