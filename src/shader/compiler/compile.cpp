#include <algorithm>
#include <array>

#include "shader/compiler/compiler.h"
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

// glslang closes its log with a count of errors, which no program needs.
void trimLog(std::string& log) {
  restoreExtensionNames(log);
  std::string kept;
  for (std::size_t at = 0; at < log.size();) {
    std::size_t end = log.find('\n', at);
    if (end == std::string::npos) end = log.size();
    const std::string_view line = std::string_view(log).substr(at, end - at);
    if (!line.empty() && line.find("compilation errors.  No code generated.") == std::string_view::npos) {
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
  PlainParse parsed = parsePlain(stage, source, options);
  result.infoLog = std::move(parsed.log);
  trimLog(result.infoLog);
  if (!parsed.ok) {
    if (result.infoLog.empty()) result.infoLog = "ERROR: 0:1: '' : the shader does not compile\n";
    return result;
  }
  auto object = std::make_shared<ShaderObject>(stage);
  object->interface = std::move(parsed.interface);
  object->code = codeText(source, options, stage);
  object->limits = options.limits;
  result.shader = std::move(object);
  result.ok = true;
  return result;
}

}  // namespace mgl::shader
