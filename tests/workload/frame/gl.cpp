#include "frame/gl.h"

#include <EGL/egl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace workload {

Entries gl;
Calls calls{};

namespace {

template <class T>
void load(T& entry, const char* symbol) {
  entry = reinterpret_cast<T>(eglGetProcAddress(symbol));
  if (entry == nullptr) fail(std::string("EGL gives no ") + symbol);
}

}  // namespace

unsigned calledInAll() { return std::accumulate(calls.begin(), calls.end(), 0u); }

std::string_view name(Function function) {
  static constexpr std::string_view kNames[] = {
#define WORKLOAD_FUNCTION(name, upper) #name,
      WORKLOAD_GL(WORKLOAD_FUNCTION)
#undef WORKLOAD_FUNCTION
  };
  return kNames[static_cast<std::size_t>(function)];
}

void loadEntries() {
#define WORKLOAD_FUNCTION(name, upper) load(gl.name, "gl" #name);
  WORKLOAD_GL(WORKLOAD_FUNCTION)
#undef WORKLOAD_FUNCTION
}

bool hasVertexBindings() {
  if (kEs) return true;
  GLint major = 0, minor = 0, extensions = 0;
  gl.GetIntegerv(GL_MAJOR_VERSION, &major);
  gl.GetIntegerv(GL_MINOR_VERSION, &minor);
  if (major * 10 + minor >= 43) return true;
  gl.GetIntegerv(GL_NUM_EXTENSIONS, &extensions);
  const auto getStringi = reinterpret_cast<PFNGLGETSTRINGIPROC>(eglGetProcAddress("glGetStringi"));
  for (GLint i = 0; getStringi != nullptr && i < extensions; ++i) {
    const auto* text = reinterpret_cast<const char*>(getStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
    if (text != nullptr && std::strcmp(text, "GL_ARB_vertex_attrib_binding") == 0) return true;
  }
  return false;
}

void fail(const std::string& what) {
  std::fprintf(stderr, "workload: %s\n", what.c_str());
  std::exit(1);
}

}  // namespace workload
