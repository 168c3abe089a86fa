#include "backend/index_stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

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

// The primitives of a source one index after the other.
class Writer {
 public:
  Writer(const IndexSource& source, u32* out)
      : source_(source), out_(out), listSize_(listSize(source.mode)), turns_(turnsAround(source)) {}

  void add(u32 index) {
    if (listSize_ != 0) {
      pending_[length_++] = index;
      if (length_ == listSize_) flushList();
      return;
    }
    if (turns_) return addTurned(index);
    if (length_ == 0) {
      if (made_ != 0) out_[made_++] = ~0u;
      front_ = index;
    }
    ++length_;
    out_[made_++] = index;
  }
  // The end of a run: of the source, or a restart. What is begun of a list is dropped.
  void endRun() {
    if (source_.mode == pipe::Primitive::LineLoop && length_ > 1) {
      if (turns_)
        put({front_, pending_[0]});
      else
        out_[made_++] = front_;
    }
    length_ = 0;
  }
  u64 made() const { return made_; }

 private:
  void put(std::initializer_list<u32> indices) {
    std::copy(indices.begin(), indices.end(), out_ + made_);
    made_ += indices.size();
  }
  // Of what is joined, each primitive by itself, the vertex that provokes (the first, 13.4) at its end. pending_: the last
  // index and the one before it.
  void addTurned(u32 index) {
    using pipe::Primitive;
    const u32 last = pending_[0], before = pending_[1];
    if (length_ == 0) front_ = index;
    if (source_.mode == Primitive::LineStrip || source_.mode == Primitive::LineLoop) {
      if (length_ >= 1) put({index, last});
    } else if (length_ >= 2 && source_.mode == Primitive::TriangleFan) {
      put({index, front_, last});  // the hub never provokes
    } else if (length_ >= 2) {
      if (length_ % 2 == 0)
        put({last, index, before});
      else
        put({index, last, before});
    }
    pending_[1] = last;
    pending_[0] = index;
    ++length_;
  }
  void flushList() {
    length_ = 0;
    if (turns_ && listSize_ == 2) return put({pending_[1], pending_[0]});
    if (turns_ && listSize_ == 3) return put({pending_[1], pending_[2], pending_[0]});
    if (source_.mode == pipe::Primitive::Quads) {
      const auto [a, b, c, d, e, f] = pending_;
      // The last vertex provokes (or the first): both triangles of a quad share it there.
      const std::array<u32, 6> last{a, b, d, b, c, d}, first{a, b, c, a, c, d};
      std::copy_n(source_.provokingLast ? last.begin() : first.begin(), 6, out_ + made_);
      made_ += 6;
      static_cast<void>(e), static_cast<void>(f);
      return;
    }
    std::copy_n(pending_.begin(), listSize_, out_ + made_);
    made_ += listSize_;
  }

  const IndexSource& source_;
  u32* const out_;
  const u32 listSize_;
  const bool turns_;
  std::array<u32, 6> pending_{};
  u64 made_ = 0, length_ = 0;  // length_: of the run, or of the primitive that is begun
  u32 front_ = 0;
};

// How many indices there are to read.
u64 readable(const IndexSource& source, u64 first, u32 count) {
  if (source.bytesPerIndex == 0) return count;
  const u64 bytes = source.indices.size();
  return first >= bytes ? 0 : std::min<u64>(count, (bytes - first) / source.bytesPerIndex);
}

}  // namespace

bool needsRestart(pipe::Primitive mode) { return listSize(mode) == 0 && mode != pipe::Primitive::Patches; }

u64 mostIndices(const IndexSource& source, u64 first, u32 count) {
  const u64 there = readable(source, first, count);
  if (source.mode == pipe::Primitive::Quads) return there / 4 * 6;
  if (turnsAround(source)) return there * (listSize(source.mode) != 0 ? 1 : 3);
  if (source.mode != pipe::Primitive::LineLoop) return there;
  // A run of two and its restart become three indices and a mark.
  return source.restart ? there + there / 2 + 2 : there + 1;
}

u64 convertIndices(const IndexSource& source, u64 first, u32 count, u32* out) {
  Writer writer(source, out);
  const u64 there = readable(source, first, count);
  for (u64 i = 0; i < there; ++i) {
    u32 index = 0;
    if (source.bytesPerIndex == 0) {
      index = static_cast<u32>(first + i);
    } else {
      std::memcpy(&index, source.indices.data() + first + i * source.bytesPerIndex, source.bytesPerIndex);
    }
    if (source.restart && index == source.restartIndex && source.bytesPerIndex != 0) {
      writer.endRun();
    } else {
      writer.add(index);
    }
  }
  writer.endRun();
  return writer.made();
}

bool convertIndices(const IndexSource& source, u64 first, u32 count, std::vector<u32>* out) {
  out->resize(mostIndices(source, first, count));
  out->resize(convertIndices(source, first, count, out->data()));
  return !turnsAround(source) && needsRestart(source.mode);
}

pipe::Primitive convertedMode(const IndexSource& source) {
  using pipe::Primitive;
  if (turnsAround(source)) return source.mode <= Primitive::LineStrip ? Primitive::Lines : Primitive::Triangles;
  if (source.mode == Primitive::LineLoop) return Primitive::LineStrip;
  return source.mode == Primitive::Quads ? Primitive::Triangles : source.mode;
}

}  // namespace mgl::backend
