#include "base/counters.h"

#include <cinttypes>
#include <cstdio>
#include <ctime>

#include "base/knobs.h"

namespace mgl {

namespace {

struct Row {
  std::string_view name;
  std::string_view meaning;
};

constexpr Row kCounters[] = {
#define MGL_COUNTER(id, meaning) {#id, meaning},
#include "base/counters.def"
};

constexpr Row kStalls[] = {
#define MGL_STALL(id, meaning) {#id, meaning},
#include "base/counters.def"
};

// At the end of the process, or when the library is unloaded: MOBILEGL_COUNTERS=file. Knob readings are never freed.
[[gnu::destructor]] void writeCounters() {
  const std::string& path = knobReading().values.countersFile;
  if (path.empty()) return;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return;
  for (u32 i = 0; i < countOf<Counter>(); ++i) {
    std::fprintf(file, "%s %" PRIu64 "\n", kCounters[i].name.data(), counted(static_cast<Counter>(i)));
  }
  for (u32 i = 0; i < countOf<Stall>(); ++i) {
    std::fprintf(file, "Stall%s %" PRIu64 "\n", kStalls[i].name.data(), stallCount(static_cast<Stall>(i)));
  }
  std::fclose(file);
}

}  // namespace

u64 detail::monotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}

ScopedStall::~ScopedStall() {
  detail::StallCell& cell = detail::stallCells[indexOf(stall_)];
  cell.count.fetch_add(1, std::memory_order_relaxed);
  cell.ns.fetch_add(detail::monotonicNs() - beginNs_, std::memory_order_relaxed);
}

std::string_view name(Counter counter) { return kCounters[indexOf(counter)].name; }
std::string_view meaning(Counter counter) { return kCounters[indexOf(counter)].meaning; }
std::string_view name(Stall stall) { return kStalls[indexOf(stall)].name; }
std::string_view meaning(Stall stall) { return kStalls[indexOf(stall)].meaning; }

CounterSnapshot CounterSnapshot::take() {
  CounterSnapshot snapshot;
  for (u32 i = 0; i < countOf<Counter>(); ++i) snapshot.counters[i] = counted(static_cast<Counter>(i));
  for (u32 i = 0; i < countOf<Stall>(); ++i) snapshot.stalls[i] = stallCount(static_cast<Stall>(i));
  return snapshot;
}

}  // namespace mgl
