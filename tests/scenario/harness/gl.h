// OpenGL for scenarios: every core entry by its own name, taken from eglGetProcAddress, each call passing through the
// mutation layer.  A mutation breaks one thing that the program does, so that a scenario can be seen red:
//
//   drop:glName[#n]              the call (the nth, from 1; else every one) is not made; zero is returned
//   arg:glName[#n]:i=value       argument i (from 0) is replaced; value is a number or a GL_ name
//   swap:glName[#n]:i,j          two arguments change places
//   glsl:old=>new                old is replaced in every shader source (a source without it is left alone)
//
// Threads: the table is constant after loadGl(); calls may come from any thread; a mutation is set while no scenario
// runs.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "gl_entries.h"

namespace mgl::scenario {

using GlProc = void (*)();
extern std::array<GlProc, kGlEntryCount> glTable;
extern const std::array<const char*, kGlEntryCount> kGlEntryNames;
extern const std::vector<std::pair<const char*, unsigned long long>> kGlEnums;

// Fills the table.  Returns the names that eglGetProcAddress does not know (empty when all is well).
std::vector<std::string> loadGl();

namespace mutation {

// One argument on its way through a mutation: integers, enums and pointers in `bits`, reals in `real`.
struct Value {
  std::uint64_t bits = 0;
  double real = 0;
};

// -1: no mutation of a call is set.
extern std::atomic<int> watchedEntry;

// Sets the mutation that the text describes; an empty text clears it.  Returns an error text, empty when accepted.
std::string set(const std::string& text);

// How often the set mutation changed something since set().
int timesApplied();

// The source as the mutation wants the driver to see it.
std::string rewriteSource(std::string source);

// Decides about one call to the watched entry; changes `values` in place.  False: the call is dropped.
bool apply(Value* values, std::size_t count);

template <class T>
Value toValue(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(v)), static_cast<double>(v)};
  } else if constexpr (std::is_pointer_v<T>) {
    return {reinterpret_cast<std::uintptr_t>(v), 0};
  } else {
    return {static_cast<std::uint64_t>(v), static_cast<double>(v)};
  }
}

template <class T>
T fromValue(const Value& v) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(v.real);
  } else if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(static_cast<std::uintptr_t>(v.bits));
  } else {
    return static_cast<T>(v.bits);
  }
}

template <class R, class... A, std::size_t... I>
R mutated(R (*fn)(A...), std::index_sequence<I...>, A... args) {
  std::array<Value, sizeof...(A) + 1> values = {toValue(args)...};
  if (!apply(values.data(), sizeof...(A))) return R();
  return fn(fromValue<A>(values[I])...);
}

template <class R, class... A>
R call(int entry, R (*fn)(A...), std::type_identity_t<A>... args) {
  if (entry != watchedEntry.load(std::memory_order_relaxed)) [[likely]]
    return fn(args...);
  return mutated<R, A...>(fn, std::index_sequence_for<A...>(), args...);
}

}  // namespace mutation
}  // namespace mgl::scenario
