#include "base/knobs.h"
#include "base/strings.h"
#include "client/devices.h"
#include "client/session.h"
#include "gl/context.h"
#include "gl/version.h"
#include "info_report.h"

namespace mgl::tool {

namespace {

InfoReport::Profile profileOf(const gl::VersionInfo& info) {
  InfoReport::Profile profile;
  if (info.major != 0) profile.version = formatText("%u.%u", info.major, info.minor);
  if (info.provisional && info.major != 0) profile.provisional = info.missing;
  profile.nextMissing = info.nextMissing;
  return profile;
}

std::string_view tierText(pipe::MapTier tier) {
  switch (tier) {
    case pipe::MapTier::T0:
      return "T0: the backend's own memory";
    case pipe::MapTier::T1:
      return "T1: imported host memory";
    case pipe::MapTier::T2:
      return "T2: client memory whose changes are sent";
    default:
      return "none: maps go through copies";
  }
}

void gatherSession(InfoReport& report) {
  std::string cause;
  const std::shared_ptr<client::Session> session = client::Session::open({}, &cause);
  if (session == nullptr) {
    report.failure = cause;
    return;
  }
  const pipe::Caps& caps = session->caps();
  report.deviceName = caps.deviceName;
  report.driverName = caps.driverName;
  for (u8 byte : caps.deviceUuid) report.deviceUuid += formatText("%02x", byte);
  report.mapTier = tierText(caps.mapTier);
  const gl::VersionInfo core = gl::grantVersion(caps, gl::Profile::Core);
  const gl::VersionInfo compatibility = gl::grantVersion(caps, gl::Profile::Compatibility);
  report.core = profileOf(core);
  report.compatibility = profileOf(compatibility);
  report.renderer = core.renderer;
  report.forced = knobOrigin(Knob::glVersion) != KnobOrigin::Default;
  const gl::VersionInfo& shown = core.major != 0 ? core : compatibility;
  report.glsl = shown.major != 0 ? shown.glslString : "none";
  report.extensions.assign(shown.extensions.begin(), shown.extensions.end());
}

}  // namespace

InfoReport gatherInfo() {
  InfoReport report;
  const KnobReading& reading = knobReading();
  report.backend = name(reading.values.backend);
  report.topology = reading.values.topology;
  for (const KnobProblem& problem : reading.problems) report.knobProblems.push_back(problem.text);
  for (Knob decisive : {Knob::backend, Knob::topology}) {
    if (const KnobProblem* problem = knobProblem(decisive)) {
      report.failure = problem->text;
      return report;
    }
  }
  std::string cause;
  for (const client::DeviceInfo& device : client::listDevices("", &cause)) report.devices.push_back(device.name);
  gatherSession(report);
  return report;
}

}  // namespace mgl::tool
