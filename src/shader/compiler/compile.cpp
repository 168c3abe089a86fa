#include <algorithm>
#include <array>
#include <map>

#include "shader/compiler/compiler.h"
#include "shader/compiler/deep_stack.h"
#include "shader/compiler/frontend.h"
#include "shader/compiler/shader_object.h"
#include "shader/compiler/source.h"

namespace mgl::shader {
namespace {

constexpr std::array<u32, 12> kDesktopVersions = {110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450};
constexpr std::array<u32, 4> kEsVersions = {100, 300, 310, 320};

bool isEs(const SourceText& source) { return source.profile == "es" || source.version == 100; }

// Empty when the #version is one that the context grants.
std::string versionError(const SourceText& source, const CompileOptions& options) {
  const bool es = isEs(source);
  const auto known = [&](const auto& versions) {
    return std::find(versions.begin(), versions.end(), source.version) != versions.end();
  };
  if (es && options.profile != Profile::Es)
    return "ERROR: 0:1: '#version' : GLSL ES " + std::to_string(source.version) + " is not supported in this context\n";
  if (es) return known(kEsVersions) ? "" : "ERROR: 0:1: '#version' : unknown version\n";
  if (options.profile == Profile::Es) return "ERROR: 0:1: '#version' : desktop GLSL is not supported in this context\n";
  if (!known(kDesktopVersions) && source.version != 460)
    return "ERROR: 0:1: '#version' : GLSL " + std::to_string(source.version) + " is not a known version\n";
  if (source.version > options.maxGlslVersion)
    return "ERROR: 0:1: '#version' : GLSL " + std::to_string(source.version) + " is not supported, the highest is " +
           std::to_string(options.maxGlslVersion) + "\n";
  if (source.profile == "compatibility" && options.profile != Profile::Compatibility)
    return "ERROR: 0:1: '#version' : the compatibility profile is not supported in this context\n";
  return "";
}

// The string and line of an offset, as glslang prints them.
std::string where(const SourceText& source, u32 offset) {
  std::size_t string = 0;
  while (string + 1 < source.starts.size() && source.starts[string + 1] <= offset) ++string;
  const u32 start = source.starts.empty() ? 0 : source.starts[string];
  const auto line = 1 + std::count(source.text.begin() + start, source.text.begin() + offset, '\n');
  return "ERROR: " + std::to_string(string) + ":" + std::to_string(line) + ": ";
}

// Names of macros without parameters and the number of tokens that each stands for, once expanded.
bool expandsWithoutBound(const SourceText& source) {
  constexpr u64 kMostTokens = 1u << 18;
  std::map<std::string_view, u64> sizes;
  const auto& tokens = source.tokens;
  const auto sizeOf = [&](std::string_view word) {
    const auto found = sizes.find(word);
    return found == sizes.end() ? 1 : found->second;
  };
  u64 total = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokenText(source.text, tokens[i]);
    if (tokens[i].startsDirective && i + 2 < tokens.size() && tokenText(source.text, tokens[i + 1]) == "define") {
      const std::string_view name = tokenText(source.text, tokens[i + 2]);
      u64 size = 0;
      for (i += 3; i < tokens.size() && tokens[i].inDirective && !tokens[i].startsDirective; ++i)
        size = std::min(size + sizeOf(tokenText(source.text, tokens[i])), kMostTokens + 1);
      sizes[name] = std::max<u64>(size, 1);
      --i;
      continue;
    }
    total = std::min(total + sizeOf(word), kMostTokens * 16 + 1);
    if (sizeOf(word) > kMostTokens) return true;
  }
  return total > kMostTokens * 16;
}

// Sources that glslang would not survive.
std::string sourceError(const SourceText& source) {
  if (expandsWithoutBound(source)) return "ERROR: 0:1: '' : macros expand to too many tokens\n";
  const auto& tokens = source.tokens;
  const auto word = [&](std::size_t i) { return tokenText(source.text, tokens[i]); };
  std::vector<std::string_view> functions;
  u32 depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].inDirective) continue;
    if (word(i) == "{") ++depth;
    if (word(i) == "}" && depth > 0) --depth;
    if (tokens[i].kind != TokenKind::Identifier || i == 0 || depth > 0) continue;
    if (word(i + 1) == "(") functions.push_back(word(i));
    // A block whose name is a function's.
    const bool qualified = tokens[i - 1].kind == TokenKind::Identifier || word(i - 1) == ")";
    if (word(i + 1) == "{" && qualified && word(i - 1) != "struct" &&
        std::find(functions.begin(), functions.end(), word(i)) != functions.end() && word(i) != "layout")
      return where(source, tokens[i].offset) + "'" + std::string(word(i)) +
             "' : redefinition: a function has this name\n";
  }
  return "";
}

bool holdsIntegers(const Type& type) {
  if (type.isStruct())
    return std::any_of(type.members->begin(), type.members->end(),
                       [](const Member& m) { return holdsIntegers(m.type); });
  const ScalarKind scalar = uniformTypeInfo(type.data).scalar;
  return scalar == ScalarKind::Int || scalar == ScalarKind::Uint || scalar == ScalarKind::Double;
}

// Integers between stages have no interpolation; glslang asks for `flat` on plain variables only.
std::string flatError(const SourceText& source, const ShaderInterface& shader) {
  if (shader.stage != Stage::Fragment) return "";
  const auto error = [&](const std::string& name) {
    const auto token = std::find_if(source.tokens.begin(), source.tokens.end(),
                                    [&](const Token& t) { return tokenText(source.text, t) == name; });
    return where(source, token == source.tokens.end() ? 0 : token->offset) + "'" + name +
           "' : integer and double inputs must be qualified flat\n";
  };
  for (const Variable& variable : shader.variables) {
    if (variable.storage != Storage::Input || variable.qualifiers.isBuiltin) continue;
    if (!variable.isBlock) {
      if (holdsIntegers(variable.type) && variable.qualifiers.interpolation != Interpolation::Flat)
        return error(variable.name);
      continue;
    }
    for (const Member& member : *variable.type.members) {
      if (holdsIntegers(member.type) && member.qualifiers.interpolation != Interpolation::Flat)
        return error(member.name);
    }
  }
  return "";
}

std::string nestingError(const ShaderInterface& shader) {
  for (const Variable& variable : shader.variables) {
    if (structureNesting(variable.type) > kMostStructureNesting)
      return "ERROR: 0:1: '" + variable.linkName() + "' : its structures are nested too deeply\n";
  }
  return "";
}

// Colour outputs of two kinds in one shader, wherever the shader mentions them.
std::string outputError(const ShaderInterface& shader) {
  if (shader.stage != Stage::Fragment) return "";
  bool color = false, data = false, user = false;
  for (const Function& function : shader.functions) {
    const auto mentions = [&](const char* name) {
      return std::find(function.builtins.begin(), function.builtins.end(), name) != function.builtins.end();
    };
    color |= mentions("gl_FragColor");
    data |= mentions("gl_FragData");
    for (u32 used : function.uses) {
      const Variable& variable = shader.variables[used];
      user |= variable.storage == Storage::Output && !variable.qualifiers.isBuiltin;
    }
  }
  if (color && data) return "ERROR: 0:1: 'gl_FragColor' : the shader writes both gl_FragColor and gl_FragData\n";
  if (user && (color || data))
    return std::string("ERROR: 0:1: '") + (color ? "gl_FragColor" : "gl_FragData") +
           "' : the shader writes it and user-defined outputs\n";
  return "";
}

// glslang closes its log with a count of errors, which no program needs.
void trimLog(std::string& log) {
  restoreNames(log);
  std::string kept;
  for (std::size_t at = 0; at < log.size();) {
    std::size_t end = log.find('\n', at);
    if (end == std::string::npos) end = log.size();
    const std::string_view line = std::string_view(log).substr(at, end - at);
    if (!line.empty() && line.find("compilation errors.  No code generated.") == std::string_view::npos &&
        line.find("(version, profile) forced to be") == std::string_view::npos) {
      kept += line;
      kept += '\n';
    }
    at = end + 1;
  }
  log = std::move(kept);
}

}  // namespace

CompileResult compileShader(Stage stage, std::span<const std::string_view> sources, const CompileOptions& options) {
  CompileResult result;
  const SourceText source = readSource(sources);
  result.infoLog = versionError(source, options);
  if (!result.infoLog.empty()) return result;
  result.infoLog = sourceError(source);
  if (!result.infoLog.empty()) return result;
  PlainParse parsed;
  runOnStack(mayBeDeep(source), [&] { parsed = parsePlain(stage, source, options); });
  result.infoLog = std::move(parsed.log);
  trimLog(result.infoLog);
  if (!parsed.ok) {
    if (result.infoLog.empty()) result.infoLog = "ERROR: 0:1: '' : the shader does not compile\n";
    return result;
  }
  result.infoLog += nestingError(parsed.interface);
  result.infoLog += outputError(parsed.interface);
  result.infoLog += flatError(source, parsed.interface);
  if (!result.infoLog.empty() && result.infoLog.find("ERROR") != std::string::npos) return result;
  auto object = std::make_shared<ShaderObject>(stage);
  object->interface = std::move(parsed.interface);
  object->interface.version = source.version;
  object->code = codeText(source, options, object->interface);
  object->limits = options.limits;
  result.shader = std::move(object);
  result.ok = true;
  return result;
}

}  // namespace mgl::shader
