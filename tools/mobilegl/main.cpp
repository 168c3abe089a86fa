#include <CLI/CLI.hpp>
#include <cstdarg>
#include <cstdio>

#include "base/strings.h"
#include "verbs.h"

namespace mgl::tool {

namespace {

struct Verb {
  std::string_view name;
  std::string_view usage;
  std::string_view meaning;
  int (*run)(std::vector<std::string> words);
};

constexpr Verb kVerbs[] = {
    {"run", "run [options] -- PROGRAM [ARGS...]", "start a program that gets its OpenGL from MobileGL", runVerb},
    {"info", "info [--json]", "what MobileGL is made of here: backend, device, GL version, extensions, knobs",
     infoVerb},
};

void printUsage(std::FILE* out) {
  std::fputs("usage: mobilegl VERB ...\n\n", out);
  for (const Verb& verb : kVerbs) {
    std::fprintf(out, "  mobilegl %-36s %s\n", verb.usage.data(), verb.meaning.data());
  }
  std::fputs("\n`mobilegl VERB --help` lists a verb's options, `mobilegl --version` prints the version.\n", out);
}

int dispatch(std::vector<std::string> words) {
  if (words.empty()) {
    printUsage(stderr);
    return kUsage;
  }
  const std::string name = words.front();
  words.erase(words.begin());
  if (name == "--help" || name == "-h" || name == "help") {
    printUsage(stdout);
    return 0;
  }
  if (name == "--version") {
    std::puts("mobilegl " MOBILEGL_VERSION);
    return 0;
  }
  std::vector<std::string_view> names;
  for (const Verb& verb : kVerbs) {
    if (verb.name == name) return verb.run(std::move(words));
    names.push_back(verb.name);
  }
  const auto near = nearestName(name, names);
  complain("unknown verb %s; %s%s%s", name.c_str(),
           near ? "did you mean " : "there are: ", near ? std::string(*near).c_str() : join(names, ", ").c_str(),
           near ? "?" : "");
  return kUsage;
}

}  // namespace

void complain(const char* format, ...) {
  std::fputs("mobilegl: ", stderr);
  std::va_list args;
  va_start(args, format);
  std::vfprintf(stderr, format, args);
  va_end(args);
  std::fputc('\n', stderr);
}

std::string unknownOptionText(const CLI::App& app, std::string_view word) {
  const std::string_view bare = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string text = "unknown option " + std::string(bare);
  if (auto near = nearestName(bare, views)) return text + "; did you mean " + std::string(*near) + "?";
  return text + "; the options are " + join(views, " ");
}

ParseResult parseWords(CLI::App& app, const std::vector<std::string>& words, std::vector<std::string>* rest) {
  if (rest != nullptr) {
    app.prefix_command();
  } else {
    app.allow_extras();
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp& help) {
    app.exit(help);
    return {true, 0};
  } catch (const CLI::ParseError& error) {
    complain("%s; see `%s --help`", error.what(), app.get_name().c_str());
    return {true, kUsage};
  }
  std::vector<std::string> unknown = app.remaining();
  if (!unknown.empty() && unknown.front().starts_with('-')) {
    complain("%s", unknownOptionText(app, unknown.front()).c_str());
    return {true, kUsage};
  }
  if (rest != nullptr) {
    *rest = std::move(unknown);
  } else if (!unknown.empty()) {
    complain("%s takes no word %s; see `%s --help`", app.get_name().c_str(), unknown.front().c_str(),
             app.get_name().c_str());
    return {true, kUsage};
  }
  return {};
}

}  // namespace mgl::tool

int main(int argc, char** argv) { return mgl::tool::dispatch(std::vector<std::string>(argv + 1, argv + argc)); }
