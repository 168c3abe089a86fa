#include "backend/magma/surface.h"

#include <algorithm>

#include "backend/magma/pass_manager.h"

namespace mgl::magma {

void Surface::remake(Engine& engine) {
  const auto make = [&](format::Format format) -> Ref<Image> {
    if (format == format::Format::None || width == 0 || height == 0) return nullptr;
    ImageShape shape;
    shape.format = format;
    shape.width = width;
    shape.height = height;
    shape.samples = std::max(samples, 1u);
    Ref<Image> image = Image::create(*engine.device, engine.formats, shape);
    if (image == nullptr) {
      engine.device->outOfMemoryForSurface("a surface");
    } else {
      engine.passes->zero(*image);
    }
    return image;
  };
  color = make(colorFormat);
  depthStencil = make(depthStencilFormat);
  ++placeSerial;
  engine.epoch.move(EpochWriter::Surface);
}

}  // namespace mgl::magma
