// What the session's caps let us grant: versions, extensions, limits. One table of version → caps and one of extension → caps;
// nobody else decides. Constant per session and profile.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipe/caps.h"

namespace mgl::gl {

enum class Profile : u8;

struct VersionInfo {
  u32 major = 0, minor = 0;  // 0.0: no version at all can be granted
  u32 glsl = 0;              // 330
  bool provisional = false;  // granted although something of it is not finished
  std::string missing;       // what keeps it provisional
  std::string nextMissing;   // what keeps it from the next version
  std::string vendor, renderer, versionString, glslString;
  std::vector<std::string_view> extensions;  // sorted; of static duration
  bool has(std::string_view extension) const;
  pipe::Limits limits;  // the caps' clamped to what the frontend keeps state for
  u32 maxUnits = 0;     // combined texture image units
};

// The highest version for this profile. Applies the overrides of the knobs.
VersionInfo grantVersion(const pipe::Caps& caps, Profile profile);

}  // namespace mgl::gl
