// What an attribute list of eglCreateContext asks for, and what a session grants for it (EGL 1.5, section 3.7.1, with
// EGL_KHR_create_context, _no_error, EGL_EXT_create_context_robustness and EGL_IMG_context_priority).
#pragma once

#include <EGL/egl.h>

#include <optional>
#include <string>

#include "winsys/egl/driver.h"

namespace mgl::winsys::egl {

struct ContextRequest {
  GlVersion version{1, 0};
  EGLint profileMask = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
  bool debug = false, forwardCompatible = false, robust = false, loseOnReset = false, noError = false;
};

// EGL_SUCCESS, or the error of the list.
EGLint parseContextAttribs(const EGLint* attribs, ContextRequest* request);

// Nothing, with the reason, when the request is no valid combination or cannot be had: EGL_BAD_MATCH.
std::optional<ContextSpec> grant(const ContextRequest& request, const GlOffer& offer, std::string* why);

}  // namespace mgl::winsys::egl
