#include "pipe/record_text.h"

#include <algorithm>

#include "base/strings.h"
#include "pipe/layout.h"

namespace mgl::pipe {

namespace {

constexpr u64 kMaxElements = 16;
constexpr u64 kMaxText = 256;

std::string_view blobWhereName(u32 where) {
  constexpr std::string_view kNames[] = {"none", "host", "stage"};
  static_assert(std::size(kNames) == countOf<BlobWhere>());
  return where < std::size(kNames) ? kNames[where] : "?";
}

template <class T>
T load(const void* structure, u32 offset) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(structure) + offset, sizeof(T));
  return value;
}

std::string leafText(const Leaf& leaf, const void* structure) {
  switch (leaf.type) {
    case LeafType::Handle: {
      const u32 slot = load<u32>(structure, leaf.offset), gen = load<u32>(structure, leaf.offset + 4);
      if (slot == 0 && gen == 0) return "null";
      return formatText("%s{%u,%u}", std::string(kindName(static_cast<Kind>(leaf.bound))).c_str(), slot, gen);
    }
    case LeafType::Blob: {
      const auto ref = load<BlobRef>(structure, leaf.offset);
      return formatText("%s{%llu,%u}", std::string(blobWhereName(indexOf(ref.where))).c_str(),
                        static_cast<unsigned long long>(ref.offset), ref.bytes);
    }
    case LeafType::Float:
      return formatText("%.9g", static_cast<f64>(load<f32>(structure, leaf.offset)));
    case LeafType::Signed:
      return formatText("%lld", static_cast<long long>(leafValue(leaf, structure)));
    default:
      return formatText("%llu", static_cast<unsigned long long>(leafValue(leaf, structure)));
  }
}

void printStruct(std::string& out, const StructLayout& layout, const void* structure) {
  bool first = true;
  for (const Leaf& leaf : layout.leaves) {
    if (leaf.rule.what == Rule::What::Zero) continue;
    if (!first) out += ' ';
    first = false;
    out += leaf.path + '=' + leafText(leaf, structure);
  }
}

struct TailWalk {
  explicit TailWalk(const RecordHeader* record, const StructLayout& payload)
      : head(reinterpret_cast<const std::byte*>(record + 1)), at(head + payload.bytes) {}
  // The elements of the next tail.
  const std::byte* next(const TailLayout& tail, const StructLayout& payload, u64* count) {
    *count = leafValue(payload.leaves[tail.countLeaf], head);
    const std::byte* elements = at;
    at += alignUp<u64>(*count * tail.element.bytes, 8);
    return elements;
  }
  const std::byte* head;
  const std::byte* at;
};

std::string print(const RecordLayout& layout, const RecordHeader* record) {
  std::string out(layout.name);
  out += ' ';
  TailWalk walk(record, layout.payload);
  printStruct(out, layout.payload, walk.head);
  for (const TailLayout& tail : layout.tails) {
    u64 count = 0;
    const std::byte* elements = walk.next(tail, layout.payload, &count);
    if (tail.element.bytes == 1) {
      out += " bytes=";
      for (u64 i = 0; i < std::min(count, kMaxText); ++i) out += formatText("%02x", static_cast<u32>(elements[i]));
      if (count > kMaxText) out += "…";
      continue;
    }
    for (u64 i = 0; i < std::min(count, kMaxElements); ++i) {
      out += ' ' + std::string(tail.element.name) + '[' + std::to_string(i) + "]{";
      printStruct(out, tail.element, elements + i * tail.element.bytes);
      out += '}';
    }
    if (count > kMaxElements) out += " … " + std::to_string(count - kMaxElements) + " more";
  }
  return out;
}

// The first leaf whose bytes differ, as `path: a against b`.
std::string structDifference(const StructLayout& layout, const std::byte* a, const std::byte* b) {
  for (const Leaf& leaf : layout.leaves) {
    if (std::memcmp(a + leaf.offset, b + leaf.offset, leaf.bytes) == 0) continue;
    std::string textA = leafText(leaf, a), textB = leafText(leaf, b);
    if (textA == textB) {  // floats that print alike
      textA = formatText("0x%llx", static_cast<unsigned long long>(leafValue(leaf, a)));
      textB = formatText("0x%llx", static_cast<unsigned long long>(leafValue(leaf, b)));
    }
    return leaf.path + ": " + textA + " against " + textB;
  }
  return {};
}

}  // namespace

std::string printRecord(const RecordHeader* record) { return print(layoutOf(static_cast<Call>(record->call)), record); }
std::string printEvent(const RecordHeader* record) { return print(layoutOf(static_cast<Event>(record->call)), record); }

std::string firstDifference(const RecordHeader* a, const RecordHeader* b) {
  if (a->call != b->call) {
    return "call: " + std::string(callInfo(static_cast<Call>(a->call)).name) + " against " +
           std::string(callInfo(static_cast<Call>(b->call)).name);
  }
  const RecordLayout& layout = layoutOf(static_cast<Call>(a->call));
  const std::string name = std::string(layout.name) + '.';
  TailWalk walkA(a, layout.payload), walkB(b, layout.payload);
  if (std::string text = structDifference(layout.payload, walkA.head, walkB.head); !text.empty()) return name + text;
  for (const TailLayout& tail : layout.tails) {
    // The counts are fields of the payload: equal by now.
    u64 count = 0;
    const std::byte* elementsA = walkA.next(tail, layout.payload, &count);
    const std::byte* elementsB = walkB.next(tail, layout.payload, &count);
    for (u64 i = 0; i < count; ++i) {
      const u64 offset = i * tail.element.bytes;
      std::string text = structDifference(tail.element, elementsA + offset, elementsB + offset);
      if (!text.empty()) return name + std::string(tail.element.name) + '[' + std::to_string(i) + "]." + text;
    }
  }
  return {};
}

}  // namespace mgl::pipe
