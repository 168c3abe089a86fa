// A context's own surface: the images that are drawn to when no framebuffer object is bound. Rows in GL's order, as
// everywhere.
#pragma once

#include "backend/magma/engine.h"

namespace mgl::magma {

class Surface final : public backend::Surface {
 public:
  // Makes the images again; contents undefined.
  void remake(Engine& engine);
  Ref<Image> color;         // multisampled when the surface is
  Ref<Image> depthStencil;  // null when the surface has neither
  u64 placeSerial = 0;
};

}  // namespace mgl::magma
