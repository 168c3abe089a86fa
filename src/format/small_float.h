// The small floating-point encodings of OpenGL 4.6, 2.3.4.2-2.3.4.4 and the shared exponent of 8.5.2. Pure functions;
// they read no rounding mode.
#pragma once

#include "base/types.h"

namespace mgl::format {

// Half: round to nearest even; overflow gives infinity; a NaN stays one.
u16 floatToHalf(f32 value);
f32 halfToFloat(u16 bits);

// Unsigned 11- and 10-bit floats: negative to 0, finite above the largest to the largest, infinity and NaN kept.
u32 floatToUf11(f32 value);
u32 floatToUf10(f32 value);
f32 uf11ToFloat(u32 bits);
f32 uf10ToFloat(u32 bits);

// 5_9_9_9_REV: red in the low bits, the exponent in the high.
u32 floatToRgb9e5(const f32 rgb[3]);
void rgb9e5ToFloat(u32 bits, f32 rgb[3]);

}  // namespace mgl::format
