#include "winsys/egl/context_request.h"

#include <EGL/eglext.h>

#include "base/strings.h"

namespace mgl::winsys::egl {
namespace {

bool isGlVersion(GlVersion v) {
  constexpr u32 kLastMinor[] = {0, 5, 1, 3, 6};
  return v.major >= 1 && v.major <= 4 && v.minor <= kLastMinor[v.major];
}

std::string text(GlVersion v) { return formatText("%u.%u", v.major, v.minor); }

bool readBool(EGLint value, bool* out) {
  *out = value == EGL_TRUE;
  return value == EGL_TRUE || value == EGL_FALSE;
}

}  // namespace

EGLint parseContextAttribs(const EGLint* attribs, ContextRequest* request) {
  constexpr EGLint kKnownFlags = EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR | EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR |
                                 EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;
  EGLint major = 1, minor = 0, flags = 0;
  bool debug = false, forwardCompatible = false, robust = false;
  for (; attribs != nullptr && attribs[0] != EGL_NONE; attribs += 2) {
    const EGLint value = attribs[1];
    bool valid = true;
    switch (attribs[0]) {
      case EGL_CONTEXT_MAJOR_VERSION: major = value; break;
      case EGL_CONTEXT_MINOR_VERSION: minor = value; break;
      case EGL_CONTEXT_OPENGL_PROFILE_MASK: request->profileMask = value; break;
      case EGL_CONTEXT_OPENGL_DEBUG: valid = readBool(value, &debug); break;
      case EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE: valid = readBool(value, &forwardCompatible); break;
      case EGL_CONTEXT_OPENGL_ROBUST_ACCESS:
      case EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT: valid = readBool(value, &robust); break;
      case EGL_CONTEXT_OPENGL_NO_ERROR_KHR: valid = readBool(value, &request->noError); break;
      case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY:
      case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
        valid = value == EGL_NO_RESET_NOTIFICATION || value == EGL_LOSE_CONTEXT_ON_RESET;
        request->loseOnReset = value == EGL_LOSE_CONTEXT_ON_RESET;
        break;
      case EGL_CONTEXT_FLAGS_KHR:
        valid = (value & ~kKnownFlags) == 0;
        flags = value;
        break;
      case EGL_CONTEXT_PRIORITY_LEVEL_IMG:  // a hint that nothing here follows
        valid = value == EGL_CONTEXT_PRIORITY_HIGH_IMG || value == EGL_CONTEXT_PRIORITY_MEDIUM_IMG ||
                value == EGL_CONTEXT_PRIORITY_LOW_IMG;
        break;
      default: valid = false;
    }
    if (!valid) return EGL_BAD_ATTRIBUTE;
  }
  if (major < 0 || minor < 0) return EGL_BAD_MATCH;
  request->version = {static_cast<u32>(major), static_cast<u32>(minor)};
  request->debug = debug || (flags & EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR) != 0;
  request->forwardCompatible = forwardCompatible || (flags & EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR) != 0;
  request->robust = robust || (flags & EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR) != 0;
  return EGL_SUCCESS;
}

std::optional<ContextSpec> grant(const ContextRequest& request, const GlOffer& offer, std::string* why) {
  const GlVersion asked = request.version;
  const auto refuse = [&](std::string reason) {
    *why = std::move(reason);
    return std::nullopt;
  };
  if (!isGlVersion(asked)) return refuse("there is no OpenGL " + text(asked));
  const bool hasProfiles = asked >= GlVersion{3, 2};
  if (hasProfiles && request.profileMask != EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT &&
      request.profileMask != EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT) {
    return refuse(formatText("the profile mask 0x%x names not one profile", static_cast<u32>(request.profileMask)));
  }
  if (request.forwardCompatible && asked < GlVersion{3, 0}) {
    return refuse("forward-compatible contexts start with OpenGL 3.0");
  }
  if (request.noError && (request.debug || request.robust)) {
    return refuse("a no-error context can be neither a debug context nor robust");
  }

  ContextSpec spec;
  spec.debug = request.debug;
  spec.forwardCompatible = request.forwardCompatible;
  spec.robust = request.robust;
  spec.loseOnReset = request.loseOnReset;
  spec.noError = request.noError;

  // Of 3.1 either a core profile or one with GL_ARB_compatibility is right; below, only what still has it all.
  const bool wantsCompatibility = hasProfiles ? request.profileMask == EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                                              : asked < GlVersion{3, 1};
  spec.compatibility = wantsCompatibility;
  if (offer.forced) {
    spec.compatibility = offer.core == GlVersion{};
    spec.version = spec.compatibility ? offer.compatibility : offer.core;
    return spec;
  }
  spec.version = wantsCompatibility ? offer.compatibility : offer.core;
  if (spec.version == GlVersion{}) {
    return refuse(wantsCompatibility
                      ? "OpenGL " + text(asked) + " without a profile, or the compatibility profile, is not there; ask for " +
                            "the core profile of " + text(offer.core) + ", or set MOBILEGL_GL_VERSION=" + text(offer.core) +
                            "CORE for a program that needs nothing older"
                      : "the core profile is not there");
  }
  if (asked > spec.version) {
    return refuse("OpenGL " + text(asked) + " is more than the " + text(spec.version) +
                  " that this session grants; `mobilegl info` says what keeps it from more");
  }
  return spec;
}

}  // namespace mgl::winsys::egl
