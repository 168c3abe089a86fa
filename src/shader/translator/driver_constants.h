// The 32 bytes at offset 0 of the push-constant range that translated shaders read (design, sections 5 and 8). The
// backend pushes them; TranslateResult::usesDriverConstants says whether a module reads them at all.
#pragma once

#include <cstddef>

#include "base/types.h"

namespace mgl::shader {

struct DriverConstants {
  // gl_FragCoord: x + fragXOffset, y * fragYScale + fragYOffset. A window image flipped against its rows of height h,
  // or origin_upper_left on an image in GL's order: -1 and h. pixel_center_integer: both offsets less 0.5.
  f32 fragYScale = 1;
  f32 fragYOffset = 0;
  // gl_PointCoord: y * pointYScale + pointYOffset; -1 and 1 to turn it over.
  f32 pointYScale = 1;
  f32 pointYOffset = 0;
  // -1 where rows are stored from the top: turns dFdy, gl_SamplePosition.y and the y of interpolateAtOffset over.
  f32 windowYSign = 1;
  f32 fragXOffset = 0;
  // Bit i: GL_CLIP_DISTANCEi is enabled.
  u32 clipMask = 0xff;
  // The point size where GL_PROGRAM_POINT_SIZE is disabled; 0: the shader's own, if it writes one, else 1.
  f32 pointSize = 1;
};

inline constexpr u32 kDriverConstantsBytes = 32;
static_assert(sizeof(DriverConstants) == kDriverConstantsBytes);
static_assert(offsetof(DriverConstants, fragYScale) == 0);
static_assert(offsetof(DriverConstants, fragYOffset) == 4);
static_assert(offsetof(DriverConstants, pointYScale) == 8);
static_assert(offsetof(DriverConstants, pointYOffset) == 12);
static_assert(offsetof(DriverConstants, windowYSign) == 16);
static_assert(offsetof(DriverConstants, fragXOffset) == 20);
static_assert(offsetof(DriverConstants, clipMask) == 24);
static_assert(offsetof(DriverConstants, pointSize) == 28);

}  // namespace mgl::shader
