// The framebuffer configurations of a display and how eglChooseConfig picks among them (EGL 1.5, section 3.4).
#pragma once

#include <EGL/egl.h>

#include <optional>
#include <span>
#include <vector>

#include "winsys/egl/driver.h"

namespace mgl::winsys::egl {

struct Config {
  EGLint id = 0;
  EGLint red = 8, green = 8, blue = 8, alpha = 8;
  EGLint depth = 0, stencil = 0;
  EGLint samples = 0;  // 0: single-sampled
  EGLint surfaceType = EGL_PBUFFER_BIT;
  EGLint renderableType = EGL_OPENGL_BIT;
  EGLint maxWidth = 0, maxHeight = 0;
};

std::vector<Config> makeConfigs(const SessionInfo& info);

// The value of an attribute, or nothing when there is no such attribute.
std::optional<EGLint> configAttrib(const Config& config, EGLint attribute);

// What matches the list (null: everything does), sorted. Nothing when the list has an unknown attribute or a value that is
// not allowed, which is EGL_BAD_ATTRIBUTE.
std::optional<std::vector<const Config*>> chooseConfigs(std::span<const Config> configs, const EGLint* attribs);

}  // namespace mgl::winsys::egl
