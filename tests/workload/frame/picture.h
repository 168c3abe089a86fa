// The picture of a frame: read back, summed, written for people and tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace workload {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // top row first

  static Picture read(int width, int height);  // from the bound read framebuffer
  [[nodiscard]] std::uint32_t sum() const;     // to compare runs by
  // As PNG or, by the name's end, PPM. Ends the program when the file cannot be written.
  void write(const std::string& path) const;
};

}  // namespace workload
