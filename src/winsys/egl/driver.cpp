// The driver of the vendor library: client sessions and the frontend.
#include "winsys/egl/driver.h"

#include <algorithm>
#include <mutex>

#include "base/knobs.h"
#include "client/devices.h"
#include "client/session.h"
#include "gl/context.h"
#include "gl/registry/lookup.h"
#include "gl/state/debug_output.h"
#include "gl/surface.h"
#include "gl/version.h"

namespace mgl::winsys::egl {

struct GlContext {
  std::unique_ptr<gl::Context> context;
};
struct GlSurface {
  std::shared_ptr<gl::Surface> surface;
};
struct GlFence {
  pipe::SyncHandle handle;
  u64 serial = 0;
};

namespace {

GlOffer offerOf(const pipe::Caps& caps) {
  const auto versionOf = [&](gl::Profile profile) {
    const gl::VersionInfo info = gl::grantVersion(caps, profile);
    return GlVersion{info.major, info.minor};
  };
  GlOffer offer;
  const std::string& forced = knobs().glVersion;
  offer.forced = !forced.empty();
  if (!offer.forced || !forced.ends_with("COMPAT")) offer.core = versionOf(gl::Profile::Core);
  if (!offer.forced || forced.ends_with("COMPAT")) offer.compatibility = versionOf(gl::Profile::Compatibility);
  return offer;
}

// The depth-stencil format of surfaces: 24 bits where the device has it.
pipe::Format depthStencilFormat(const pipe::Caps& caps) {
  return caps.can(pipe::Format::D24_S8, pipe::kUseDepthStencil) ? pipe::Format::D24_S8 : pipe::Format::D32F_S8;
}

SessionInfo infoOf(const pipe::Caps& caps) {
  SessionInfo info;
  info.gl = offerOf(caps);
  // EGL's numbers are 32-bit, and so is the product of the two.
  info.maxSurfaceWidth = static_cast<u32>(std::clamp<i64>(caps.limits.maxFramebufferWidth, 1, 32768));
  info.maxSurfaceHeight = static_cast<u32>(std::clamp<i64>(caps.limits.maxFramebufferHeight, 1, 32768));
  info.surfaceSamples = 1 | (caps.formatSamples[indexOf(pipe::Format::RGBA8)] &
                             caps.formatSamples[indexOf(depthStencilFormat(caps))]);
  info.deviceName = caps.deviceName;
  return info;
}

class PipeSession final : public Session {
 public:
  explicit PipeSession(std::shared_ptr<client::Session> session)
      : session_(std::move(session)), info_(infoOf(session_->caps())) {}

  const client::Session& client() const { return *session_; }
  const SessionInfo& info() const override { return info_; }

  GlContext* createContext(const ContextSpec& spec, GlContext* share, std::string& why) override {
    if (session_->lost()) {
      why = "the session is lost: " + session_->fault();
      return nullptr;
    }
    gl::ContextConfig config;
    config.major = spec.version.major;
    config.minor = spec.version.minor;
    config.profile = spec.compatibility ? gl::Profile::Compatibility : gl::Profile::Core;
    config.debug = spec.debug;
    config.forwardCompatible = spec.forwardCompatible;
    config.robust = spec.robust;
    config.noError = spec.noError;
    config.loseContextOnReset = spec.loseOnReset;
    Ref<gl::ShareGroup> group =
        share == nullptr ? Ref<gl::ShareGroup>(new gl::ShareGroup(session_)) : share->context->share;
    return new GlContext{std::make_unique<gl::Context>(session_, std::move(group), config)};
  }

  void destroyContext(GlContext* context) override { delete context; }

  GlSurface* createPbuffer(const SurfaceSpec& spec, std::string& why) override {
    if (session_->lost()) {
      why = "the session is lost: " + session_->fault();
      return nullptr;
    }
    gl::SurfaceConfig config;
    config.kind = pipe::SurfaceKind::Pbuffer;
    config.colorFormat = spec.srgb ? pipe::Format::SRGB8_A8 : pipe::Format::RGBA8;
    if (spec.depthBits != 0) config.depthStencilFormat = depthStencilFormat(session_->caps());
    config.samples = spec.samples > 1 ? spec.samples : 0;
    // A surface without area is legal in EGL and nothing that a device could hold.
    return new GlSurface{std::make_shared<gl::Surface>(session_, config, std::max(spec.width, 1u), std::max(spec.height, 1u))};
  }

  void destroySurface(GlSurface* surface) override { delete surface; }

  bool makeCurrent(GlContext* context, GlSurface* draw, GlSurface* read, std::string& why) override {
    if (session_->lost()) {
      why = "the session is lost: " + session_->fault();
      return false;
    }
    const u64 epoch = context->context->epoch;
    gl::Context::makeCurrent(context->context.get(), draw == nullptr ? nullptr : draw->surface,
                             read == nullptr ? nullptr : read->surface);
    const auto& dropped = knobs().pipeDrawDeltaDrop;
    if (std::find(dropped.begin(), dropped.end(), "eglMakeCurrent") != dropped.end()) context->context->epoch = epoch;
    return true;
  }

  void present(GlSurface* surface) override {
    surface->surface->present(current().stream);
    gl::takeServerMessages(current());
  }
  void setSwapInterval(GlSurface* surface, i32 interval) override { surface->surface->setSwapInterval(interval); }

  void finish() override {
    client::Group group(*session_, current().stream);
    static_cast<void>(group.ask(pipe::Finish{}));
  }

  bool lost() const override { return session_->lost(); }

  GlFence* createFence() override {
    client::Group group(*session_, current().stream);
    auto* fence = new GlFence{group.allocate<pipe::Kind::Sync>(), group.nextSerial()};
    group.emit(pipe::CreateFence{fence->handle, fence->serial});
    return fence;
  }

  void serverWait(GlFence* fence) override {
    client::Group group(*session_, current().stream);
    group.emit(pipe::ServerWaitFence{fence->handle});
  }

  // A poll submits what it asks for once: a loop over it must end.
  bool signaled(GlFence* fence) override {
    if (session_->completedSerial() >= fence->serial || session_->lost()) return true;
    session_->flushUpTo(fence->serial, currentStream());
    session_->drainEvents();
    return session_->completedSerial() >= fence->serial;
  }

  // Waiting submits in any case: without EGL_SYNC_FLUSH_COMMANDS_BIT the wait might never end, which helps nobody.
  FenceWait clientWait(GlFence* fence, bool, u64 timeoutNs) override {
    if (session_->lost()) return FenceWait::Lost;
    if (session_->waitCompleted(fence->serial, timeoutNs, currentStream())) return FenceWait::Signaled;
    return session_->lost() ? FenceWait::Lost : FenceWait::TimedOut;
  }

  void destroyFence(GlFence* fence) override {
    session_->retire(fence->handle);
    delete fence;
  }

 private:
  static gl::Context& current() { return *gl::currentContext(); }
  // Of the thread's current context, when it has one of this session.
  client::StreamContext* currentStream() const {
    gl::Context* context = gl::currentContext();
    return context != nullptr && context->session == session_ ? &context->stream : nullptr;
  }

  const std::shared_ptr<client::Session> session_;
  const SessionInfo info_;
};

class PipeDriver final : public Driver {
 public:
  std::vector<DeviceInfo> devices(std::string& why) override {
    const auto all = client::listDevices({}, &why);
    const std::string& chosen = knobs().device;
    // A program that takes "the first device" is to get the one that the user chose, and no other. Whether there is such a
    // device is for the session to say, who names those there are.
    if (!chosen.empty()) return {{chosen, chosen}};
    std::vector<DeviceInfo> devices;
    for (std::size_t i = 0; i < all.size(); ++i) devices.push_back({all[i].name, std::to_string(i)});
    return devices;
  }

  std::shared_ptr<Session> openSession(const DeviceInfo* device, std::string& why) override {
    const std::scoped_lock lock(mutex_);
    client::OpenOptions options;
    if (device != nullptr) options.device = device->selector;
    std::shared_ptr<client::Session> opened = client::Session::open(options, &why);
    if (opened == nullptr) return nullptr;
    // The default device and one by its index may be the same: then the session that was there first is both's.
    std::erase_if(sessions_, [](const std::weak_ptr<PipeSession>& session) { return session.expired(); });
    for (const auto& weak : sessions_) {
      const std::shared_ptr<PipeSession> session = weak.lock();
      if (session == nullptr || session->lost()) continue;
      const pipe::Caps& a = session->client().caps();
      const pipe::Caps& b = opened->caps();
      if (a.backend == b.backend && a.deviceUuid == b.deviceUuid && a.deviceName == b.deviceName) return session;
    }
    auto session = std::make_shared<PipeSession>(std::move(opened));
    sessions_.push_back(session);
    return session;
  }

  void releaseCurrent() override { gl::Context::makeCurrent(nullptr, nullptr, nullptr); }

  void* findGlEntryPoint(std::string_view name) override { return gl::findEntryPoint(name); }

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<PipeSession>> sessions_;
};

}  // namespace

Driver* makeDriver() { return new PipeDriver; }

}  // namespace mgl::winsys::egl
