// What `mobilegl info` tells, gathered before anything is printed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mgl::tool {

struct InfoReport {
  std::string backend;
  std::string topology;
  // Why no session could be opened; what follows it is empty then.
  std::string failure;

  std::string deviceName;
  std::string driverName;
  std::string deviceUuid;
  std::string mapTier;
  std::string renderer;
  std::string glVersionCore;  // "3.3", empty: that profile is not granted
  std::string glVersionCompatibility;
  std::string glslVersion;
  bool forced = false;                   // by MOBILEGL_GL_VERSION
  std::vector<std::string> provisional;  // what the granted version still lacks
  std::string nextVersion;               // the lowest version that is not granted, empty at 4.6
  std::vector<std::string> nextMissing;  // what keeps it from being granted
  std::vector<std::string> extensions;

  std::vector<std::string> knobProblems;
};

// Opens a session as the EGL front door does, asks, and closes it. Never fails: see failure.
InfoReport gatherInfo();

// The report with every knob.
nlohmann::ordered_json toJson(const InfoReport& report);
std::string toText(const InfoReport& report);

}  // namespace mgl::tool
