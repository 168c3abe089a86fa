// The knobs: what a user can set, read once per process from the environment and constant after.
//
//   if (knobs().pipeLoopback) ...
//
// The table is knobs.def; a row there is all that a new knob needs. Any thread may read at any time. A value that is
// malformed or out of range keeps the default and becomes a KnobProblem, and so does a MOBILEGL_ variable that no row
// names. The problems are logged by the first call of knobs(), unless somebody claimed the report before.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace mgl {

enum class BackendKind : u8 { Magma, Espryt, Null, Count };
enum class LogLevel : u8 { Error, Warning, Info, Debug, Count };

enum class Knob : u32 {
#define MGL_KNOB_BOOL(id, ...) id,
#define MGL_KNOB_INT(id, ...) id,
#define MGL_KNOB_FLOAT(id, ...) id,
#define MGL_KNOB_STRING(id, ...) id,
#define MGL_KNOB_LIST(id, ...) id,
#define MGL_KNOB_CHOICE(id, ...) id,
#include "base/knobs.def"
  Count
};

// The values, a member per row: bool, i64, f64, std::string, std::vector<std::string> or the row's enum.
struct Knobs {
#define MGL_KNOB_BOOL(id, env, def, side, meaning) bool id = def;
#define MGL_KNOB_INT(id, env, def, min, max, side, meaning) i64 id = def;
#define MGL_KNOB_FLOAT(id, env, def, min, max, side, meaning) f64 id = def;
#define MGL_KNOB_STRING(id, env, def, form, side, meaning) std::string id = def;
#define MGL_KNOB_LIST(id, env, side, meaning) std::vector<std::string> id;
#define MGL_KNOB_CHOICE(id, env, Enum, def, choices, side, meaning) Enum id = Enum::def;
#include "base/knobs.def"
};

enum class KnobType : u8 { Bool, Int, Float, String, List, Choice };
enum class KnobSide : u8 { Client, Server, Both };
enum class KnobOrigin : u8 { Default, Environment };

struct KnobInfo {
  Knob id;
  KnobType type;
  KnobSide side;
  std::string_view name;   // of the member
  std::string_view env;    // of the variable
  std::string_view range;  // "1..8", "magma|espryt|null"; empty where anything goes
  std::string_view meaning;
};

struct KnobProblem {
  enum class Kind : u8 { UnknownName, BadValue };
  Kind kind;
  Knob knob;         // Knob::Count for an unknown name
  std::string name;  // of the variable as it was set
  std::string text;  // one sentence with the cause and the mend
};

// What one reading of an environment gave.
struct KnobReading {
  Knobs values;
  KnobOrigin origins[countOf<Knob>()] = {};
  std::vector<KnobProblem> problems;
};

// Reads "NAME=value" entries; pure. A name given twice: the first counts, as with getenv.
[[nodiscard]] KnobReading readKnobs(std::span<const char* const> environment);

// The process's reading; never destroyed.
const KnobReading& knobReading();

const Knobs& knobs();
KnobOrigin knobOrigin(Knob id);

// True when the variable was set to something that its row refuses. Whoever opens what the knob decides (the session
// for backend and device) refuses with the problem's text instead of going on with the default.
const KnobProblem* knobProblem(Knob id);

// True for the first caller in the process, who then shows knobReading().problems itself.
[[nodiscard]] bool claimKnobReport();

// Every row, in the order of the table.
std::span<const KnobInfo> allKnobs();
// The value as text that would set it again; knobValueText(Knobs{}, id) is the default.
std::string knobValueText(const Knobs& values, Knob id);

std::string_view name(KnobOrigin origin);
std::string_view name(KnobSide side);
std::string_view name(KnobType type);
std::string_view name(BackendKind backend);
std::string_view name(LogLevel level);

}  // namespace mgl
