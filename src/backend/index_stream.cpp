#include "backend/index_stream.h"

#include <algorithm>
#include <cstring>

namespace mgl::backend {

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

bool turnsAround(const IndexSource& source) {
  return source.hostProvokesLast && !source.provokingLast && source.mode >= pipe::Primitive::Lines &&
         source.mode <= pipe::Primitive::TriangleFan;
}

// Each primitive by itself, the vertex that provokes (the first, 13.4) at its end.
void addTurned(pipe::Primitive mode, std::span<const u32> run, std::vector<u32>* out) {
  using pipe::Primitive;
  const std::size_t n = run.size();
  const auto line = [&](u32 first, u32 second) { out->insert(out->end(), {second, first}); };
  const auto triangle = [&](u32 first, u32 second, u32 third) { out->insert(out->end(), {second, third, first}); };
  switch (mode) {
    case Primitive::Lines:
      for (std::size_t i = 0; i + 2 <= n; i += 2) line(run[i], run[i + 1]);
      break;
    case Primitive::LineStrip:
    case Primitive::LineLoop:
      for (std::size_t i = 0; i + 2 <= n; ++i) line(run[i], run[i + 1]);
      if (mode == Primitive::LineLoop && n > 1) line(run[n - 1], run[0]);
      break;
    case Primitive::Triangles:
      for (std::size_t i = 0; i + 3 <= n; i += 3) triangle(run[i], run[i + 1], run[i + 2]);
      break;
    case Primitive::TriangleStrip:
      for (std::size_t i = 0; i + 3 <= n; ++i) {
        if (i % 2 == 0) {
          triangle(run[i], run[i + 1], run[i + 2]);
        } else {
          triangle(run[i], run[i + 2], run[i + 1]);
        }
      }
      break;
    default:  // a fan: the hub never provokes
      for (std::size_t i = 1; i + 2 <= n; ++i) triangle(run[i], run[i + 1], run[0]);
  }
}

void addRun(const IndexSource& source, std::span<const u32> run, std::vector<u32>* out) {
  if (turnsAround(source)) return addTurned(source.mode, run, out);
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
  return !turnsAround(source) && needsRestart(source.mode);
}

pipe::Primitive convertedMode(const IndexSource& source) {
  using pipe::Primitive;
  if (turnsAround(source)) return source.mode <= Primitive::LineStrip ? Primitive::Lines : Primitive::Triangles;
  if (source.mode == Primitive::LineLoop) return Primitive::LineStrip;
  return source.mode == Primitive::Quads ? Primitive::Triangles : source.mode;
}

}  // namespace mgl::backend
