// The host's own EGL and OpenGL ES, below our own vendor library: the vendor's library is opened by itself and asked through
// its __egl_Main, since libEGL would lead back to us.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/espryt/host_api.h"

namespace mgl::espryt {

class HostLibrary {
 public:
  // The vendor libraries that this machine's libglvnd would load, but for our own; the usual names where there is no list.
  static std::vector<std::string> candidates();

  // Opened once per process and never closed: its threads and exit handlers outlive every session. Null with the cause.
  static const HostLibrary* open(const std::string& path, std::string* error);

  const std::string& path() const { return path_; }
  const Egl& egl() const { return egl_; }
  // The table of OpenGL ES, filled while a context is current. *missing names what OpenGL ES 3.1 has and the host has not.
  Gl loadGl(std::string* missing) const;

 private:
  bool load(std::string* error);
  std::string path_;
  void* imports_ = nullptr;  // __EGLapiImports
  void* (*getProcAddress_)(const char*) = nullptr;
  Egl egl_;
};

}  // namespace mgl::espryt
