// How a payload's fields are listed once.
//
//   #define MGL_FIELDS_Foo(F) F(u32, count, range(0, 8)) F(TextureHandle, texture, live())
//   MGL_PAYLOAD(Foo, 16);
//
// defines the plain struct Foo of 16 bytes and Foo::visit(v), which calls v(member pointer, name, rule) for each field in
// order. Codec checks, comparator, layout digest, printer and the generated tests all use visit and nothing else. Enums are
// always bounded by their Count and handles by their kind's table, whatever the rule says.
#pragma once

#include <array>
#include <cstring>
#include <type_traits>

#include "base/types.h"
#include "pipe/handle.h"

namespace mgl::pipe {

struct Rule {
  enum class What : u8 {
    Any,       // every bit pattern is fine (floats, opaque values)
    Range,     // lo ≤ value ≤ hi
    Mask,      // no bit outside lo
    Zero,      // padding
    Optional,  // handle: null or live
    Live,      // handle: a live object
    Fresh,     // handle: not null, not live: the record creates it
    Renewed,   // handle: live or fresh: the record (re)specifies it
    Finite,    // a float that is neither infinite nor a NaN
  };
  What what = What::Any;
  u64 lo = 0;
  u64 hi = 0;
};

// Arrays by name: a comma inside a type would split the macro's arguments.
using U8x2 = std::array<u8, 2>;
using U8x3 = std::array<u8, 3>;
using U8x4 = std::array<u8, 4>;
using U8x5 = std::array<u8, 5>;
using U8x6 = std::array<u8, 6>;
using U8x7 = std::array<u8, 7>;
using U8x8 = std::array<u8, 8>;
using U16x2 = std::array<u16, 2>;
using U16x3 = std::array<u16, 3>;
using U32x2 = std::array<u32, 2>;
using U32x3 = std::array<u32, 3>;
using U32x4 = std::array<u32, 4>;
using F32x4 = std::array<f32, 4>;

constexpr Rule any() { return {}; }
constexpr Rule range(u64 lo, u64 hi) { return {Rule::What::Range, lo, hi}; }
constexpr Rule upTo(u64 hi) { return {Rule::What::Range, 0, hi}; }
constexpr Rule boolean() { return {Rule::What::Range, 0, 1}; }
constexpr Rule mask(u64 bits) { return {Rule::What::Mask, bits, 0}; }
constexpr Rule zero() { return {Rule::What::Zero, 0, 0}; }
constexpr Rule optional() { return {Rule::What::Optional, 0, 0}; }
constexpr Rule live() { return {Rule::What::Live, 0, 0}; }
constexpr Rule fresh() { return {Rule::What::Fresh, 0, 0}; }
constexpr Rule renewed() { return {Rule::What::Renewed, 0, 0}; }
constexpr Rule finite() { return {Rule::What::Finite, 0, 0}; }

// A tail: `count` elements of E after the payload (or after the tail before it), each tail starting 8-byte aligned.
template <class E, auto CountMember>
struct Tail {
  using Element = E;
  static constexpr auto kCount = CountMember;
};
template <class... T>
struct TailList {
  static constexpr u32 kSize = sizeof...(T);
};
template <class P>
struct TailsOf : TailList<> {};

#define MGL_FIELD_DECLARE(type, name, rule) type name;
#define MGL_FIELD_SIZE(type, name, rule) +sizeof(type)
#define MGL_FIELD_VISIT(type, name, rule) visitor(&Self::name, #name, rule);
#define MGL_PAYLOAD(Name, bytes)                                                                        \
  struct Name {                                                                                         \
    using Self = Name;                                                                                  \
    static constexpr std::string_view kName = #Name;                                                    \
    MGL_FIELDS_##Name(MGL_FIELD_DECLARE)                                                                \
    template <class V>                                                                                  \
    static constexpr void visit([[maybe_unused]] V&& visitor) {                                         \
      MGL_FIELDS_##Name(MGL_FIELD_VISIT)                                                                \
    }                                                                                                   \
    friend bool operator==(const Name& a, const Name& b) { return std::memcmp(&a, &b, sizeof(Name)) == 0; } \
  };                                                                                                    \
  static_assert(sizeof(Name) == (bytes), #Name ": another size than its list says");                   \
  static_assert((0 MGL_FIELDS_##Name(MGL_FIELD_SIZE)) == (bytes), #Name ": hidden padding");           \
  static_assert(std::is_trivially_copyable_v<Name> && std::is_standard_layout_v<Name> && alignof(Name) <= 8)

#define MGL_TAILS(Name, ...) \
  template <>                \
  struct TailsOf<Name> : TailList<__VA_ARGS__> {}

}  // namespace mgl::pipe
