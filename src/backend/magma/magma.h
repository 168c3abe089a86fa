// Magma: the backend on Vulkan (1.1 and whatever more the device has). The door for the session; nothing else in this
// folder is included from outside.
//
// Threads: open and listDevices on any thread; what the Backend's functions allow stands in backend/backend.h. A
// session has a thread of its own for every queue call and one that waits for the GPU.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"

namespace mgl::magma {

struct OpenOptions {
  std::string device;                  // index, UUID, PCI address or a part of the name; empty: the first that fits
  std::vector<std::string> hostLimit;  // extensions and features to act as if the device lacked, by Vulkan's names
  bool validation = false;             // load the validation layer with synchronisation validation
  bool pipelineCache = true;           // keep pipelines on disk between runs
};

// A session's backend. `sink` must outlive it, and its objects must be gone before it. On failure `error` names the
// cause (no loader, no device, no match: with the devices there are, a feature that is missing) and the mend.
backend::OpenResult open(const OpenOptions& options, backend::EventSink& sink);

// In the order of their indices. Empty with `error` set when there is no Vulkan to ask.
std::vector<backend::DeviceInfo> listDevices(std::string* error);

}  // namespace mgl::magma
