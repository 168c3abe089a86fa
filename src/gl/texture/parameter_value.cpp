#include "gl/texture/parameter_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mgl::gl {
namespace {

i32 roundToInt(f32 value) {
  if (!(value > -2147483648.0f)) return std::numeric_limits<i32>::min();
  if (value >= 2147483648.0f) return std::numeric_limits<i32>::max();
  return static_cast<i32>(std::lround(value));
}

// Section 2.3.5: signed normalised 32-bit values.
f32 fromNormalized(i32 value) { return static_cast<f32>(std::max(static_cast<f64>(value) / 2147483647.0, -1.0)); }
i32 toNormalized(f32 value) {
  return static_cast<i32>(std::llround(std::clamp(static_cast<f64>(value), -1.0, 1.0) * 2147483647.0));
}

}  // namespace

f32 ParameterValue::asFloat() const {
  switch (type_) {
    case Type::Float: return *static_cast<const GLfloat*>(values_);
    case Type::PureUint: return static_cast<f32>(*static_cast<const GLuint*>(values_));
    default: return static_cast<f32>(*static_cast<const GLint*>(values_));
  }
}

i32 ParameterValue::asInt(u32 i) const {
  if (type_ == Type::Float) return roundToInt(static_cast<const GLfloat*>(values_)[i]);
  return static_cast<const GLint*>(values_)[i];
}
i32 ParameterValue::asInt() const { return asInt(0); }

pipe::BorderClass ParameterValue::border(std::array<u32, 4>* bits) const {
  for (u32 i = 0; i < 4; ++i) {
    switch (type_) {
      case Type::Float: (*bits)[i] = std::bit_cast<u32>(static_cast<const GLfloat*>(values_)[i]); break;
      case Type::Int: (*bits)[i] = std::bit_cast<u32>(fromNormalized(static_cast<const GLint*>(values_)[i])); break;
      default: (*bits)[i] = static_cast<const GLuint*>(values_)[i]; break;
    }
  }
  return type_ == Type::PureInt    ? pipe::BorderClass::Int
         : type_ == Type::PureUint ? pipe::BorderClass::Uint
                                   : pipe::BorderClass::Float;
}

void ParameterAnswer::setInt(i64 value, u32 i) const {
  if (type_ == Type::Float)
    static_cast<GLfloat*>(out_)[i] = static_cast<f32>(value);
  else
    static_cast<GLint*>(out_)[i] = static_cast<GLint>(value);
}

void ParameterAnswer::setFloat(f32 value) const {
  if (type_ == Type::Float)
    *static_cast<GLfloat*>(out_) = value;
  else
    *static_cast<GLint*>(out_) = roundToInt(value);
}

void ParameterAnswer::setBorder(const std::array<u32, 4>& bits, pipe::BorderClass cls) const {
  for (u32 i = 0; i < 4; ++i) {
    const bool isFloat = cls == pipe::BorderClass::Float;
    const f32 value = isFloat                           ? std::bit_cast<f32>(bits[i])
                      : cls == pipe::BorderClass::Int ? static_cast<f32>(static_cast<i32>(bits[i]))
                                                      : static_cast<f32>(bits[i]);
    switch (type_) {
      case Type::Float: static_cast<GLfloat*>(out_)[i] = value; break;
      case Type::Int: static_cast<GLint*>(out_)[i] = isFloat ? toNormalized(value) : static_cast<GLint>(bits[i]); break;
      default: static_cast<GLuint*>(out_)[i] = bits[i]; break;
    }
  }
}

}  // namespace mgl::gl
