#include "wire/doorbell.h"

#include "base/counters.h"

namespace mgl::wire {

void Doorbell::wake() {
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  wakes_.fetch_add(1, std::memory_order_relaxed);
  futexWake(epoch_, ~u32{0} >> 1, true);
}

bool Doorbell::park(u64 timeoutNs, bool (*ready)(const void*), const void* what) {
  const u64 begin = timeoutNs == kForever ? 0 : detail::monotonicNs();
  parked_.fetch_add(1, std::memory_order_seq_cst);
  bool found = false;
  for (u64 left = timeoutNs;;) {
    const u32 epoch = epoch_.load(std::memory_order_seq_cst);
    found = ready(what);
    if (found || left == 0) break;
    futexWait(epoch_, epoch, left, true);
    if (timeoutNs == kForever) continue;
    const u64 gone = detail::monotonicNs() - begin;
    left = gone < timeoutNs ? timeoutNs - gone : 0;
  }
  parked_.fetch_sub(1, std::memory_order_seq_cst);
  return found;
}

}  // namespace mgl::wire
