// What `mobilegl info` tells, gathered before anything is printed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mgl::tool {

struct InfoReport {
  std::string backend;
  std::string topology;
  std::vector<std::string> devices;  // that the backend could open, in the order of their indices
  // Why no session could be opened; what follows it is empty then.
  std::string failure;

  std::string deviceName;
  std::string driverName;
  std::string deviceUuid;
  std::string mapTier;
  std::string renderer;
  struct Profile {
    std::string version;      // "3.3", empty: not granted
    std::string provisional;  // what of it is not finished; empty: all of it is
    std::string nextMissing;  // what keeps it from a higher version; empty: nothing
  };
  Profile core, compatibility;
  std::string glsl;     // "3.30"
  bool forced = false;  // the version, by MOBILEGL_GL_VERSION
  std::vector<std::string> extensions;

  std::vector<std::string> knobProblems;
};

// Opens a session as the EGL front door does, asks, and closes it. Never fails: see failure.
InfoReport gatherInfo();

// The report with every knob.
nlohmann::ordered_json toJson(const InfoReport& report);
std::string toText(const InfoReport& report);

}  // namespace mgl::tool
