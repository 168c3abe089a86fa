// Writing a record into given memory. On the hot path of every verb: all of it inlines to stores.
#pragma once

#include "base/assert.h"
#include "pipe/record_view.h"

namespace mgl::pipe {

namespace detail {

// Short tails are the rule (one range, one patch): no call to memcpy for them.
inline void copyShort(std::byte* to, const void* from, std::size_t bytes) {
  const auto* source = static_cast<const std::byte*>(from);
  if (bytes > 32) {
    std::memcpy(to, source, bytes);
  } else if (bytes >= 16) {
    std::memcpy(to, source, 16);
    std::memcpy(to + bytes - 16, source + bytes - 16, 16);
  } else if (bytes >= 8) {
    std::memcpy(to, source, 8);
    std::memcpy(to + bytes - 8, source + bytes - 8, 8);
  } else if (bytes >= 4) {
    std::memcpy(to, source, 4);
    std::memcpy(to + bytes - 4, source + bytes - 4, 4);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = source[i];
  }
}

template <class E>
std::byte* writeTail(std::byte* to, const E* from, std::size_t count) {
  const std::size_t bytes = count * sizeof(E);
  const std::size_t padded = alignUp<std::size_t>(bytes, 8);
  if constexpr (sizeof(E) % 8 != 0) {
    constexpr u64 kZero = 0;
    if (padded != bytes) std::memcpy(to + padded - 8, &kZero, 8);
  }
  copyShort(to, from, bytes);
  return to + padded;
}

template <class P, u32 I>
std::byte* writeTails(std::byte* to, const P&) {
  static_assert(I == TailsOf<P>::kSize, "one span for each tail");
  return to;
}
template <class P, u32 I, class Span, class... Rest>
std::byte* writeTails(std::byte* to, const P& head, const Span& span, const Rest&... rest) {
  using E = TailElement<P, I>;
  const std::span<const E> elements(span);
  MGL_ASSERT(elements.size() == (tailCount<P, I>(head)));
  return writeTails<P, I + 1>(writeTail(to, elements.data(), static_cast<std::size_t>(tailCount<P, I>(head))), head,
                              rest...);
}

}  // namespace detail

inline void writeHeader(void* at, Call call, u32 bytes) {
  const RecordHeader header{static_cast<u16>(call), 0, bytes};
  std::memcpy(at, &header, sizeof header);
}

// Writes header, payload and tails; padding after a tail is zero. `at` is 8-byte aligned and has recordBytes(head)
// bytes. The spans are those of TailsOf<P>, each as long as the count in head says. Returns the end of the record.
template <class P, class... Spans>
std::byte* writeRecord(void* at, const P& head, const Spans&... spans) {
  static_assert(sizeof...(Spans) == TailsOf<P>::kSize, "one span for each tail");
  writeHeader(at, CallOf<P>::kCall, recordBytes(head));
  std::byte* to = static_cast<std::byte*>(at) + sizeof(RecordHeader);
  std::memcpy(to, &head, sizeof(P));
  return detail::writeTails<P, 0>(to + sizeof(P), head, spans...);
}

// For records whose tails are made in place: writes header and payload and returns the first tail.
template <class P>
std::byte* beginRecord(void* at, const P& head) {
  writeHeader(at, CallOf<P>::kCall, recordBytes(head));
  std::memcpy(static_cast<std::byte*>(at) + sizeof(RecordHeader), &head, sizeof(P));
  return static_cast<std::byte*>(at) + sizeof(RecordHeader) + sizeof(P);
}

}  // namespace mgl::pipe
