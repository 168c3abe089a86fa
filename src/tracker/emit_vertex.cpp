#include "gl/vertex/vertex_array.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

void Tracker::emitVertexArray(client::Group& group, gl::VertexArray& vertexArray) {
  const bool formatDue = vertexArray.formatVersion != vertexArray.emittedFormat;
  const bool due = formatDue || vertexArray.bindingsVersion != vertexArray.emittedBindings;
  if (formatDue || isLooking()) {
    std::array<pipe::VertexAttrib, pipe::kMaxVertexAttribs> attribs;
    u32 count = 0;
    for (u32 location = 0; location < attribs.size(); ++location) {
      const gl::VertexAttribute& from = vertexArray.attributes[location];
      if (!from.enabled) continue;
      attribs[count++] = {static_cast<u8>(location),
                          from.binding,
                          from.type,
                          from.components,
                          from.normalized,
                          from.cls,
                          from.bgra,
                          0,
                          from.relativeOffset,
                          0};
    }
    const std::span<const pipe::VertexAttrib> content(attribs.data(), count);
    // What the verifier compares is the content, under the vertex array's name.
    const pipe::VertexArrayHandle own = vertexArray.handle;
    if (verifier_) verifier_->take(formatDue, pipe::CreateVertexFormat{{own.slot, own.gen}, count, 0}, content);
    vertexArray.formatHandle =
        vertexFormats_.find(group, std::as_bytes(content), [&](pipe::VertexFormatHandle made) {
          group.emit(pipe::CreateVertexFormat{made, count, 0}, content);
        });
    vertexArray.emittedFormat = vertexArray.formatVersion;
  }

  u32 used = 0;
  for (const gl::VertexAttribute& attribute : vertexArray.attributes)
    if (attribute.enabled) used = std::max(used, u32{attribute.binding} + 1);
  std::array<pipe::VertexBinding, pipe::kMaxVertexBindings> bindings;
  for (u32 i = 0; i < used; ++i) {
    const gl::VertexBufferBinding& from = vertexArray.bindings[i];
    bindings[i] = {};
    if (from.buffer) bindings[i].buffer = from.buffer->handle;
    bindings[i].offset = static_cast<u64>(from.offset);
    bindings[i].stride = from.stride;
    bindings[i].divisor = from.divisor;
  }
  pipe::UpdateVertexArray head{};
  head.vertexArray = vertexArray.handle;
  head.format = vertexArray.formatHandle;
  if (vertexArray.indexBuffer) head.indexBuffer = vertexArray.indexBuffer->handle;
  head.count = used;
  tell(group, due, head, std::span(bindings.data(), used));
  vertexArray.emittedBindings = vertexArray.bindingsVersion;
}

void Tracker::emitAttribDefaults(client::Group& group, u32 needed) {
  // The record replaces the group: what the server has already stays in it.
  const u32 all = needed | emittedDefaults_;
  const bool due = all != emittedDefaults_;
  std::array<pipe::AttribDefault, pipe::kMaxVertexAttribs> out;
  u32 count = 0;
  for (u32 location = 0; location < out.size(); ++location) {
    if (((all >> location) & 1) == 0) continue;
    const gl::AttribValue& value = context_.attribs[location];
    out[count++] = {location, value.cls, {}, value.bits};
  }
  tell(group, due, pipe::SetAttribDefaults{count, 0}, std::span(out.data(), count));
  emittedDefaults_ = all;
}

}  // namespace mgl::tracker
