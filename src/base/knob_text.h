// The grammars of knobs that are text with a form: what readKnobs() checks and what their readers parse.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace mgl {

enum class TopologyKind : u8 { Monolith, InProc, Spawn, Unix, Tcp, Count };

// monolith, inproc, spawn, unix:PATH or tcp://HOST:PORT (an IPv6 host in brackets).
struct Topology {
  TopologyKind kind = TopologyKind::Monolith;
  std::string path = {};  // Unix
  std::string host = {};  // Tcp, without brackets
  u16 port = 0;
};
std::optional<Topology> parseTopology(std::string_view text);

enum class ProfileChoice : u8 { Any, Core, Compatibility };

// 3.3, 3.3CORE, 3.3COMPAT; case does not matter.
struct GlVersionText {
  u8 major = 0;
  u8 minor = 0;
  ProfileChoice profile = ProfileChoice::Any;
};
std::optional<GlVersionText> parseGlVersion(std::string_view text);

// 330 or 3.30, as 330.
std::optional<u32> parseGlslVersion(std::string_view text);

}  // namespace mgl
