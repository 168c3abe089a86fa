// The devices that sessions can be opened on, for the front doors and the command line.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/types.h"

namespace mgl::client {

struct DeviceInfo {
  std::string name, driver, pciAddress;
  std::array<u8, 16> uuid{};
};

// In the order of the indices that MOBILEGL_DEVICE takes. backend: "magma", "null"; empty: the knob. Empty with the cause
// in *error. Opens nothing that outlives the call.
std::vector<DeviceInfo> listDevices(const std::string& backend, std::string* error);

}  // namespace mgl::client
