// Vertex attributes in layouts that the host has no format for, as 32-bit components. Pure.
#pragma once

#include "pipe/payloads_object.h"

namespace mgl::backend {

// Bytes of one element of the attribute in the program's memory.
u32 attributeBytes(const pipe::VertexAttrib& attrib);
// Components of what convertAttributes writes, each a 32-bit word of the attribute's class; 0 when the attribute cannot be
// converted (64-bit ones).
u32 convertedComponents(const pipe::VertexAttrib& attrib);
u32 convertedBytes(const pipe::VertexAttrib& attrib);
// count elements, `stride` apart; the last may end at the span's end.
void convertAttributes(const pipe::VertexAttrib& attrib, Bytes source, u32 stride, u64 count, std::byte* out);

}  // namespace mgl::backend
