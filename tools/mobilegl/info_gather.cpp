#include "base/knobs.h"
#include "info_report.h"

namespace mgl::tool {

namespace {

#ifdef MOBILEGL_HAS_CLIENT
#error "ask the client's session here"
#else
void gatherSession(InfoReport& report) { report.failure = "this mobilegl was built without the client library"; }
#endif

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
  gatherSession(report);
  return report;
}

}  // namespace mgl::tool
