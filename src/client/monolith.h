// The applier in the calling process: a direct call for each record, or (loopback) a copy through the codec and its checks.
#pragma once

#include <memory>
#include <string>

#include "client/transport.h"

namespace mgl::client {

struct MonolithOptions {
  std::string backend, device;
  bool loopback = false;
};

// Null, with the cause and the mend in *error.
std::unique_ptr<Transport> openMonolith(const MonolithOptions& options, std::string* error);

}  // namespace mgl::client
