#include "backend/vertex_convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mgl::backend {

using pipe::VertexType;

namespace {

bool isPacked(VertexType type) {
  return type == VertexType::Int2101010Rev || type == VertexType::UInt2101010Rev ||
         type == VertexType::UInt10F11F11FRev;
}

u32 componentBytes(VertexType type) {
  switch (type) {
    case VertexType::Byte:
    case VertexType::UByte:
      return 1;
    case VertexType::Short:
    case VertexType::UShort:
    case VertexType::Half:
      return 2;
    case VertexType::Double:
      return 8;
    default:
      return 4;
  }
}

f32 halfToFloat(u16 half) {
  const u32 sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 31, mantissa = half & 1023;
  f32 value;
  if (exponent == 31) {
    value = mantissa != 0 ? NAN : INFINITY;
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<f32>(mantissa), -24);
  } else {
    value = std::ldexp(static_cast<f32>(mantissa | 1024), static_cast<int>(exponent) - 25);
  }
  return sign != 0 ? -value : value;
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// 2.3.5.1: the signed rule since 4.2 maps the smallest value and its neighbour to -1.
template <class T>
f32 number(T value, bool normalized) {
  if (!normalized) return static_cast<f32>(value);
  constexpr f64 kMost = std::numeric_limits<T>::max();
  return static_cast<f32>(std::max(static_cast<f64>(value) / kMost, -1.0));
}

f32 floatComponent(const pipe::VertexAttrib& attrib, const std::byte* at) {
  switch (attrib.type) {
    case VertexType::Byte:
      return number(load<i8>(at), attrib.normalized);
    case VertexType::UByte:
      return number(load<u8>(at), attrib.normalized);
    case VertexType::Short:
      return number(load<i16>(at), attrib.normalized);
    case VertexType::UShort:
      return number(load<u16>(at), attrib.normalized);
    case VertexType::Int:
      return number(load<i32>(at), attrib.normalized);
    case VertexType::UInt:
      return number(load<u32>(at), attrib.normalized);
    case VertexType::Half:
      return halfToFloat(load<u16>(at));
    case VertexType::Double:
      return static_cast<f32>(load<f64>(at));
    case VertexType::Fixed:
      return static_cast<f32>(load<i32>(at)) / 65536.0f;
    default:
      return load<f32>(at);
  }
}

u32 intComponent(const pipe::VertexAttrib& attrib, const std::byte* at) {
  switch (attrib.type) {
    case VertexType::Byte:
      return static_cast<u32>(i32{load<i8>(at)});
    case VertexType::UByte:
      return load<u8>(at);
    case VertexType::Short:
      return static_cast<u32>(i32{load<i16>(at)});
    case VertexType::UShort:
      return load<u16>(at);
    default:
      return load<u32>(at);
  }
}

f32 smallFloat(u32 bits, u32 mantissaBits) {
  const u32 exponent = bits >> mantissaBits, mantissa = bits & ((1u << mantissaBits) - 1);
  if (exponent == 31) return mantissa != 0 ? NAN : INFINITY;
  if (exponent == 0) return std::ldexp(static_cast<f32>(mantissa), -14 - static_cast<int>(mantissaBits));
  return std::ldexp(static_cast<f32>(mantissa | (1u << mantissaBits)),
                    static_cast<int>(exponent) - 15 - static_cast<int>(mantissaBits));
}

void packedComponents(const pipe::VertexAttrib& attrib, u32 word, f32 out[4]) {
  if (attrib.type == VertexType::UInt10F11F11FRev) {
    out[0] = smallFloat(word & 0x7ff, 6);
    out[1] = smallFloat((word >> 11) & 0x7ff, 6);
    out[2] = smallFloat(word >> 22, 5);
    out[3] = 1;
    return;
  }
  for (u32 i = 0; i < 4; ++i) {
    const u32 bits = i == 3 ? 2 : 10;
    const u32 field = (word >> (10 * i)) & ((1u << bits) - 1);
    f32 value;
    if (attrib.type == VertexType::UInt2101010Rev) {
      value = static_cast<f32>(field) / (attrib.normalized ? static_cast<f32>((1u << bits) - 1) : 1.0f);
    } else {
      const i32 top = static_cast<i32>(field << (32 - bits)) >> (32 - bits);
      value = static_cast<f32>(top);
      if (attrib.normalized) value = std::max(value / static_cast<f32>((1 << (bits - 1)) - 1), -1.0f);
    }
    out[i] = value;
  }
}

u32 outComponents(const pipe::VertexAttrib& attrib) {
  return isPacked(attrib.type) || attrib.bgra ? 4 : attrib.components;
}

}  // namespace

u32 attributeBytes(const pipe::VertexAttrib& attrib) {
  if (isPacked(attrib.type)) return 4;
  return componentBytes(attrib.type) * (attrib.bgra ? 4u : attrib.components);
}

u32 convertedComponents(const pipe::VertexAttrib& attrib) {
  return attrib.cls == pipe::AttribClass::Double ? 0 : outComponents(attrib);
}

u32 convertedBytes(const pipe::VertexAttrib& attrib) { return 4 * outComponents(attrib); }

void convertAttributes(const pipe::VertexAttrib& attrib, Bytes source, u32 stride, u64 count, std::byte* out) {
  const u32 components = outComponents(attrib), step = componentBytes(attrib.type);
  for (u64 i = 0; i < count; ++i) {
    const std::byte* at = source.data() + i * stride;
    u32 words[4];
    if (attrib.cls != pipe::AttribClass::Float) {
      for (u32 c = 0; c < components; ++c) words[c] = intComponent(attrib, at + c * step);
    } else {
      f32 values[4];
      if (isPacked(attrib.type)) {
        packedComponents(attrib, load<u32>(at), values);
      } else {
        for (u32 c = 0; c < components; ++c) values[c] = floatComponent(attrib, at + c * step);
      }
      if (attrib.bgra) std::swap(values[0], values[2]);
      std::memcpy(words, values, sizeof words);
    }
    std::memcpy(out + i * 4 * components, words, 4 * components);
  }
}

}  // namespace mgl::backend
