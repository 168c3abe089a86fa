#include "backend/espryt/engine.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "backend/espryt/blit.h"
#include "backend/espryt/program.h"
#include "backend/espryt/query.h"
#include "backend/espryt/stream_ring.h"
#include "backend/espryt/wait_thread.h"
#include "base/log.h"

namespace mgl::espryt {

namespace {

std::atomic<u64> nextEngine{1};

bool lists(const char* extensions, std::string_view name) {
  return extensions != nullptr && std::string_view(extensions).find(name) != std::string_view::npos;
}

// A display that needs no window system.
EGLDisplay openDisplay(const Egl& egl) {
  const char* client = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  EGLDisplay display = EGL_NO_DISPLAY;
  if (client == nullptr || lists(client, "EGL_MESA_platform_surfaceless"))
    display = egl.getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  if (display == EGL_NO_DISPLAY && egl.QueryDevicesEXT) {
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    if (egl.QueryDevicesEXT(1, &device, &count) && count > 0)
      display = egl.getPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
  }
  return display;
}

}  // namespace

Engine::Engine(backend::EventSink& to, u64 unique) : id(unique), sink(to) {}

std::unique_ptr<Engine> Engine::open(const std::string& library, const std::vector<std::string>& hostLimit,
                                     backend::EventSink& sink, std::string* error) {
  std::unique_ptr<Engine> engine(new Engine(sink, nextEngine.fetch_add(1)));
  engine->library = HostLibrary::open(library, error);
  if (engine->library == nullptr) return nullptr;
  engine->egl = &engine->library->egl();
  if (!engine->openHost(error, hostLimit)) return nullptr;
  return engine;
}

bool Engine::openHost(std::string* error, const std::vector<std::string>& hostLimit) {
  const std::string& path = library->path();
  display = openDisplay(*egl);
  if (display == EGL_NO_DISPLAY || !egl->Initialize(display, nullptr, nullptr)) {
    *error = path + " opens no display without a window system";
    return false;
  }
  const char* extensions = egl->QueryString(display, EGL_EXTENSIONS);
  if (!lists(extensions, "EGL_KHR_surfaceless_context")) {
    *error = path + " has no EGL_KHR_surfaceless_context";
    return false;
  }
  if (!lists(extensions, "EGL_KHR_no_config_context")) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    EGLint count = 0;
    if (!egl->ChooseConfig(display, wanted, &config, 1, &count) || count == 0) {
      *error = path + " has no config for OpenGL ES 3";
      return false;
    }
  }
  service = HostContext::create(*this, nullptr, error);
  if (service == nullptr) return false;
  const HostScope scope(*this);
  if (!scope) {
    *error = path + ": the context cannot be made current";
    return false;
  }
  std::string missing;
  gl = library->loadGl(&missing);
  if (!missing.empty()) {
    *error = path + " has no " + missing;
    return false;
  }
  features = HostFeatures::query(gl, hostLimit);
  if (features.version < 310) {
    *error = path + " gives \"" + features.versionText + "\": OpenGL ES 3.1 is needed";
    return false;
  }
  service->prepare();
  formats = std::make_unique<FormatTable>(gl, features);
  caps = makeCaps(gl, features, *formats);
  if (features.timerQuery) {
    GLint64 now = 0;
    gl.GetInteger64v(GL_TIMESTAMP_EXT, &now);
    gpuClockOffsetNs = now - static_cast<i64>(mgl::detail::monotonicNs());
  }
  while (gl.GetError() != GL_NO_ERROR) {
  }
  auto waiting = HostContext::create(*this, service.get(), error);
  if (waiting == nullptr) return false;
  waiter = std::make_unique<WaitThread>(*this, std::move(waiting));
  buffers = std::make_unique<Buffers>(*this);
  textures = std::make_unique<Textures>(*this);
  framebuffers = std::make_unique<Framebuffers>(*this);
  readBacks = std::make_unique<ReadBacks>(*this);
  blitter = std::make_unique<Blitter>(*this);
  programs = std::make_unique<Programs>(*this);
  queries = std::make_unique<Queries>(*this);
  if (!waiter->start()) {
    *error = "the system gives no thread";
    return false;
  }
  return true;
}

Engine::~Engine() {
  if (service == nullptr) return;
  blitter.reset();
  {
    const HostScope scope(*this);
    if (scope && waiter != nullptr) {
      waiter->push(fence(*scope), {});
      waiter->stop();
      tidy();
    }
  }
  waiter.reset();
  service.reset();
}

u32 Engine::freeContextIndex() {
  const auto at = std::find(contexts.begin(), contexts.end(), nullptr);
  if (at != contexts.end()) return static_cast<u32>(at - contexts.begin());
  contexts.push_back(nullptr);
  return static_cast<u32>(contexts.size()) - 1;
}

GLsync Engine::fence(HostContext& context) {
  // Who comes after waits for one of its own: the other goes with the waiting thread.
  if (contexts.size() > 3) {
    if (context.leftAt != nullptr) gl.DeleteSync(context.leftAt);
    context.leftAt = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    context.leftSerial = ++nextLeft;
  }
  const GLsync made = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.Flush();
  context.dirty = false;
  return made;
}

void Engine::enterContext(HostContext& context) {
  for (const HostContext* other : contexts) {
    if (other == nullptr || other == &context || other->leftAt == nullptr) continue;
    if (context.waitedFor.size() <= other->index()) context.waitedFor.resize(other->index() + 1);
    u64& seen = context.waitedFor[other->index()];
    if (seen >= other->leftSerial) continue;
    seen = other->leftSerial;
    gl.WaitSync(other->leftAt, 0, GL_TIMEOUT_IGNORED);
    ++context.foreign;
    ++epoch;
  }
}

void Engine::leaveContext(HostContext& context) {
  if (!context.dirty || waiter == nullptr) return;
  waiter->push(fence(context), {});
}

void Engine::bury(Dead kind, GLuint name) {
  if (name != 0) dead_[indexOf(kind)].push_back(name);
}

void Engine::tidy() {
  const auto drain = [this](Dead kind, const auto& remove) {
    std::vector<GLuint>& names = dead_[indexOf(kind)];
    if (names.empty()) return;
    remove(static_cast<GLsizei>(names.size()), names.data());
    names.clear();
  };
  drain(Dead::Buffer, gl.DeleteBuffers);
  drain(Dead::Texture, gl.DeleteTextures);
  drain(Dead::Sampler, gl.DeleteSamplers);
  for (GLuint name : dead_[indexOf(Dead::Program)]) gl.DeleteProgram(name);
  dead_[indexOf(Dead::Program)].clear();
  for (GLsync sync : deadSyncs) gl.DeleteSync(sync);
  deadSyncs.clear();
}

void Engine::decline(std::string_view what) {
  count(Counter::DrawsDeclined);
  const std::string text(what);
  MGL_LOGW("skipped: %s", text.c_str());
  sink.log(pipe::DebugSeverity::High, "skipped: " + text);
}

}  // namespace mgl::espryt
