// The display and the contexts of a scenario run: surfaceless, GL 3.3 core unless asked otherwise.
#pragma once

#include <EGL/egl.h>

#include <string>

namespace mgl::scenario {

// Opens the surfaceless display of the process once.  Returns an error text, empty when it worked.
std::string openDisplay();
void closeDisplay();
EGLDisplay display();

struct ContextOptions {
  int major = 3;
  int minor = 3;
  bool debug = false;
  bool forwardCompatible = false;
};

// An RGBA8 pbuffer with depth and stencil.
class Pbuffer {
 public:
  // Throws std::runtime_error when EGL refuses.
  Pbuffer(int width, int height);
  ~Pbuffer();
  Pbuffer(const Pbuffer&) = delete;
  Pbuffer& operator=(const Pbuffer&) = delete;

 private:
  friend class Context;
  EGLSurface surface_ = EGL_NO_SURFACE;
};

// One EGL context, without a surface unless given one.  Owned by one scope; current on at most one thread at a time.
class Context {
 public:
  // Throws std::runtime_error when EGL refuses.
  explicit Context(const Context* share = nullptr, const ContextOptions& options = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Throws std::runtime_error when EGL refuses.
  void makeCurrent() const;
  void makeCurrent(const Pbuffer& surface) const;
  static void release();

 private:
  void makeCurrentWith(EGLSurface surface) const;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace mgl::scenario
