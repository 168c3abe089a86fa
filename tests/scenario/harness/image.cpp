#include "harness/image.h"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace mgl::scenario {
namespace {

struct FileHeader {
  char magic[4];
  std::uint32_t kind;
  std::int32_t width, height, channels;
};

template <class T>
T loadAs(const Image& image, int x, int y, int channel) {
  T value;
  std::memcpy(&value, image.bytes.data() + image.offset(x, y, channel), sizeof value);
  return value;
}

std::string valueText(const Image& image, int x, int y) {
  std::string out = "(";
  for (int c = 0; c < image.channels; ++c) {
    char text[48] = "";
    switch (image.kind) {
      case Kind::Unorm8:
        std::snprintf(text, sizeof text, "%u", image.bytes[image.offset(x, y, c)]);
        break;
      case Kind::Float:
        std::snprintf(text, sizeof text, "%.8g", static_cast<double>(image.real(x, y, c)));
        break;
      case Kind::Int:
        std::snprintf(text, sizeof text, "%d", image.integer(x, y, c));
        break;
      case Kind::Uint:
        std::snprintf(text, sizeof text, "%u", image.natural(x, y, c));
        break;
    }
    out += (c ? ", " : "") + std::string(text);
  }
  return out + ")";
}

bool alike(const Image& a, const Image& b, int x, int y, int c, const Tolerance& tolerance) {
  switch (a.kind) {
    case Kind::Unorm8:
      return std::abs(a.bytes[a.offset(x, y, c)] - b.bytes[b.offset(x, y, c)]) <= tolerance.steps;
    case Kind::Float: {
      const float p = a.real(x, y, c), q = b.real(x, y, c);
      if (std::isnan(p) || std::isnan(q)) return std::isnan(p) && std::isnan(q);
      return p == q || std::fabs(p - q) <= tolerance.real * std::max(1.0f, std::fabs(q));
    }
    case Kind::Int:
    case Kind::Uint:
      return a.natural(x, y, c) == b.natural(x, y, c);
  }
  return false;
}

std::uint8_t shown(const Image& image, int x, int y, int c) {
  switch (image.kind) {
    case Kind::Unorm8:
      return image.bytes[image.offset(x, y, c)];
    case Kind::Float:
      return static_cast<std::uint8_t>(std::lround(std::clamp(image.real(x, y, c), 0.0f, 1.0f) * 255.0f));
    default:
      return static_cast<std::uint8_t>(image.natural(x, y, c));
  }
}

Rgba8 shownPixel(const Image& image, int x, int y) {
  Rgba8 pixel;
  pixel.r = shown(image, x, y, 0);
  pixel.g = image.channels > 1 ? shown(image, x, y, 1) : pixel.r;
  pixel.b = image.channels > 2 ? shown(image, x, y, 2) : (image.channels > 1 ? std::uint8_t{0} : pixel.r);
  pixel.a = image.channels > 3 ? shown(image, x, y, 3) : std::uint8_t{255};
  return pixel;
}

void writeRows(int width, int height, const std::vector<Rgba8>& pixels, const std::filesystem::path& path) {
  std::filesystem::create_directories(path.parent_path());
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(width);
  png.height = static_cast<png_uint_32>(height);
  png.format = PNG_FORMAT_RGBA;
  png_image_write_to_file(&png, path.c_str(), 0, pixels.data(), -width * 4, nullptr);
}

}  // namespace

Image::Image(Kind kindOf, int w, int h, int channelCount) : kind(kindOf), width(w), height(h), channels(channelCount) {
  bytes.resize(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * static_cast<std::size_t>(channels) *
               elementSize());
}

Rgba8 Image::rgba8(int x, int y) const { return shownPixel(*this, x, y); }
float Image::real(int x, int y, int channel) const { return loadAs<float>(*this, x, y, channel); }
std::int32_t Image::integer(int x, int y, int channel) const { return loadAs<std::int32_t>(*this, x, y, channel); }
std::uint32_t Image::natural(int x, int y, int channel) const { return loadAs<std::uint32_t>(*this, x, y, channel); }

Difference compare(const Image& ours, const Image& oracle, const Tolerance& tolerance) {
  Difference out;
  if (ours.kind != oracle.kind || ours.width != oracle.width || ours.height != oracle.height ||
      ours.channels != oracle.channels) {
    return {1, "another kind or size of picture than the oracle's"};
  }
  for (int y = 0; y < ours.height; ++y) {
    for (int x = 0; x < ours.width; ++x) {
      for (int c = 0; c < ours.channels; ++c) {
        if (alike(ours, oracle, x, y, c, tolerance)) continue;
        if (out.values++ == 0) {
          out.first = "at " + std::to_string(x) + "," + std::to_string(y) + " ours " + valueText(ours, x, y) +
                      " oracle " + valueText(oracle, x, y);
        }
      }
    }
  }
  return out;
}

void save(const Image& image, const std::filesystem::path& path) {
  std::filesystem::create_directories(path.parent_path());
  const FileHeader header = {
      {'M', 'G', 'L', 'i'}, static_cast<std::uint32_t>(image.kind), image.width, image.height, image.channels};
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&header), sizeof header);
  out.write(reinterpret_cast<const char*>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

Image load(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  FileHeader header = {};
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!in || std::memcmp(header.magic, "MGLi", 4) != 0 || header.kind > static_cast<std::uint32_t>(Kind::Uint) ||
      header.width < 0 || header.width > 16384 || header.height < 0 || header.height > 16384 || header.channels < 1 ||
      header.channels > 4) {
    throw std::runtime_error("no picture: " + path.string());
  }
  Image image(static_cast<Kind>(header.kind), header.width, header.height, header.channels);
  in.read(reinterpret_cast<char*>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
  if (!in) throw std::runtime_error("cut short: " + path.string());
  return image;
}

void writePng(const Image& image, const std::filesystem::path& path) {
  std::vector<Rgba8> pixels;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) pixels.push_back(shownPixel(image, x, y));
  }
  writeRows(image.width, image.height, pixels, path);
}

void writeDifferencePng(const Image& ours, const Image& oracle, const std::filesystem::path& path) {
  if (ours.width != oracle.width || ours.height != oracle.height) return;
  std::vector<Rgba8> pixels;
  const auto spread = [](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(a == b ? 0 : std::min(255, 64 + 4 * std::abs(a - b)));
  };
  for (int y = 0; y < ours.height; ++y) {
    for (int x = 0; x < ours.width; ++x) {
      const Rgba8 a = shownPixel(ours, x, y), b = shownPixel(oracle, x, y);
      Rgba8 d{spread(a.r, b.r), spread(a.g, b.g), spread(a.b, b.b), 255};
      if (a.a != b.a) d.r = d.b = std::max<std::uint8_t>(d.r, spread(a.a, b.a));
      pixels.push_back(d);
    }
  }
  writeRows(ours.width, ours.height, pixels, path);
}

}  // namespace mgl::scenario
