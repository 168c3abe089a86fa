// What the generated stubs are made of. Included by generated sources and the look-up only.
#pragma once

#include <iterator>
#include <new>
#include <stdexcept>

#include "gl/context.h"

namespace mgl::gl {

// A GL call on a thread without a current context: ignored; the first one of the process is logged.
[[gnu::cold]] void noCurrentContext(u32 entry);

// Sets GL_INVALID_OPERATION; logs the name the first time.
[[gnu::cold]] void unimplemented(Context& ctx, u32 entry);

// Sets GL_OUT_OF_MEMORY. What the entry point had done by then counts as moved.
[[gnu::cold]] void outOfMemory(Context& ctx, u32 entry) noexcept;

inline void settleContext(Context& ctx, Moved moved) {
  if (moved == Moved::Yes) ++ctx.epoch;
}

inline void settleShareGroup(Context& ctx, Moved moved) {
  if (moved == Moved::Yes) ctx.share->shapeEpoch.fetch_add(1, std::memory_order_release);
}

// Vao, Program and Map carry their own, moved by the implementation.
inline void settle(Context& ctx, Scope scope) {
  settleContext(ctx, movedIf(includes(scope, Scope::Context)));
  settleShareGroup(ctx, movedIf(includes(scope, Scope::ShareGroup)));
}

// MOBILEGL_PIPE_DRAW_DELTA_DROP: what an entry point moves while one of these lives is moved back. For the objects in
// use; an object that is only named by an argument keeps its move.
class EpochsKeptStill {
 public:
  explicit EpochsKeptStill(Context* ctx);
  ~EpochsKeptStill();
  EpochsKeptStill(const EpochsKeptStill&) = delete;
  EpochsKeptStill& operator=(const EpochsKeptStill&) = delete;

 private:
  Context* ctx_;
  u64 epoch_ = 0, shapeEpoch_ = 0, formatVersion_ = 0, bindingsVersion_ = 0, programVersion_ = 0;
  u32 liveMaps_ = 0;
  Ref<VertexArray> vertexArray_;
  Ref<Program> program_;
};

struct DropTwin {
  u16 entry;
  void* address;
};
extern const DropTwin kDropTwins[];
extern const u32 kDropTwinCount;

}  // namespace mgl::gl
