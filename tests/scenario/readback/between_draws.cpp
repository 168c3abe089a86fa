#include "harness/scenario.h"

// Reads between draws of a frame each see exactly the draws before them.
SCENARIO(readback, between_draws) {
  const Target target = makeTarget(s.width(), s.height());
  const Painter painter(s.width(), s.height());
  for (int i = 0; i < 8; ++i) {
    painter.fill({8 * i, 0, 8, 64}, {static_cast<float>(30 * i + 20) / 255, 1, 0, 1});
    const Image image = s.read();
    for (int j = 0; j < 8; ++j) {
      CHECK_PIXELS(image, 8 * j, 0, 8, 64,
                   j <= i ? Rgba8{static_cast<std::uint8_t>(30 * j + 20), 255, 0, 255} : Rgba8{0, 0, 0, 0});
    }
  }
  s.capture("picture");
}
