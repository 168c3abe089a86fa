#include "winsys/egl/proc_address.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "winsys/egl/dispatch.h"
#include "winsys/egl/driver.h"
#include "winsys/egl/functions.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl {
namespace {

struct Entry {
  std::string_view name;
  void* address;
};

// Memory that is not to be had is an error of EGL, not the program's end.
template <auto Function>
struct Netted;
template <class R, class... Arguments, R (*Function)(Arguments...)>
struct Netted<Function> {
  static R call(Arguments... arguments) {
    try {
      return Function(arguments...);
    } catch (const std::bad_alloc&) {
      return fail<R>(EGL_BAD_ALLOC, R{});
    }
  }
};

const auto& sortedEntries() {
#define MGL_EGL(Name) Entry{"egl" #Name, reinterpret_cast<void*>(&Netted<&api::Name>::call)},
#define MGL_EGL_DISPATCHED(Name, by) Entry{"egl" #Name, reinterpret_cast<void*>(&Netted<&api::Name>::call)},
  static const auto kEntries = [] {
    auto entries = std::to_array({
#include "winsys/egl/entries.def"
    });
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
  }();
  return kEntries;
}

}  // namespace

void* procAddress(const char* name) {
  if (name == nullptr) return nullptr;
  const std::string_view wanted(name);
  if (!wanted.starts_with("egl")) return driver().findGlEntryPoint(wanted);
  const auto& entries = sortedEntries();
  const auto at = std::lower_bound(entries.begin(), entries.end(), wanted,
                                   [](const Entry& entry, std::string_view key) { return entry.name < key; });
  return at != entries.end() && at->name == wanted ? at->address : nullptr;
}

bool supportsApi(EGLenum api) { return api == EGL_OPENGL_API; }

EGLenum boundApi() { return libEglExports == nullptr ? thread().api : libEglExports->getCurrentApi(); }

}  // namespace mgl::winsys::egl
