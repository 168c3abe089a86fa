// Indices that Vulkan cannot take as they are, rewritten as 32-bit ones: line loops, quads, 8-bit indices, any restart
// index, restart in lists. Pure.
#pragma once

#include <vector>

#include "pipe/payloads_state.h"

namespace mgl::magma {

struct IndexSource {
  Bytes indices;
  u32 bytesPerIndex = 0;  // 0: vertices first, first + 1, …
  pipe::Primitive mode = pipe::Primitive::Triangles;
  bool restart = false;
  u32 restartIndex = 0;
  bool provokingLast = true;
};

// first: a byte offset into the indices, or the first vertex. Line loops come out as line strips, quads as triangles
// (split so that the provoking vertex stays); strips, fans and loops are parted by ~0, lists lose the primitives that a
// restart cuts. True when the result needs restart at ~0.
bool convertIndices(const IndexSource& source, u64 first, u32 count, std::vector<u32>* out);

// What convertIndices answers, and the most indices that it makes of count.
bool needsRestart(pipe::Primitive mode);
u64 mostIndices(pipe::Primitive mode, u32 count);

}  // namespace mgl::magma
