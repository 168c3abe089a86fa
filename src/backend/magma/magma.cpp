// The Backend itself: hands each call to the part whose it is.
#include "backend/magma/magma.h"

#include "backend/magma/blit.h"
#include "backend/magma/draw.h"
#include "backend/magma/query.h"
#include "backend/magma/surface.h"
#include "base/counters.h"
#include "base/log.h"

namespace mgl::magma {

namespace {

struct ContextTwin final : backend::BackendContext {};
class StreamOutput final : public backend::StreamOutput {};
class Sync final : public backend::Sync {};

std::vector<Query*> activeQueries(backend::ContextState* context) {
  std::vector<Query*> queries;
  if (context == nullptr) return queries;
  for (const Ref<backend::Query>& query : context->activeQueries) {
    if (query) queries.push_back(static_cast<Query*>(query.get()));
  }
  return queries;
}

class Magma final : public backend::Backend {
 public:
  Magma(std::unique_ptr<Device> device, bool pipelineCache)
      : engine_(std::move(device), pipelineCache), drawer_(engine_) {}

  const pipe::Caps& caps() const override { return engine_.caps; }

  std::unique_ptr<backend::BackendContext> makeContext(backend::ContextState&) override {
    return std::make_unique<ContextTwin>();
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
  void initSurface(backend::Surface& surface) override { static_cast<Surface&>(surface).remake(engine_); }
  void surfaceResized(backend::Surface& surface) override {
    auto& own = static_cast<Surface&>(surface);
    own.remake(engine_);
    engine_.device->sink().surfaceChanged(own.slot, own.gen, own.width, own.height);
  }
  void surfaceIntervalChanged(backend::Surface&) override {}
  void vertexArrayChanged(backend::VertexArray& array) override { ++static_cast<VertexArray&>(array).version; }
  void framebufferChanged(backend::Framebuffer&) override { engine_.epoch.move(EpochWriter::Framebuffer); }
  void textureParametersChanged(backend::Texture&) override { engine_.epoch.move(EpochWriter::TextureParameters); }
  void programChanged(backend::Program&) override { engine_.epoch.move(EpochWriter::Program); }
  void programBindingsChanged(backend::Program&) override { engine_.epoch.move(EpochWriter::ProgramBindings); }
  void uniformsChanged(backend::Program&, u32, u32) override {}
  void labelChanged(backend::Object& object) override { label(object); }
  void destroyed(backend::Object& object) override {
    if (auto* query = dynamic_cast<Query*>(&object)) engine_.queries->forget(*query);
    // An address may be given to another object: what the last draw was made from is no proof any more.
    engine_.epoch.move(EpochWriter::Destroyed);
  }

  void bufferStorage(backend::Buffer& buffer, Bytes data) override { engine_.buffers->storage(own(buffer), data); }
  void bufferSubData(backend::Buffer& buffer, u64 offset, Bytes data) override {
    engine_.buffers->subData(own(buffer), offset, data);
  }
  void copyBuffer(backend::Buffer& src, backend::Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes) override {
    engine_.buffers->copy(own(src), own(dst), srcOffset, dstOffset, bytes);
  }
  void clearBuffer(backend::Buffer& buffer, u64 offset, u64 bytes, Bytes pattern) override {
    engine_.buffers->clear(own(buffer), offset, bytes, pattern);
  }
  void invalidateBuffer(backend::Buffer& buffer, u64 offset, u64 bytes) override {
    engine_.buffers->invalidate(own(buffer), offset, bytes);
  }
  backend::Pending beginReadBuffer(backend::Buffer& buffer, u64 offset, u64 bytes) override {
    return engine_.readBacks->beginBuffer(own(buffer), offset, bytes);
  }
  backend::Pending beginMapBuffer(backend::Buffer& buffer, u64 offset, u64, u32) override {
    return engine_.buffers->beginMap(own(buffer), offset);
  }
  backend::MapGrant finishMapBuffer(backend::Pending pending) override { return engine_.buffers->finishMap(pending); }
  // The memory is coherent, and a store that is made of the contents is made anew while a map lives.
  void flushMappedRange(backend::Buffer& buffer, u64, u64) override { ++own(buffer).contents; }
  void unmapBuffer(backend::Buffer& buffer) override { ++own(buffer).contents; }

  void textureStorage(backend::Texture& texture) override { engine_.textures->storage(own(texture)); }
  void textureLevel(backend::Texture& texture, u32 face, u32 level) override {
    engine_.textures->level(own(texture), face, level);
  }
  void textureView(backend::Texture& texture) override { engine_.textures->view(own(texture)); }
  void textureBuffer(backend::Texture&) override { engine_.epoch.move(EpochWriter::TextureBuffer); }
  void textureSubData(backend::Texture& texture, u32 level, const pipe::TexelBox& box, const pipe::TexelLayout& layout,
                      Bytes data) override {
    engine_.textures->subData(own(texture), level, box, layout, data);
  }
  void textureSubDataFromBuffer(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                const pipe::TexelLayout& layout, backend::Buffer& buffer, u64 offset) override {
    engine_.textures->subDataFromBuffer(own(texture), level, box, layout, own(buffer), offset);
  }
  void clearTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box, Bytes texel) override {
    engine_.textures->clear(own(texture), level, box, texel);
  }
  void copyImage(backend::Texture& src, u32 srcLevel, const pipe::TexelBox& box, backend::Texture& dst, u32 dstLevel,
                 std::array<u32, 3> origin) override {
    engine_.textures->copy(own(src), srcLevel, box, own(dst), dstLevel, origin);
  }
  void generateMipmap(backend::Texture& texture, u32 baseLevel, u32 lastLevel) override {
    engine_.textures->generateMipmap(own(texture), baseLevel, lastLevel);
  }
  void invalidateTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box) override {
    engine_.textures->invalidate(own(texture), level, box);
  }
  backend::Pending beginReadTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                    const pipe::TexelLayout& layout) override {
    return engine_.textures->beginRead(own(texture), level, box, layout);
  }
  void readTextureToBuffer(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                           const pipe::TexelLayout& layout, backend::Buffer& buffer, u64 offset) override {
    engine_.textures->readToBuffer(own(texture), level, box, layout, own(buffer), offset);
  }

  void bindContext(backend::ContextState&) override {
    engine_.epoch.move(EpochWriter::BindContext);
    engine_.submit();
  }
  void releaseContext(backend::ContextState&) override {}
  void switchContext(backend::ContextState* from, backend::ContextState& to) override {
    engine_.queries->suspend(activeQueries(from));
    engine_.queries->resume(activeQueries(&to));
  }
  void draw(backend::ContextState& context, const backend::DrawCall& call) override {
    if (!engine_.queries->beginCondition(context, true)) return;
    drawer_.draw(context, call);
    engine_.queries->endCondition();
  }
  void drawIndirect(backend::ContextState& context, const backend::IndirectDrawCall& call) override {
    if (!engine_.queries->beginCondition(context, true)) return;
    drawer_.drawIndirect(context, call);
    engine_.queries->endCondition();
  }
  void clear(backend::ContextState& context, backend::Framebuffer* target, const pipe::Clear& clear) override {
    if (context.renderState && context.renderState->state.rasterizerDiscard) return;
    if (!engine_.queries->beginCondition(context, true)) return;
    engine_.passes->clear(context, target, clear, engine_.queries->predicated());
    engine_.queries->endCondition();
  }
  void blit(backend::ContextState& context, backend::Framebuffer* read, backend::Framebuffer* draw,
            const pipe::Blit& blit) override {
    if (!engine_.queries->beginCondition(context, false)) return;
    engine_.blitter->blit(context, read, draw, blit);
    engine_.queries->endCondition();
  }
  backend::Pending beginReadPixels(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                                   const pipe::TexelLayout& layout, bool clampColor) override {
    format::Format named;
    const ImageRegion region = readRegion(context, source, rect, layout, &named);
    return engine_.readBacks->beginImage(region, named, layout, clampColor);
  }
  void readPixelsToBuffer(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                          const pipe::TexelLayout& layout, bool clampColor, backend::Buffer& buffer,
                          u64 offset) override {
    format::Format named;
    const ImageRegion region = readRegion(context, source, rect, layout, &named);
    if (region.image != nullptr)
      engine_.readBacks->imageToBuffer(region, named, layout, clampColor, own(buffer), offset);
  }
  void copyFramebufferToTexture(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                                backend::Texture& texture, u32 level, std::array<u32, 3> origin) override {
    engine_.blitter->copyToTexture(context, source, rect, own(texture), level, origin);
  }
  void invalidateFramebuffer(backend::ContextState& context, backend::Framebuffer* target, u32 colorAttachments,
                             u32 aspects, const pipe::Rect& rect) override;
  void memoryBarrier(u32, bool) override {
    // Writes of shaders become visible to everything that follows.
    const Usage all{VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, true};
    engine_.barriers.memory({.stages = all.stages,
                             .toStages = all.stages,
                             .access = VK_ACCESS_SHADER_WRITE_BIT,
                             .toAccess = all.access,
                             .needed = true});
    engine_.epoch.move(EpochWriter::MemoryBarrier);
  }
  void textureBarrier(backend::ContextState&) override {
    // A pass that reads what it drew begins anew: its attachments are then waited for.
    engine_.passes->close();
  }
  void beginQuery(backend::ContextState&, backend::Query& query) override { engine_.queries->begin(own(query)); }
  void endQuery(backend::ContextState&, backend::Query& query) override { engine_.queries->end(own(query)); }
  void writeTimestamp(backend::ContextState&, backend::Query& query) override {
    engine_.queries->timestamp(own(query));
  }
  backend::Pending beginWaitQuery(backend::Query& query) override { return engine_.queries->beginWait(own(query)); }
  void queryResultToBuffer(backend::Query& query, backend::Buffer& buffer, u64 offset, bool wide, bool wait,
                           bool availability) override {
    engine_.queries->resultToBuffer(own(query), own(buffer), offset, wide, wait, availability);
  }
  void createFence(backend::Sync&, u64 serial) override { engine_.recorder.addClientSerial(serial); }
  void serverWaitFence(backend::Sync&) override {}  // one stream: what is before it is before it on the GPU too
  void flush(u64 serial) override {
    engine_.recorder.addClientSerial(serial);
    engine_.submit();
  }
  backend::Pending beginFinish() override { return engine_.readBacks->afterSerial(engine_.submit()); }
  void present(backend::ContextState*, backend::Surface& surface, u64 frameSerial,
               std::span<const pipe::Rect>) override {
    backend::EventSink& sink = engine_.device->sink();
    engine_.recorder.whenDone(
        [&sink, slot = surface.slot, gen = surface.gen, frameSerial](bool) { sink.presented(slot, gen, frameSerial); });
    engine_.submit();
  }
  void debugMarker(std::string_view text, int depthChange) override;

  bool finish(backend::Pending pending, MutableBytes dst) override { return engine_.readBacks->finish(pending, dst); }
  bool waitCompleted(u64 serial, u64 timeoutNs) override {
    return engine_.device->submitter().waitClient(serial, timeoutNs);
  }
  void pollCompleted(bool) override {}
  u64 gpuTimestampNs() override;
  u64 allocationFailures() const override { return engine_.device->allocationFailures(); }

 private:
  static Buffer& own(backend::Buffer& buffer) { return static_cast<Buffer&>(buffer); }
  static Texture& own(backend::Texture& texture) { return static_cast<Texture&>(texture); }
  static Query& own(backend::Query& query) { return static_cast<Query&>(query); }
  void label(backend::Object& object);
  ImageRegion readRegion(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                         const pipe::TexelLayout& layout, format::Format* named);

  Engine engine_;
  Drawer drawer_;
};

ImageRegion Magma::readRegion(backend::ContextState& context, backend::Framebuffer* source, const pipe::Rect& rect,
                              const pipe::TexelLayout& layout, format::Format* named) {
  using format::TransferFormat;
  TargetAttachment from;
  if (layout.format == TransferFormat::Depth || layout.format == TransferFormat::DepthStencil) {
    from = engine_.passes->resolveDepthStencil(context, source, false, true);
  } else if (layout.format == TransferFormat::Stencil) {
    from = engine_.passes->resolveDepthStencil(context, source, true, true);
  } else {
    from = engine_.passes->resolveRead(context, source);
  }
  *named = from.named;
  if (from.image == nullptr || rect.width <= 0 || rect.height <= 0) return {};
  const bool volume = from.image->shape().type == VK_IMAGE_TYPE_3D;
  return {from.image,
          from.level,
          volume ? 0 : from.layer,
          static_cast<u32>(rect.x),
          static_cast<u32>(rect.y),
          volume ? from.layer : 0,
          static_cast<u32>(rect.width),
          static_cast<u32>(rect.height),
          1};
}

void Magma::invalidateFramebuffer(backend::ContextState& context, backend::Framebuffer* target, u32 colorAttachments,
                                  u32 aspects, const pipe::Rect& rect) {
  const auto drop = [this, &rect](const TargetAttachment& attachment) {
    Image* image = attachment.image;
    if (image == nullptr || rect.x > 0 || rect.y > 0 || i64{rect.x} + rect.width < image->width(attachment.level) ||
        i64{rect.y} + rect.height < image->height(attachment.level)) {
      return;
    }
    engine_.passes->drop(*image, {attachment.level, 1, attachment.layer, attachment.layers});
  };
  // A depth-stencil image is dropped only as a whole.
  const bool both = aspects == (pipe::kBlitDepth | pipe::kBlitStencil);
  if (target != nullptr) {
    for (u32 i = 0; i < pipe::kMaxColorTargets; ++i) {
      if ((colorAttachments >> i) & 1) drop(engine_.passes->resolveAttachment(target->color[i], false));
    }
    if (both) drop(engine_.passes->resolveAttachment(target->depth, false));
    return;
  }
  Target own;
  engine_.passes->resolveDraw(context, nullptr, false, &own);
  if ((colorAttachments & 1) != 0) drop(own.color[0]);
  if (both) drop(own.depth);
}

void Magma::label(backend::Object& object) {
  if (auto* buffer = dynamic_cast<Buffer*>(&object); buffer != nullptr && buffer->store != nullptr) {
    engine_.device->nameObject(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<u64>(buffer->store->handle()), object.label);
  } else if (auto* texture = dynamic_cast<Texture*>(&object); texture != nullptr && texture->image != nullptr) {
    engine_.device->nameObject(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<u64>(texture->image->handle()), object.label);
  }
}

void Magma::debugMarker(std::string_view text, int depthChange) {
  if (!engine_.device->instance().hasDebugUtils() || vkCmdBeginDebugUtilsLabelEXT == nullptr) return;
  const std::string name(text);
  const VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name.c_str(), {}};
  // Groups may span batches, labels may not: each becomes a mark.
  if (depthChange >= 0) vkCmdInsertDebugUtilsLabelEXT(engine_.recorder.main(), &label);
}

u64 Magma::gpuTimestampNs() {
  if (!engine_.features().calibratedTimestamps) return mgl::detail::monotonicNs();
  const VkCalibratedTimestampInfoEXT info{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr,
                                          VK_TIME_DOMAIN_DEVICE_EXT};
  u64 ticks = 0, deviation = 0;
  if (engine_.vk().vkGetCalibratedTimestampsEXT(engine_.device->handle(), 1, &info, &ticks, &deviation) != VK_SUCCESS)
    return 0;
  return static_cast<u64>(static_cast<f64>(ticks) * engine_.caps.timestampPeriodNs);
}

}  // namespace

backend::OpenResult open(const OpenOptions& options, backend::EventSink& sink) {
  backend::OpenResult result;
  std::unique_ptr<Instance> instance = Instance::create(options.validation, &result.error);
  if (instance == nullptr) return result;
  const VkPhysicalDevice chosen = instance->choose(options.device, &result.error);
  if (chosen == VK_NULL_HANDLE) return result;
  auto adapter = std::make_unique<Adapter>(chosen, options.hostLimit);
  std::unique_ptr<Device> device = Device::create(std::move(instance), std::move(adapter), sink, &result.error);
  if (device == nullptr) return result;
  result.backend = std::make_unique<Magma>(std::move(device), options.pipelineCache);
  return result;
}

std::vector<backend::DeviceInfo> listDevices(std::string* error) {
  std::vector<backend::DeviceInfo> list;
  const std::unique_ptr<Instance> instance = Instance::create(false, error);
  if (instance == nullptr) return list;
  for (VkPhysicalDevice device : instance->devices()) list.push_back(Instance::describe(device));
  return list;
}

}  // namespace mgl::magma
