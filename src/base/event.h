// A word that threads sleep on: one futex, no allocation, usable in shared memory.
//
// set() wakes all who wait and makes later waits return at once until reset(). Whatever was written before set() is
// visible after a wait that returned true. Any thread; reset() only when nobody may be waiting for the earlier set().
#pragma once

#include <atomic>

#include "base/types.h"

namespace mgl {

constexpr u64 kForever = ~u64{0};

// Sleeps until *word is not expected, until woken, or for at most timeoutNs; may return early. True unless timed out.
// shared: the word is in memory that another process waits on.
bool futexWait(std::atomic<u32>& word, u32 expected, u64 timeoutNs = kForever, bool shared = false);
void futexWake(std::atomic<u32>& word, u32 waiters = ~u32{0} >> 1, bool shared = false);

class Event {
 public:
  bool isSet() const { return state_.load(std::memory_order_acquire) == kSet; }
  void set();
  void reset() { state_.store(kIdle, std::memory_order_relaxed); }
  // False when timeoutNs went by first.
  bool wait(u64 timeoutNs = kForever);

 private:
  static constexpr u32 kIdle = 0;
  static constexpr u32 kWaiting = 1;
  static constexpr u32 kSet = 2;
  std::atomic<u32> state_{kIdle};
};

}  // namespace mgl
