// A piece of state on its way to one of the five types of glGet* (OpenGL 4.6 section 2.2.2).
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "gl/api.h"

namespace mgl::gl {

class StateValue {
 public:
  enum class Kind : u8 { Integer, Boolean, Enumeration, Real, Normalized };  // Normalized: colours, depths

  void integer(i64 value) { add(Kind::Integer, value, 0); }
  void boolean(bool value) { add(Kind::Boolean, value ? 1 : 0, 0); }
  void enumeration(GLenum value) { add(Kind::Enumeration, value, 0); }
  void real(f64 value) { add(Kind::Real, 0, value); }
  void normalized(f64 value) { add(Kind::Normalized, 0, value); }

  template <class T>
  void copyTo(T* out) const {
    for (u32 i = 0; i < count_; ++i) out[i] = convert<T>(items_[i]);
  }

 private:
  struct Item {
    Kind kind;
    i64 whole;
    f64 fraction;
  };
  void add(Kind kind, i64 whole, f64 fraction) {
    if (count_ < items_.size()) items_[count_++] = {kind, whole, fraction};
  }

  template <class T>
  static T convert(const Item& item) {
    const bool isReal = item.kind == Kind::Real || item.kind == Kind::Normalized;
    if constexpr (std::is_same_v<T, GLboolean>) {
      return (isReal ? item.fraction != 0 : item.whole != 0) ? GL_TRUE : GL_FALSE;
    } else if constexpr (std::is_floating_point_v<T>) {
      return isReal ? static_cast<T>(item.fraction) : static_cast<T>(item.whole);
    } else {
      constexpr f64 kMax = static_cast<f64>(std::numeric_limits<T>::max());
      if (item.kind == Kind::Normalized) return saturate<T>(item.fraction * kMax);
      if (item.kind == Kind::Real) return saturate<T>(item.fraction);
      // Unsigned 32-bit values (masks, indices) keep their bits; larger ones saturate.
      if (sizeof(T) == 4 && item.whole > std::numeric_limits<u32>::max()) return std::numeric_limits<T>::max();
      return static_cast<T>(item.whole);
    }
  }
  template <class T>
  static T saturate(f64 value) {
    const f64 rounded = std::floor(value + 0.5);
    if (rounded >= static_cast<f64>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    if (rounded <= static_cast<f64>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return static_cast<T>(rounded);
  }

  std::array<Item, 16> items_;
  u32 count_ = 0;
};

}  // namespace mgl::gl
