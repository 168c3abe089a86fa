#include "client/devices.h"

#include "base/knobs.h"
#include "server/backends.h"

namespace mgl::client {

std::vector<DeviceInfo> listDevices(const std::string& backend, std::string* error) {
  const std::string_view asked = backend.empty() ? name(knobs().backend) : std::string_view(backend);
  std::vector<DeviceInfo> devices;
  for (auto& found : server::listDevices(asked, error)) {
    devices.push_back({std::move(found.name), std::move(found.driver), std::move(found.pciAddress), found.uuid});
  }
  return devices;
}

}  // namespace mgl::client
