#include "info_report.h"

#include "base/knobs.h"
#include "base/strings.h"

namespace mgl::tool {

namespace {

void line(std::string& out, std::string_view label, std::string_view value) {
  out += formatText("%-24s%.*s\n", (std::string(label) + ":").c_str(), static_cast<int>(value.size()), value.data());
}

std::string orNone(const std::vector<std::string>& words) { return words.empty() ? "none" : join(words, ", "); }

void addSession(std::string& out, const InfoReport& report) {
  line(out, "device", report.deviceName);
  line(out, "driver", report.driverName);
  line(out, "device UUID", report.deviceUuid);
  line(out, "renderer", report.renderer);
  const std::string how = report.forced ? " (forced by MOBILEGL_GL_VERSION)" : "";
  line(out, "OpenGL core", report.glVersionCore.empty() ? "not granted" : report.glVersionCore + how);
  line(out, "OpenGL compatibility",
       report.glVersionCompatibility.empty() ? "not granted" : report.glVersionCompatibility + how);
  line(out, "GLSL", report.glslVersion);
  if (!report.provisional.empty()) line(out, "provisional", join(report.provisional, ", "));
  if (!report.nextVersion.empty()) line(out, "missing for " + report.nextVersion, orNone(report.nextMissing));
  line(out, "mapped memory", report.mapTier);
  out += formatText("extensions (%zu):\n", report.extensions.size());
  for (const std::string& extension : report.extensions) out += "  " + extension + "\n";
}

}  // namespace

nlohmann::ordered_json toJson(const InfoReport& report) {
  nlohmann::ordered_json json;
  json["mobilegl"] = MOBILEGL_VERSION;
  json["backend"] = report.backend;
  json["topology"] = report.topology;
  if (!report.failure.empty()) {
    json["failure"] = report.failure;
  } else {
    json["device"] = {{"name", report.deviceName}, {"driver", report.driverName}, {"uuid", report.deviceUuid}};
    json["renderer"] = report.renderer;
    nlohmann::ordered_json gl;
    gl["core"] = report.glVersionCore;
    gl["compatibility"] = report.glVersionCompatibility;
    gl["glsl"] = report.glslVersion;
    gl["forced"] = report.forced;
    gl["provisional"] = report.provisional;
    gl["next"] = {{"version", report.nextVersion}, {"missing", report.nextMissing}};
    json["gl"] = gl;
    json["mapped_memory"] = report.mapTier;
    json["extensions"] = report.extensions;
  }
  json["problems"] = report.knobProblems;
  json["knobs"] = nlohmann::ordered_json::array();
  const KnobReading& reading = knobReading();
  for (const KnobInfo& info : allKnobs()) {
    json["knobs"].push_back({{"name", info.env},
                             {"value", knobValueText(reading.values, info.id)},
                             {"default", knobValueText(Knobs{}, info.id)},
                             {"origin", name(reading.origins[indexOf(info.id)])},
                             {"type", name(info.type)},
                             {"range", info.range},
                             {"side", name(info.side)},
                             {"meaning", info.meaning}});
  }
  return json;
}

std::string toText(const InfoReport& report) {
  std::string out;
  line(out, "mobilegl", MOBILEGL_VERSION);
  line(out, "backend", report.backend);
  line(out, "topology", report.topology);
  if (report.failure.empty()) addSession(out, report);
  out += formatText("knobs (%zu):\n", allKnobs().size());
  const KnobReading& reading = knobReading();
  for (const KnobInfo& info : allKnobs()) {
    const std::string value = knobValueText(reading.values, info.id);
    out += formatText("  %-42s%-16s%-13s%s\n", std::string(info.env).c_str(), value.empty() ? "-" : value.c_str(),
                      std::string(name(reading.origins[indexOf(info.id)])).c_str(), std::string(info.meaning).c_str());
  }
  if (!report.knobProblems.empty()) {
    out += "problems:\n";
    for (const std::string& problem : report.knobProblems) out += "  " + problem + "\n";
  }
  return out;
}

}  // namespace mgl::tool
