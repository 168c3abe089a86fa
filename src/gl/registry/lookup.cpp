#include "gl/registry/lookup.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/knobs.h"
#include "base/log.h"
#include "gl/registry/gl_lookup.inc"
#include "gl/registry/stub_support.h"

#define ENTRY(name, entryClass, implemented) extern "C" void mgl_stub_##name();
#include "gl/registry/gl_entries.inc"
#undef ENTRY

namespace mgl::gl {
namespace {

constexpr EntryInfo kEntries[] = {
#define ENTRY(name, entryClass, implemented) {#name, EntryClass::entryClass, implemented != 0},
#include "gl/registry/gl_entries.inc"
#undef ENTRY
};

using StubAddress = void (*)();
constexpr StubAddress kStubs[] = {
#define ENTRY(name, entryClass, implemented) &mgl_stub_##name,
#include "gl/registry/gl_entries.inc"
#undef ENTRY
};

constexpr EntryName kNames[] = {
#define NAME(name, entry) {name, entry},
#include "gl/registry/gl_names.inc"
#undef NAME
};

// Position + 1 in kNames, or 0. Linear probing.
constexpr u16 kSlots[] = {MGL_LOOKUP_SLOTS};
constexpr u32 kSlotMask = (1u << MGL_LOOKUP_BITS) - 1;
static_assert(std::size(kSlots) == kSlotMask + 1);

constexpr u32 fnv1a(std::string_view text) {
  u32 value = 0x811C9DC5u;
  for (char c : text) value = (value ^ static_cast<u8>(c)) * 0x01000193u;
  return value;
}

void* dropTwin(u16 entry) {
  for (u32 i = 0; i < kDropTwinCount; ++i) {
    if (kDropTwins[i].entry == entry) return kDropTwins[i].address;
  }
  return nullptr;
}

}  // namespace

std::span<const EntryInfo> allEntries() { return kEntries; }

std::span<const EntryName> allEntryNames() { return kNames; }

void* findEntryPoint(std::string_view name) {
  for (u32 slot = fnv1a(name) & kSlotMask; kSlots[slot] != 0; slot = (slot + 1) & kSlotMask) {
    const EntryName& candidate = kNames[kSlots[slot] - 1];
    if (name != candidate.name) continue;
    const auto& dropped = knobs().pipeDrawDeltaDrop;
    if (!dropped.empty() && std::find(dropped.begin(), dropped.end(), name) != dropped.end()) {
      if (void* twin = dropTwin(candidate.entry)) return twin;
      MGL_LOGW("MOBILEGL_PIPE_DRAW_DELTA_DROP=%s: this entry point moves no epoch", candidate.name);
    }
    return reinterpret_cast<void*>(kStubs[candidate.entry]);
  }
  return nullptr;
}

}  // namespace mgl::gl
