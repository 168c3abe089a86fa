// The Null backend itself; tests derive from it to look at single calls.
#pragma once

#include <algorithm>
#include <chrono>

#include "backend/backend.h"
#include "backend/null/null_caps.h"
#include "backend/test_mutation.h"
#include "base/assert.h"
#include "base/counters.h"
#include "base/knobs.h"
#include "format/format.h"

namespace mgl::null {

using namespace backend;

namespace detail {

inline u64 nowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// The promises of the applier, held to in every build: this backend is what tests and fuzzing run on.
inline void inBuffer(const Buffer& buffer, u64 offset, u64 bytes) {
  MGL_CHECK(bytes <= buffer.bytes && offset <= buffer.bytes - bytes);
}
inline void hasLevel(const Texture& texture, u32 level) {
  MGL_CHECK(level < pipe::kMaxTextureLevels);
  MGL_CHECK(texture.storage ? level < texture.levelCount : level < texture.levels[0].size());
}

}  // namespace detail

// Holds no contents but those of a store that was mapped persistently.
struct NullBuffer : Buffer {
  std::vector<std::byte> memory;
};

class NullBackend : public Backend {
 public:
  explicit NullBackend(EventSink& sink) : sink_(sink), caps_(makeCaps()) {}

  const pipe::Caps& caps() const override { return caps_; }

  std::unique_ptr<BackendContext> makeContext(ContextState&) override { return std::make_unique<BackendContext>(); }
  Ref<RenderState> makeRenderState() override { return makeRef<RenderState>(); }
  Ref<Sampler> makeSampler() override { return makeRef<Sampler>(); }
  Ref<VertexFormat> makeVertexFormat() override { return makeRef<VertexFormat>(); }
  Ref<Buffer> makeBuffer() override { return makeRef<NullBuffer>(); }
  Ref<Texture> makeTexture() override { return makeRef<Texture>(); }
  Ref<VertexArray> makeVertexArray() override { return makeRef<VertexArray>(); }
  Ref<Framebuffer> makeFramebuffer() override { return makeRef<Framebuffer>(); }
  Ref<Program> makeProgram() override { return makeRef<Program>(); }
  Ref<Query> makeQuery() override { return makeRef<Query>(); }
  Ref<StreamOutput> makeStreamOutput() override { return makeRef<StreamOutput>(); }
  Ref<Sync> makeSync() override { return makeRef<Sync>(); }
  Ref<Surface> makeSurface() override { return makeRef<Surface>(); }

  void initRenderState(RenderState&) override {}
  void initSampler(Sampler&) override {}
  void initVertexFormat(VertexFormat&) override {}
  void initSurface(Surface&) override {}
  void surfaceResized(Surface&) override {}
  void surfaceIntervalChanged(Surface&) override {}
  void vertexArrayChanged(VertexArray& vertexArray) override { MGL_CHECK(vertexArray.format); }
  void framebufferChanged(Framebuffer&) override {}
  void textureParametersChanged(Texture& texture) override { MGL_CHECK(texture.sampler); }
  void programChanged(Program& program) override { MGL_CHECK(!program.linked || program.stageMask != 0); }
  void programBindingsChanged(Program&) override {}
  void uniformsChanged(Program& program, u32 offset, u32 bytes) override {
    MGL_ASSERT(u64{offset} + bytes <= program.uniforms.size());
  }
  void labelChanged(Object&) override {}
  void destroyed(Object&) override {}

  void bufferStorage(Buffer& buffer, Bytes data) override {
    MGL_CHECK(data.size() <= buffer.bytes);
    hold(buffer.bytes, pipe::Call::BufferStorage, {buffer.slot, buffer.gen, buffer.storeSerial});
  }
  void bufferSubData(Buffer& buffer, u64 offset, Bytes data) override { detail::inBuffer(buffer, offset, data.size()); }
  void copyBuffer(Buffer& src, Buffer& dst, u64 srcOffset, u64 dstOffset, u64 bytes) override {
    detail::inBuffer(src, srcOffset, bytes);
    detail::inBuffer(dst, dstOffset, bytes);
  }
  void clearBuffer(Buffer& buffer, u64 offset, u64 bytes, Bytes pattern) override {
    detail::inBuffer(buffer, offset, bytes);
    MGL_CHECK(!pattern.empty() && bytes % pattern.size() == 0);
  }
  void invalidateBuffer(Buffer& buffer, u64 offset, u64 bytes) override { detail::inBuffer(buffer, offset, bytes); }
  Pending beginReadBuffer(Buffer& buffer, u64 offset, u64 bytes) override {
    detail::inBuffer(buffer, offset, bytes);
    return {};
  }
  Pending beginMapBuffer(Buffer& buffer, u64 offset, u64 bytes, u32) override {
    detail::inBuffer(buffer, offset, bytes);
    if ((buffer.flags & pipe::kBufferPersistent) == 0) return {};
    auto& memory = static_cast<NullBuffer&>(buffer).memory;
    memory.resize(buffer.bytes);
    return {0, reinterpret_cast<u64>(memory.data() + offset)};
  }
  MapGrant finishMapBuffer(Pending pending) override {
    if (pending.token == 0) return {};
    return {pipe::MapTier::T0, reinterpret_cast<void*>(pending.token)};
  }
  void flushMappedRange(Buffer& buffer, u64 offset, u64 bytes) override { detail::inBuffer(buffer, offset, bytes); }
  void unmapBuffer(Buffer&) override {}

  void textureStorage(Texture& texture) override {
    MGL_CHECK(texture.storage && texture.levelCount > 0 && texture.width > 0 && texture.height > 0 &&
              texture.depth > 0);
    hold(format::boxBytes(texture.format, texture.width, texture.height, texture.depth) *
             std::max(texture.samples, 1u),
         pipe::Call::TextureStorage, {texture.slot, texture.gen, 0});
  }
  void textureLevel(Texture& texture, u32 face, u32 level) override {
    MGL_CHECK(face < 6 && !texture.storage);
    detail::hasLevel(texture, level);
    const TextureLevelDesc& desc = texture.levels[face][level];
    if (desc.format == pipe::Format::None) return;
    hold(format::boxBytes(desc.format, desc.width, desc.height, desc.depth), pipe::Call::TextureLevel,
         {texture.slot, texture.gen, 0});
  }
  void textureView(Texture& texture) override { MGL_CHECK(texture.viewOf && !texture.viewOf->viewOf); }
  void textureBuffer(Texture&) override {}
  void textureSubData(Texture& texture, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&, Bytes) override {
    detail::hasLevel(texture, level);
  }
  void textureSubDataFromBuffer(Texture& texture, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&,
                                Buffer& buffer, u64 offset) override {
    detail::hasLevel(texture, level);
    detail::inBuffer(buffer, offset, 0);
  }
  void clearTexture(Texture& texture, u32 level, const pipe::TexelBox&, Bytes texel) override {
    detail::hasLevel(texture, level);
    MGL_CHECK(!texel.empty());
  }
  void copyImage(Texture& src, u32 srcLevel, const pipe::TexelBox&, Texture& dst, u32 dstLevel,
                 std::array<u32, 3>) override {
    detail::hasLevel(src, srcLevel);
    detail::hasLevel(dst, dstLevel);
  }
  void generateMipmap(Texture& texture, u32 baseLevel, u32 lastLevel) override {
    MGL_CHECK(baseLevel <= lastLevel);
    detail::hasLevel(texture, lastLevel);
  }
  void invalidateTexture(Texture& texture, u32 level, const pipe::TexelBox&) override {
    detail::hasLevel(texture, level);
  }
  Pending beginReadTexture(Texture& texture, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&) override {
    detail::hasLevel(texture, level);
    return {};
  }
  void readTextureToBuffer(Texture& texture, u32 level, const pipe::TexelBox&, const pipe::TexelLayout&, Buffer& buffer,
                           u64 offset) override {
    detail::hasLevel(texture, level);
    detail::inBuffer(buffer, offset, 0);
  }

  void bindContext(ContextState&) override {}
  void releaseContext(ContextState&) override {}
  void switchContext(ContextState* from, ContextState& to) override { MGL_CHECK(from != &to); }
  void draw(ContextState& context, const DrawCall& call) override {
    MGL_ASSERT(call.vertexArray != nullptr && call.program != nullptr && call.program->linked);
    MGL_ASSERT(context.viewCount >= call.program->samplerWindow && context.samplerCount >= call.program->samplerWindow);
    static_cast<void>(call);
    context.dirty = 0;
  }
  void drawIndirect(ContextState& context, const IndirectDrawCall& call) override {
    MGL_CHECK(call.draw.vertexArray != nullptr && call.draw.program != nullptr && call.buffer != nullptr);
    context.dirty = 0;
  }
  void clear(ContextState&, Framebuffer*, const pipe::Clear&) override {}
  void blit(ContextState&, Framebuffer*, Framebuffer*, const pipe::Blit&) override {}
  Pending beginReadPixels(ContextState&, Framebuffer*, const pipe::Rect& rect, const pipe::TexelLayout&,
                          bool) override {
    MGL_CHECK(rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0);
    return {};
  }
  void readPixelsToBuffer(ContextState&, Framebuffer*, const pipe::Rect& rect, const pipe::TexelLayout&, bool,
                          Buffer& buffer, u64 offset) override {
    MGL_CHECK(rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0);
    detail::inBuffer(buffer, offset, 0);
  }
  void copyFramebufferToTexture(ContextState&, Framebuffer*, const pipe::Rect& rect, Texture& texture, u32 level,
                                std::array<u32, 3>) override {
    MGL_CHECK(rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0);
    detail::hasLevel(texture, level);
  }
  void invalidateFramebuffer(ContextState&, Framebuffer*, u32, u32, const pipe::Rect&) override {}
  void memoryBarrier(u32, bool) override {}
  void textureBarrier(ContextState&) override {}

  void beginQuery(ContextState&, Query& query) override { MGL_CHECK(query.active); }
  void endQuery(ContextState&, Query& query) override { sink_.queryResult(query.slot, query.gen, query.runSerial, 0); }
  void writeTimestamp(ContextState&, Query& query) override {
    sink_.queryResult(query.slot, query.gen, query.runSerial, detail::nowNs());
  }
  Pending beginWaitQuery(Query&) override { return {}; }
  void queryResultToBuffer(Query&, Buffer& buffer, u64 offset, bool wide, bool, bool) override {
    detail::inBuffer(buffer, offset, wide ? 8 : 4);
  }
  void createFence(Sync&, u64 serial) override { sink_.completed(serial); }
  void serverWaitFence(Sync&) override {}
  void flush(u64 serial) override {
    sink_.completed(serial);
    if (++flushes_ == loseAt_) sink_.lost("the device is lost: a test asked for it");
  }
  Pending beginFinish() override { return {}; }
  void present(ContextState*, Surface& surface, u64 frameSerial, std::span<const pipe::Rect>) override {
    sink_.presented(surface.slot, surface.gen, frameSerial);
  }
  void debugMarker(std::string_view, int) override {}

  bool finish(Pending, MutableBytes dst) override {
    if (!dst.empty()) std::memset(dst.data(), 0, dst.size());
    return true;
  }
  // Whatever was created before the call is complete already.
  bool waitCompleted(u64, u64) override { return true; }
  void pollCompleted(bool) override {}
  u64 gpuTimestampNs() override { return detail::nowNs(); }
  u64 allocationFailures() const override { return allocationFailures_; }

 private:
  // There is no store: what MOBILEGL_MEMORY_MIB does not allow is told as a backend with stores tells it.
  void hold(u64 bytes, pipe::Call call, const StoreId& store) {
    const u64 budget = static_cast<u64>(knobs().memoryMib) << 20;
    if (budget == 0 || bytes <= budget) return;
    ++allocationFailures_;
    count(Counter::OutOfMemory);
    sink_.glError(pipe::GlError::OutOfMemory, call, store);
    sink_.log(pipe::DebugSeverity::High, "no memory for a store: skipped");
  }

  EventSink& sink_;
  const u64 loseAt_ = deviceLostAt();
  u64 flushes_ = 0;
  const pipe::Caps caps_;
  u64 allocationFailures_ = 0;
};

}  // namespace mgl::null
