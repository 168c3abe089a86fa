#include "client/stream_lock.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <new>
#include <optional>

#include "base/assert.h"
#include "base/counters.h"

namespace mgl::client {

namespace {

// How long an owner must rest between two groups to count as idle: long against the gap between two calls of a busy
// program, short against a frame.
constexpr u32 kIdleSpins = 512;
constexpr std::chrono::microseconds kIdleWait{50};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void barrierEverywhere() { ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); }

}  // namespace

bool StreamLock::registerBarrier() {
#if defined(__SANITIZE_THREAD__)
  return false;
#else
  return ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
}

bool StreamLock::lockSlow(Owner& self) {
  // What lock() claimed did not stand.
  self.inGroup_.store(0, std::memory_order_seq_cst);
  std::unique_lock lock(mutex_);
  if (owner() == &self && grace_ != 0) {
    --grace_;
    self.inGroup_.store(1, std::memory_order_seq_cst);
    return true;
  }
  const u64 ticket = nextTicket_++;
  changed_.notify_all();  // an owner without grace that queues is one that has handed over
  std::optional<ScopedStall> stall;
  for (bool first = true;; first = false) {
    Owner* const before = owner();
    if (before == nullptr && ticket == served_) break;
    if (!stall) stall.emplace(Stall::SessionLock);
    if (before != nullptr) {
      word_.fetch_or(kAsked, std::memory_order_seq_cst);
      if (barrierByAsker_) barrierEverywhere();
    }
    const u32 grace = grace_;
    if (first) {
      lock.unlock();
      for (u32 spin = 0; spin < kIdleSpins; ++spin) pause();
      lock.lock();
    } else {
      changed_.wait_for(lock, kIdleWait);
    }
    if (ticket != served_ || before != owner()) continue;
    const bool resting = before == nullptr || before->inGroup_.load(std::memory_order_seq_cst) == 0;
    if (resting && (grace_ == 0 || grace_ == grace)) break;
  }
  ++served_;
  grace_ = kGroupsWhenAsked;
  count(Counter::LockHandOvers);
  self.inGroup_.store(1, std::memory_order_seq_cst);
  word_.store(reinterpret_cast<uintptr_t>(&self) | (served_ != nextTicket_ ? kAsked : 0), std::memory_order_seq_cst);
  return false;
}

void StreamLock::wake() {
  const std::scoped_lock lock(mutex_);
  changed_.notify_all();
}

void StreamLock::handOverSlow(Owner& self) {
  MGL_ASSERT(!self.holds());
  const std::scoped_lock lock(mutex_);
  if (owner() == &self && served_ != nextTicket_) grace_ = 0;
  changed_.notify_all();
}

void StreamLock::forget(Owner& self) {
  MGL_ASSERT(!self.holds());
  const std::scoped_lock lock(mutex_);
  if (owner() == &self) word_.store(0, std::memory_order_seq_cst);
  changed_.notify_all();
}

void StreamLock::resetInChild() {
  new (&mutex_) std::mutex;
  new (&changed_) std::condition_variable;
  grace_ = 0;
  served_ = nextTicket_ = 0;
  word_.store(0, std::memory_order_relaxed);
}

}  // namespace mgl::client
