// The implementations of the entry points, as the generated stubs call them.
//
//   MGL_GL(Moved, DepthMask)(Context& ctx, GLboolean flag) {
//     return assign(ctx.depth.writeMask, flag != GL_FALSE);
//   }
//
// defines one, in a source file of src/gl inside namespace mgl::gl. The generator finds it by that text; the declaration
// comes from Khronos's XML, so a wrong signature does not compile. What is defined by a macro of its own is named
// beside it: MGL_GL_IMPLEMENTS(Color3b, Color3bv). An entry point that nobody defines is `unimplemented`.
//
// What is returned follows the class in registry/draw_delta.txt: GL's own type for `free`; else Moved (Scope for
// `by_argument`), through a last parameter Moved& moved (Scope& scope) where GL itself returns something. The stub then
// moves the epochs: an implementation never does, but for the version of a vertex array or program object.
//
// The context is the calling thread's current one and stays so during the call. Errors go to ctx.
#pragma once

#include <GL/gl.h>
#include <GL/glext.h>

#include <type_traits>

#include "base/types.h"

namespace mgl::gl {

struct Context;

// Did the call change something that a draw can see? A value set to itself is No, and so is a call that failed.
enum class [[nodiscard]] Moved : bool { No, Yes };

// The same for entry points whose class depends on their arguments: a set.
enum class [[nodiscard]] Scope : u8 { None = 0, Vao = 1, Program = 2, ShareGroup = 4, Context = 8 };

constexpr Scope operator|(Scope a, Scope b) { return static_cast<Scope>(static_cast<u8>(a) | static_cast<u8>(b)); }
constexpr bool includes(Scope set, Scope part) { return (static_cast<u8>(set) & static_cast<u8>(part)) != 0; }

constexpr Moved movedIf(bool changed) { return changed ? Moved::Yes : Moved::No; }
constexpr Moved operator|(Moved a, Moved b) { return movedIf(a == Moved::Yes || b == Moved::Yes); }

// Sets and says whether that changed anything.
template <class T>
constexpr Moved assign(T& slot, const std::type_identity_t<T>& value) {
  if (slot == value) return Moved::No;
  slot = value;
  return Moved::Yes;
}

namespace api {
#include "gl/registry/gl_api.inc"
}  // namespace api

}  // namespace mgl::gl

#define MGL_GL(ret, name) ret api::name
#define MGL_GL_IMPLEMENTS(...) static_assert(true)
