// A ring of records in shared memory: one writer, one reader, each a thread at a time.
//
// A record lies in one piece, 8-byte aligned; where it would run over the end a pad fills the rest. Cursors are
// monotonic 64-bit byte counts, pads included: head is the writer's, tail the reader's. Neither end trusts the other's:
// the reader checks that a record lies within what was published before it looks at it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "pipe/record.h"

namespace mgl::wire {

struct RingCursors {
  alignas(64) std::atomic<u64> head{0};
  alignas(64) std::atomic<u64> tail{0};
};

inline constexpr u16 kPadCall = 0xffff;

// The size of a record that its writer may still change: one load. 0: no record can have it, with `available` bytes
// there.
inline u32 recordBytes(const pipe::RecordHeader* record, u64 available) {
  if (available < sizeof *record) return 0;
  const u32 bytes = *const_cast<const volatile u32*>(&record->bytes);
  return bytes >= sizeof *record && bytes % 8 == 0 && bytes <= available ? bytes : 0;
}

class RingWriter {
 public:
  // `bytes`: a power of two.
  RingWriter(RingCursors& cursors, std::byte* memory, u64 bytes) : cursors_(cursors), memory_(memory), bytes_(bytes) {}

  // Room for a record of so many bytes (a multiple of 8, at most half the ring); null when there is none now.
  std::byte* reserve(u32 bytes) {
    const u64 at = head_ & (bytes_ - 1), toEnd = bytes_ - at;
    const u64 needed = toEnd < bytes ? toEnd + bytes : bytes;
    if (head_ + needed - tail_ > bytes_) [[unlikely]] {
      tail_ = cursors_.tail.load(std::memory_order_seq_cst);
      if (head_ + needed - tail_ > bytes_) return nullptr;
    }
    if (needed == bytes) return memory_ + at;
    *reinterpret_cast<pipe::RecordHeader*>(memory_ + at) = {kPadCall, 0, static_cast<u32>(toEnd)};
    head_ += toEnd;
    return memory_;
  }
  // The record reserved last is whole.
  void publish(u32 bytes) {
    head_ += bytes;
    cursors_.head.store(head_, std::memory_order_seq_cst);
  }
  // Whether reserve() would succeed. Any thread; for a doorbell's wait.
  bool hasRoom(u32 bytes) const {
    const u64 head = cursors_.head.load(std::memory_order_seq_cst), toEnd = bytes_ - (head & (bytes_ - 1));
    return head + (toEnd < bytes ? toEnd + bytes : bytes) - cursors_.tail.load(std::memory_order_seq_cst) <= bytes_;
  }
  // Whether so many bytes are free, pads aside. Any thread.
  bool hasFree(u64 bytes) const {
    return cursors_.head.load(std::memory_order_seq_cst) + bytes - cursors_.tail.load(std::memory_order_seq_cst) <= bytes_;
  }
  // The same for the writer, who looks at the reader's cursor only when what it knows of it does not do.
  bool keepsFree(u64 bytes) {
    if (head_ + bytes - tail_ <= bytes_) [[likely]]
      return true;
    tail_ = cursors_.tail.load(std::memory_order_seq_cst);
    return head_ + bytes - tail_ <= bytes_;
  }
  u64 head() const { return head_; }

 private:
  RingCursors& cursors_;
  std::byte* const memory_;
  const u64 bytes_;
  u64 head_ = 0, tail_ = 0;
};

class RingReader {
 public:
  RingReader(RingCursors& cursors, const std::byte* memory, u64 bytes)
      : cursors_(cursors), memory_(memory), bytes_(bytes) {}

  // Any thread; for a doorbell's wait.
  bool hasRecords() const {
    return cursors_.tail.load(std::memory_order_relaxed) != cursors_.head.load(std::memory_order_seq_cst);
  }

  // The oldest record, and how many published bytes there are from it to the ring's end; null: none, or (*corrupt) what
  // the peer published cannot be.
  const pipe::RecordHeader* front(u64* available, bool* corrupt) {
    for (;;) {
      if (tail_ == head_) [[unlikely]] {
        head_ = cursors_.head.load(std::memory_order_seq_cst);
        if (tail_ == head_) return nullptr;
        if (head_ - tail_ > bytes_ || head_ % 8 != 0) {
          *corrupt = true;
          return nullptr;
        }
      }
      const u64 at = tail_ & (bytes_ - 1);
      *available = std::min(head_ - tail_, bytes_ - at);
      const auto* record = reinterpret_cast<const pipe::RecordHeader*>(memory_ + at);
      if (record->call != kPadCall) [[likely]]
        return record;
      // A pad reaches to the end of the ring.
      if (head_ - tail_ < bytes_ - at) {
        *corrupt = true;
        return nullptr;
      }
      pop(static_cast<u32>(bytes_ - at));
    }
  }
  void pop(u32 bytes) {
    tail_ += bytes;
    cursors_.tail.store(tail_, std::memory_order_seq_cst);
  }

 private:
  RingCursors& cursors_;
  const std::byte* const memory_;
  const u64 bytes_;
  u64 head_ = 0, tail_ = 0;
};

}  // namespace mgl::wire
