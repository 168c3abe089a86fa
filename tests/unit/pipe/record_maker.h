// Makes a valid record of any call from the catalogue's own layout, and knows where each field of it lies.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pipe/check.h"
#include "pipe/layout.h"

namespace mgl::pipe {

// A world in which generation 1 is live, generation 2 is fresh and all else is stale, for slots 1..8 of every kind.
struct TestOracle final : HandleOracle {
  bool isLive(Kind, u32 slot, u32 gen) const override { return slot >= 1 && slot <= 8 && gen == 1; }
  bool isFresh(Kind, u32 slot, u32 gen) const override { return slot >= 1 && slot <= 8 && gen == 2; }
};

inline constexpr u64 kTestStage = 4096;

struct Place {
  std::string path;  // as a fault names it, without the call
  const Leaf* leaf;
  u32 offset;  // from the start of the record
};

struct MadeRecord {
  std::vector<u64> words;
  std::vector<Place> places;
  RecordHeader* header() { return reinterpret_cast<RecordHeader*>(words.data()); }
  const RecordHeader* header() const { return reinterpret_cast<const RecordHeader*>(words.data()); }
  std::byte* bytes() { return reinterpret_cast<std::byte*>(words.data()); }
  u64 size() const { return words.size() * 8; }
  template <class T>
  void set(const Place& place, T value, u32 within = 0) {
    std::memcpy(bytes() + place.offset + within, &value, sizeof(T));
  }
  void setNumber(const Place& place, u64 value) { std::memcpy(bytes() + place.offset, &value, place.leaf->bytes); }
};

inline void fillLeaf(std::byte* at, const Leaf& leaf, u64 seed) {
  u64 value = 0;
  switch (leaf.type) {
    case LeafType::Handle: {
      const u32 gen = leaf.rule.what == Rule::What::Fresh ? 2 : 1;
      const u32 handle[2] = {1 + static_cast<u32>(seed % 8), gen};
      std::memcpy(at, handle, sizeof handle);
      return;
    }
    case LeafType::Blob: {
      const BlobRef ref{8 * (seed % 16), 64, BlobWhere::Stage};
      std::memcpy(at, &ref, sizeof ref);
      return;
    }
    case LeafType::Float: {
      const f32 number = static_cast<f32>(seed % 100) * 0.5f;
      std::memcpy(at, &number, sizeof number);
      return;
    }
    case LeafType::Enum:
      value = seed % leaf.bound;
      break;
    default: {
      if (leaf.rule.what == Rule::What::Range) {
        const u64 width = leaf.rule.hi - leaf.rule.lo;
        value = leaf.rule.lo + (width == ~u64{0} ? seed : seed % (width + 1));
      } else if (leaf.rule.what == Rule::What::Mask) {
        value = seed & leaf.rule.lo;
      } else if (leaf.rule.what != Rule::What::Zero) {
        value = seed * 0x9e3779b97f4a7c15u;
      }
      break;
    }
  }
  std::memcpy(at, &value, leaf.bytes);
}

// Every tail has `tailElements` elements, or as many as its bound allows.
inline MadeRecord makeRecord(u16 id, const RecordLayout& layout, u64 seed, u32 tailElements) {
  MadeRecord record;
  auto countOf = [&](const TailLayout& tail) {
    const Rule& rule = layout.payload.leaves[tail.countLeaf].rule;
    return std::clamp<u64>(tailElements, rule.lo, rule.hi);
  };
  u64 size = sizeof(RecordHeader) + layout.payload.bytes;
  for (const TailLayout& tail : layout.tails) size += alignUp<u64>(countOf(tail) * tail.element.bytes, 8);
  record.words.resize(size / 8);
  *record.header() = {id, 0, static_cast<u32>(size)};

  u32 at = sizeof(RecordHeader);
  for (const Leaf& leaf : layout.payload.leaves) {
    fillLeaf(record.bytes() + at + leaf.offset, leaf, seed++);
    record.places.push_back({leaf.path, &leaf, at + leaf.offset});
  }
  for (const TailLayout& tail : layout.tails) record.setNumber(record.places[tail.countLeaf], countOf(tail));
  at += layout.payload.bytes;
  for (const TailLayout& tail : layout.tails) {
    for (u64 i = 0; i < countOf(tail); ++i) {
      for (const Leaf& leaf : tail.element.leaves) {
        const u32 offset = at + static_cast<u32>(i) * tail.element.bytes + leaf.offset;
        fillLeaf(record.bytes() + offset, leaf, seed++);
        record.places.push_back(
            {std::string(tail.element.name) + '[' + std::to_string(i) + "]." + leaf.path, &leaf, offset});
      }
    }
    at += static_cast<u32>(alignUp<u64>(countOf(tail) * tail.element.bytes, 8));
  }
  return record;
}

inline MadeRecord makeRecord(Call call, u64 seed = 1, u32 tailElements = 3) {
  return makeRecord(static_cast<u16>(call), layoutOf(call), seed, tailElements);
}

}  // namespace mgl::pipe
