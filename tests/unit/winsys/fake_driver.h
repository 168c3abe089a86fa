// A driver that draws nothing and writes down what EGL asks of it.
#pragma once

#include <atomic>
#include <string>

#include "winsys/egl/driver.h"

namespace mgl::winsys::egl {

struct FakeWorld {
  GlOffer offer{{3, 3}, {0, 0}, false};
  std::string openError;  // not empty: no session can be opened
  bool lost = false;   // every session, or those up to the lastLost-th that was opened
  int lastLost = 1 << 30, opened = 0;
  bool refuseCurrent = false;
  bool fenceDone = true;
  std::atomic<int> contexts{0}, surfaces{0}, fences{0}, sessions{0};  // alive
  std::atomic<int> presents{0}, finishes{0}, releases{0}, serverWaits{0};
  int interval = -1;
  SurfaceSpec lastSurface;
  ContextSpec lastContext;
  GlContext* lastShare = nullptr;
};

extern FakeWorld world;

}  // namespace mgl::winsys::egl
