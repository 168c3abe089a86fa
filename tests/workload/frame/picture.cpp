#include "frame/picture.h"

#include <png.h>

#include <algorithm>
#include <cstdio>

#include "frame/gl.h"

namespace workload {

Picture Picture::read(int width, int height) {
  Picture picture{width, height, {}};
  const auto row = static_cast<std::size_t>(width) * 4;
  picture.rgba.resize(row * static_cast<std::size_t>(height));
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  gl.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
  for (int y = 0; y < height / 2; ++y) {
    std::uint8_t* top = picture.rgba.data() + static_cast<std::size_t>(y) * row;
    std::swap_ranges(top, top + row, picture.rgba.data() + static_cast<std::size_t>(height - 1 - y) * row);
  }
  return picture;
}

std::uint32_t Picture::sum() const {
  std::uint32_t hash = 2166136261u;
  for (const std::uint8_t byte : rgba) hash = (hash ^ byte) * 16777619u;
  return hash;
}

void Picture::write(const std::string& path) const {
  if (path.ends_with(".ppm")) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) fail("cannot write " + path);
    std::fprintf(file, "P6\n%d %d\n255\n", width, height);
    for (std::size_t i = 0; i < rgba.size(); i += 4) std::fwrite(&rgba[i], 1, 3, file);
    if (std::fclose(file) != 0) fail("cannot write " + path);
    return;
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGBA;
  if (png_image_write_to_file(&image, path.c_str(), 0, rgba.data(), 0, nullptr) == 0) fail("cannot write " + path);
}

}  // namespace workload
