// A vertex array object: formats, bindings, index buffer. A container: not shared. Every setter moves `version` when it
// changes something, and a part's own version tells the tracker which half of the pipe's object to look at.
#pragma once

#include "gl/buffer/buffer.h"

namespace mgl::gl {

struct VertexAttribute {
  bool enabled = false;
  pipe::VertexType type = pipe::VertexType::Float;
  pipe::AttribClass cls = pipe::AttribClass::Float;
  u8 components = 4;
  bool normalized = false, bgra = false;
  u8 binding = 0;
  u32 relativeOffset = 0;
  i32 pointerStride = 0;          // as glVertexAttribPointer gave it, for queries
  const void* pointer = nullptr;  // likewise
};
struct VertexBufferBinding {
  Ref<Buffer> buffer;
  i64 offset = 0;
  u32 stride = 16;
  u32 divisor = 0;
};

struct VertexArray : Object {
  VertexArray(u32 glName, std::shared_ptr<client::Session> session);
  ~VertexArray() override;

  const std::shared_ptr<client::Session> session;
  pipe::VertexArrayHandle handle;
  std::array<VertexAttribute, pipe::kMaxVertexAttribs> attributes;
  std::array<VertexBufferBinding, pipe::kMaxVertexBindings> bindings;
  Ref<Buffer> indexBuffer;
  u32 enabledMask = 0;
  // Attributes enabled without a buffer: client memory (compatibility profile).
  u32 clientArrayMask() const;

  u64 formatVersion = 1;    // attributes
  u64 bindingsVersion = 1;  // buffers, offsets, strides, divisors, index buffer

  // ---- The tracker's slice: what the server was told
  u64 emittedFormat = 0, emittedBindings = 0;
  pipe::VertexFormatHandle formatHandle;
  u64 validatedBindings = 0;  // mapped-buffer check done for
};

}  // namespace mgl::gl
