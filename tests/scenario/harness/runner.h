// Runs registered scenarios of one arm in this process and judges them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/scenario.h"

namespace mgl::scenario {

struct RunOptions {
  std::string arm = "host";
  std::string renderer;  // GL_RENDERER must contain it; empty: anything
  bool pixels = true;
  std::filesystem::path writeOracle;  // pictures go there
  std::filesystem::path oracle;       // pictures are compared with those there
  std::filesystem::path failures;     // ours, the oracle's and the difference go there
  std::filesystem::path skips;        // the held list
  std::filesystem::path mutations;    // "family/name mutation" lines: every scenario must turn red
  std::string mutation;               // one mutation for every scenario
  std::string filter;                 // a regular expression over family/name
  std::string self;                   // argv[0], for scenarios with a process of their own
  bool child = false;                 // this process is such a process
  int repeat = 1;
};

// The exit status of the program.
int runAll(const RunOptions& options);

// "family/name" -> mutation.  Throws std::runtime_error with the line that cannot be read.
std::map<std::string, std::string> readMutations(const std::filesystem::path& path);

// "family/name" -> reason, of one arm.  Throws std::runtime_error with the line that cannot be read.
std::map<std::string, std::string> readSkips(const std::filesystem::path& path, const std::string& arm);

}  // namespace mgl::scenario
