// The identity of an object on the pipe.
//
// A handle is {slot, gen}. The client mints it (client::HandleAllocator) and the server never returns one. Slot 0 is the
// null handle. A slot is used again only with another generation, so a handle is never equal to an older one.
//
// Two types keep what a peer said apart from what a table confirmed:
//   UncheckedHandle<K>   what a record carries: any 64 bits.
//   CheckedHandle<K>     proof that the slot holds a live object of that generation. Only a server table makes one
//                        (pipe::HandleGate), and it is valid until the next record that may destroy the object.
#pragma once

#include "base/types.h"

namespace mgl::pipe {

enum class Kind : u8 {
  Context,
  Surface,
  RenderState,   // CSO
  Sampler,       // CSO
  VertexFormat,  // CSO
  Buffer,
  Texture,  // renderbuffers and window images are textures too
  VertexArray,
  Framebuffer,
  Program,  // linked programs and program pipelines (composites) share one space: a draw names either
  Query,
  StreamOutput,
  Sync,
  Count
};

inline constexpr u32 kMaxSlot = 1u << 20;  // a table never grows beyond this many slots

template <Kind K>
struct UncheckedHandle {
  static constexpr Kind kKind = K;
  u32 slot = 0;
  u32 gen = 0;

  constexpr bool isNull() const { return slot == 0; }
  friend constexpr bool operator==(UncheckedHandle, UncheckedHandle) = default;
};

class HandleGate;

template <Kind K>
class CheckedHandle {
 public:
  u32 slot() const { return slot_; }

 private:
  friend class HandleGate;
  explicit CheckedHandle(u32 slot) : slot_(slot) {}
  u32 slot_;
};

// The one place that turns an unchecked handle into a checked one; server tables call it after the generation matched.
class HandleGate {
 public:
  template <Kind K>
  static CheckedHandle<K> admit(UncheckedHandle<K> handle) {
    return CheckedHandle<K>(handle.slot);
  }
};

using ContextHandle = UncheckedHandle<Kind::Context>;
using SurfaceHandle = UncheckedHandle<Kind::Surface>;
using RenderStateHandle = UncheckedHandle<Kind::RenderState>;
using SamplerHandle = UncheckedHandle<Kind::Sampler>;
using VertexFormatHandle = UncheckedHandle<Kind::VertexFormat>;
using BufferHandle = UncheckedHandle<Kind::Buffer>;
using TextureHandle = UncheckedHandle<Kind::Texture>;
using VertexArrayHandle = UncheckedHandle<Kind::VertexArray>;
using FramebufferHandle = UncheckedHandle<Kind::Framebuffer>;
using ProgramHandle = UncheckedHandle<Kind::Program>;
using QueryHandle = UncheckedHandle<Kind::Query>;
using StreamOutputHandle = UncheckedHandle<Kind::StreamOutput>;
using SyncHandle = UncheckedHandle<Kind::Sync>;

constexpr std::string_view kindName(Kind kind) {
  constexpr std::string_view kNames[] = {"Context",     "Surface", "RenderState",  "Sampler", "VertexFormat",
                                         "Buffer",      "Texture", "VertexArray",  "Framebuffer", "Program",
                                         "Query",       "StreamOutput", "Sync"};
  static_assert(std::size(kNames) == countOf<Kind>());
  return kNames[indexOf(kind)];
}

}  // namespace mgl::pipe
