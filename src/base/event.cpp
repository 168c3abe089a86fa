#include "base/event.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "base/counters.h"

namespace mgl {

static_assert(sizeof(std::atomic<u32>) == sizeof(u32) && std::atomic<u32>::is_always_lock_free);

bool futexWait(std::atomic<u32>& word, u32 expected, u64 timeoutNs, bool shared) {
  timespec timeout{};
  timespec* limit = nullptr;
  if (timeoutNs != kForever) {
    timeout.tv_sec = static_cast<time_t>(timeoutNs / 1'000'000'000);
    timeout.tv_nsec = static_cast<long>(timeoutNs % 1'000'000'000);
    limit = &timeout;
  }
  const int savedErrno = errno;
  const long result = syscall(SYS_futex, &word, shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, expected, limit, nullptr, 0);
  const bool timedOut = result != 0 && errno == ETIMEDOUT;
  errno = savedErrno;
  return !timedOut;
}

void futexWake(std::atomic<u32>& word, u32 waiters, bool shared) {
  const int savedErrno = errno;
  syscall(SYS_futex, &word, shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, waiters, nullptr, nullptr, 0);
  errno = savedErrno;
}

void Event::set() {
  if (state_.exchange(kSet, std::memory_order_release) == kWaiting) futexWake(state_);
}

bool Event::wait(u64 timeoutNs) {
  const u64 begin = timeoutNs == kForever ? 0 : detail::monotonicNs();
  while (true) {
    u32 seen = state_.load(std::memory_order_acquire);
    if (seen == kSet) return true;
    u64 left = kForever;
    if (timeoutNs != kForever) {
      const u64 gone = detail::monotonicNs() - begin;
      if (gone >= timeoutNs) return false;
      left = timeoutNs - gone;
    }
    if (seen == kIdle && !state_.compare_exchange_strong(seen, kWaiting, std::memory_order_relaxed)) continue;
    futexWait(state_, kWaiting, left);
  }
}

}  // namespace mgl
