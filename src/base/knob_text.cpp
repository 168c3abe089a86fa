#include "base/knob_text.h"

#include "base/strings.h"

namespace mgl {

std::optional<Topology> parseTopology(std::string_view text) {
  if (text == "monolith") return Topology{};
  if (text == "inproc") return Topology{.kind = TopologyKind::InProc};
  if (text == "spawn") return Topology{.kind = TopologyKind::Spawn};
  if (text.starts_with("unix:") && text.size() > 5) {
    return Topology{.kind = TopologyKind::Unix, .path = std::string(text.substr(5))};
  }
  constexpr std::string_view kTcp = "tcp://";
  if (!text.starts_with(kTcp)) return std::nullopt;
  text.remove_prefix(kTcp.size());
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::optional<i64> port = parseInt(text.substr(colon + 1));
  if (host.empty() || !port || *port < 1 || *port > 65535) return std::nullopt;
  return Topology{.kind = TopologyKind::Tcp, .host = std::string(host), .port = static_cast<u16>(*port)};
}

std::optional<GlVersionText> parseGlVersion(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() < 3 || !digit(text[0]) || text[1] != '.' || !digit(text[2])) return std::nullopt;
  GlVersionText version;
  version.major = static_cast<u8>(text[0] - '0');
  version.minor = static_cast<u8>(text[2] - '0');
  const std::string_view profile = text.substr(3);
  if (equalIgnoringCase(profile, "CORE")) {
    version.profile = ProfileChoice::Core;
  } else if (equalIgnoringCase(profile, "COMPAT")) {
    version.profile = ProfileChoice::Compatibility;
  } else if (!profile.empty()) {
    return std::nullopt;
  }
  constexpr u8 kLastMinor[] = {0, 5, 1, 3, 6};
  if (version.major < 1 || version.major > 4 || version.minor > kLastMinor[version.major]) return std::nullopt;
  return version;
}

std::optional<u32> parseGlslVersion(std::string_view text) {
  std::string digits(text);
  if (digits.size() == 4 && digits[1] == '.') digits.erase(1, 1);
  for (std::string_view known :
       {"110", "120", "130", "140", "150", "330", "400", "410", "420", "430", "440", "450", "460"}) {
    if (digits == known) return static_cast<u32>(*parseInt(known));
  }
  return std::nullopt;
}

}  // namespace mgl
