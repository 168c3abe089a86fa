// Espryt: the backend on OpenGL ES (3.1 and whatever more the host has) through the host's own EGL. The door for the session;
// nothing else in this folder is included from outside.
//
// Threads: open and listDevices on any thread; what the Backend's functions allow stands in backend/backend.h. A session has
// one thread of its own, which waits for the GPU.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"

namespace mgl::espryt {

struct OpenOptions {
  std::string device;                  // index, or a part of the renderer's name; empty: the first that works
  std::vector<std::string> hostLimit;  // extensions to act as if the host lacked, by name, and "GL_ES_3_2"
};

// A session's backend. `sink` must outlive it, and its objects must be gone before it. On failure `error` names the cause (no
// library, no display, an old version) and the mend.
backend::OpenResult open(const OpenOptions& options, backend::EventSink& sink);

// One for each host library that gives OpenGL ES, in the order of their indices. Empty with `error` set when there is none.
std::vector<backend::DeviceInfo> listDevices(std::string* error);

}  // namespace mgl::espryt
