#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/runner.h"

namespace {

const char kUsage[] =
    "scenarios [--list] [--filter RE] [--arm NAME] [--renderer TEXT] [--pixels 0|1] [--repeat N]\n"
    "          [--write-oracle DIR | --oracle DIR] [--failures DIR] [--skips FILE]\n"
    "          [--mutation TEXT | --mutations FILE]\n";

}  // namespace

int main(int argc, char** argv) {
  mgl::scenario::RunOptions run;
  run.self = argv[0];
  if (const char* mutation = std::getenv("MOBILEGL_TEST_MUTATION")) {
    run.mutation = mutation;
    unsetenv("MOBILEGL_TEST_MUTATION");
  }
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--list") {
      for (const auto& entry : mgl::scenario::registry()) std::printf("%s/%s\n", entry.family, entry.name);
      return 0;
    }
    if (option == "--child") {
      run.child = true;
      continue;
    }
    if (i + 1 == argc) {
      std::fputs(kUsage, stderr);
      return 2;
    }
    const char* value = argv[++i];
    if (option == "--filter") {
      run.filter = value;
    } else if (option == "--arm") {
      run.arm = value;
    } else if (option == "--renderer") {
      run.renderer = value;
    } else if (option == "--pixels") {
      run.pixels = std::strcmp(value, "0") != 0;
    } else if (option == "--repeat") {
      run.repeat = std::atoi(value);
    } else if (option == "--write-oracle") {
      run.writeOracle = value;
    } else if (option == "--oracle") {
      run.oracle = value;
    } else if (option == "--failures") {
      run.failures = value;
    } else if (option == "--skips") {
      run.skips = value;
    } else if (option == "--mutations") {
      run.mutations = value;
    } else if (option == "--mutation") {
      run.mutation = value;
    } else {
      std::fputs(kUsage, stderr);
      return 2;
    }
  }
  return mgl::scenario::runAll(run);
}
