// What libglvnd's libEGL gave this process's vendor library, for whoever hosts another vendor's library below it: the host's
// library is to be given the same, since the last that it is given counts for the whole process.
#pragma once

#include "base/types.h"

namespace mgl {

struct GlvndEgl {
  u32 version = 0;                // of the vendor interface; 0: no libEGL loaded us
  const void* exports = nullptr;  // __EGLapiExports
  void* vendor = nullptr;         // __EGLvendorInfo
};

// The first call comes from __egl_Main, before any other thread can ask.
void setGlvndEgl(const GlvndEgl& given);
GlvndEgl glvndEgl();

}  // namespace mgl
