// The verbs of the command line. Each takes the words after its own name and returns the exit status: 0, or 1 when
// what was asked for cannot be had, or 2 when the words make no sense. What went wrong is on standard error by then,
// as "mobilegl: cause; mend".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace mgl::tool {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

int runVerb(std::vector<std::string> words);
int infoVerb(std::vector<std::string> words);

[[gnu::format(printf, 1, 2)]] void complain(const char* format, ...);

// Parses words into app's options. Returns no status when the verb goes on. Words that app does not know are left in
// rest when rest is given and complained about, with the nearest option's name, when it is not.
struct ParseResult {
  bool done = false;
  int status = 0;
};
ParseResult parseWords(CLI::App& app, const std::vector<std::string>& words, std::vector<std::string>* rest = nullptr);

// "unknown option --bakend; did you mean --backend?"
std::string unknownOptionText(const CLI::App& app, std::string_view word);

}  // namespace mgl::tool
