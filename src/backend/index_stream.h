// Indices that a host cannot take as they are, rewritten as 32-bit ones: line loops, quads, 8-bit indices, any restart
// index, restart in lists. Pure.
#pragma once

#include <vector>

#include "pipe/payloads_state.h"

namespace mgl::backend {

struct IndexSource {
  Bytes indices;
  u32 bytesPerIndex = 0;  // 0: vertices first, first + 1, …
  pipe::Primitive mode = pipe::Primitive::Triangles;
  bool restart = false;
  u32 restartIndex = 0;
  bool provokingLast = true;
  bool hostProvokesLast = false;  // and nothing else: what provokes first is turned around in lists
};

// Writes at most mostIndices to `out`, in order, and says how many; takes no memory of its own. first: a byte offset into
// the indices, or the first vertex. Line loops come out as line strips, quads as triangles (split so that the provoking
// vertex stays); strips, fans and loops are parted by ~0, lists lose the primitives that a restart cuts.
// Where the first vertex provokes and the host takes the last, lines and triangles come out as lists of primitives that end
// with it; the winding stays.
u64 convertIndices(const IndexSource& source, u64 first, u32 count, u32* out);
u64 mostIndices(const IndexSource& source, u64 first, u32 count);
// The same into a vector, in place of what is there; true when the result needs restart at ~0.
bool convertIndices(const IndexSource& source, u64 first, u32 count, std::vector<u32>* out);

// The mode that the result is drawn in.
pipe::Primitive convertedMode(const IndexSource& source);

// Whether the result needs restart at ~0, where nothing is turned around.
bool needsRestart(pipe::Primitive mode);

}  // namespace mgl::backend
