#include "gl/version.h"

#include <algorithm>
#include <cstdio>

#include "base/knobs.h"
#include "gl/context.h"

namespace mgl::gl {

namespace {

using pipe::Caps;
using pipe::Feature;

// A version needs all features of the rows up to its own.
struct VersionRow {
  u32 major, minor, glsl;
  std::vector<Feature> needs;
  bool finished;  // the frontend has all of it
};
const std::vector<VersionRow>& versionRows() {
  static const auto* const kRows = new std::vector<VersionRow>{
      {3, 0, 130, {Feature::StreamOutput, Feature::ConditionalRender}, true},
      {3, 1, 140, {}, true},
      {3, 2, 150, {Feature::GeometryShader, Feature::DepthClamp, Feature::MultisampleTexture}, true},
      {3, 3, 330, {Feature::DualSourceBlend, Feature::TimerQuery}, false},
      {4, 0, 400,
       {Feature::TessellationShader, Feature::ShaderFloat64, Feature::CubeArray, Feature::IndependentBlend,
        Feature::SampleShading, Feature::IndirectDraw, Feature::TextureGather, Feature::TextureQueryLod},
       false},
      {4, 1, 410, {Feature::ViewportArray}, false},
      {4, 2, 420, {Feature::ShaderImages, Feature::AtomicCounters, Feature::BaseInstance}, false},
      {4, 3, 430, {Feature::ComputeShader, Feature::ShaderStorage, Feature::TextureView, Feature::MultiDrawIndirect}, false},
      {4, 4, 440, {Feature::PersistentMap, Feature::MirrorClampToEdge}, false},
      {4, 5, 450, {Feature::CullDistance, Feature::Robustness}, false},
      {4, 6, 460, {Feature::DrawParameters, Feature::PipelineStatistics, Feature::AnisotropicFilter}, false},
  };
  return *kRows;
}

// The highest row whose entry points and language are there, though not all of it is right yet.
constexpr u32 kProvisional = 33;

#define MGL_FEATURE_NAMES(F) \
  F(StreamOutput) F(ConditionalRender) F(GeometryShader) F(DepthClamp) F(MultisampleTexture) F(DualSourceBlend) F(TimerQuery)  \
  F(TessellationShader) F(ShaderFloat64) F(CubeArray) F(IndependentBlend) F(SampleShading) F(IndirectDraw) F(TextureGather)    \
  F(TextureQueryLod) F(ViewportArray) F(ShaderImages) F(AtomicCounters) F(BaseInstance) F(ComputeShader) F(ShaderStorage)      \
  F(TextureView) F(MultiDrawIndirect) F(PersistentMap) F(MirrorClampToEdge) F(CullDistance) F(Robustness) F(DrawParameters)    \
  F(PipelineStatistics) F(AnisotropicFilter)
std::string_view featureName(Feature feature) {
  switch (feature) {
#define MGL_FEATURE_NAME(id) \
  case Feature::id:          \
    return #id;
    MGL_FEATURE_NAMES(MGL_FEATURE_NAME)
#undef MGL_FEATURE_NAME
    default: return "a feature";
  }
}

// Extensions that are finished, with what they need of the device. Listed only when every entry point and effect is there.
struct ExtensionRow {
  std::string_view name;
  std::vector<Feature> needs;
};
const std::vector<ExtensionRow>& extensionRows() {
  static const auto* const kRows = new std::vector<ExtensionRow>{
#include "gl/extensions.inc"
  };
  return *kRows;
}

std::string missingFeatures(const Caps& caps, const std::vector<Feature>& needs) {
  std::string missing;
  for (const Feature feature : needs) {
    if (caps.has(feature)) continue;
    if (!missing.empty()) missing += ", ";
    missing += featureName(feature);
  }
  return missing;
}

void applyExtensionOverride(std::vector<std::string_view>& extensions) {
  for (const std::string& word : knobs().extensionOverride) {
    if (word.size() < 2) continue;
    const std::string_view name = std::string_view(word).substr(1);
    if (word[0] == '-' && name == "*")
      extensions.clear();
    else if (word[0] == '-')
      std::erase(extensions, name);
    else if (word[0] == '+' && std::find(extensions.begin(), extensions.end(), name) == extensions.end())
      extensions.push_back(name);  // the knobs live as long as the process
  }
}

void clampLimits(pipe::Limits& limits) {
  const auto atMost = [](i64& limit, i64 bound) { limit = std::min(limit, bound); };
  atMost(limits.maxColorTargets, pipe::kMaxColorTargets);
  atMost(limits.maxViewports, pipe::kMaxViewports);
  atMost(limits.maxVertexAttribs, pipe::kMaxVertexAttribs);
  atMost(limits.maxVertexBindings, pipe::kMaxVertexBindings);
  atMost(limits.maxCombinedSamplers, kMaxUnits);
  atMost(limits.maxStageSamplers, 32);
  atMost(limits.maxCombinedUniformBlocks, pipe::kMaxBlockBindings);
  atMost(limits.maxTextureSize, pipe::kMaxTextureSize);
}

}  // namespace

bool VersionInfo::has(std::string_view extension) const {
  return std::binary_search(extensions.begin(), extensions.end(), extension);
}

VersionInfo grantVersion(const Caps& caps, Profile profile) {
  VersionInfo info;
  const auto append = [](std::string& list, std::string_view item) {
    if (item.empty()) return;
    if (!list.empty()) list += ", ";
    list += item;
  };
  for (const VersionRow& row : versionRows()) {
    const std::string missing = missingFeatures(caps, row.needs);
    if (row.major * 10 + row.minor > kProvisional) {
      info.nextMissing = missing.empty() ? "not finished in MobileGL" : missing;
      break;
    }
    info.major = row.major, info.minor = row.minor, info.glsl = row.glsl;
    append(info.missing, missing);
    if (!row.finished) append(info.missing, "corners of " + std::to_string(row.major) + "." + std::to_string(row.minor));
    info.provisional = !info.missing.empty();
  }
  if (profile == Profile::Compatibility) {
    info.nextMissing = "the compatibility profile is not finished in MobileGL";
    info.major = info.minor = 0;
  }
  if (const std::string& forced = knobs().glVersion; !forced.empty()) {
    u32 major = 0, minor = 0;
    if (std::sscanf(forced.c_str(), "%u.%u", &major, &minor) == 2) {
      for (const VersionRow& row : versionRows())
        if (row.major == major && row.minor == minor) info.glsl = row.glsl;
      info.major = major, info.minor = minor;
    }
  }
  if (const std::string& forced = knobs().glslVersion; !forced.empty()) {
    const f64 value = std::atof(forced.c_str());
    info.glsl = static_cast<u32>(value < 10 ? value * 100 + 0.5 : value);
  }
  for (const ExtensionRow& row : extensionRows())
    if (missingFeatures(caps, row.needs).empty()) info.extensions.push_back(row.name);
  applyExtensionOverride(info.extensions);
  std::sort(info.extensions.begin(), info.extensions.end());

  info.limits = caps.limits;
  clampLimits(info.limits);
  info.maxUnits = static_cast<u32>(info.limits.maxCombinedSamplers);
  info.vendor = "MobileGL";
  info.renderer = "MobileGL " + caps.backendName + " (" + caps.deviceName + ")";
  char text[160];
  std::snprintf(text, sizeof text, "%u.%u%s MobileGL " MOBILEGL_VERSION, info.major, info.minor,
                profile == Profile::Core ? " (Core Profile)" : profile == Profile::Compatibility ? " (Compatibility Profile)" : "");
  info.versionString = text;
  std::snprintf(text, sizeof text, "%u.%02u", info.glsl / 100, info.glsl % 100);
  info.glslString = text;
  return info;
}

}  // namespace mgl::gl
