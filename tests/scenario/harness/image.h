// Pictures that scenarios read back: bottom row first, one to four channels, as bytes, floats or integers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mgl::scenario {

enum class Kind : std::uint32_t { Unorm8, Float, Int, Uint };

struct Rgba8 {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Rgba8&) const = default;
};

struct Image {
  Kind kind = Kind::Unorm8;
  int width = 0;
  int height = 0;
  int channels = 4;
  std::vector<std::uint8_t> bytes;

  Image() = default;
  Image(Kind kindOf, int w, int h, int channelCount = 4);

  [[nodiscard]] std::size_t elementSize() const { return kind == Kind::Unorm8 ? 1 : 4; }
  void* data() { return bytes.data(); }
  [[nodiscard]] std::size_t offset(int x, int y, int channel) const {
    return (static_cast<std::size_t>(y * width + x) * static_cast<std::size_t>(channels) +
            static_cast<std::size_t>(channel)) *
           elementSize();
  }
  [[nodiscard]] Rgba8 rgba8(int x, int y) const;
  [[nodiscard]] float real(int x, int y, int channel) const;
  [[nodiscard]] std::int32_t integer(int x, int y, int channel) const;
  [[nodiscard]] std::uint32_t natural(int x, int y, int channel) const;
};

struct Tolerance {
  int steps = 0;       // of 1/255, for Unorm8
  float real = 1e-5f;  // absolute up to 1, relative above, for Float
};

struct Difference {
  std::size_t values = 0;  // outside the tolerance
  std::string first;       // where and what, empty when none
};

Difference compare(const Image& ours, const Image& oracle, const Tolerance& tolerance);

// A file with a small header; load() throws std::runtime_error for what save() did not write.
void save(const Image& image, const std::filesystem::path& path);
Image load(const std::filesystem::path& path);

// For people: top row first; floats clamp to 0..1, integers are shown by their low byte.
void writePng(const Image& image, const std::filesystem::path& path);
void writeDifferencePng(const Image& ours, const Image& oracle, const std::filesystem::path& path);

}  // namespace mgl::scenario
