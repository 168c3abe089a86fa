#include "harness/runner.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <regex>
#include <stdexcept>

extern char** environ;

namespace mgl::scenario {
namespace {

constexpr int kChildSkipped = 77;
constexpr unsigned kWatchdogSeconds = 120;

// For the signal handler only.
char runningName[128];

void onFatal(int signal) {
  const char* what = signal == SIGALRM ? "\nHANG in " : "\nCRASH in ";
  (void)!write(STDOUT_FILENO, what, std::strlen(what));
  (void)!write(STDOUT_FILENO, runningName, std::strlen(runningName));
  (void)!write(STDOUT_FILENO, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::signal(SIGABRT, SIG_DFL);
  raise(signal == SIGALRM ? SIGABRT : signal);
}

std::string fullName(const Entry& entry) { return std::string(entry.family) + "/" + entry.name; }

struct Outcome {
  enum class Verdict { Passed, Failed, Skipped } verdict = Verdict::Passed;
  std::vector<std::string> reasons;
};

// The need that the current context does not meet, or nothing.
std::optional<std::string> unmet(const Options& options) {
  const auto hasExtension = [](const std::string& wanted) {
    for (GLint i = 0, n = getInteger(GL_NUM_EXTENSIONS); i < n; ++i) {
      const auto* name = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
      if (name && wanted == name) return true;
    }
    return false;
  };
  for (const std::string need : options.needs) {
    if (need.starts_with("gl:")) {
      const int wanted = (need[3] - '0') * 10 + (need[5] - '0');
      if (getInteger(GL_MAJOR_VERSION) * 10 + getInteger(GL_MINOR_VERSION) < wanted) return need;
    } else if (need.starts_with("env:")) {
      if (std::getenv(need.c_str() + 4) == nullptr) return need;
    } else if (!hasExtension(need)) {
      return need;
    }
  }
  return std::nullopt;
}

void judgePictures(const RunOptions& run, const Scenario& scenario, const std::string& name, Outcome& outcome) {
  for (const auto& [pictureName, image] : scenario.pictures()) {
    const auto file = std::filesystem::path(name) / (pictureName + ".mgli");
    if (!run.writeOracle.empty()) save(image, run.writeOracle / file);
    if (run.oracle.empty()) continue;
    if (!std::filesystem::exists(run.oracle / file)) {
      outcome.reasons.push_back("the oracle has no picture " + pictureName);
      continue;
    }
    const Image wanted = load(run.oracle / file);
    const Difference difference = compare(image, wanted, scenario.tolerance());
    if (difference.values == 0) continue;
    outcome.reasons.push_back("picture " + pictureName + ": " + std::to_string(difference.values) +
                              " values differ, first " + difference.first);
    if (!run.failures.empty() && run.mutation.empty()) {
      const auto stem = run.failures / name / pictureName;
      writePng(image, stem.string() + ".ours.png");
      writePng(wanted, stem.string() + ".oracle.png");
      writeDifferencePng(image, wanted, stem.string() + ".difference.png");
    }
  }
}

Outcome runHere(const RunOptions& run, const Entry& entry) {
  const std::string name = fullName(entry);
  Outcome outcome;
  std::snprintf(runningName, sizeof runningName, "%s", name.c_str());
  alarm(kWatchdogSeconds);
  try {
    const Context context(nullptr, entry.options.context);
    context.makeCurrent();
    if (auto need = unmet(entry.options)) {
      outcome.verdict = Outcome::Verdict::Skipped;
      outcome.reasons.push_back(*need);
    } else {
      Scenario scenario(entry.options, context, run.pixels, run.arm == "host");
      setCurrent(&scenario);
      if (const GLenum error = glGetError()) {
        outcome.reasons.push_back("GL error " + show(error) + " on a fresh context");
      }
      if (std::string error = mutation::set(run.mutation); !error.empty()) throw std::runtime_error(error);
      try {
        entry.body(scenario);
      } catch (const Abort&) {
        if (scenario.failures().empty()) outcome.reasons.push_back("ended without a reason");
      }
      const int applied = mutation::timesApplied();
      mutation::set("");
      context.makeCurrent();
      for (int i = 0; i < 8; ++i) {
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) break;
        outcome.reasons.push_back("GL error " + show(error) + " is left");
      }
      for (const std::string& failure : scenario.failures()) outcome.reasons.push_back(failure);
      if (run.pixels) judgePictures(run, scenario, name, outcome);
      setCurrent(nullptr);
      if (!run.mutation.empty() && applied == 0) {
        outcome.reasons = {};
        std::printf("  mutation '%s' changed nothing in %s\n", run.mutation.c_str(), name.c_str());
      }
    }
    Context::release();
  } catch (const std::exception& error) {
    mutation::set("");
    Context::release();
    outcome.reasons.push_back(error.what());
  }
  alarm(0);
  if (outcome.verdict != Outcome::Verdict::Skipped && !outcome.reasons.empty()) {
    outcome.verdict = Outcome::Verdict::Failed;
  }
  return outcome;
}

Outcome runInChild(const RunOptions& run, const Entry& entry) {
  std::vector<std::string> words = {run.self,     "--child",    "--arm",    run.arm,
                                    "--renderer", run.renderer, "--pixels", run.pixels ? "1" : "0",
                                    "--mutation", run.mutation, "--filter", "^" + fullName(entry) + "$"};
  const auto add = [&](const char* option, const std::filesystem::path& path) {
    if (!path.empty()) words.insert(words.end(), {option, path.string()});
  };
  add("--write-oracle", run.writeOracle);
  add("--oracle", run.oracle);
  add("--failures", run.failures);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(stdout);
  pid_t pid = 0;
  int status = 0;
  if (posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, argv.data(), environ) != 0 ||
      waitpid(pid, &status, 0) != pid) {
    return {Outcome::Verdict::Failed, {"cannot start a process"}};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kChildSkipped) {
    return {Outcome::Verdict::Skipped, {"as its process said"}};
  }
  return {Outcome::Verdict::Failed, {"its process failed, status " + std::to_string(status)}};
}

Outcome runOne(const RunOptions& run, const Entry& entry) {
  return entry.options.process && !run.child ? runInChild(run, entry) : runHere(run, entry);
}

void print(const char* verdict, const std::string& name, const Outcome& outcome, long long ms) {
  std::printf("%s %s (%lld ms)\n", verdict, name.c_str(), ms);
  for (const std::string& reason : outcome.reasons) std::printf("    %s\n", reason.c_str());
  std::fflush(stdout);
}

std::vector<const Entry*> chosen(const std::string& filter) {
  std::vector<const Entry*> entries;
  const std::regex pattern(filter);
  for (const Entry& entry : registry()) {
    if (filter.empty() || std::regex_search(fullName(entry), pattern)) entries.push_back(&entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) { return fullName(*a) < fullName(*b); });
  return entries;
}

// An arm proves itself: a context's GL_RENDERER is what the arm says.
std::string proveArm(const RunOptions& run) {
  const Context context;
  context.makeCurrent();
  const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const auto* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
  const std::string got = renderer ? renderer : "(null)";
  if (!run.child) std::printf("arm %s: %s, %s\n", run.arm.c_str(), got.c_str(), version ? version : "(null)");
  Context::release();
  if (got.find(run.renderer) == std::string::npos) return "GL_RENDERER '" + got + "' has no '" + run.renderer + "'";
  return {};
}

int runPlain(const RunOptions& run, const std::vector<const Entry*>& entries) {
  auto held = run.skips.empty() ? std::map<std::string, std::string>{} : readSkips(run.skips, run.arm);
  int passed = 0, failed = 0, skipped = 0;
  for (int round = 0; round < run.repeat; ++round) {
    for (const Entry* entry : entries) {
      const std::string name = fullName(*entry);
      const auto start = std::chrono::steady_clock::now();
      Outcome outcome = runOne(run, *entry);
      const auto ms =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
      const bool listed = held.contains(name);
      // What the arm's host lacks and no context can be asked for: the scenario is run all the same, and held while it fails.
      if (outcome.verdict == Outcome::Verdict::Failed && listed && held[name].starts_with("lacks ")) {
        outcome.verdict = Outcome::Verdict::Skipped;
      }
      if (outcome.verdict == Outcome::Verdict::Skipped && !listed && !run.child) {
        outcome.verdict = Outcome::Verdict::Failed;
        outcome.reasons.push_back("skipped and not on the held list");
      } else if (outcome.verdict == Outcome::Verdict::Passed && listed) {
        outcome.verdict = Outcome::Verdict::Failed;
        outcome.reasons.push_back("stale: the held list says that it is skipped: " + held[name]);
      }
      switch (outcome.verdict) {
        case Outcome::Verdict::Passed:
          ++passed;
          if (!run.child) print("pass", name, outcome, ms);
          break;
        case Outcome::Verdict::Failed:
          ++failed;
          print("FAIL", name, outcome, ms);
          break;
        case Outcome::Verdict::Skipped:
          ++skipped;
          if (!run.child) outcome.reasons.push_back(held[name]);
          if (!run.child) print("skip", name, outcome, ms);
          break;
      }
    }
  }
  if (run.child) return failed > 0 ? 1 : (skipped > 0 ? kChildSkipped : 0);
  if (run.filter.empty()) {
    for (const auto& [name, reason] : held) {
      if (std::none_of(entries.begin(), entries.end(), [&](const Entry* e) { return fullName(*e) == name; })) {
        std::printf("FAIL %s: on the held list and no scenario\n", name.c_str());
        ++failed;
      }
    }
  }
  std::printf("scenarios: arm=%s passed=%d failed=%d skipped=%d\n", run.arm.c_str(), passed, failed, skipped);
  return failed == 0 && passed > 0 ? 0 : 1;
}

int runMutated(const RunOptions& run, const std::vector<const Entry*>& entries) {
  auto mutations = readMutations(run.mutations);
  const auto held = run.skips.empty() ? std::map<std::string, std::string>{} : readSkips(run.skips, run.arm);
  int red = 0, notRed = 0, listed = 0;
  for (const Entry* entry : entries) {
    const std::string name = fullName(*entry);
    const auto found = mutations.find(name);
    if (found == mutations.end()) {
      std::printf("FAIL %s: no mutation is listed\n", name.c_str());
      ++notRed;
      continue;
    }
    ++listed;
    RunOptions mutated = run;
    mutated.mutation = found->second;
    const Outcome outcome = runOne(mutated, *entry);
    if (outcome.verdict == Outcome::Verdict::Skipped && held.contains(name)) {
      --listed;
      mutations.erase(found);
      continue;
    }
    const bool isRed = outcome.verdict == Outcome::Verdict::Failed;
    (isRed ? red : notRed) += 1;
    std::printf("%s %s by %s: %s\n", isRed ? "red" : "NOT RED", name.c_str(), found->second.c_str(),
                outcome.reasons.empty() ? "passed" : outcome.reasons.front().c_str());
    std::fflush(stdout);
    mutations.erase(found);
  }
  if (run.filter.empty()) {
    for (const auto& [name, mutation] : mutations) {
      std::printf("FAIL %s: a mutation is listed and there is no scenario\n", name.c_str());
      ++notRed;
    }
  }
  std::printf("mutations: listed=%d red=%d not_red=%d\n", listed, red, notRed);
  return notRed == 0 && red > 0 ? 0 : 1;
}

template <class F>
void forLines(const std::filesystem::path& path, F&& use) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (!use(line)) throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": cannot be read");
  }
}

// Cuts the first word off.
std::string word(std::string& line) {
  const std::size_t end = line.find(' ');
  std::string first = line.substr(0, end);
  const std::size_t next = end == std::string::npos ? end : line.find_first_not_of(' ', end);
  line = next == std::string::npos ? "" : line.substr(next);
  return first;
}

}  // namespace

std::map<std::string, std::string> readMutations(const std::filesystem::path& path) {
  std::map<std::string, std::string> out;
  forLines(path, [&](std::string line) {
    const std::string name = word(line);
    return !line.empty() && mutation::set(line).empty() && mutation::set("").empty() && out.emplace(name, line).second;
  });
  return out;
}

std::map<std::string, std::string> readSkips(const std::filesystem::path& path, const std::string& arm) {
  std::map<std::string, std::string> out;
  forLines(path, [&](std::string line) {
    const std::string lineArm = word(line), name = word(line);
    if (lineArm == arm) out.emplace(name, line);
    return !name.empty() && !line.empty();
  });
  return out;
}

int runAll(const RunOptions& options) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(signal, onFatal);
  if (std::string error = openDisplay(); !error.empty()) {
    std::printf("no display: %s\n", error.c_str());
    return 1;
  }
  int status = 1;
  try {
    const auto missing = loadGl();
    for (const std::string& name : missing) std::printf("eglGetProcAddress: no %s\n", name.c_str());
    const auto entries = chosen(options.filter);
    const std::string unproven = proveArm(options);
    if (!unproven.empty()) {
      std::printf("the arm is not what it says: %s\n", unproven.c_str());
    } else if (missing.empty()) {
      status = options.mutations.empty() ? runPlain(options, entries) : runMutated(options, entries);
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
  closeDisplay();
  return status;
}

}  // namespace mgl::scenario
