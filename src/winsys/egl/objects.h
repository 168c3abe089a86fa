// The objects of EGL and the tables that make a handle valid.
//
// A handle is the address of its object, and valid while its display's table holds it. objectsMutex() guards every table,
// Display::initialized and the currentOn fields. It is never held in a call of the driver; since the end of an object may
// be such a call, shared pointers are dropped outside of it. What is constant after construction is read without it.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "winsys/egl/config.h"
#include "winsys/egl/driver.h"

namespace mgl::winsys::egl {

struct Display;
struct ThreadState;

std::mutex& objectsMutex();

struct Device {
  DeviceInfo info;
};

struct Context {
  Context(Display* onDisplay, std::shared_ptr<Session> inSession, GlContext* glContext)
      : display(onDisplay), session(std::move(inSession)), gl(glContext) {}
  ~Context() { session->destroyContext(gl); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Display* const display;
  const std::shared_ptr<Session> session;
  GlContext* const gl;
  const Config* config = nullptr;  // null: made with EGL_NO_CONFIG_KHR
  ContextSpec spec;
  const ThreadState* currentOn = nullptr;
};

struct Surface {
  Surface(Display* onDisplay, std::shared_ptr<Session> inSession, GlSurface* glSurface)
      : display(onDisplay), session(std::move(inSession)), gl(glSurface) {}
  ~Surface() { session->destroySurface(gl); }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  Display* const display;
  const std::shared_ptr<Session> session;
  GlSurface* const gl;
  const Config* config = nullptr;
  EGLint width = 0, height = 0;
  EGLint largestPbuffer = EGL_FALSE, colorspace = EGL_GL_COLORSPACE_LINEAR;
  // Written by eglSurfaceAttrib on any thread, under the lock.
  EGLint mipmapLevel = 0, multisampleResolve = EGL_MULTISAMPLE_RESOLVE_DEFAULT, swapBehavior = EGL_BUFFER_DESTROYED;
  const ThreadState* currentOn = nullptr;
};

struct Sync {
  Sync(std::shared_ptr<Session> inSession, GlFence* glFence) : session(std::move(inSession)), gl(glFence) {}
  ~Sync() { session->destroyFence(gl); }
  Sync(const Sync&) = delete;
  Sync& operator=(const Sync&) = delete;

  const std::shared_ptr<Session> session;
  GlFence* const gl;
};

template <class T>
using Table = std::unordered_map<const void*, std::shared_ptr<T>>;

// Never destroyed: the same platform and device give the same display for the life of the process.
struct Display {
  const EGLenum platform;
  const Device* const device;  // null: the default one
  std::mutex initializing;     // held around the opening of a session, before objectsMutex()
  bool initialized = false;
  std::shared_ptr<Session> session;  // under objectsMutex() like the tables
  std::vector<Config> configs;  // constant once they are there
  Table<Context> contexts;
  Table<Surface> surfaces;
  Table<Sync> syncs;

  Display(EGLenum onPlatform, const Device* onDevice) : platform(onPlatform), device(onDevice) {}
};

// The devices, asked for once; a display of each, made at the first use. Null for what is no handle.
const std::vector<std::unique_ptr<Device>>& devices();
const Device* findDevice(EGLDeviceEXT handle);
Display* displayFor(EGLenum platform, const Device* device);
Display* findDisplay(EGLDisplay handle);
void forEachDisplay(void (*what)(Display&));

// The session of a display to make something new in: the one it has, or one that is opened now, because there is none yet
// or because that one was lost. Null with the reason. Takes Display::initializing.
std::shared_ptr<Session> workingSession(Display& display, std::string& why);

// The display of a handle when it is initialised; else null, and the error is set.
Display* liveDisplay(EGLDisplay handle);

// The object of a handle in the display's table, or null. Takes the lock.
std::shared_ptr<Context> findContext(Display* display, EGLContext handle);
std::shared_ptr<Surface> findSurface(Display* display, EGLSurface handle);
std::shared_ptr<Sync> findSync(Display* display, EGLSync handle);
const Config* findConfig(const Display* display, EGLConfig handle);

}  // namespace mgl::winsys::egl
