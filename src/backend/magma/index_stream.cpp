#include "backend/magma/index_stream.h"

#include <algorithm>
#include <cstring>

namespace mgl::magma {

namespace {

// Vertices of a primitive in a list; 0 for what is joined.
u32 listSize(pipe::Primitive mode) {
  switch (mode) {
    case pipe::Primitive::Points:
      return 1;
    case pipe::Primitive::Lines:
      return 2;
    case pipe::Primitive::Triangles:
      return 3;
    case pipe::Primitive::Quads:
    case pipe::Primitive::LinesAdjacency:
      return 4;
    case pipe::Primitive::TrianglesAdjacency:
      return 6;
    default:
      return 0;
  }
}

void addRun(const IndexSource& source, std::span<const u32> run, std::vector<u32>* out) {
  const u32 size = listSize(source.mode);
  if (source.mode == pipe::Primitive::Quads) {
    for (std::size_t i = 0; i + 4 <= run.size(); i += 4) {
      const u32 a = run[i], b = run[i + 1], c = run[i + 2], d = run[i + 3];
      // The last vertex provokes (or the first): both triangles of a quad share it there.
      if (source.provokingLast) {
        out->insert(out->end(), {a, b, d, b, c, d});
      } else {
        out->insert(out->end(), {a, b, c, a, c, d});
      }
    }
    return;
  }
  if (size != 0) {
    out->insert(out->end(), run.begin(), run.begin() + static_cast<std::ptrdiff_t>(run.size() / size * size));
    return;
  }
  if (run.empty()) return;
  if (!out->empty()) out->push_back(~0u);
  out->insert(out->end(), run.begin(), run.end());
  if (source.mode == pipe::Primitive::LineLoop && run.size() > 1) out->push_back(run.front());
}

}  // namespace

bool needsRestart(pipe::Primitive mode) { return listSize(mode) == 0 && mode != pipe::Primitive::Patches; }

u64 mostIndices(pipe::Primitive mode, u32 count) {
  if (mode == pipe::Primitive::Quads) return u64{count} / 4 * 6 + 6;
  // A loop of one vertex and its restart become two indices and a mark; each run is closed by at most one more.
  return u64{count} * 2 + 2;
}

bool convertIndices(const IndexSource& source, u64 first, u32 count, std::vector<u32>* out) {
  std::vector<u32> run;
  run.reserve(count);
  for (u64 i = 0; i < count; ++i) {
    u32 index = 0;
    if (source.bytesPerIndex == 0) {
      index = static_cast<u32>(first + i);
    } else {
      const u64 at = first + i * source.bytesPerIndex;
      if (at + source.bytesPerIndex > source.indices.size()) break;
      std::memcpy(&index, source.indices.data() + at, source.bytesPerIndex);
    }
    if (source.restart && index == source.restartIndex && source.bytesPerIndex != 0) {
      addRun(source, run, out);
      run.clear();
      continue;
    }
    run.push_back(index);
  }
  addRun(source, run, out);
  return needsRestart(source.mode);
}

}  // namespace mgl::magma
