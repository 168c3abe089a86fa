// What a shader's text says before any parsing, and the two texts that glslang is given in its place.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shader/compiler/compiler.h"
#include "shader/compiler/interface.h"
#include "shader/compiler/lexer.h"

namespace mgl::shader {

// The strings of glShaderSource as one text, with its tokens. Owns both.
struct SourceText {
  std::string text;
  std::vector<u32> starts;  // offset of each string
  std::vector<Token> tokens;
  u32 version = 110;  // as #version says, else GLSL's default
  bool hasVersion = false;
  std::string profile;                  // "core", "compatibility", "es" or empty
  std::vector<std::string> extensions;  // that a directive turns on
  // The version that glslang is told: the program's, or a higher one where glslang has a feature later than GLSL or
  // than the extension that the program turns on.
  u32 parseVersion = 110;
  Token versionFirst;  // first and last token of the #version line, when hasVersion
  Token versionLast;
};

// Long enough, or with macros enough, for a tree that an ordinary stack might not hold.
bool mayBeDeep(const SourceText& source);

SourceText readSource(std::span<const std::string_view> strings);

// The text for the plain parse, one string for each of the program's, with every line and column where it was. Names of
// extensions that are not granted have the prefix "Gl_" in place of "GL_", so that they are neither defined nor known.
std::vector<std::string> plainStrings(const SourceText& source, const CompileOptions& options);

// Definitions that the plain parse needs before the text.
std::string plainPreamble(const SourceText& source, const CompileOptions& options);

// Gives words that plainStrings has disguised their own spelling back, in a log.
void restoreNames(std::string& log);

struct CodeText {
  std::string preamble;
  std::string text;
  int version = 140;
  bool coreProfile = false;  // else no profile, as before 1.50
  bool deep = false;         // wants a large stack (deep_stack.h)
};

// The text for the relaxed Vulkan parse: the version raised to what Vulkan's GLSL has, identifiers that are keywords
// there given the prefix kRenamePrefix, GL's built-ins that Vulkan has not declared in the preamble under names of our
// own.
CodeText codeText(const SourceText& source, const CompileOptions& options, const ShaderInterface& interface);

inline constexpr std::string_view kRenamePrefix = "mgl_k_";
inline constexpr std::string_view kDepthRangeName = "mgl_DepthRange";
inline constexpr std::string_view kNumSamplesName = "mgl_NumSamples";

inline constexpr std::string_view kFragColorName = "mgl_FragColor";
inline constexpr std::string_view kFragDataName = "mgl_FragData";

// The program's own spelling of a name found in SPIR-V.
std::string_view originalName(std::string_view name);

}  // namespace mgl::shader
