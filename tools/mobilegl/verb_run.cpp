#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/knobs.h"
#include "base/strings.h"
#include "vendor_file.h"
#include "verbs.h"

namespace mgl::tool {

namespace {

struct RunOptions {
  std::string backend;
  std::string device;
  std::string topology;
  std::string glVersion;
  std::string logLevel;
  std::string logFile;
  bool loopback = false;
  bool verify = false;
  bool validation = false;
};

void addOptions(CLI::App& app, RunOptions& options) {
  app.add_option("--backend", options.backend, "magma, espryt or null (MOBILEGL_BACKEND)")->type_name("NAME");
  app.add_option("--device", options.device, "physical device by index, UUID, PCI address or name (MOBILEGL_DEVICE)")
      ->type_name("DEVICE");
  app.add_option("--topology", options.topology,
                 "monolith, inproc, spawn, unix:PATH or tcp://HOST:PORT (MOBILEGL_TOPOLOGY)")
      ->type_name("WHERE");
  app.add_option("--gl-version", options.glVersion, "grant this version, as 3.3 or 3.3COMPAT (MOBILEGL_GL_VERSION)")
      ->type_name("VERSION");
  app.add_option("--log-level", options.logLevel, "error, warning, info or debug (MOBILEGL_LOG_LEVEL)")
      ->type_name("LEVEL");
  app.add_option("--log-file", options.logFile, "append the log to this file (MOBILEGL_LOG_FILE)")->type_name("FILE");
  app.add_flag("--loopback", options.loopback, "encode and decode every record (MOBILEGL_PIPE_LOOPBACK=1)");
  app.add_flag("--verify", options.verify, "check the fast path at every verb (MOBILEGL_PIPE_VERIFY=1)");
  app.add_flag("--validation", options.validation, "Vulkan validation layers (MOBILEGL_VALIDATION=1)");
  app.footer(
      "PROGRAM and its arguments come last, after -- where they could be taken for options.\n"
      "Other knobs come from the environment; `mobilegl info` lists them.");
}

void setKnob(std::vector<Knob>& set, Knob knob, const std::string& value) {
  if (value.empty()) return;
  setenv(allKnobs()[indexOf(knob)].env.data(), value.c_str(), 1);
  set.push_back(knob);
}

// The library of the program reports every bad knob by itself. What was asked for here, and the backend, which decides
// everything, are refused before anything starts.
bool knobsAreGood(const std::vector<Knob>& asked) {
  bool good = true;
  for (const KnobProblem& problem : knobReading().problems) {
    if (problem.kind != KnobProblem::Kind::BadValue) continue;
    if (problem.knob != Knob::backend && std::find(asked.begin(), asked.end(), problem.knob) == asked.end()) continue;
    complain("%s", problem.text.c_str());
    good = false;
  }
  return good;
}

int start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  if (error == ENOENT && command[0].find('/') == std::string::npos) {
    complain("cannot start %s: no such program in PATH; name it with its path or install it", arguments[0]);
  } else if (error == ENOENT) {
    complain("cannot start %s: no such file, or the interpreter named in its first line is missing", arguments[0]);
  } else if (error == EACCES) {
    complain("cannot start %s: not executable; `chmod +x` it or start it through its interpreter", arguments[0]);
  } else {
    complain("cannot start %s: %s", arguments[0], std::strerror(error));
  }
  return error == ENOENT ? 127 : 126;
}

}  // namespace

int runVerb(std::vector<std::string> words) {
  CLI::App app("Start a program that gets its OpenGL from MobileGL.", "mobilegl run");
  RunOptions options;
  addOptions(app, options);

  const auto separator = std::find(words.begin(), words.end(), "--");
  const bool separated = separator != words.end();
  std::vector<std::string> command(separated ? separator + 1 : words.end(), words.end());
  words.erase(separator, words.end());
  const ParseResult parsed = parseWords(app, words, separated ? nullptr : &command);
  if (parsed.done) return parsed.status;
  if (command.empty()) {
    complain("no program to run; as in: mobilegl run -- glxgears");
    return kUsage;
  }

  std::vector<Knob> asked;
  setKnob(asked, Knob::backend, options.backend);
  setKnob(asked, Knob::device, options.device);
  setKnob(asked, Knob::topology, options.topology);
  setKnob(asked, Knob::glVersion, options.glVersion);
  setKnob(asked, Knob::logLevel, options.logLevel);
  setKnob(asked, Knob::logFile, options.logFile);
  if (options.loopback) setKnob(asked, Knob::pipeLoopback, "1");
  if (options.verify) setKnob(asked, Knob::pipeVerify, "1");
  if (options.validation) setKnob(asked, Knob::validation, "1");
  if (!knobsAreGood(asked)) return kFailed;

  const VendorFile vendor = findEglVendorFile();
  if (vendor.path.empty()) {
    complain("%s", vendor.cause.c_str());
    return kFailed;
  }
  std::string vendors = vendor.path;
  for (const std::string& behind : vendorsBehind()) vendors += ":" + behind;
  setenv("__EGL_VENDOR_LIBRARY_FILENAMES", vendors.c_str(), 1);
  return start(command);
}

}  // namespace mgl::tool
