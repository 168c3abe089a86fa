#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/knobs.h"
#include "info_report.h"
#include "verbs.h"

namespace mgl::tool {

// Problems with knobs go to standard error too, so that they are seen when the report goes elsewhere.
int infoVerb(std::vector<std::string> words) {
  CLI::App app("What MobileGL is made of here: backend, device, GL version, extensions, knobs.", "mobilegl info");
  bool json = false;
  app.add_flag("--json", json, "print JSON");
  const ParseResult parsed = parseWords(app, words);
  if (parsed.done) return parsed.status;

  if (claimKnobReport()) {
    for (const KnobProblem& problem : knobReading().problems) complain("%s", problem.text.c_str());
  }
  const InfoReport report = gatherInfo();
  const std::string text = json ? toJson(report).dump(2) + "\n" : toText(report);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  if (report.failure.empty()) return 0;
  complain("%s", report.failure.c_str());
  return kFailed;
}

}  // namespace mgl::tool
