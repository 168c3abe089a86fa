// What EGL asks of the rest of MobileGL: devices, one session per display, contexts, surfaces and fences in it.
//
// driver.cpp answers with the client session and the frontend; a test links a driver of its own. Any thread may
// call; functions on the current context are called on its thread. No lock of EGL is held in a call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace mgl::winsys::egl {

struct DeviceInfo {
  std::string name;      // the host's own words
  std::string selector;  // what openSession takes to mean this device
};

struct GlVersion {
  u32 major = 0, minor = 0;
  friend constexpr auto operator<=>(GlVersion, GlVersion) = default;
};

// What a session can grant; 0.0: that profile not at all.
struct GlOffer {
  GlVersion core, compatibility;
  bool forced = false;  // MOBILEGL_GL_VERSION: granted whatever is asked for
};

struct SessionInfo {
  GlOffer gl;
  u32 maxSurfaceWidth = 0, maxSurfaceHeight = 0;
  u32 surfaceSamples = 1;  // bit n: 2^n samples
  std::string deviceName;
};

struct ContextSpec {
  GlVersion version;
  bool compatibility = false;
  bool debug = false, forwardCompatible = false, robust = false, loseOnReset = false, noError = false;
};

struct SurfaceSpec {
  u32 width = 0, height = 0, samples = 1;
  u32 depthBits = 0, stencilBits = 0;
  bool srgb = false;
};

// Owned by the driver; the pointers are handed back to it.
struct GlContext;
struct GlSurface;
struct GlFence;

enum class FenceWait : u8 { Signaled, TimedOut, Lost };

class Session {
 public:
  virtual ~Session() = default;  // contexts, surfaces and fences are gone by then
  virtual const SessionInfo& info() const = 0;

  // share may be null. Null with a reason when it cannot be made.
  virtual GlContext* createContext(const ContextSpec& spec, GlContext* share, std::string& why) = 0;
  virtual void destroyContext(GlContext* context) = 0;  // not current on any thread

  virtual GlSurface* createPbuffer(const SurfaceSpec& spec, std::string& why) = 0;
  virtual void destroySurface(GlSurface* surface) = 0;  // not current on any thread

  // Makes the context the thread's current one, after a flush of the one before, whatever its session. The surfaces are
  // both null or both there. False with a reason: nothing changed.
  virtual bool makeCurrent(GlContext* context, GlSurface* draw, GlSurface* read, std::string& why) = 0;

  // On the thread's current context.
  virtual void present(GlSurface* surface) = 0;
  virtual void setSwapInterval(GlSurface* surface, i32 interval) = 0;
  virtual void finish() = 0;
  virtual bool lost() const = 0;
  virtual GlFence* createFence() = 0;
  virtual void serverWait(GlFence* fence) = 0;

  // On any thread, with or without a context. flush: submit the fence first if it has not been.
  virtual bool signaled(GlFence* fence) = 0;
  virtual FenceWait clientWait(GlFence* fence, bool flush, u64 timeoutNs) = 0;
  virtual void destroyFence(GlFence* fence) = 0;
};

class Driver {
 public:
  virtual ~Driver() = default;
  // Every physical device that the backend in use could open, in a fixed order; empty with a reason if there is none.
  virtual std::vector<DeviceInfo> devices(std::string& why) = 0;
  // The session of a device, or of the default one. Displays of one device share it. Null with a reason.
  virtual std::shared_ptr<Session> openSession(const DeviceInfo* device, std::string& why) = 0;
  // Releases the thread's current context, after a flush. Does nothing without one.
  virtual void releaseCurrent() = 0;
  virtual void* findGlEntryPoint(std::string_view name) = 0;
};

// The process's driver, made at the first use and never destroyed.
Driver& driver();

// Defined by whoever is linked in as the driver.
Driver* makeDriver();

}  // namespace mgl::winsys::egl
