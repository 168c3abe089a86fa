#include "harness/scenario.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mgl::scenario {
namespace {

Scenario* theCurrent = nullptr;

std::string place(const char* file, int line) {
  return std::filesystem::path(file).filename().string() + ":" + std::to_string(line) + ": ";
}

bool near(const Rgba8& a, const Rgba8& b, int steps) {
  return std::abs(a.r - b.r) <= steps && std::abs(a.g - b.g) <= steps && std::abs(a.b - b.b) <= steps &&
         std::abs(a.a - b.a) <= steps;
}

}  // namespace

Scenario& current() { return *theCurrent; }
void setCurrent(Scenario* scenario) { theCurrent = scenario; }

std::vector<Entry>& registry() {
  static std::vector<Entry> entries;
  return entries;
}

Scenario::Scenario(const Options& options, const Context& context, bool pixels, bool onHost)
    : options_(options), context_(context), pixels_(pixels), onHost_(onHost) {}

Image Scenario::read(int x, int y, int w, int h) {
  Image image(Kind::Unorm8, w, h);
  glReadPixels(x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
  return image;
}

Image Scenario::readFloat(int x, int y, int w, int h) {
  Image image(Kind::Float, w, h);
  glReadPixels(x, y, w, h, GL_RGBA, GL_FLOAT, image.data());
  return image;
}

Image Scenario::readInt(int x, int y, int w, int h) {
  Image image(Kind::Int, w, h);
  glReadPixels(x, y, w, h, GL_RGBA_INTEGER, GL_INT, image.data());
  return image;
}

Image Scenario::readUint(int x, int y, int w, int h) {
  Image image(Kind::Uint, w, h);
  glReadPixels(x, y, w, h, GL_RGBA_INTEGER, GL_UNSIGNED_INT, image.data());
  return image;
}

Image Scenario::readDepth(int x, int y, int w, int h) {
  Image image(Kind::Float, w, h, 1);
  glReadPixels(x, y, w, h, GL_DEPTH_COMPONENT, GL_FLOAT, image.data());
  return image;
}

void Scenario::picture(const std::string& name, const Image& image) {
  const std::lock_guard lock(mutex_);
  if (std::any_of(pictures_.begin(), pictures_.end(), [&](const Named& p) { return p.name == name; })) {
    failures_.push_back("two pictures are named " + name);
    return;
  }
  pictures_.push_back({name, image});
}

void Scenario::fail(const char* file, int line, const std::string& what) {
  const std::lock_guard lock(mutex_);
  failures_.push_back(place(file, line) + what);
}

std::vector<std::string> Scenario::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

std::string show(const Rgba8& v) {
  return "(" + std::to_string(v.r) + ", " + std::to_string(v.g) + ", " + std::to_string(v.b) + ", " +
         std::to_string(v.a) + ")";
}

void checkPixel(const char* file, int line, const Image& image, int x, int y, const Rgba8& wanted) {
  checkPixels(file, line, image, x, y, 1, 1, wanted);
}

void checkPixels(const char* file, int line, const Image& image, int x, int y, int w, int h, const Rgba8& wanted) {
  if (!current().pixels()) return;
  int bad = 0;
  std::string first;
  for (int j = y; j < y + h; ++j) {
    for (int i = x; i < x + w; ++i) {
      const Rgba8 got = image.rgba8(i, j);
      if (near(got, wanted, current().tolerance().steps)) continue;
      if (bad++ == 0) {
        first = "pixel " + std::to_string(i) + "," + std::to_string(j) + ": " + show(got) + " is not " + show(wanted);
      }
    }
  }
  if (bad > 1) first += " (and " + std::to_string(bad - 1) + " more)";
  if (bad > 0) current().fail(file, line, first);
}

void checkFloats(const char* file, int line, const Image& image, int x, int y, std::initializer_list<float> wanted) {
  if (!current().pixels()) return;
  int channel = 0;
  for (const float want : wanted) {
    const float got = image.real(x, y, channel);
    const float within = current().tolerance().real * std::max(1.0f, std::fabs(want));
    if (!(std::fabs(got - want) <= within)) {
      current().fail(file, line,
                     "pixel " + std::to_string(x) + "," + std::to_string(y) + " channel " + std::to_string(channel) +
                         ": " + show(got) + " is not " + show(want));
    }
    ++channel;
  }
}

void checkInts(const char* file, int line, const Image& image, int x, int y, std::initializer_list<long long> wanted) {
  if (!current().pixels()) return;
  int channel = 0;
  for (const long long want : wanted) {
    const long long got =
        image.kind == Kind::Int ? image.integer(x, y, channel) : static_cast<long long>(image.natural(x, y, channel));
    if (got != want) {
      current().fail(file, line,
                     "pixel " + std::to_string(x) + "," + std::to_string(y) + " channel " + std::to_string(channel) +
                         ": " + show(got) + " is not " + show(want));
    }
    ++channel;
  }
}

void checkGlError(const char* file, int line, GLenum wanted) {
  const GLenum got = glGetError();
  if (got != wanted) current().fail(file, line, "glGetError: " + show(got) + " is not " + show(wanted));
}

}  // namespace mgl::scenario
