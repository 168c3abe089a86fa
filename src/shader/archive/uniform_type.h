// The dense enumeration of GLSL types and what each one is made of.
#pragma once

#include <optional>
#include <string_view>

#include "base/types.h"

namespace mgl::shader {

enum class UniformType : u8 {
#define X(name, glToken, spelling, scalar, columns, rows) name,
#define X_OPAQUE(name, glToken, spelling, kind, scalar, dim, shadow, arrayed, multisample) name,
#include "shader/archive/uniform_types.def"
#undef X
#undef X_OPAQUE
  Count
};

enum class ScalarKind : u8 { Float, Double, Int, Uint, Bool, Count };
enum class OpaqueKind : u8 { None, Sampler, Image, AtomicCounter, Count };
enum class TextureDim : u8 { None, Dim1, Dim2, Dim3, Cube, Buffer, Rect, Count };

// For opaque types `scalar` is what a fetch returns; `columns` and `rows` are 1.
struct UniformTypeInfo {
  std::string_view spelling;
  ScalarKind scalar = ScalarKind::Float;
  u8 columns = 1;
  u8 rows = 1;  // components of a column
  OpaqueKind opaque = OpaqueKind::None;
  TextureDim dim = TextureDim::None;
  bool shadow = false;
  bool arrayed = false;
  bool multisample = false;

  bool isMatrix() const { return columns > 1; }
  bool isOpaque() const { return opaque != OpaqueKind::None; }
  u32 components() const { return u32{columns} * rows; }
  // Bytes of one scalar in a buffer: 8 for double, 4 for the others (bool is a 32-bit 0 or 1).
  u32 scalarBytes() const { return scalar == ScalarKind::Double ? 8 : 4; }
};

// Total: every enumerator but Count has a row.
const UniformTypeInfo& uniformTypeInfo(UniformType type);

// The data type of that shape; none where GLSL has no such type (a matrix of integers).
std::optional<UniformType> dataType(ScalarKind scalar, u32 columns, u32 rows);

// The sampler or image type of that shape; none where GLSL has no such type.
std::optional<UniformType> opaqueType(OpaqueKind kind, ScalarKind scalar, TextureDim dim, bool shadow, bool arrayed,
                                      bool multisample);

}  // namespace mgl::shader
