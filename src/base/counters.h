// Process-wide counters and named waits; the table is counters.def. All are relaxed: a reader sees each one grow, but
// no order between two of them. They only grow; a measurement takes a snapshot before and after.
#pragma once

#include <atomic>
#include <string_view>

#include "base/types.h"

namespace mgl {

enum class Counter : u32 {
#define MGL_COUNTER(id, meaning) id,
#include "base/counters.def"
  Count
};

enum class Stall : u32 {
#define MGL_STALL(id, meaning) id,
#include "base/counters.def"
  Count
};

namespace detail {

struct StallCell {
  std::atomic<u64> count{0};
  std::atomic<u64> ns{0};
};

inline constinit std::atomic<u64> counterCells[countOf<Counter>()] = {};
inline constinit StallCell stallCells[countOf<Stall>()] = {};

u64 monotonicNs();

}  // namespace detail

// Any thread: one atomic addition.
inline void count(Counter counter, u64 amount = 1) {
  detail::counterCells[indexOf(counter)].fetch_add(amount, std::memory_order_relaxed);
}

// For a counter that only the holder of the session's lock (or only the apply thread) writes: no bus lock. With two
// sessions in the process a count may be lost; none is ever torn.
inline void countHeld(Counter counter, u64 amount = 1) {
  std::atomic<u64>& cell = detail::counterCells[indexOf(counter)];
  cell.store(cell.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

inline u64 counted(Counter counter) { return detail::counterCells[indexOf(counter)].load(std::memory_order_relaxed); }

inline u64 stallCount(Stall stall) { return detail::stallCells[indexOf(stall)].count.load(std::memory_order_relaxed); }
inline u64 stallNs(Stall stall) { return detail::stallCells[indexOf(stall)].ns.load(std::memory_order_relaxed); }

// Around a wait that may block: counts it and its time when it ends.
class ScopedStall {
 public:
  explicit ScopedStall(Stall stall) : stall_(stall), beginNs_(detail::monotonicNs()) {}
  ~ScopedStall();
  ScopedStall(const ScopedStall&) = delete;
  ScopedStall& operator=(const ScopedStall&) = delete;

 private:
  Stall stall_;
  u64 beginNs_;
};

std::string_view name(Counter counter);
std::string_view meaning(Counter counter);
std::string_view name(Stall stall);
std::string_view meaning(Stall stall);

// All values at one moment, and what was added since.
struct CounterSnapshot {
  u64 counters[countOf<Counter>()];
  u64 stalls[countOf<Stall>()];

  static CounterSnapshot take();
  u64 since(Counter counter) const { return counted(counter) - counters[indexOf(counter)]; }
  u64 since(Stall stall) const { return stallCount(stall) - stalls[indexOf(stall)]; }
};

}  // namespace mgl
