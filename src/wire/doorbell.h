// What a thread sleeps on until the other end has something for it. In shared memory; several may wait on one.
//
// ring() after what it announces was stored with seq_cst: a peer that is awake costs one load, a parked one a system call.
// wait() first spins as long as spinning paid lately, then parks.
#pragma once

#include <atomic>

#include "base/event.h"
#include "base/types.h"

namespace mgl::wire {

class Doorbell {
 public:
  void ring() {
    if (parked_.load(std::memory_order_seq_cst) != 0) wake();
  }

  // Until ready() or the time is over; ready() loads with seq_cst what the peer stored. May call it often. False: the time
  // was over and it is not ready.
  template <class Ready>
  bool wait(const Ready& ready, u64 timeoutNs = kForever) {
    if (ready()) return true;
    // The budget of spins follows what the last waits found: none while spinning finds nothing.
    const u32 budget = spins_.load(std::memory_order_relaxed);
    for (u32 i = 0; i < budget; ++i) {
      relax();
      if (!ready()) continue;
      spins_.store(budget < kMostSpins / 2 ? 2 * budget : kMostSpins, std::memory_order_relaxed);
      return true;
    }
    spins_.store(budget > 2 * kLeastSpins ? budget / 2 : kLeastSpins, std::memory_order_relaxed);
    return park(timeoutNs, [](const void* what) { return (*static_cast<const Ready*>(what))(); }, &ready);
  }

  u64 wakes() const { return wakes_.load(std::memory_order_relaxed); }

 private:
  static constexpr u32 kLeastSpins = 16;  // less never finds out that spinning pays
  static constexpr u32 kMostSpins = 1024;  // a few microseconds: what waking a sleeper costs
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  void wake();
  bool park(u64 timeoutNs, bool (*ready)(const void*), const void* what);

  std::atomic<u32> epoch_{0};
  std::atomic<u32> parked_{0};
  std::atomic<u32> spins_{64};
  std::atomic<u64> wakes_{0};
};

}  // namespace mgl::wire
