#include "base/knobs.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>

#include "base/knob_text.h"
#include "base/log.h"
#include "base/strings.h"

namespace mgl {

namespace {

constexpr std::string_view kPrefix = "MOBILEGL_";

enum class TextForm : u8 { Any, Topology, GlVersion, GlslVersion, Count };

using Text = std::optional<std::string>;

struct TextFormRow {
  std::string_view range;
  // The text as the knob keeps it, whatever case and spelling it came in; nothing when it has not the form.
  Text (*read)(std::string_view text);
};

Text readGlVersion(std::string_view text) {
  constexpr const char* kProfiles[] = {"", "CORE", "COMPAT"};
  const std::optional<GlVersionText> version = parseGlVersion(text);
  if (!version) return std::nullopt;
  return formatText("%u.%u%s", version->major, version->minor, kProfiles[indexOf(version->profile)]);
}

Text readGlslVersion(std::string_view text) {
  const std::optional<u32> version = parseGlslVersion(text);
  return version ? Text(std::to_string(*version)) : std::nullopt;
}

constexpr TextFormRow kTextForms[countOf<TextForm>()] = {
    {"", [](std::string_view text) { return Text(text); }},
    {"monolith|inproc|spawn|unix:PATH|tcp://HOST:PORT",
     [](std::string_view text) { return parseTopology(text) ? Text(text) : std::nullopt; }},
    {"1.0..4.6, CORE or COMPAT after it", readGlVersion},
    {"110..460", readGlslVersion},
};

constexpr KnobInfo kInfos[] = {
#define MGL_TEXT_(x) #x
#define MGL_KNOB_BOOL(id, env, def, side, meaning) {Knob::id, KnobType::Bool, KnobSide::side, #id, env, "0|1", meaning},
#define MGL_KNOB_INT(id, env, def, min, max, side, meaning) \
  {Knob::id, KnobType::Int, KnobSide::side, #id, env, MGL_TEXT_(min) ".." MGL_TEXT_(max), meaning},
#define MGL_KNOB_FLOAT(id, env, def, min, max, side, meaning) \
  {Knob::id, KnobType::Float, KnobSide::side, #id, env, MGL_TEXT_(min) ".." MGL_TEXT_(max), meaning},
#define MGL_KNOB_STRING(id, env, def, form, side, meaning) \
  {Knob::id, KnobType::String, KnobSide::side, #id, env, kTextForms[indexOf(TextForm::form)].range, meaning},
#define MGL_KNOB_LIST(id, env, side, meaning) {Knob::id, KnobType::List, KnobSide::side, #id, env, "", meaning},
#define MGL_KNOB_CHOICE(id, env, Enum, def, choices, side, meaning) \
  {Knob::id, KnobType::Choice, KnobSide::side, #id, env, choices, meaning},
#include "base/knobs.def"
#undef MGL_TEXT_
};

struct IntRange {
  i64 min, max;
};
struct FloatRange {
  f64 min, max;
};

bool parseValue(std::string_view text, const KnobInfo&, bool& out) {
  const std::string word = toLower(trim(text));
  for (std::string_view yes : {"1", "yes", "on", "true"}) {
    if (word == yes) return out = true, true;
  }
  for (std::string_view no : {"0", "no", "off", "false"}) {
    if (word == no) return out = false, true;
  }
  return false;
}

bool parseValue(std::string_view text, TextForm form, std::string& out) {
  Text kept = kTextForms[indexOf(form)].read(text);
  if (!kept) return false;
  out = std::move(*kept);
  return true;
}

bool parseValue(std::string_view text, const KnobInfo&, std::vector<std::string>& out) {
  out.clear();
  for (std::string_view word : split(text, ", ;\t\n")) out.emplace_back(word);
  return true;
}

bool parseValue(std::string_view text, IntRange range, i64& out) {
  const std::optional<i64> value = parseInt(trim(text));
  if (!value || *value < range.min || *value > range.max) return false;
  out = *value;
  return true;
}

[[maybe_unused]] bool parseValue(std::string_view text, FloatRange range, f64& out) {
  const std::optional<f64> value = parseFloat(trim(text));
  if (!value || !std::isfinite(*value) || *value < range.min || *value > range.max) return false;
  out = *value;
  return true;
}

template <class Enum>
requires std::is_enum_v<Enum>
bool parseValue(std::string_view text, const KnobInfo& info, Enum& out) {
  const std::vector<std::string_view> choices = split(info.range, "|");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (equalIgnoringCase(trim(text), choices[i])) {
      out = static_cast<Enum>(i);
      return true;
    }
  }
  return false;
}

bool assign(Knobs& values, const KnobInfo& info, std::string_view text) {
  switch (info.id) {
#define MGL_KNOB_BOOL(id, ...) \
  case Knob::id:               \
    return parseValue(text, info, values.id);
#define MGL_KNOB_INT(id, env, def, min, max, side, meaning) \
  case Knob::id:                                            \
    return parseValue(text, IntRange{min, max}, values.id);
#define MGL_KNOB_FLOAT(id, env, def, min, max, side, meaning) \
  case Knob::id:                                              \
    return parseValue(text, FloatRange{min, max}, values.id);
#define MGL_KNOB_STRING(id, env, def, form, side, meaning) \
  case Knob::id:                                           \
    return parseValue(text, TextForm::form, values.id);
#define MGL_KNOB_LIST(id, ...) MGL_KNOB_BOOL(id, )
#define MGL_KNOB_CHOICE(id, ...) MGL_KNOB_BOOL(id, )
#include "base/knobs.def"
    case Knob::Count:
      break;
  }
  return false;
}

std::string valueText(bool value, const KnobInfo&) { return value ? "1" : "0"; }
std::string valueText(i64 value, const KnobInfo&) { return std::to_string(value); }
[[maybe_unused]] std::string valueText(f64 value, const KnobInfo&) { return formatText("%g", value); }
std::string valueText(const std::string& value, const KnobInfo&) { return value; }
std::string valueText(const std::vector<std::string>& value, const KnobInfo&) { return join(value, ","); }
template <class Enum>
requires std::is_enum_v<Enum> std::string valueText(Enum value, const KnobInfo& info) {
  return std::string(split(info.range, "|")[indexOf(value)]);
}

std::string badValueText(const KnobInfo& info, std::string_view value) {
  std::string allowed(info.range);
  if (info.type == KnobType::Int) allowed = "a whole number in " + allowed;
  if (info.type == KnobType::Float) allowed = "a number in " + allowed;
  std::string text = formatText("%s=%.*s is refused: it takes %s", info.env.data(), static_cast<int>(value.size()),
                                value.data(), allowed.c_str());
  if (info.type == KnobType::Choice || info.id == Knob::topology) {
    const std::string word = toLower(trim(value));
    if (auto near = nearestName(word, split(info.range, "|"))) text += "; did you mean " + std::string(*near) + "?";
  }
  return text;
}

std::string unknownNameText(std::string_view variable) {
  std::array<std::string_view, countOf<Knob>()> names;
  for (const KnobInfo& info : kInfos) names[indexOf(info.id)] = info.env.substr(kPrefix.size());
  std::string text = std::string(variable) + " is not a knob of MobileGL";
  if (auto near = nearestName(variable.substr(kPrefix.size()), names)) {
    return text + "; did you mean " + std::string(kPrefix) + std::string(*near) + "?";
  }
  return text + "; `mobilegl info` lists them all";
}

}  // namespace

KnobReading readKnobs(std::span<const char* const> environment) {
  KnobReading reading;
  for (std::string_view entry : environment) {
    if (!entry.starts_with(kPrefix)) continue;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view variable = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    const KnobInfo* row = nullptr;
    for (const KnobInfo& info : kInfos) {
      if (info.env == variable) row = &info;
    }
    if (row == nullptr) {
      reading.problems.push_back(
          {KnobProblem::Kind::UnknownName, Knob::Count, std::string(variable), unknownNameText(variable)});
      continue;
    }
    KnobOrigin& origin = reading.origins[indexOf(row->id)];
    if (origin != KnobOrigin::Default || value.empty()) continue;
    if (assign(reading.values, *row, value)) {
      origin = KnobOrigin::Environment;
    } else {
      reading.problems.push_back(
          {KnobProblem::Kind::BadValue, row->id, std::string(variable), badValueText(*row, value)});
    }
  }
  return reading;
}

const KnobReading& knobReading() {
  static const KnobReading* const reading = [] {
    std::size_t count = 0;
    while (environ != nullptr && environ[count] != nullptr) ++count;
    return new KnobReading(readKnobs({environ, count}));
  }();
  return *reading;
}

// The log reads its level and file from knobReading(), not from here: logging inside of this function is no recursion.
const Knobs& knobs() {
  static const Knobs& values = []() -> const Knobs& {
    const KnobReading& reading = knobReading();
    if (claimKnobReport()) {
      for (const KnobProblem& problem : reading.problems) {
        if (problem.kind == KnobProblem::Kind::BadValue) {
          MGL_LOGE("%s; the default holds", problem.text.c_str());
        } else {
          MGL_LOGW("%s", problem.text.c_str());
        }
      }
    }
    return reading.values;
  }();
  return values;
}

KnobOrigin knobOrigin(Knob id) { return knobReading().origins[indexOf(id)]; }

const KnobProblem* knobProblem(Knob id) {
  for (const KnobProblem& problem : knobReading().problems) {
    if (problem.knob == id) return &problem;
  }
  return nullptr;
}

bool claimKnobReport() {
  static constinit std::atomic<bool> claimed{false};
  return !claimed.exchange(true, std::memory_order_relaxed);
}

std::span<const KnobInfo> allKnobs() { return kInfos; }

std::string knobValueText(const Knobs& values, Knob id) {
  switch (id) {
#define MGL_KNOB_BOOL(id, ...) \
  case Knob::id:               \
    return valueText(values.id, kInfos[indexOf(Knob::id)]);
#define MGL_KNOB_INT(id, ...) MGL_KNOB_BOOL(id, )
#define MGL_KNOB_FLOAT(id, ...) MGL_KNOB_BOOL(id, )
#define MGL_KNOB_STRING(id, ...) MGL_KNOB_BOOL(id, )
#define MGL_KNOB_LIST(id, ...) MGL_KNOB_BOOL(id, )
#define MGL_KNOB_CHOICE(id, ...) MGL_KNOB_BOOL(id, )
#include "base/knobs.def"
    case Knob::Count:
      break;
  }
  return {};
}

std::string_view name(KnobOrigin origin) { return origin == KnobOrigin::Default ? "default" : "environment"; }

std::string_view name(KnobSide side) {
  switch (side) {
    case KnobSide::Client:
      return "client";
    case KnobSide::Server:
      return "server";
    case KnobSide::Both:
      break;
  }
  return "both";
}

std::string_view name(KnobType type) {
  constexpr std::string_view kNames[] = {"bool", "int", "float", "string", "list", "choice"};
  return kNames[indexOf(type)];
}

std::string_view name(BackendKind backend) {
  constexpr std::string_view kNames[countOf<BackendKind>()] = {"magma", "espryt", "null"};
  return kNames[indexOf(backend)];
}

std::string_view name(LogLevel level) {
  constexpr std::string_view kNames[countOf<LogLevel>()] = {"error", "warning", "info", "debug"};
  return kNames[indexOf(level)];
}

}  // namespace mgl
