#include "base/host_call.h"
#include "winsys/egl/objects.h"

#include <algorithm>

#include "base/log.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl {
namespace {

// Programs call EGL from exit handlers, after static objects are gone: none of these is ever destroyed.
std::vector<std::unique_ptr<Display>>& displays() {
  static auto& all = *new std::vector<std::unique_ptr<Display>>;
  return all;
}

std::vector<std::unique_ptr<Device>>* listDevices() {
  auto* all = new std::vector<std::unique_ptr<Device>>;
  std::string why;
  for (DeviceInfo& info : driver().devices(why)) {
    all->push_back(std::make_unique<Device>(Device{std::move(info)}));
  }
  if (all->empty()) MGL_LOGW("there is no device to draw with: %s", why.c_str());
  return all;
}

template <class T>
std::shared_ptr<T> find(const Table<T>& table, const void* handle) {
  const std::lock_guard lock(objectsMutex());
  const auto at = table.find(handle);
  return at == table.end() ? nullptr : at->second;
}

}  // namespace

Driver& driver() {
  static Driver& instance = *makeDriver();
  return instance;
}

std::mutex& objectsMutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

const std::vector<std::unique_ptr<Device>>& devices() {
  static const auto& none = *new std::vector<std::unique_ptr<Device>>;
  if (HostCall::isOpen()) return none;
  static const auto& all = *listDevices();
  return all;
}

const Device* findDevice(EGLDeviceEXT handle) {
  for (const auto& device : devices()) {
    if (device.get() == handle) return device.get();
  }
  return nullptr;
}

Display* displayFor(EGLenum platform, const Device* device) {
  const std::lock_guard lock(objectsMutex());
  for (const auto& display : displays()) {
    if (display->platform == platform && display->device == device) return display.get();
  }
  displays().push_back(std::make_unique<Display>(platform, device));
  return displays().back().get();
}

Display* findDisplay(EGLDisplay handle) {
  const std::lock_guard lock(objectsMutex());
  for (const auto& display : displays()) {
    if (display.get() == handle) return display.get();
  }
  return nullptr;
}

void forEachDisplay(void (*what)(Display&)) {
  std::vector<Display*> all;
  {
    const std::lock_guard lock(objectsMutex());
    for (const auto& display : displays()) all.push_back(display.get());
  }
  for (Display* display : all) what(*display);
}

std::shared_ptr<Session> workingSession(Display& display, std::string& why) {
  const std::lock_guard initializing(display.initializing);
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(objectsMutex());
    session = display.session;
  }
  if (session != nullptr && !session->lost()) return session;
  session = driver().openSession(display.device == nullptr ? nullptr : &display.device->info, why);
  if (session == nullptr) return nullptr;
  std::vector<Config> configs = makeConfigs(session->info());
  std::shared_ptr<Session> before = session;
  const std::lock_guard lock(objectsMutex());
  // Handles of configs stay good over eglTerminate and a loss: the device, and so what it can do, is the same.
  if (display.configs.empty()) display.configs = std::move(configs);
  before.swap(display.session);
  return session;
}

Display* liveDisplay(EGLDisplay handle) {
  Display* display = findDisplay(handle);
  if (display == nullptr) return fail<Display*>(EGL_BAD_DISPLAY, nullptr);
  const std::lock_guard lock(objectsMutex());
  if (!display->initialized) return fail<Display*>(EGL_NOT_INITIALIZED, nullptr);
  return display;
}

std::shared_ptr<Context> findContext(Display* display, EGLContext handle) { return find(display->contexts, handle); }
std::shared_ptr<Surface> findSurface(Display* display, EGLSurface handle) { return find(display->surfaces, handle); }
std::shared_ptr<Sync> findSync(Display* display, EGLSync handle) { return find(display->syncs, handle); }

const Config* findConfig(const Display* display, EGLConfig handle) {
  for (const Config& config : display->configs) {
    if (&config == handle) return &config;
  }
  return nullptr;
}

}  // namespace mgl::winsys::egl
