// Names to entry points. Any thread, without a context; nothing here locks or allocates.
#pragma once

#include <span>
#include <string_view>

#include "base/types.h"

namespace mgl::gl {

// Draw-delta class of an entry point, as in draw_delta.txt.
enum class EntryClass : u8 { free, map, vao, program, share_group, context, by_argument };

struct EntryInfo {
  const char* name;
  EntryClass entryClass;
  bool implemented;
};

// Every entry point but the aliases, by index.
std::span<const EntryInfo> allEntries();

struct EntryName {
  const char* name;
  u16 entry;  // index into allEntries()
};

// Every exported name, aliases included, sorted.
std::span<const EntryName> allEntryNames();

// What a program is to call under that name, or null for a name that is not exported. A name that
// MOBILEGL_PIPE_DRAW_DELTA_DROP lists gets a twin that moves no epoch; its aliases do not.
void* findEntryPoint(std::string_view name);

}  // namespace mgl::gl
