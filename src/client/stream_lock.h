// The lock of a session's stream, cached by its owner (design section 6).
//
// Owners are contexts, one thread each at a time. Whoever owned the lock last takes and gives it back with plain
// stores; the cost of a change of owner lies with the one who asks: a process-wide memory barrier (membarrier) makes
// the owner's stores visible. Where the kernel has none, and under the thread sanitizer, the owner pays for
// sequentially consistent operations instead.
//
// Hand-over. An owner that is between two groups and stays there is revoked at once. One that goes on keeps the lock
// for kGroupsWhenAsked groups more, so that two busy threads do not take turns at every group. It is handed over
// earlier at handOver(): a wait, a flush, a swap. Askers are served in order.
//
// Not recursive. Never held in a wait of any kind.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "base/types.h"

namespace mgl::client {

class StreamLock {
 public:
  static constexpr u32 kGroupsWhenAsked = 64;

  class Owner {
   public:
    bool holds() const { return inGroup_.load(std::memory_order_relaxed) != 0; }

   private:
    friend class StreamLock;
    std::atomic<u32> inGroup_{0};
  };

  // Takes the lock for `self`. True: nobody else had it since `self` gave it back.
  bool lock(Owner& self) {
    const auto own = reinterpret_cast<uintptr_t>(&self);
    if (barrierByAsker_) [[likely]] {
      self.inGroup_.store(1, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (word_.load(std::memory_order_acquire) == own) [[likely]]
        return true;
    } else {
      self.inGroup_.exchange(1, std::memory_order_seq_cst);
      if (word_.load(std::memory_order_seq_cst) == own) return true;
    }
    return lockSlow(self);
  }

  void unlock(Owner& self) {
    if (barrierByAsker_) [[likely]]
      return unlockPlainly(self);
    self.inGroup_.exchange(0, std::memory_order_seq_cst);
    if ((word_.load(std::memory_order_seq_cst) & kAsked) != 0) wake();
  }

  // Whether the owner takes and gives back with plain stores. Constant.
  bool isPlain() const { return barrierByAsker_; }
  // REQUIRES isPlain().
  void unlockPlainly(Owner& self) {
    self.inGroup_.store(0, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if ((word_.load(std::memory_order_relaxed) & kAsked) != 0) [[unlikely]]
      wake();
  }

  // Gives the lock to who asked for it, if anybody did. REQUIRES that `self` does not hold it.
  void handOver(Owner& self) {
    if ((word_.load(std::memory_order_relaxed) & kAsked) != 0) [[unlikely]]
      handOverSlow(self);
  }

  // `self` goes away. REQUIRES that it does not hold the lock.
  void forget(Owner& self);

  // In the child of a fork, where nobody else lives: free, whoever held it.
  void resetInChild();

 private:
  static constexpr uintptr_t kAsked = 1;  // beside the owner's address: somebody waits

  bool lockSlow(Owner& self);
  void wake();
  void handOverSlow(Owner& self);
  Owner* owner() const { return reinterpret_cast<Owner*>(word_.load(std::memory_order_relaxed) & ~kAsked); }

  static bool registerBarrier();
  const bool barrierByAsker_ = registerBarrier();

  std::atomic<uintptr_t> word_{0};  // Owner*, and kAsked

  // Under mutex_
  std::mutex mutex_;
  std::condition_variable changed_;
  u32 grace_ = 0;  // groups that the owner may still write while somebody waits
  u64 nextTicket_ = 0, served_ = 0;
};

}  // namespace mgl::client
