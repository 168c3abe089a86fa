// Reading a record as its payload and its tails. A view trusts the record: counts and size were checked (check.h) or
// the record was written in this process. It points into the record's memory and owns nothing.
#pragma once

#include "pipe/calls.h"

namespace mgl::pipe {

namespace detail {

template <u32 I, class List>
struct TailAt;
template <u32 I, class First, class... Rest>
struct TailAt<I, TailList<First, Rest...>> : TailAt<I - 1, TailList<Rest...>> {};
template <class First, class... Rest>
struct TailAt<0, TailList<First, Rest...>> {
  using Type = First;
};

template <class P, class... T>
auto tailListOf(const TailList<T...>*) -> TailList<T...>;

}  // namespace detail

// The TailList<…> of payload P, and its I-th Tail.
template <class P>
using Tails = decltype(detail::tailListOf<P>(static_cast<const TailsOf<P>*>(nullptr)));
template <class P, u32 I>
using TailOf = typename detail::TailAt<I, Tails<P>>::Type;
template <class P, u32 I>
using TailElement = typename TailOf<P, I>::Element;

template <class P, u32 I>
constexpr u64 tailCount(const P& head) {
  return static_cast<u64>(head.*TailOf<P, I>::kCount);
}

// From the start of the record to tail I; to the record's end for I = number of tails. 64-bit: no counts overflow it.
template <class P, u32 I>
constexpr u64 tailOffset(const P& head) {
  if constexpr (I == 0) {
    return sizeof(RecordHeader) + sizeof(P);
  } else {
    return tailOffset<P, I - 1>(head) + alignUp<u64>(tailCount<P, I - 1>(head) * sizeof(TailElement<P, I - 1>), 8);
  }
}

// Size of the whole record of this payload, header and tails included.
template <class P>
constexpr u32 recordBytes(const P& head) {
  return static_cast<u32>(tailOffset<P, TailsOf<P>::kSize>(head));
}

template <class P>
struct RecordView {
  const P& head;

  explicit RecordView(const RecordHeader* record) : head(*reinterpret_cast<const P*>(record + 1)) {}

  template <u32 I>
  auto tail() const {
    using E = TailElement<P, I>;
    const auto* start = reinterpret_cast<const std::byte*>(&head) - sizeof(RecordHeader);
    return std::span<const E>(reinterpret_cast<const E*>(start + tailOffset<P, I>(head)),
                              static_cast<std::size_t>(tailCount<P, I>(head)));
  }
};

inline Call callOf(const RecordHeader* record) { return static_cast<Call>(record->call); }

}  // namespace mgl::pipe
