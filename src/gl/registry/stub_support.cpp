#include "gl/registry/stub_support.h"

#include <atomic>

#include "base/counters.h"
#include "base/log.h"
#include "gl/program/program.h"
#include "gl/registry/lookup.h"
#include "gl/vertex/vertex_array.h"

namespace mgl::gl {

void noCurrentContext(u32 entry) {
  MGL_LOG_ONCE(Warning, "%s: no context is current on this thread; the call is ignored, and later ones silently",
               allEntries()[entry].name);
}

void unimplemented(Context& ctx, u32 entry) {
  static std::atomic<bool> logged[4096];
  const char* name = allEntries()[entry].name;
  if (!logged[entry].exchange(true, std::memory_order_relaxed)) MGL_LOGW("%s is not implemented", name);
  ctx.error(GL_INVALID_OPERATION, "%s is not implemented", name);
}

void outOfMemory(Context& ctx, u32 entry) noexcept {
  count(Counter::OutOfMemory);
  ++ctx.epoch;
  ctx.share->shapeEpoch.fetch_add(1, std::memory_order_release);
  if (ctx.vertexArray != nullptr) ctx.vertexArray->version.fetch_add(1, std::memory_order_relaxed);
  if (ctx.program != nullptr) ctx.program->version.fetch_add(1, std::memory_order_relaxed);
  try {
    ctx.error(GL_OUT_OF_MEMORY, "%s: there is no memory for it", allEntries()[entry].name);
  } catch (const std::bad_alloc&) {
    // The error is set; there is none for the message.
  }
}

EpochsKeptStill::EpochsKeptStill(Context* ctx) : ctx_(ctx) {
  if (ctx == nullptr) return;
  epoch_ = ctx->epoch;
  shapeEpoch_ = ctx->share->shapeEpoch.load(std::memory_order_relaxed);
  vertexArray_ = Ref<VertexArray>(ctx->vertexArray);
  program_ = ctx->program;
  liveMaps_ = ctx->share->liveMaps.load(std::memory_order_relaxed);
  if (vertexArray_ != nullptr) formatVersion_ = vertexArray_->formatVersion, bindingsVersion_ = vertexArray_->bindingsVersion;
  if (program_ != nullptr) programVersion_ = program_->version.load(std::memory_order_relaxed);
}

EpochsKeptStill::~EpochsKeptStill() {
  if (ctx_ == nullptr) return;
  ctx_->epoch = epoch_;
  ctx_->share->shapeEpoch.store(shapeEpoch_, std::memory_order_relaxed);
  ctx_->share->liveMaps.store(liveMaps_, std::memory_order_relaxed);
  if (vertexArray_ != nullptr) vertexArray_->formatVersion = formatVersion_, vertexArray_->bindingsVersion = bindingsVersion_;
  if (program_ != nullptr) program_->version.store(programVersion_, std::memory_order_relaxed);
}

}  // namespace mgl::gl
