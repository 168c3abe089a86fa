// The catalogue as data: every field of every record with its place, type and rule. What printer, comparator, digest
// and the generated tests walk. Built once, on first use; any thread.
#pragma once

#include <string>
#include <vector>

#include "pipe/calls.h"

namespace mgl::pipe {

enum class LeafType : u8 { Unsigned, Signed, Float, Enum, Handle, Blob, Count };

// One value: a scalar, an element of an array of scalars, a handle or a BlobRef.
struct Leaf {
  std::string path;  // "state.blend[3].srcColor"
  u32 offset = 0;    // in the payload or tail element
  u32 bytes = 0;
  LeafType type = LeafType::Unsigned;
  u32 bound = 0;  // Enum: its Count; Handle: its Kind
  Rule rule;
};

struct StructLayout {
  std::string_view name;
  u32 bytes = 0;
  std::vector<Leaf> leaves;
};

struct TailLayout {
  StructLayout element;
  u32 countLeaf = 0;  // of the payload
};

struct RecordLayout {
  std::string_view name;
  StructLayout payload;
  std::vector<TailLayout> tails;
};

const RecordLayout& layoutOf(Call call);
const RecordLayout& layoutOf(Event event);

// The value of a number or enum leaf, zero-extended; of a signed one, sign-extended.
u64 leafValue(const Leaf& leaf, const void* structure);

// A hash over names, sizes, offsets, types and rules of the first `calls` rows and of all events: peers that agree on
// it read each other's records alike.
u64 layoutDigest(u32 calls = countOf<Call>());

}  // namespace mgl::pipe
