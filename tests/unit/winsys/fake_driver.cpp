#include "fake_driver.h"

namespace mgl::winsys::egl {

FakeWorld world;

struct GlContext {};
struct GlSurface {};
struct GlFence {};

namespace {

class FakeSession final : public Session {
 public:
  explicit FakeSession(std::string name) {
    ++world.sessions;
    number_ = ++world.opened;
    info_.gl = world.offer;
    info_.maxSurfaceWidth = 4096;
    info_.maxSurfaceHeight = 2048;
    info_.surfaceSamples = 1 | 4;
    info_.deviceName = std::move(name);
  }
  ~FakeSession() override { --world.sessions; }

  const SessionInfo& info() const override { return info_; }
  GlContext* createContext(const ContextSpec& spec, GlContext* share, std::string&) override {
    ++world.contexts;
    world.lastContext = spec;
    world.lastShare = share;
    return new GlContext;
  }
  void destroyContext(GlContext* context) override {
    --world.contexts;
    delete context;
  }
  GlSurface* createPbuffer(const SurfaceSpec& spec, std::string&) override {
    ++world.surfaces;
    world.lastSurface = spec;
    return new GlSurface;
  }
  void destroySurface(GlSurface* surface) override {
    --world.surfaces;
    delete surface;
  }
  bool makeCurrent(GlContext*, GlSurface*, GlSurface*, std::string& why) override {
    why = "told to";
    return !world.refuseCurrent;
  }
  void present(GlSurface*) override { ++world.presents; }
  void setSwapInterval(GlSurface*, i32 interval) override { world.interval = interval; }
  void finish() override { ++world.finishes; }
  bool lost() const override { return world.lost && number_ <= world.lastLost; }
  GlFence* createFence() override {
    ++world.fences;
    return new GlFence;
  }
  void serverWait(GlFence*) override { ++world.serverWaits; }
  bool signaled(GlFence*) override { return world.fenceDone; }
  FenceWait clientWait(GlFence*, bool, u64) override {
    return lost() ? FenceWait::Lost : world.fenceDone ? FenceWait::Signaled : FenceWait::TimedOut;
  }
  void destroyFence(GlFence* fence) override {
    --world.fences;
    delete fence;
  }

 private:
  SessionInfo info_;
  int number_ = 0;
};

class FakeDriver final : public Driver {
 public:
  std::vector<DeviceInfo> devices(std::string&) override { return {{"first", "0"}, {"second", "1"}}; }
  std::shared_ptr<Session> openSession(const DeviceInfo* device, std::string& why) override {
    why = world.openError;
    if (!why.empty()) return nullptr;
    return std::make_shared<FakeSession>(device == nullptr ? "first" : device->name);
  }
  void releaseCurrent() override { ++world.releases; }
  void* findGlEntryPoint(std::string_view name) override { return name == "glFlush" ? this : nullptr; }
};

}  // namespace

Driver* makeDriver() { return new FakeDriver; }

}  // namespace mgl::winsys::egl
