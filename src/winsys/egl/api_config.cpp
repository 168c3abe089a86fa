#include <algorithm>

#include "winsys/egl/functions.h"
#include "winsys/egl/objects.h"
#include "winsys/egl/thread_state.h"

namespace mgl::winsys::egl::api {
namespace {

EGLBoolean handOut(const std::vector<const Config*>& found, EGLConfig* configs, EGLint size, EGLint* count) {
  if (configs == nullptr) {
    *count = static_cast<EGLint>(found.size());
  } else {
    *count = std::min(static_cast<EGLint>(found.size()), std::max(size, 0));
    for (EGLint i = 0; i < *count; ++i) configs[i] = const_cast<Config*>(found[static_cast<std::size_t>(i)]);
  }
  return succeed();
}

}  // namespace

EGLBoolean ChooseConfig(EGLDisplay dpy, const EGLint* attrib_list, EGLConfig* configs, EGLint config_size,
                        EGLint* num_config) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  if (num_config == nullptr) return fail(EGL_BAD_PARAMETER);
  const auto chosen = chooseConfigs(display->configs, attrib_list);
  if (!chosen) return fail(EGL_BAD_ATTRIBUTE);
  return handOut(*chosen, configs, config_size, num_config);
}

EGLBoolean GetConfigs(EGLDisplay dpy, EGLConfig* configs, EGLint config_size, EGLint* num_config) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  if (num_config == nullptr) return fail(EGL_BAD_PARAMETER);
  std::vector<const Config*> all;
  for (const Config& config : display->configs) all.push_back(&config);
  return handOut(all, configs, config_size, num_config);
}

EGLBoolean GetConfigAttrib(EGLDisplay dpy, EGLConfig config, EGLint attribute, EGLint* value) {
  Display* display = liveDisplay(dpy);
  if (display == nullptr) return EGL_FALSE;
  const Config* found = findConfig(display, config);
  if (found == nullptr) return fail(EGL_BAD_CONFIG);
  const std::optional<EGLint> has = configAttrib(*found, attribute);
  if (!has) return fail(EGL_BAD_ATTRIBUTE);
  if (value == nullptr) return fail(EGL_BAD_PARAMETER);
  *value = *has;
  return succeed();
}

}  // namespace mgl::winsys::egl::api
