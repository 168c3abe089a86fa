#include "info_report.h"

#include "base/knobs.h"
#include "base/strings.h"

namespace mgl::tool {

namespace {

void line(std::string& out, std::string_view label, std::string_view value) {
  out += formatText("%-24s%.*s\n", (label.empty() ? "" : std::string(label) + ":").c_str(),
                    static_cast<int>(value.size()), value.data());
}

void addProfile(std::string& out, std::string_view label, const InfoReport::Profile& profile, bool forced) {
  std::string text = profile.version.empty() ? "not granted" : profile.version;
  if (forced && !profile.version.empty()) text += " (forced by MOBILEGL_GL_VERSION)";
  if (!profile.provisional.empty()) text += " (provisional: " + profile.provisional + ")";
  line(out, label, text);
  if (!profile.nextMissing.empty()) line(out, "  not higher for", profile.nextMissing);
}

void addSession(std::string& out, const InfoReport& report) {
  line(out, "device", report.deviceName);
  line(out, "driver", report.driverName);
  line(out, "device UUID", report.deviceUuid);
  line(out, "renderer", report.renderer);
  addProfile(out, "OpenGL core", report.core, report.forced);
  addProfile(out, "OpenGL compatibility", report.compatibility, report.forced);
  line(out, "GLSL", report.glsl);
  line(out, "mapped memory", report.mapTier);
  out += formatText("extensions (%zu):\n", report.extensions.size());
  for (const std::string& extension : report.extensions) out += "  " + extension + "\n";
}

nlohmann::ordered_json profileJson(const InfoReport::Profile& profile) {
  return {{"version", profile.version}, {"provisional", profile.provisional}, {"next_missing", profile.nextMissing}};
}

}  // namespace

nlohmann::ordered_json toJson(const InfoReport& report) {
  nlohmann::ordered_json json;
  json["mobilegl"] = MOBILEGL_VERSION;
  json["backend"] = report.backend;
  json["topology"] = report.topology;
  json["devices"] = report.devices;
  if (!report.failure.empty()) {
    json["failure"] = report.failure;
  } else {
    json["device"] = {{"name", report.deviceName}, {"driver", report.driverName}, {"uuid", report.deviceUuid}};
    json["renderer"] = report.renderer;
    json["gl"] = {{"core", profileJson(report.core)},
                  {"compatibility", profileJson(report.compatibility)},
                  {"glsl", report.glsl},
                  {"forced", report.forced}};
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
  for (std::size_t i = 0; i < report.devices.size(); ++i) {
    line(out, i == 0 ? "devices" : "", formatText("%zu  %s", i, report.devices[i].c_str()));
  }
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
