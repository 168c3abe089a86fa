// What a scenario file includes.
//
// A scenario is a short GL 3.3 core program that asserts values computed in it from the specification, and hands in
// named pictures that are compared with those of the host's own desktop GL:
//
//   SCENARIO(blend, add, .size = {64, 64}, .tolerance = {.steps = 1}) {
//     Target target = makeTarget(s.width(), s.height());
//     ...
//     CHECK_PIXEL(s.read(), 10, 10, Rgba8{255, 0, 0, 255});
//     s.capture("picture");
//   }
//
// It starts on a fresh context that is current on the calling thread and ends with no GL error left.  Checks may be
// made on any thread.  CHECK is for what the client can know (state, errors, names); what the GPU computed goes through
// CHECK_GPU and CHECK_PIXEL, which an arm without pixels (Null) evaluates and does not judge.
#pragma once

#include <atomic>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "harness/egl.h"
#include "harness/gl.h"
#include "harness/image.h"

namespace mgl::scenario {

struct Size {
  int width = 64;
  int height = 64;
};

struct Options {
  Size size = {};
  Tolerance tolerance = {};
  // What the context must have: "GL_..." an extension, "gl:4.1" a version; or the arm: "env:NAME" a variable.
  std::vector<const char*> needs = {};
  // Runs in a process of its own.
  bool process = false;
  ContextOptions context = {};
};

// Ends the scenario from REQUIRE and from the helpers.
struct Abort {};

class Scenario {
 public:
  Scenario(const Options& options, const Context& context, bool pixels, bool onHost);

  [[nodiscard]] int width() const { return options_.size.width; }
  [[nodiscard]] int height() const { return options_.size.height; }
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const Tolerance& tolerance() const { return options_.tolerance; }
  // False on an arm that draws nothing.
  [[nodiscard]] bool pixels() const { return pixels_; }
  // The host's own GL, which is laxer than the specification in places; a check left out there says why.
  [[nodiscard]] bool onHost() const { return onHost_; }

  // Reads the bound read framebuffer with the pack state in force.
  Image read(int x, int y, int w, int h);
  Image read() { return read(0, 0, width(), height()); }
  Image readFloat(int x, int y, int w, int h);
  Image readInt(int x, int y, int w, int h);
  Image readUint(int x, int y, int w, int h);
  Image readDepth(int x, int y, int w, int h);

  // Hands in a picture under a name of its own.
  void picture(const std::string& name, const Image& image);
  void capture(const std::string& name) { picture(name, read()); }

  void fail(const char* file, int line, const std::string& what);

  struct Named {
    std::string name;
    Image image;
  };
  [[nodiscard]] const std::vector<Named>& pictures() const { return pictures_; }
  [[nodiscard]] std::vector<std::string> failures() const;

 private:
  const Options& options_;
  const Context& context_;
  bool pixels_;
  bool onHost_;
  mutable std::mutex mutex_;
  std::vector<Named> pictures_;
  std::vector<std::string> failures_;
};

// The scenario that runs now.
Scenario& current();
void setCurrent(Scenario* scenario);

struct Entry {
  const char* family;
  const char* name;
  const char* file;
  Options options;
  void (*body)(Scenario&);
};

std::vector<Entry>& registry();

struct Register {
  explicit Register(Entry entry) { registry().push_back(std::move(entry)); }
};

template <class T>
std::string show(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_enum_v<T>) {
    out << static_cast<long long>(value);
  } else if constexpr (std::is_same_v<T, unsigned char> || std::is_same_v<T, signed char>) {
    out << static_cast<int>(value);
  } else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 4) {
    out << value << " (0x" << std::hex << value << ")";
  } else {
    out.precision(9);
    out << value;
  }
  return out.str();
}
std::string show(const Rgba8& value);

template <class A, class B>
void checkEqual(const char* file, int line, const char* text, const A& a, const B& b) {
  using C = std::common_type_t<A, B>;
  if (static_cast<C>(a) != static_cast<C>(b)) {
    current().fail(file, line, std::string(text) + ": " + show(a) + " is not " + show(b));
  }
}

inline void checkNear(const char* file, int line, const char* text, double a, double b, double within) {
  const double away = a < b ? b - a : a - b;
  if (!(away <= within)) current().fail(file, line, std::string(text) + ": " + show(a) + " is not near " + show(b));
}

void checkPixel(const char* file, int line, const Image& image, int x, int y, const Rgba8& wanted);
void checkPixels(const char* file, int line, const Image& image, int x, int y, int w, int h, const Rgba8& wanted);
void checkFloats(const char* file, int line, const Image& image, int x, int y, std::initializer_list<float> wanted);
void checkInts(const char* file, int line, const Image& image, int x, int y, std::initializer_list<long long> wanted);
void checkGlError(const char* file, int line, GLenum wanted);

}  // namespace mgl::scenario

#define SCENARIO(family_, name_, ...)                                                                   \
  static void scenario_##family_##_##name_(mgl::scenario::Scenario&);                                   \
  static const mgl::scenario::Register register_##family_##_##name_{                                    \
      {#family_, #name_, __FILE__, mgl::scenario::Options{__VA_ARGS__}, scenario_##family_##_##name_}}; \
  static void scenario_##family_##_##name_([[maybe_unused]] mgl::scenario::Scenario& s)

#define CHECK(condition) \
  ((condition) ? void() : mgl::scenario::current().fail(__FILE__, __LINE__, "not so: " #condition))
#define CHECK_EQ(a, b) mgl::scenario::checkEqual(__FILE__, __LINE__, #a, a, b)
#define CHECK_NEAR(a, b, within) mgl::scenario::checkNear(__FILE__, __LINE__, #a, a, b, within)
#define REQUIRE(condition)                                                                 \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      mgl::scenario::current().fail(__FILE__, __LINE__, "needed and not so: " #condition); \
      throw mgl::scenario::Abort{};                                                        \
    }                                                                                      \
  } while (false)

// What the GPU computed.
#define CHECK_GPU(condition)                                                    \
  do {                                                                          \
    const bool held_ = (condition);                                             \
    if (mgl::scenario::current().pixels() && !held_) {                          \
      mgl::scenario::current().fail(__FILE__, __LINE__, "not so: " #condition); \
    }                                                                           \
  } while (false)
#define CHECK_GPU_EQ(a, b)                                                                               \
  do {                                                                                                   \
    const auto value_ = (a);                                                                             \
    if (mgl::scenario::current().pixels()) mgl::scenario::checkEqual(__FILE__, __LINE__, #a, value_, b); \
  } while (false)
#define CHECK_GPU_NEAR(a, b, within)                                                                            \
  do {                                                                                                          \
    const auto value_ = (a);                                                                                    \
    if (mgl::scenario::current().pixels()) mgl::scenario::checkNear(__FILE__, __LINE__, #a, value_, b, within); \
  } while (false)
#define CHECK_PIXEL(image, x, y, ...) mgl::scenario::checkPixel(__FILE__, __LINE__, image, x, y, __VA_ARGS__)
// Every pixel of the rectangle x, y, w, h.
#define CHECK_PIXELS(image, x, y, w, h, ...) \
  mgl::scenario::checkPixels(__FILE__, __LINE__, image, x, y, w, h, __VA_ARGS__)
#define CHECK_FLOATS(image, x, y, ...) mgl::scenario::checkFloats(__FILE__, __LINE__, image, x, y, {__VA_ARGS__})
#define CHECK_INTS(image, x, y, ...) mgl::scenario::checkInts(__FILE__, __LINE__, image, x, y, {__VA_ARGS__})
// Takes the error off.
#define CHECK_GL_ERROR(wanted) mgl::scenario::checkGlError(__FILE__, __LINE__, wanted)

#include "harness/helpers.h"

// A scenario file is a program, not a library: it says `using namespace` once here for all of them.
using namespace mgl::scenario;
