#include "shader/compiler/source.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "shader/compiler/literal_fold.h"
#include "shader/compiler/opaque_members.h"
#include "shader/compiler/words.h"

namespace mgl::shader {
namespace {

constexpr std::string_view kMask = "Gl_";

template <class Range>
bool contains(const Range& range, std::string_view name) {
  return std::find(std::begin(range), std::end(range), name) != std::end(range);
}

bool isExtensionName(std::string_view name) { return name.size() > 3 && name.substr(0, 3) == "GL_"; }

bool isGranted(std::string_view name, const CompileOptions& options) {
  return options.allExtensions || isAlwaysGranted(name) || contains(options.extensions, name);
}

struct Edit {
  u32 offset;
  u32 length;
  std::string_view with;
};

std::string applyEdits(std::string_view text, const std::vector<Edit>& edits) {
  std::string result;
  result.reserve(text.size() + edits.size() * 16);
  u32 at = 0;
  for (const Edit& edit : edits) {
    result.append(text.substr(at, edit.offset - at));
    result.append(edit.with);
    at = edit.offset + edit.length;
  }
  result.append(text.substr(at));
  return result;
}

// Replaces everything but line breaks by spaces.
void blank(std::string& text, u32 first, u32 end) {
  for (u32 i = first; i < end; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

// Calls visit(firstToken, endToken) for each directive named `word`.
template <class Visit>
void forEachDirective(const SourceText& source, std::string_view word, Visit visit) {
  const auto& tokens = source.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].startsDirective || tokenText(source.text, tokens[i + 1]) != word || !tokens[i + 1].inDirective)
      continue;
    std::size_t end = i + 1;
    while (end < tokens.size() && tokens[end].inDirective && !tokens[end].startsDirective) ++end;
    visit(i, end);
  }
}

bool turnsOn(const SourceText& source, std::string_view extension) { return contains(source.extensions, extension); }

bool hasCall(const SourceText& source, std::string_view name) {
  for (std::size_t i = 0; i + 1 < source.tokens.size(); ++i) {
    if (tokenText(source.text, source.tokens[i]) == name && tokenText(source.text, source.tokens[i + 1]) == "(")
      return true;
  }
  return false;
}

bool hasWord(const SourceText& source, std::string_view word) {
  return std::any_of(source.tokens.begin(), source.tokens.end(),
                     [&](const Token& t) { return tokenText(source.text, t) == word; });
}

// `defined` needs a macro that is one: glslang knows __VERSION__ only where it is expanded. Both spellings have eleven
// letters.
constexpr std::string_view kVersionMacro = "mgl_VERSION";

bool isTestedForDefinition(const SourceText& source, std::size_t at) {
  const auto word = [&](std::size_t i) { return tokenText(source.text, source.tokens[i]); };
  if (at == 0 || !source.tokens[at].inDirective) return false;
  if (word(at - 1) == "ifdef" || word(at - 1) == "ifndef" || word(at - 1) == "defined") return true;
  return at >= 2 && word(at - 1) == "(" && word(at - 2) == "defined";
}

// In place and of the same length, so that offsets into the text stay good.
void overwrite(std::string& text, const Token& token, std::string_view with) {
  for (u32 i = 0; i < token.length; ++i) text[token.offset + i] = i < with.size() ? with[i] : ' ';
}

void maskVersionMacro(const SourceText& source, std::string& text) {
  const std::string digits = std::to_string(source.version);
  for (std::size_t i = 0; i < source.tokens.size(); ++i) {
    if (tokenText(source.text, source.tokens[i]) != "__VERSION__") continue;
    overwrite(text, source.tokens[i], isTestedForDefinition(source, i) ? kVersionMacro : std::string_view(digits));
  }
}

// gl_InstanceIDARB is the extension's name for what the language has.
void maskInstanceId(const SourceText& source, std::string& text) {
  for (const Token& token : source.tokens) {
    const std::string_view word = tokenText(source.text, token);
    if (word == "gl_InstanceIDARB" || word == "gl_InstanceIDEXT") overwrite(text, token, "gl_InstanceID");
  }
}

void maskRemovedWords(const SourceText& source, const CompileOptions& options, std::string& text) {
  const bool raised =
      source.version > 140 && source.parseVersion != source.version && source.profile != "compatibility";
  if ((source.version != 140 || !source.profile.empty()) && !raised) return;
  if (options.profile == Profile::Compatibility && turnsOn(source, "GL_ARB_compatibility")) return;
  for (const Token& token : source.tokens) {
    const std::string_view word = tokenText(source.text, token);
    if (isRemovedFrom140(word)) text[token.offset + 1] = static_cast<char>(text[token.offset + 1] - 32);
  }
}

// Joins continued lines, as all versions of GLSL do in practice and glslang only from 4.20 on, and gives the line
// breaks back after the joined line, so that the numbers of the following lines are right.
std::string joinContinuedLines(const std::string& text) {
  if (text.find('\\') == std::string::npos) return text;
  std::string joined;
  joined.reserve(text.size());
  u32 owed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
      ++owed;
      i += text[i + 1] == '\r' && i + 2 < text.size() && text[i + 2] == '\n' ? 2 : 1;
      continue;
    }
    joined += text[i];
    if (text[i] == '\n') {
      joined.append(owed, '\n');
      owed = 0;
    }
  }
  return joined;
}

// Names of extensions to hide, and the directives to blank out, done in place: no length changes.
void maskExtensions(const SourceText& source, const CompileOptions& options, std::string& text) {
  for (const Token& token : source.tokens) {
    if (token.kind != TokenKind::Identifier) continue;
    const std::string_view name = tokenText(source.text, token);
    if (isExtensionName(name) && (!isGranted(name, options) || isUnknownToGlslang(name))) text[token.offset + 1] = 'l';
  }
  forEachDirective(source, "extension", [&](std::size_t first, std::size_t end) {
    if (end - first < 3) return;
    const std::string_view name = tokenText(source.text, source.tokens[first + 2]);
    if (!isExtensionName(name) || !isGranted(name, options) || !isUnknownToGlslang(name)) return;
    blank(text, source.tokens[first].offset, source.tokens[end - 1].offset + source.tokens[end - 1].length);
  });
}

// Extensions that some directive turns on, in whatever branch it stands.
std::vector<std::string> enabledExtensions(const SourceText& source) {
  std::vector<std::string> names;
  forEachDirective(source, "extension", [&](std::size_t first, std::size_t end) {
    if (end - first < 5) return;
    const std::string_view behaviour = tokenText(source.text, source.tokens[first + 4]);
    if (behaviour == "require" || behaviour == "enable" || behaviour == "warn")
      names.emplace_back(tokenText(source.text, source.tokens[first + 2]));
  });
  return names;
}

u32 raisedVersion(const SourceText& source) {
  u32 version = source.version;
  // GLSL 1.40 has inverse(); glslang has it from 1.50 on.
  if (version == 140 && hasCall(source, "inverse")) version = 150;
  for (const RaisedVersion& raised : raisedByExtension()) {
    if (version < raised.version && turnsOn(source, raised.extension)) version = raised.version;
  }
  return version;
}

}  // namespace

SourceText readSource(std::span<const std::string_view> strings) {
  SourceText source;
  for (std::string_view string : strings) {
    source.starts.push_back(static_cast<u32>(source.text.size()));
    // glslang stops at a NUL, and so does GL where no length is given.
    source.text.append(foldLiterals(string.substr(0, string.find('\0'))));
  }
  source.tokens = tokenize(source.text);
  const auto& tokens = source.tokens;
  if (tokens.size() >= 3 && tokens[0].startsDirective && tokenText(source.text, tokens[1]) == "version") {
    const std::string_view digits = tokenText(source.text, tokens[2]);
    u32 version = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), version);
    if (parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size()) {
      source.hasVersion = true;
      source.version = version;
      source.versionFirst = tokens[0];
      source.versionLast = tokens[2];
      if (tokens.size() > 3 && tokens[3].inDirective && !tokens[3].startsDirective) {
        source.profile = tokenText(source.text, tokens[3]);
        source.versionLast = tokens[3];
      }
    }
  }
  if (source.version == 100 || source.version == 300 || source.version == 310 || source.version == 320) {
    if (source.profile.empty() && source.version == 100) source.profile = "es";
  }
  source.extensions = enabledExtensions(source);
  source.parseVersion = source.profile == "es" ? source.version : raisedVersion(source);
  return source;
}

bool mayBeDeep(const SourceText& source) {
  constexpr std::size_t kManyTokens = 3000, kManyMacros = 12;
  if (source.tokens.size() > kManyTokens) return true;
  std::size_t macros = 0;
  forEachDirective(source, "define", [&](std::size_t, std::size_t) { ++macros; });
  return macros > kManyMacros;
}

std::vector<std::string> plainStrings(const SourceText& source, const CompileOptions& options) {
  std::string text = source.text;
  maskExtensions(source, options, text);
  maskVersionMacro(source, text);
  maskInstanceId(source, text);
  maskRemovedWords(source, options, text);
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < source.starts.size(); ++i) {
    const u32 end = i + 1 < source.starts.size() ? source.starts[i + 1] : static_cast<u32>(text.size());
    strings.push_back(joinContinuedLines(text.substr(source.starts[i], end - source.starts[i])));
  }
  return strings;
}

std::string plainPreamble(const SourceText& source, const CompileOptions& options) {
  std::string preamble;
  if (hasWord(source, "gl_PerVertex") && source.version >= 150 && source.version < 410)
    preamble += "#extension GL_ARB_separate_shader_objects : enable\n";
  if (turnsOn(source, "GL_ARB_separate_shader_objects") && source.version >= 140 && source.version < 440)
    preamble += "#extension GL_ARB_enhanced_layouts : enable\n";
  const auto isRectangle = [&](const Token& token) {
    return tokenText(source.text, token).find("sampler2DRect") != std::string_view::npos;
  };
  if (source.version < 140 && isGranted("GL_ARB_texture_rectangle", options) &&
      std::any_of(source.tokens.begin(), source.tokens.end(), isRectangle))
    preamble += "#extension GL_ARB_texture_rectangle : enable\n";
  if (hasWord(source, "__VERSION__")) preamble += "#define mgl_VERSION 1\n";
  std::vector<std::string_view> done;
  for (const Token& token : source.tokens) {
    if (token.kind != TokenKind::Identifier) continue;
    const std::string_view name = tokenText(source.text, token);
    if (!isExtensionName(name) || !isUnknownToGlslang(name) || !isGranted(name, options) || contains(done, name))
      continue;
    done.push_back(name);
    preamble += "#define ";
    preamble += kMask;
    preamble += name.substr(3);
    preamble += " 1\n";
  }
  return preamble;
}

void restoreNames(std::string& log) {
  const auto restore = [&](std::string_view masked, std::string_view original) {
    for (std::size_t at = log.find(masked); at != std::string::npos; at = log.find(masked, at + 1))
      log.replace(at, masked.size(), original);
  };
  restore(kMask, "GL_");
  restore("gL_", "gl_");
  restore("fTransform", "ftransform");
}

std::string_view originalName(std::string_view name) {
  return name.substr(0, kRenamePrefix.size()) == kRenamePrefix ? name.substr(kRenamePrefix.size()) : name;
}

CodeText codeText(const SourceText& given, const CompileOptions& options, const ShaderInterface& interface) {
  CodeText code;
  code.preamble = plainPreamble(given, options);
  SourceText hoisted;
  std::string declarations;
  const bool hoists = std::any_of(interface.variables.begin(), interface.variables.end(), [](const Variable& variable) {
    return variable.type.isStruct() && !opaqueLeaves(variable).empty();
  });
  if (hoists) {
    hoisted = given;
    hoistOpaqueMembers(interface, hoisted, declarations);
    code.preamble += declarations;
  }
  const SourceText& source = hoists ? hoisted : given;
  std::string text = source.text;
  maskExtensions(source, options, text);
  maskVersionMacro(source, text);
  maskInstanceId(source, text);
  if (source.hasVersion) blank(text, source.versionFirst.offset, source.versionLast.offset + source.versionLast.length);

  const u32 plainVersion = source.parseVersion;
  code.version = std::max<int>(140, static_cast<int>(plainVersion));
  for (const Token& token : source.tokens) {
    const std::string_view word = tokenText(source.text, token);
    if (word == "gl_DrawIDARB" || word == "gl_BaseVertexARB" || word == "gl_BaseInstanceARB") code.version = 460;
  }
  code.coreProfile = code.version >= 150;
  code.deep = mayBeDeep(given);

  std::vector<Edit> edits;
  std::vector<std::string> storage;  // of replacement texts; reserved so that views into it stay put
  storage.reserve(source.tokens.size() * 2);
  bool depthRange = false, numSamples = false, fragColor = false, fragData = false;
  std::vector<std::string_view> wrappers;
  const auto& tokens = source.tokens;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != TokenKind::Identifier) continue;
    if (source.hasVersion && token.offset <= source.versionLast.offset && token.offset >= source.versionFirst.offset)
      continue;
    const std::string_view word = tokenText(source.text, token);
    const auto replace = [&](std::string_view with) { edits.push_back({token.offset, token.length, with}); };
    const auto rename = [&] {
      storage.push_back(std::string(kRenamePrefix) + std::string(word));
      replace(storage.back());
    };
    if (code.version >= 420) {
      if (word == "gl_FragColor" || word == "gl_FragData") {
        (word == "gl_FragColor" ? fragColor : fragData) = true;
        replace(word == "gl_FragColor" ? kFragColorName : kFragDataName);
        continue;
      }
      if (word == "varying" || word == "attribute") {
        replace(word == "varying" && interface.stage != Stage::Fragment ? "out" : "in");
        continue;
      }
    }
    if (word[0] == 'g' && word.substr(0, 3) == "gl_") {
      if (word == "gl_DepthRange") {
        depthRange = true;
        replace(kDepthRangeName);
      } else if (word == "gl_NumSamples") {
        numSamples = true;
        replace(kNumSamplesName);
      }
      continue;
    }
    if (word == "VULKAN" || word == "GL_SPIRV") {
      rename();
      continue;
    }
    const bool isCall = i + 1 < tokens.size() && tokenText(source.text, tokens[i + 1]) == "(";
    const bool isDefinition = isCall && i > 0 && tokens[i - 1].kind == TokenKind::Identifier &&
                              tokenText(source.text, tokens[i - 1]) != "return";
    if (isVulkanTextureType(word) || !modernLookup(word).empty()) {
      const std::string_view modern = modernLookup(word);
      bool userDefined = false;
      for (std::size_t k = 1; k + 1 < tokens.size() && isCall && !userDefined; ++k) {
        userDefined = tokenText(source.text, tokens[k]) == word && tokens[k - 1].kind == TokenKind::Identifier &&
                      tokenText(source.text, tokens[k - 1]) != "return" &&
                      tokenText(source.text, tokens[k - 1]) != "else" && !tokens[k - 1].inDirective &&
                      tokenText(source.text, tokens[k + 1]) == "(";
      }
      // In a macro's body the name may stand without its arguments: `#define TEX texture2D`.
      const bool isAlias = token.inDirective && !isCall;
      if (!modern.empty() && !userDefined && (isCall || isAlias) && !isDefinition)
        replace(modern);
      else if (isVulkanTextureType(word))
        rename();
      continue;
    }
    if (const std::string_view wrapper = shadowWrapper(word);
        !wrapper.empty() && (isCall || token.inDirective) && !isDefinition) {
      storage.push_back("mgl_" + std::string(word));
      replace(storage.back());
      if (!contains(wrappers, wrapper)) wrappers.push_back(wrapper);
      continue;
    }
    // Before 1.30 the dimension-free look-ups did not exist, and `texture` is the commonest name for a sampler.
    if (plainVersion < 130 && word.substr(0, 7) == "texture" &&
        contains(std::array<std::string_view, 6>{"texture", "textureProj", "textureLod", "textureGrad", "textureSize",
                                                 "textureProjLod"},
                 word)) {
      rename();
      continue;
    }
    // The relaxed parse drops initialisers of uniforms, and with them the sizes of arrays that have no other.
    if (i + 2 < tokens.size() && tokenText(source.text, tokens[i + 1]) == "[" &&
        tokenText(source.text, tokens[i + 2]) == "]") {
      for (const Variable& variable : interface.variables) {
        if (variable.name != word || variable.initial.empty() || !variable.type.isArray()) continue;
        storage.push_back(std::to_string(variable.type.dims[0]));
        edits.push_back({tokens[i + 2].offset, 0, storage.back()});
        break;
      }
    }
    if (const std::optional<u16> since = keywordSince(word);
        since && (*since == kVulkanOnly || (plainVersion < *since && static_cast<int>(*since) <= code.version)))
      rename();
  }
  code.text = joinContinuedLines(applyEdits(text, edits));
  if (depthRange)
    code.preamble +=
        "struct mgl_DepthRangeParameters { float near; float far; float diff; };\n"
        "uniform mgl_DepthRangeParameters mgl_DepthRange;\n";
  if (fragColor) code.preamble += "out vec4 mgl_FragColor;\n";
  if (fragData) code.preamble += "out vec4 mgl_FragData[" + std::to_string(options.limits.maxDrawBuffers) + "];\n";
  if (numSamples) code.preamble += "uniform int mgl_NumSamples;\n";
  for (std::string_view wrapper : wrappers) code.preamble += wrapper;
  return code;
}

}  // namespace mgl::shader
