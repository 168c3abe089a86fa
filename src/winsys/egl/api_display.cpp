#include <algorithm>
#include <cstdlib>

#include "base/host_call.h"
#include "base/log.h"
#include "winsys/egl/functions.h"
#include "winsys/egl/objects.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl::api {
namespace {

constexpr EGLint kMajor = 1, kMinor = 5;

constexpr const char* kClientExtensions =
    "EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query EGL_EXT_platform_base "
    "EGL_EXT_platform_device EGL_KHR_client_get_all_proc_addresses EGL_MESA_platform_surfaceless";

constexpr const char* kDisplayExtensions =
    "EGL_EXT_create_context_robustness EGL_IMG_context_priority EGL_KHR_create_context EGL_KHR_create_context_no_error "
    "EGL_KHR_fence_sync EGL_KHR_get_all_proc_addresses EGL_KHR_gl_colorspace EGL_KHR_no_config_context "
    "EGL_KHR_surfaceless_context EGL_KHR_wait_sync";

// EGL_EXT_device_query_name
constexpr EGLint kRendererExt = 0x335F;

void closeDisplay(Display& display) {
  // What is current somewhere lives on there; the rest ends here, after the lock.
  Table<Context> contexts;
  Table<Surface> surfaces;
  Table<Sync> syncs;
  std::shared_ptr<Session> session;
  const std::lock_guard lock(objectsMutex());
  display.initialized = false;
  contexts.swap(display.contexts);
  surfaces.swap(display.surfaces);
  syncs.swap(display.syncs);
  session.swap(display.session);
}

// Sessions have threads and a host driver under them: both are to come to rest before that driver's own exit handlers
// run. Registered once the driver is loaded, so that this one runs first.
void closeAtExit() {
  static const bool registered = [] {
    std::atexit([] {
      forEachDisplay(&closeDisplay);
    });
    return true;
  }();
  static_cast<void>(registered);
}

EGLDisplay platformDisplay(EGLenum platform, void* nativeDisplay, bool hasAttribs) {
  const Device* device = nullptr;
  if (HostCall::isOpen()) return fail<EGLDisplay>(EGL_BAD_ACCESS, EGL_NO_DISPLAY);  // a host's driver asks, not a program
  switch (platform) {
    case EGL_NONE:  // libEGL: the default display of whoever has one
    case EGL_PLATFORM_SURFACELESS_MESA:
      if (nativeDisplay != EGL_DEFAULT_DISPLAY) return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
      platform = EGL_PLATFORM_SURFACELESS_MESA;
      break;
    case EGL_PLATFORM_DEVICE_EXT:
      device = findDevice(nativeDisplay);
      if (device == nullptr) return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
      break;
    default:
      // libEGL may go on to another vendor: that is not to go unsaid.
      MGL_LOGW("eglGetPlatformDisplay: MobileGL has no displays of platform 0x%04x yet (surfaceless and device are there); what "
               "the program gets now is another vendor's, if there is one", platform);
      return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
  }
  // Neither platform has an attribute that we know.
  if (hasAttribs) return fail<EGLDisplay>(EGL_BAD_ATTRIBUTE, EGL_NO_DISPLAY);
  return succeed<EGLDisplay>(displayFor(platform, device));
}

}  // namespace

EGLDisplay GetDisplay(EGLNativeDisplayType display_id) {
  // Any other handle is of a window system, and those are not there yet. A host's driver that asks wants its own.
  if (display_id != EGL_DEFAULT_DISPLAY || HostCall::isOpen()) return succeed<EGLDisplay>(EGL_NO_DISPLAY);
  return succeed<EGLDisplay>(displayFor(EGL_PLATFORM_SURFACELESS_MESA, nullptr));
}

EGLDisplay GetPlatformDisplay(EGLenum platform, void* native_display, const EGLAttrib* attrib_list) {
  return platformDisplay(platform, native_display, attrib_list != nullptr && attrib_list[0] != EGL_NONE);
}

EGLDisplay GetPlatformDisplayEXT(EGLenum platform, void* native_display, const EGLint* attrib_list) {
  return platformDisplay(platform, native_display, attrib_list != nullptr && attrib_list[0] != EGL_NONE);
}

EGLBoolean Initialize(EGLDisplay dpy, EGLint* major, EGLint* minor) {
  Display* display = findDisplay(dpy);
  if (display == nullptr) return fail(EGL_BAD_DISPLAY);
  if (HostCall::isOpen()) return fail(EGL_NOT_INITIALIZED);
  bool initialized;
  {
    const std::lock_guard lock(objectsMutex());
    initialized = display->initialized;
  }
  if (!initialized) {
    std::string why;
    if (workingSession(*display, why) == nullptr) {
      MGL_LOGE("eglInitialize: %s", why.c_str());
      return fail(EGL_NOT_INITIALIZED);
    }
    closeAtExit();
    const std::lock_guard lock(objectsMutex());
    display->initialized = true;
  }
  if (major != nullptr) *major = kMajor;
  if (minor != nullptr) *minor = kMinor;
  return succeed();
}

EGLBoolean Terminate(EGLDisplay dpy) {
  Display* display = findDisplay(dpy);
  if (display == nullptr) return fail(EGL_BAD_DISPLAY);
  const std::lock_guard initializing(display->initializing);
  closeDisplay(*display);
  return succeed();
}

const char* QueryString(EGLDisplay dpy, EGLint name) {
  if (dpy == EGL_NO_DISPLAY) {
    if (name == EGL_EXTENSIONS) return succeed(kClientExtensions);
    if (name == EGL_VERSION) return succeed("1.5 MobileGL");
    return fail<const char*>(EGL_BAD_DISPLAY, nullptr);
  }
  if (liveDisplay(dpy) == nullptr) return nullptr;
  switch (name) {
    case EGL_CLIENT_APIS: return succeed("OpenGL");
    case EGL_EXTENSIONS: return succeed(kDisplayExtensions);
    case EGL_VENDOR: return succeed("MobileGL");
    case EGL_VERSION: return succeed("1.5 MobileGL");
    default: return fail<const char*>(EGL_BAD_PARAMETER, nullptr);
  }
}

EGLBoolean QueryDevicesEXT(EGLint max_devices, EGLDeviceEXT* handles, EGLint* num_devices) {
  if (num_devices == nullptr || (handles != nullptr && max_devices <= 0)) return fail(EGL_BAD_PARAMETER);
  const auto& all = devices();
  EGLint count = static_cast<EGLint>(all.size());
  if (handles != nullptr) {
    count = std::min(count, max_devices);
    for (EGLint i = 0; i < count; ++i) handles[i] = all[static_cast<std::size_t>(i)].get();
  }
  *num_devices = count;
  return succeed();
}

EGLBoolean QueryDeviceAttribEXT(EGLDeviceEXT device, EGLint attribute, EGLAttrib* value) {
  static_cast<void>(attribute);
  static_cast<void>(value);
  if (findDevice(device) == nullptr) return fail(EGL_BAD_DEVICE_EXT);
  return fail(EGL_BAD_ATTRIBUTE);  // EGL_EXT_device_query itself has none
}

const char* QueryDeviceStringEXT(EGLDeviceEXT device, EGLint name) {
  const Device* found = findDevice(device);
  if (found == nullptr) return fail<const char*>(EGL_BAD_DEVICE_EXT, nullptr);
  switch (name) {
    case EGL_EXTENSIONS:
      return succeed("EGL_EXT_device_query_name");
    case EGL_VENDOR: return succeed("MobileGL");
    case kRendererExt: return succeed(found->info.name.c_str());
    default: return fail<const char*>(EGL_BAD_PARAMETER, nullptr);
  }
}

EGLBoolean QueryDisplayAttribEXT(EGLDisplay dpy, EGLint attribute, EGLAttrib* value) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  if (attribute != EGL_DEVICE_EXT) return fail(EGL_BAD_ATTRIBUTE);
  if (value == nullptr) return fail(EGL_BAD_PARAMETER);
  const Device* device = display->device;
  if (device == nullptr) {
    std::string why;
    const std::shared_ptr<Session> session = workingSession(*display, why);
    const std::string name = session == nullptr ? "" : session->info().deviceName;
    for (const auto& candidate : devices()) {
      if (candidate->info.name == name) device = candidate.get();
    }
  }
  *value = reinterpret_cast<EGLAttrib>(device);
  return succeed();
}

}  // namespace mgl::winsys::egl::api
