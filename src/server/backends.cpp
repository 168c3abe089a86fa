#include "server/backends.h"

#include "backend/null/null.h"
#include "base/knobs.h"
#include "base/strings.h"
#ifdef MOBILEGL_WITH_MAGMA
#include "backend/magma/magma.h"
#endif
#ifdef MOBILEGL_WITH_ESPRYT
#include "backend/espryt/espryt.h"
#include "base/host_call.h"
#endif

namespace mgl::server {

namespace {

backend::OpenResult openNull(const OpenOptions&, backend::EventSink& events) { return null::open(events); }

std::vector<backend::DeviceInfo> nullDevices(std::string*) {
  backend::DeviceInfo device;
  device.name = "none: draws nothing";
  device.driver = "Null";
  return {device};
}

#ifdef MOBILEGL_WITH_MAGMA
backend::OpenResult openMagma(const OpenOptions& options, backend::EventSink& events) {
  magma::OpenOptions magmaOptions;
  magmaOptions.device = options.device;
  magmaOptions.hostLimit = knobs().magmaHostLimit;
  magmaOptions.validation = knobs().validation;
  magmaOptions.pipelineCache = knobs().shaderCache;
  return magma::open(magmaOptions, events);
}
#endif

#ifdef MOBILEGL_WITH_ESPRYT
backend::OpenResult openEspryt(const OpenOptions& options, backend::EventSink& events) {
  espryt::OpenOptions esprytOptions;
  esprytOptions.device = options.device;
  esprytOptions.hostLimit = knobs().esprytHostLimit;
  return espryt::open(esprytOptions, events);
}
#endif

constexpr BackendRow kRows[] = {
#ifdef MOBILEGL_WITH_MAGMA
    {"magma", openMagma, magma::listDevices},
#endif
#ifdef MOBILEGL_WITH_ESPRYT
    {"espryt", openEspryt, espryt::listDevices},
#endif
    {"null", openNull, nullDevices},
};

}  // namespace

std::span<const BackendRow> backendRows() { return kRows; }

const BackendRow* findBackend(std::string_view name, std::string* error) {
  std::vector<std::string_view> names;
  for (const BackendRow& row : kRows) {
    if (equalIgnoringCase(row.name, name)) return &row;
    names.push_back(row.name);
  }
  *error = "no backend is called \"" + std::string(name) + "\"; this build has " + join(names, ", ");
  if (const auto nearest = nearestName(name, names)) *error += " (did you mean \"" + std::string(*nearest) + "\"?)";
  return nullptr;
}

backend::OpenResult openBackend(const OpenOptions& options, backend::EventSink& events) {
  backend::OpenResult result;
  const BackendRow* row = findBackend(options.backend, &result.error);
  const HostCall host;
  return row != nullptr ? row->open(options, events) : std::move(result);
}

std::vector<backend::DeviceInfo> listDevices(std::string_view backend, std::string* error) {
  const BackendRow* row = findBackend(backend, error);
  const HostCall host;
  return row != nullptr ? row->devices(error) : std::vector<backend::DeviceInfo>();
}

}  // namespace mgl::server
