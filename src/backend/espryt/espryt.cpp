// The Backend itself: sees to it that a context of the host is current and hands each call to the part whose it is.
#include "backend/espryt/espryt.h"

#include <algorithm>

#include "backend/espryt/blit.h"
#include "backend/espryt/draw.h"
#include "backend/espryt/query.h"
#include "backend/espryt/wait_thread.h"
#include "base/log.h"
#include "base/strings.h"

namespace mgl::espryt {

namespace {

class StreamOutput final : public backend::StreamOutput {};
class Sync final : public backend::Sync {};

class Espryt final : public backend::Backend {
 public:
  explicit Espryt(std::unique_ptr<Engine> engine) : engine_(std::move(engine)), drawer_(*engine_) {}

  const pipe::Caps& caps() const override { return engine_->caps; }

  std::unique_ptr<backend::BackendContext> makeContext(backend::ContextState&) override {
    auto twin = std::make_unique<ContextTwin>();
    std::string error;
    twin->host = HostContext::create(*engine_, engine_->service.get(), &error);
    if (twin->host == nullptr) {
      engine_->decline(error);
    } else {
      twin->host->stream = std::make_unique<StreamRing>(*engine_, *twin->host);
    }
    return twin;
  }
  Ref<backend::RenderState> makeRenderState() override { return makeRef<RenderState>(); }
  Ref<backend::Sampler> makeSampler() override { return makeRef<Sampler>(); }
  Ref<backend::VertexFormat> makeVertexFormat() override { return makeRef<VertexFormat>(); }
  Ref<backend::Buffer> makeBuffer() override { return makeRef<Buffer>(); }
  Ref<backend::Texture> makeTexture() override { return makeRef<Texture>(); }
  Ref<backend::VertexArray> makeVertexArray() override { return makeRef<VertexArray>(); }
  Ref<backend::Framebuffer> makeFramebuffer() override { return makeRef<Framebuffer>(); }
  Ref<backend::Program> makeProgram() override { return makeRef<Program>(); }
  Ref<backend::Query> makeQuery() override { return makeRef<Query>(); }
  Ref<backend::StreamOutput> makeStreamOutput() override { return makeRef<StreamOutput>(); }
  Ref<backend::Sync> makeSync() override { return makeRef<Sync>(); }
  Ref<backend::Surface> makeSurface() override { return makeRef<Surface>(); }

  void initRenderState(backend::RenderState&) override {}
  void initSampler(backend::Sampler&) override {}
  void initVertexFormat(backend::VertexFormat&) override {}
  void initSurface(backend::Surface& surface) override { static_cast<Surface&>(surface).remake(*engine_); }
  void surfaceResized(backend::Surface& surface) override {
    static_cast<Surface&>(surface).remake(*engine_);
    engine_->sink.surfaceChanged(surface.slot, surface.gen, surface.width, surface.height);
  }
  void surfaceIntervalChanged(backend::Surface&) override {}
  void vertexArrayChanged(backend::VertexArray& array) override { ++static_cast<VertexArray&>(array).version; }
  void framebufferChanged(backend::Framebuffer&) override { ++engine_->epoch; }
  void textureParametersChanged(backend::Texture& texture) override { engine_->textures->parametersChanged(own(texture)); }
  void programChanged(backend::Program&) override { ++engine_->epoch; }
  void programBindingsChanged(backend::Program&) override { ++engine_->epoch; }
  void uniformsChanged(backend::Program&, u32, u32) override {}
  void labelChanged(backend::Object& object) override;
  void destroyed(backend::Object& object) override {
    if (auto* query = dynamic_cast<Query*>(&object)) engine_->queries->forget(*query);
    // An address may be given to another object: what the last draw was made from is no proof any more.
    ++engine_->epoch;
  }

  void bufferStorage(backend::Buffer& buffer, Bytes data) override { engine_->buffers->storage(own(buffer), data); }
  void bufferSubData(backend::Buffer& buffer, u64 offset, Bytes data) override {
    engine_->buffers->subData(own(buffer), offset, data);
  }
  void copyBuffer(backend::Buffer& src, backend::Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes) override {
    engine_->buffers->copy(own(src), own(dst), srcOffset, dstOffset, bytes);
  }
  void clearBuffer(backend::Buffer& buffer, u64 offset, u64 bytes, Bytes pattern) override {
    engine_->buffers->clear(own(buffer), offset, bytes, pattern);
  }
  void invalidateBuffer(backend::Buffer&, u64, u64) override {}
  backend::Pending beginReadBuffer(backend::Buffer& buffer, u64 offset, u64 bytes) override {
    return engine_->readBacks->beginBuffer(own(buffer), offset, bytes);
  }
  backend::Pending beginMapBuffer(backend::Buffer&, u64, u64, u32) override { return {}; }
  backend::MapGrant finishMapBuffer(backend::Pending) override { return {}; }  // caps: no tier is granted
  void flushMappedRange(backend::Buffer&, u64, u64) override {}
  void unmapBuffer(backend::Buffer&) override {}

  void textureStorage(backend::Texture& texture) override { engine_->textures->storage(own(texture)); }
  void textureLevel(backend::Texture& texture, u32 face, u32 level) override {
    engine_->textures->level(own(texture), face, level);
  }
  void textureView(backend::Texture& texture) override { engine_->textures->view(own(texture)); }
  void textureBuffer(backend::Texture&) override { ++engine_->epoch; }
  void textureSubData(backend::Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                      Bytes data) override {
    engine_->textures->subData(own(texture), level, box, layout, data);
  }
  void textureSubDataFromBuffer(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                const pipe::TexelLayout& layout, backend::Buffer& buffer, u64 offset) override {
    engine_->textures->subDataFromBuffer(own(texture), level, box, layout, own(buffer), offset);
  }
  void clearTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel) override {
    engine_->textures->clear(own(texture), level, box, texel);
  }
  void copyImage(backend::Texture& src, u32 srcLevel, const pipe::TexelBox& box, backend::Texture& dst, u32 dstLevel,
                 std::array<u32, 3> origin) override {
    engine_->textures->copy(own(src), srcLevel, box, own(dst), dstLevel, origin);
  }
  void generateMipmap(backend::Texture& texture, u32 baseLevel, u32 lastLevel) override {
    engine_->textures->generateMipmap(own(texture), baseLevel, lastLevel);
  }
  void invalidateTexture(backend::Texture&, u32, const pipe::TexelBox&) override {}
  backend::Pending beginReadTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                    const pipe::TexelLayout& layout) override {
    const HostScope host(*engine_);
    return host ? engine_->blitter->beginReadTexture(*host, own(texture), level, box, layout)
                : engine_->readBacks->immediate({});
  }
  void readTextureToBuffer(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                           const pipe::TexelLayout& layout, backend::Buffer& buffer, u64 offset) override {
    const HostScope host(*engine_);
    if (host) engine_->blitter->readTextureToBuffer(*host, own(texture), level, box, layout, own(buffer), offset);
  }

  void bindContext(backend::ContextState& context) override {
    ++engine_->epoch;
    if (HostContext* host = enter(context)) {
      engine_->waiter->push(engine_->fence(*host), {});
      engine_->tidy();
    }
  }
  void releaseContext(backend::ContextState& context) override {
    HostContext* host = twinOf(context).host.get();
    if (host == nullptr || !host->isCurrent()) return;
    engine_->leaveContext(*host);
    host->release();
  }
  void switchContext(backend::ContextState* from, backend::ContextState& to) override {
    // Another thread's context stays current there: what it did is in order from its next fence on.
    HostContext* left = from != nullptr ? twinOf(*from).host.get() : nullptr;
    if (left != nullptr && left->isCurrent()) engine_->leaveContext(*left);
    HostContext* host = enter(to);
    if (host != nullptr) engine_->enterContext(*host);
  }
  void draw(backend::ContextState& context, const backend::DrawCall& call) override {
    HostContext* host = enter(context);
    if (host != nullptr && engine_->queries->allows(*host, context)) drawer_.draw(*host, twinOf(context), context, call);
  }
  void drawIndirect(backend::ContextState& context, const backend::IndirectDrawCall& call) override {
    HostContext* host = enter(context);
    if (host != nullptr && engine_->queries->allows(*host, context)) drawer_.drawIndirect(*host, twinOf(context), context, call);
  }
  void clear(backend::ContextState& context, backend::Framebuffer* target, const pipe::Clear& clear) override {
    if (context.renderState && context.renderState->state.rasterizerDiscard) return;
    HostContext* host = enter(context);
    if (host != nullptr && engine_->queries->allows(*host, context)) engine_->blitter->clear(*host, context, target, clear);
  }
  void blit(backend::ContextState& context, backend::Framebuffer* read, backend::Framebuffer* draw,
            const pipe::Blit& blit) override {
    HostContext* host = enter(context);
    if (host != nullptr && engine_->queries->allows(*host, context)) engine_->blitter->blit(*host, context, read, draw, blit);
  }
  backend::Pending beginReadPixels(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                                   const pipe::TexelLayout& layout, bool clampColor) override {
    HostContext* host = enter(context);
    return host != nullptr ? engine_->blitter->beginReadPixels(*host, context, source, rect, layout, clampColor)
                           : engine_->readBacks->immediate({});
  }
  void readPixelsToBuffer(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                          const pipe::TexelLayout& layout, bool clampColor, backend::Buffer& buffer,
                          u64 offset) override {
    if (HostContext* host = enter(context))
      engine_->blitter->readPixelsToBuffer(*host, context, source, rect, layout, clampColor, own(buffer), offset);
  }
  void copyFramebufferToTexture(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                                backend::Texture& texture, u32 level, std::array<u32, 3> origin) override {
    if (HostContext* host = enter(context))
      engine_->blitter->copyToTexture(*host, context, source, rect, own(texture), level, origin);
  }
  void invalidateFramebuffer(backend::ContextState&, backend::Framebuffer*, u32, u32, const pipe::Rect&) override {}
  void memoryBarrier(u32, bool) override {
    const HostScope host(*engine_);
    if (host) engine_->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
  }
  // Texels that are drawn and read in one pass: the framebuffer is left and entered again.
  void textureBarrier(backend::ContextState& context) override {
    if (HostContext* host = enter(context)) {
      engine_->gl.MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
      engine_->gl.Flush();
      static_cast<void>(host);
    }
  }
  void beginQuery(backend::ContextState& context, backend::Query& query) override {
    if (HostContext* host = enter(context)) engine_->queries->begin(*host, own(query));
  }
  void endQuery(backend::ContextState& context, backend::Query& query) override {
    HostContext* host = twinOf(context).host.get();
    if (host != nullptr && host->isCurrent()) return engine_->queries->end(*host, own(query));
    engine_->queries->forget(own(query));  // the query goes while another context is the stream's
  }
  void writeTimestamp(backend::ContextState& context, backend::Query& query) override {
    if (HostContext* host = enter(context)) engine_->queries->timestamp(*host, own(query));
  }
  backend::Pending beginWaitQuery(backend::Query& query) override { return engine_->queries->beginWait(own(query)); }
  void queryResultToBuffer(backend::Query& query, backend::Buffer& buffer, u64 offset, bool wide, bool wait,
                           bool availability) override {
    const HostScope host(*engine_);
    if (host) engine_->queries->resultToBuffer(*host, own(query), own(buffer), offset, wide, wait, availability);
  }
  void createFence(backend::Sync&, u64 serial) override { submit(serial); }
  void serverWaitFence(backend::Sync&) override {}  // one stream, and contexts wait for one another when they enter it
  void flush(u64 serial) override { submit(serial); }
  backend::Pending beginFinish() override {
    const HostScope host(*engine_);
    if (!host) return engine_->readBacks->afterTicket(engine_->waiter->push(nullptr, {}));
    return engine_->readBacks->afterTicket(fenced(*host, {}));
  }
  void present(backend::ContextState*, backend::Surface& surface, u64 frameSerial, std::span<const pipe::Rect>) override {
    const HostScope host(*engine_);
    backend::EventSink& sink = engine_->sink;
    auto shown = [&sink, slot = surface.slot, gen = surface.gen, frameSerial](bool) { sink.presented(slot, gen, frameSerial); };
    if (host) {
      fenced(*host, std::move(shown));
      engine_->tidy();
    } else {
      engine_->waiter->push(nullptr, std::move(shown));
    }
  }
  void debugMarker(std::string_view text, int depthChange) override {
    if (depthChange < 0 || !engine_->features.has("GL_EXT_debug_marker")) return;
    const HostScope host(*engine_);
    if (host) engine_->gl.InsertEventMarkerEXT(static_cast<GLsizei>(text.size()), text.data());
  }

  bool finish(backend::Pending pending, MutableBytes dst) override { return engine_->readBacks->finish(pending, dst); }
  bool waitCompleted(u64 serial, u64 timeoutNs) override { return engine_->waiter->waitClient(serial, timeoutNs); }
  void pollCompleted(bool alone) override { engine_->queries->poll(alone); }
  u64 gpuTimestampNs() override {
    return static_cast<u64>(static_cast<i64>(mgl::detail::monotonicNs()) + engine_->gpuClockOffsetNs);
  }
  u64 allocationFailures() const override { return engine_->allocationFailures.load(std::memory_order_relaxed); }

 private:
  static Buffer& own(backend::Buffer& buffer) { return static_cast<Buffer&>(buffer); }
  static Texture& own(backend::Texture& texture) { return static_cast<Texture&>(texture); }
  static Query& own(backend::Query& query) { return static_cast<Query&>(query); }
  static ContextTwin& twinOf(backend::ContextState& context) { return static_cast<ContextTwin&>(*context.own); }

  // The host's context of that client context, current on this thread. Null: there is none, or the host refuses.
  HostContext* enter(backend::ContextState& context) {
    HostContext* host = twinOf(context).host.get();
    if (host == nullptr) return nullptr;
    if (!host->isCurrent()) [[unlikely]] {
      if (HostContext* here = HostContext::current(*engine_)) engine_->leaveContext(*here);
      if (!host->makeCurrent()) {
        engine_->decline("the host does not make its context current on this thread");
        return nullptr;
      }
      engine_->enterContext(*host);
    }
    host->dirty = true;
    return host;
  }
  u64 fenced(HostContext& host, std::function<void(bool)> done) {
    const u64 ticket = engine_->waiter->push(engine_->fence(host), std::move(done));
    engine_->queries->fenced(host, ticket);
    return ticket;
  }
  void submit(u64 serial) {
    const HostScope host(*engine_);
    if (!host) {
      engine_->waiter->pushClient(nullptr, serial);
      return;
    }
    const u64 ticket = engine_->waiter->pushClient(engine_->fence(*host), serial);
    engine_->queries->fenced(*host, ticket);
    engine_->tidy();
  }

  std::unique_ptr<Engine> engine_;
  Drawer drawer_;
};

void Espryt::labelChanged(backend::Object& object) {
  if (!engine_->features.debugLabel) return;
  const HostScope host(*engine_);
  if (!host) return;
  const auto length = static_cast<GLsizei>(object.label.size());
  if (auto* buffer = dynamic_cast<Buffer*>(&object); buffer != nullptr && buffer->host.name != 0) {
    engine_->gl.LabelObjectEXT(GL_BUFFER_OBJECT_EXT, buffer->host.name, length, object.label.c_str());
  } else if (auto* texture = dynamic_cast<Texture*>(&object); texture != nullptr && texture->image.object.name != 0) {
    engine_->gl.LabelObjectEXT(GL_TEXTURE, texture->image.object.name, length, object.label.c_str());
  }
}

// Where devices are asked for: nobody listens.
struct NoSink final : backend::EventSink {
  void completed(u64) override {}
  void queryResult(u32, u32, u64, u64) override {}
  void presented(u32, u32, u64) override {}
  void surfaceChanged(u32, u32, u32, u32) override {}
  void glError(pipe::GlError, pipe::Call, const backend::StoreId&) override {}
  void log(pipe::DebugSeverity, std::string_view) override {}
  void pollWanted() override {}
  void lost(std::string_view) override {}
};

}  // namespace

backend::OpenResult open(const OpenOptions& options, backend::EventSink& sink) {
  backend::OpenResult result;
  std::string tried;
  u32 index = 0;
  for (const std::string& path : HostLibrary::candidates()) {
    std::string error;
    std::unique_ptr<Engine> engine = Engine::open(path, options.hostLimit, sink, &error);
    if (engine == nullptr) {
      tried += (tried.empty() ? "" : "; ") + error;
      continue;
    }
    const std::string at = std::to_string(index++);
    const bool chosen = options.device.empty() || options.device == at ||
                        engine->caps.deviceName.find(options.device) != std::string::npos;
    if (!chosen) {
      tried += (tried.empty() ? "" : "; ") + std::string("device ") + at + " is \"" + engine->caps.deviceName + "\"";
      continue;
    }
    result.backend = std::make_unique<Espryt>(std::move(engine));
    return result;
  }
  result.error = options.device.empty()
                     ? "no OpenGL ES 3.1 through EGL on this machine (" + tried +
                           "): install a driver (Debian: libegl-mesa0) or set MOBILEGL_BACKEND to another backend"
                     : "no OpenGL ES device is \"" + options.device + "\" (" + tried + ")";
  return result;
}

std::vector<backend::DeviceInfo> listDevices(std::string* error) {
  std::vector<backend::DeviceInfo> list;
  NoSink sink;
  for (const std::string& path : HostLibrary::candidates()) {
    std::string why;
    const std::unique_ptr<Engine> engine = Engine::open(path, {}, sink, &why);
    if (engine == nullptr) {
      *error += (error->empty() ? "" : "; ") + why;
      continue;
    }
    backend::DeviceInfo device;
    device.name = engine->caps.deviceName;
    device.driver = engine->caps.driverName;
    list.push_back(device);
  }
  if (!list.empty()) error->clear();
  return list;
}

}  // namespace mgl::espryt
