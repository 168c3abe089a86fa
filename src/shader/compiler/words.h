// Words of GLSL that the compiler treats of its own: what glslang knows otherwise than OpenGL does.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/types.h"

namespace mgl::shader {

// Granted extensions that glslang has never heard of, because what they add is in the language that it parses anyway.
bool isUnknownToGlslang(std::string_view extension);
// Words of the language itself that begin like an extension's name.
bool isAlwaysGranted(std::string_view word);

// The desktop version from which on the word is a keyword; kVulkanOnly: in Vulkan's GLSL only. None: it is none.
inline constexpr u16 kVulkanOnly = 0;
std::optional<u16> keywordSince(std::string_view word);
// texture2D and its kin as types: Vulkan's GLSL only.
bool isVulkanTextureType(std::string_view word);

// texture2D(…) and its relatives: what the dimension-free function of GLSL 1.30 is. Empty when `word` is none of them.
std::string_view modernLookup(std::string_view word);
// shadow2D(…) and its relatives: a function mgl_<word> that does the same. Empty when `word` is none of them.
std::string_view shadowWrapper(std::string_view word);

// What glslang knows as a part of the language only, from that version on.
struct RaisedVersion {
  std::string_view extension;
  u32 version;
};
std::span<const RaisedVersion> raisedByExtension();

// Fixed-function words that core GLSL 1.40 left out and glslang still knows there.
bool isRemovedFrom140(std::string_view word);

}  // namespace mgl::shader
