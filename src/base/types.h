// The integer names used everywhere, and the few helpers that need nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace mgl {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

template <class T>
constexpr T alignUp(T value, T alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

template <class E>
constexpr u32 indexOf(E e) {
  return static_cast<u32>(e);
}

template <class E>
constexpr u32 countOf() {
  return static_cast<u32>(E::Count);
}

}  // namespace mgl
