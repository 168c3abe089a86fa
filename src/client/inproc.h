// The applier in a thread of this process, behind the rings of a link.
#pragma once

#include <memory>
#include <string>

#include "client/transport.h"
#include "wire/segments.h"

namespace mgl::client {

struct InprocOptions {
  std::string backend, device;
  bool hostile = false;  // every record is checked as a stranger's
  wire::Sizes sizes;
};

// Null, with the cause and the mend in *error.
std::unique_ptr<Transport> openInproc(const InprocOptions& options, std::string* error);

}  // namespace mgl::client
