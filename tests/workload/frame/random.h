// The seeded generator that makes every workload the same on every machine.
#pragma once

#include <cstdint>

namespace workload {

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint32_t>(n)); }
  float unit() { return static_cast<float>(next() >> 8) / 16777216.0f; }
  float between(float low, float high) { return low + (high - low) * unit(); }

 private:
  std::uint32_t state_;
};

}  // namespace workload
