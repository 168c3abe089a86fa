// The backends that are built in, by name.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"

namespace mgl::server {

struct OpenOptions {
  std::string backend;  // "magma", "espryt", "null"
  std::string device;   // index, UUID, PCI address or a part of the name; empty: the first that fits
};

struct BackendRow {
  std::string_view name;
  backend::OpenResult (*open)(const OpenOptions& options, backend::EventSink& events);
  // The devices it could open. *error: why there are none.
  std::vector<backend::DeviceInfo> (*devices)(std::string* error);
};

std::span<const BackendRow> backendRows();

// Null row: *error names the backends there are and the one that was probably meant.
const BackendRow* findBackend(std::string_view name, std::string* error);

backend::OpenResult openBackend(const OpenOptions& options, backend::EventSink& events);
std::vector<backend::DeviceInfo> listDevices(std::string_view backend, std::string* error);

}  // namespace mgl::server
