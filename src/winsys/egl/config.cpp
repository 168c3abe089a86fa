#include "winsys/egl/config.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace mgl::winsys::egl {
namespace {

// How a requested value is compared with a config's (EGL 1.5, table 3.4).
enum class Match : u8 { Exact, AtLeast, Mask, Ignored };

struct Criterion {
  EGLint attribute;
  EGLint defaultValue;
  Match match;
};

constexpr Criterion kCriteria[] = {
    {EGL_BUFFER_SIZE, 0, Match::AtLeast},
    {EGL_RED_SIZE, 0, Match::AtLeast},
    {EGL_GREEN_SIZE, 0, Match::AtLeast},
    {EGL_BLUE_SIZE, 0, Match::AtLeast},
    {EGL_LUMINANCE_SIZE, 0, Match::AtLeast},
    {EGL_ALPHA_SIZE, 0, Match::AtLeast},
    {EGL_ALPHA_MASK_SIZE, 0, Match::AtLeast},
    {EGL_BIND_TO_TEXTURE_RGB, EGL_DONT_CARE, Match::Exact},
    {EGL_BIND_TO_TEXTURE_RGBA, EGL_DONT_CARE, Match::Exact},
    {EGL_COLOR_BUFFER_TYPE, EGL_RGB_BUFFER, Match::Exact},
    {EGL_CONFIG_CAVEAT, EGL_DONT_CARE, Match::Exact},
    {EGL_CONFIG_ID, EGL_DONT_CARE, Match::Exact},
    {EGL_CONFORMANT, 0, Match::Mask},
    {EGL_DEPTH_SIZE, 0, Match::AtLeast},
    {EGL_LEVEL, 0, Match::Exact},
    {EGL_MAX_SWAP_INTERVAL, EGL_DONT_CARE, Match::Exact},
    {EGL_MIN_SWAP_INTERVAL, EGL_DONT_CARE, Match::Exact},
    {EGL_NATIVE_RENDERABLE, EGL_DONT_CARE, Match::Exact},
    {EGL_NATIVE_VISUAL_TYPE, EGL_DONT_CARE, Match::Exact},
    {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES_BIT, Match::Mask},
    {EGL_SAMPLE_BUFFERS, 0, Match::AtLeast},
    {EGL_SAMPLES, 0, Match::AtLeast},
    {EGL_STENCIL_SIZE, 0, Match::AtLeast},
    {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, Match::Mask},
    {EGL_TRANSPARENT_TYPE, EGL_NONE, Match::Exact},
    // May stand in a list and select nothing.
    {EGL_MAX_PBUFFER_WIDTH, EGL_DONT_CARE, Match::Ignored},
    {EGL_MAX_PBUFFER_HEIGHT, EGL_DONT_CARE, Match::Ignored},
    {EGL_MAX_PBUFFER_PIXELS, EGL_DONT_CARE, Match::Ignored},
    {EGL_NATIVE_VISUAL_ID, EGL_DONT_CARE, Match::Ignored},
    {EGL_TRANSPARENT_RED_VALUE, EGL_DONT_CARE, Match::Ignored},
    {EGL_TRANSPARENT_GREEN_VALUE, EGL_DONT_CARE, Match::Ignored},
    {EGL_TRANSPARENT_BLUE_VALUE, EGL_DONT_CARE, Match::Ignored},
    // A handle of a pixmap to be compatible with: no config of ours draws to pixmaps, so asking selects nothing.
    {EGL_MATCH_NATIVE_PIXMAP, EGL_NONE, Match::Exact},
};
constexpr u32 kCriterionCount = std::size(kCriteria);

const Criterion* findCriterion(EGLint attribute) {
  for (const Criterion& criterion : kCriteria) {
    if (criterion.attribute == attribute) return &criterion;
  }
  return nullptr;
}

bool oneOf(EGLint value, std::initializer_list<EGLint> allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

constexpr EGLint kSurfaceBits = EGL_PBUFFER_BIT | EGL_PIXMAP_BIT | EGL_WINDOW_BIT | EGL_VG_COLORSPACE_LINEAR_BIT |
                                EGL_VG_ALPHA_FORMAT_PRE_BIT | EGL_MULTISAMPLE_RESOLVE_BOX_BIT |
                                EGL_SWAP_BEHAVIOR_PRESERVED_BIT;

bool valueAllowed(EGLint attribute, EGLint value) {
  if (attribute == EGL_LEVEL || attribute == EGL_MATCH_NATIVE_PIXMAP) return true;
  if (value == EGL_DONT_CARE) return true;
  switch (attribute) {
    case EGL_BIND_TO_TEXTURE_RGB:
    case EGL_BIND_TO_TEXTURE_RGBA:
    case EGL_NATIVE_RENDERABLE:
      return oneOf(value, {EGL_TRUE, EGL_FALSE});
    case EGL_COLOR_BUFFER_TYPE:
      return oneOf(value, {EGL_RGB_BUFFER, EGL_LUMINANCE_BUFFER});
    case EGL_CONFIG_CAVEAT:
      return oneOf(value, {EGL_NONE, EGL_SLOW_CONFIG, EGL_NON_CONFORMANT_CONFIG});
    case EGL_TRANSPARENT_TYPE:
      return oneOf(value, {EGL_NONE, EGL_TRANSPARENT_RGB});
    // Bits that nobody knows match nothing, as the extensions that add some want it; only the surface's are closed.
    case EGL_SURFACE_TYPE:
      return (value & ~(kSurfaceBits | 0x0800 /* EGL_STREAM_BIT_KHR */)) == 0;
    case EGL_NATIVE_VISUAL_TYPE:
    case EGL_NATIVE_VISUAL_ID:
    case EGL_RENDERABLE_TYPE:
    case EGL_CONFORMANT:
      return true;
    default:
      return value >= 0;
  }
}

using Request = std::array<EGLint, kCriterionCount>;

std::optional<Request> parse(const EGLint* attribs) {
  Request request;
  for (u32 i = 0; i < kCriterionCount; ++i) request[i] = kCriteria[i].defaultValue;
  for (; attribs != nullptr && attribs[0] != EGL_NONE; attribs += 2) {
    const Criterion* criterion = findCriterion(attribs[0]);
    if (criterion == nullptr || !valueAllowed(attribs[0], attribs[1])) return std::nullopt;
    request[static_cast<std::size_t>(criterion - kCriteria)] = attribs[1];
  }
  return request;
}

EGLint wanted(const Request& request, EGLint attribute) {
  return request[static_cast<std::size_t>(findCriterion(attribute) - kCriteria)];
}

bool matches(const Config& config, const Request& request) {
  const EGLint id = wanted(request, EGL_CONFIG_ID);
  if (id != EGL_DONT_CARE) return config.id == id;  // all other attributes are ignored then
  for (u32 i = 0; i < kCriterionCount; ++i) {
    const Criterion& criterion = kCriteria[i];
    const EGLint value = request[i];
    if (criterion.match == Match::Ignored) continue;
    if (criterion.attribute == EGL_MATCH_NATIVE_PIXMAP) {
      if (value != EGL_NONE) return false;
      continue;
    }
    if (value == EGL_DONT_CARE && criterion.attribute != EGL_LEVEL) continue;
    const EGLint has = configAttrib(config, criterion.attribute).value_or(0);
    const bool fits = criterion.match == Match::Exact     ? has == value
                      : criterion.match == Match::AtLeast ? has >= value
                                                          : (has & value) == value;
    if (!fits) return false;
  }
  return true;
}

// The bits of the components that were asked for: the more, the earlier.
EGLint askedColorBits(const Config& config, const Request& request) {
  EGLint bits = 0;
  const auto add = [&](EGLint attribute, EGLint has) {
    const EGLint value = wanted(request, attribute);
    if (value != 0 && value != EGL_DONT_CARE) bits += has;
  };
  add(EGL_RED_SIZE, config.red);
  add(EGL_GREEN_SIZE, config.green);
  add(EGL_BLUE_SIZE, config.blue);
  add(EGL_ALPHA_SIZE, config.alpha);
  return bits;
}

EGLint bufferSize(const Config& config) { return config.red + config.green + config.blue + config.alpha; }

}  // namespace

std::vector<Config> makeConfigs(const SessionInfo& info) {
  constexpr struct {
    EGLint depth, stencil;
  } kDepthStencil[] = {{24, 8}, {0, 0}};
  std::vector<Config> configs;
  for (u32 log2 = 0; log2 < 7; ++log2) {
    if ((info.surfaceSamples >> log2 & 1) == 0) continue;
    for (const auto& depthStencil : kDepthStencil) {
      Config config;
      config.id = static_cast<EGLint>(configs.size()) + 1;
      config.depth = depthStencil.depth;
      config.stencil = depthStencil.stencil;
      config.samples = log2 == 0 ? 0 : 1 << log2;
      config.maxWidth = static_cast<EGLint>(info.maxSurfaceWidth);
      config.maxHeight = static_cast<EGLint>(info.maxSurfaceHeight);
      configs.push_back(config);
    }
  }
  return configs;
}

std::optional<EGLint> configAttrib(const Config& config, EGLint attribute) {
  switch (attribute) {
    case EGL_BUFFER_SIZE: return bufferSize(config);
    case EGL_RED_SIZE: return config.red;
    case EGL_GREEN_SIZE: return config.green;
    case EGL_BLUE_SIZE: return config.blue;
    case EGL_ALPHA_SIZE: return config.alpha;
    case EGL_DEPTH_SIZE: return config.depth;
    case EGL_STENCIL_SIZE: return config.stencil;
    case EGL_SAMPLE_BUFFERS: return config.samples > 0 ? 1 : 0;
    case EGL_SAMPLES: return config.samples;
    case EGL_CONFIG_ID: return config.id;
    case EGL_SURFACE_TYPE: return config.surfaceType;
    case EGL_RENDERABLE_TYPE: return config.renderableType;
    case EGL_CONFORMANT: return config.renderableType;
    case EGL_MAX_PBUFFER_WIDTH: return config.maxWidth;
    case EGL_MAX_PBUFFER_HEIGHT: return config.maxHeight;
    case EGL_MAX_PBUFFER_PIXELS: return config.maxWidth * config.maxHeight;
    case EGL_COLOR_BUFFER_TYPE: return EGL_RGB_BUFFER;
    case EGL_CONFIG_CAVEAT: return EGL_NONE;
    case EGL_TRANSPARENT_TYPE: return EGL_NONE;
    case EGL_BIND_TO_TEXTURE_RGB:
    case EGL_BIND_TO_TEXTURE_RGBA:
    case EGL_NATIVE_RENDERABLE: return EGL_FALSE;
    case EGL_MAX_SWAP_INTERVAL: return 1;
    case EGL_NATIVE_VISUAL_TYPE: return EGL_NONE;
    case EGL_LUMINANCE_SIZE:
    case EGL_ALPHA_MASK_SIZE:
    case EGL_LEVEL:
    case EGL_MIN_SWAP_INTERVAL:
    case EGL_NATIVE_VISUAL_ID:
    case EGL_TRANSPARENT_RED_VALUE:
    case EGL_TRANSPARENT_GREEN_VALUE:
    case EGL_TRANSPARENT_BLUE_VALUE: return 0;
    default: return std::nullopt;
  }
}

std::optional<std::vector<const Config*>> chooseConfigs(std::span<const Config> configs, const EGLint* attribs) {
  const std::optional<Request> request = parse(attribs);
  if (!request) return std::nullopt;
  std::vector<const Config*> chosen;
  for (const Config& config : configs) {
    if (matches(config, *request)) chosen.push_back(&config);
  }
  // Caveat and colour buffer type come first in the specification's order and are the same for all of ours.
  const auto key = [&](const Config* c) {
    return std::make_tuple(-askedColorBits(*c, *request), bufferSize(*c), c->samples > 0, c->samples, c->depth, c->stencil,
                           c->id);
  };
  std::sort(chosen.begin(), chosen.end(), [&](const Config* a, const Config* b) { return key(a) < key(b); });
  return chosen;
}

}  // namespace mgl::winsys::egl
