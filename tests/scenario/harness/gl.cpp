#include "harness/gl.h"

#include <EGL/egl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace mgl::scenario {

std::array<GlProc, kGlEntryCount> glTable = {};

std::vector<std::string> loadGl() {
  std::vector<std::string> missing;
  for (int i = 0; i < kGlEntryCount; ++i) {
    glTable[i] = eglGetProcAddress(kGlEntryNames[i]);
    if (!glTable[i]) missing.emplace_back(kGlEntryNames[i]);
  }
  return missing;
}

namespace mutation {
namespace {

enum class Kind { None, Drop, Argument, Swap, Source };

struct State {
  Kind kind = Kind::None;
  int ordinal = 0;
  std::size_t first = 0, second = 0;
  Value value;
  std::string from, to;
};

State state;
std::atomic<int> calls = 0;
std::atomic<int> applied = 0;

bool parseValue(const std::string& text, Value& out) {
  if (text.starts_with("GL_")) {
    for (const auto& [name, value] : kGlEnums) {
      if (text == name) {
        out = {value, static_cast<double>(value)};
        return true;
      }
    }
    return false;
  }
  char* end = nullptr;
  if (text.find('.') != std::string::npos && text.find('x') == std::string::npos) {
    out.real = std::strtod(text.c_str(), &end);
    out.bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(out.real));
  } else {
    const long long v = std::strtoll(text.c_str(), &end, 0);
    out = {static_cast<std::uint64_t>(v), static_cast<double>(v)};
  }
  return end != text.c_str() && *end == '\0';
}

std::string parse(const std::string& text, State& out, int& entry) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return "no ':' in it";
  const std::string verb = text.substr(0, colon);
  std::string rest = text.substr(colon + 1);
  if (verb == "glsl") {
    const std::size_t arrow = rest.find("=>");
    if (arrow == std::string::npos || arrow == 0) return "glsl: wants old=>new";
    out.kind = Kind::Source;
    out.from = rest.substr(0, arrow);
    out.to = rest.substr(arrow + 2);
    return {};
  }
  std::string detail;
  if (const std::size_t next = rest.find(':'); next != std::string::npos) {
    detail = rest.substr(next + 1);
    rest.resize(next);
  }
  if (const std::size_t hash = rest.find('#'); hash != std::string::npos) {
    out.ordinal = std::atoi(rest.c_str() + hash + 1);
    if (out.ordinal < 1) return "the ordinal counts from 1";
    rest.resize(hash);
  }
  const auto* found =
      std::find_if(kGlEntryNames.begin(), kGlEntryNames.end(), [&](const char* name) { return rest == name; });
  if (found == kGlEntryNames.end()) return "no entry '" + rest + "'";
  entry = static_cast<int>(found - kGlEntryNames.begin());
  if (verb == "drop") {
    out.kind = Kind::Drop;
    return detail.empty() ? "" : "drop: wants nothing after the name";
  }
  if (verb == "arg") {
    out.kind = Kind::Argument;
    const std::size_t equals = detail.find('=');
    if (equals == std::string::npos) return "arg: wants i=value";
    out.first = static_cast<std::size_t>(std::atoi(detail.c_str()));
    return parseValue(detail.substr(equals + 1), out.value) ? "" : "arg: bad value";
  }
  if (verb == "swap") {
    out.kind = Kind::Swap;
    const std::size_t comma = detail.find(',');
    if (comma == std::string::npos) return "swap: wants i,j";
    out.first = static_cast<std::size_t>(std::atoi(detail.c_str()));
    out.second = static_cast<std::size_t>(std::atoi(detail.c_str() + comma + 1));
    return {};
  }
  return "no verb '" + verb + "'";
}

}  // namespace

std::atomic<int> watchedEntry = -1;

std::string set(const std::string& text) {
  State next;
  int entry = -1;
  if (!text.empty()) {
    if (std::string error = parse(text, next, entry); !error.empty()) return "mutation '" + text + "': " + error;
  }
  state = next;
  watchedEntry = entry;
  calls = 0;
  applied = 0;
  return {};
}

int timesApplied() { return applied; }

std::string rewriteSource(std::string source) {
  if (state.kind != Kind::Source) return source;
  for (std::size_t at = source.find(state.from); at != std::string::npos;
       at = source.find(state.from, at + state.to.size())) {
    source.replace(at, state.from.size(), state.to);
    ++applied;
  }
  return source;
}

bool apply(Value* values, std::size_t count) {
  if (const int call = ++calls; state.ordinal != 0 && call != state.ordinal) return true;
  if (state.first >= count && state.kind != Kind::Drop) return true;
  ++applied;
  switch (state.kind) {
    case Kind::Drop:
      return false;
    case Kind::Argument:
      values[state.first] = state.value;
      break;
    case Kind::Swap:
      if (state.second < count) std::swap(values[state.first], values[state.second]);
      break;
    case Kind::None:
    case Kind::Source:
      break;
  }
  return true;
}

}  // namespace mutation
}  // namespace mgl::scenario
