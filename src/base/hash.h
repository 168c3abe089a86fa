// XXH3, header-only, so that hashing a key of constant size folds to a few instructions.
// Values hold within a process; what goes to disk uses them too, under a format version of its own.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <type_traits>

#include "base/types.h"

namespace mgl {

struct Hash128 {
  u64 low = 0;
  u64 high = 0;
  bool operator==(const Hash128&) const = default;
};

inline u64 hashBytes(const void* data, std::size_t size, u64 seed = 0) {
  return XXH3_64bits_withSeed(data, size, seed);
}
inline u64 hashBytes(Bytes bytes, u64 seed = 0) { return hashBytes(bytes.data(), bytes.size(), seed); }
inline u64 hashText(std::string_view text, u64 seed = 0) { return hashBytes(text.data(), text.size(), seed); }

// For content that is compared by its hash alone: shaders, blobs.
inline Hash128 hash128(const void* data, std::size_t size, u64 seed = 0) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(data, size, seed);
  return {hash.low64, hash.high64};
}
inline Hash128 hash128(Bytes bytes, u64 seed = 0) { return hash128(bytes.data(), bytes.size(), seed); }

// Of a plain value without padding; a type with padding does not compile.
template <class T>
u64 hashOf(const T& value, u64 seed = 0) {
  static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
  return hashBytes(&value, sizeof value, seed);
}

inline u64 hashCombine(u64 a, u64 b) {
  const u64 both[2] = {a, b};
  return hashBytes(both, sizeof both);
}

// The hasher for maps keyed by plain values or by Hash128.
struct PlainHash {
  template <class T>
  std::size_t operator()(const T& value) const {
    return hashOf(value);
  }
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

}  // namespace mgl
