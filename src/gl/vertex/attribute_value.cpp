// The current values of generic attributes (OpenGL 4.6 section 10.2.1).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gl/context.h"
#include "gl/vertex/attribute_type.h"
#include "gl/vertex/vertex_array.h"
#include "gl/version.h"

namespace mgl::gl {

namespace {

bool checkIndex(Context& ctx, GLuint index, const char* command) {
  if (index < static_cast<GLuint>(ctx.info->limits.maxVertexAttribs)) return true;
  ctx.error(GL_INVALID_VALUE, "%s: attribute %u is not below GL_MAX_VERTEX_ATTRIBS", command, index);
  return false;
}

Moved setValue(Context& ctx, GLuint index, const AttribValue& value) {
  if (!checkIndex(ctx, index, "glVertexAttrib")) return Moved::No;
  return ctx.set(Group::AttribDefaults, ctx.attribs[index], value);
}

Moved setFloats(Context& ctx, GLuint index, f32 x, f32 y, f32 z, f32 w) {
  AttribValue value;
  value.bits = {std::bit_cast<u32>(x), std::bit_cast<u32>(y), std::bit_cast<u32>(z), std::bit_cast<u32>(w)};
  return setValue(ctx, index, value);
}
Moved setIntegers(Context& ctx, GLuint index, pipe::AttribClass cls, u32 x, u32 y, u32 z, u32 w) {
  AttribValue value;
  value.cls = cls;
  value.bits = {x, y, z, w};
  return setValue(ctx, index, value);
}
Moved setDoubles(Context& ctx, GLuint index, f64 x, f64 y, f64 z, f64 w) {
  AttribValue value;
  value.cls = pipe::AttribClass::Double;
  value.doubles = {x, y, z, w};
  return setValue(ctx, index, value);
}

// Normalised fixed point to float (section 2.3.5).
template <class T>
f32 normalized(T v) {
  constexpr f64 kMax = static_cast<f64>(std::numeric_limits<T>::max());
  const f64 value = static_cast<f64>(v) / kMax;
  return static_cast<f32>(value < -1 ? -1 : value);
}

constexpr f32 f(auto v) { return static_cast<f32>(v); }
constexpr u32 u(auto v) { return static_cast<u32>(v); }

}  // namespace

#define MGL_FLOATS(suffix, type)                                                                                       \
  Moved api::VertexAttrib1##suffix(Context& ctx, GLuint index, type x) { return setFloats(ctx, index, f(x), 0, 0, 1); }   \
  Moved api::VertexAttrib2##suffix(Context& ctx, GLuint index, type x, type y) {                                       \
    return setFloats(ctx, index, f(x), f(y), 0, 1);                                                                    \
  }                                                                                                                    \
  Moved api::VertexAttrib3##suffix(Context& ctx, GLuint index, type x, type y, type z) {                               \
    return setFloats(ctx, index, f(x), f(y), f(z), 1);                                                                 \
  }                                                                                                                    \
  Moved api::VertexAttrib4##suffix(Context& ctx, GLuint index, type x, type y, type z, type w) {                       \
    return setFloats(ctx, index, f(x), f(y), f(z), f(w));                                                              \
  }                                                                                                                    \
  Moved api::VertexAttrib1##suffix##v(Context& ctx, GLuint index, const type* v) {                                     \
    return setFloats(ctx, index, f(v[0]), 0, 0, 1);                                                                    \
  }                                                                                                                    \
  Moved api::VertexAttrib2##suffix##v(Context& ctx, GLuint index, const type* v) {                                     \
    return setFloats(ctx, index, f(v[0]), f(v[1]), 0, 1);                                                              \
  }                                                                                                                    \
  Moved api::VertexAttrib3##suffix##v(Context& ctx, GLuint index, const type* v) {                                     \
    return setFloats(ctx, index, f(v[0]), f(v[1]), f(v[2]), 1);                                                        \
  }                                                                                                                    \
  Moved api::VertexAttrib4##suffix##v(Context& ctx, GLuint index, const type* v) {                                     \
    return setFloats(ctx, index, f(v[0]), f(v[1]), f(v[2]), f(v[3]));                                                  \
  }
MGL_GL_IMPLEMENTS(VertexAttrib1f, VertexAttrib2f, VertexAttrib3f, VertexAttrib4f, VertexAttrib1fv, VertexAttrib2fv,
                  VertexAttrib3fv, VertexAttrib4fv);
MGL_FLOATS(f, GLfloat)
MGL_GL_IMPLEMENTS(VertexAttrib1d, VertexAttrib2d, VertexAttrib3d, VertexAttrib4d, VertexAttrib1dv, VertexAttrib2dv,
                  VertexAttrib3dv, VertexAttrib4dv);
MGL_FLOATS(d, GLdouble)
MGL_GL_IMPLEMENTS(VertexAttrib1s, VertexAttrib2s, VertexAttrib3s, VertexAttrib4s, VertexAttrib1sv, VertexAttrib2sv,
                  VertexAttrib3sv, VertexAttrib4sv);
MGL_FLOATS(s, GLshort)
#undef MGL_FLOATS

#define MGL_FLOATS4(suffix, type)                                                     \
  Moved api::VertexAttrib4##suffix##v(Context& ctx, GLuint index, const type* v) {    \
    return setFloats(ctx, index, f(v[0]), f(v[1]), f(v[2]), f(v[3]));                 \
  }
MGL_GL_IMPLEMENTS(VertexAttrib4bv, VertexAttrib4iv, VertexAttrib4ubv, VertexAttrib4usv, VertexAttrib4uiv);
MGL_FLOATS4(b, GLbyte)
MGL_FLOATS4(i, GLint)
MGL_FLOATS4(ub, GLubyte)
MGL_FLOATS4(us, GLushort)
MGL_FLOATS4(ui, GLuint)
#undef MGL_FLOATS4

#define MGL_NORMALIZED(suffix, type)                                                                              \
  Moved api::VertexAttrib4N##suffix##v(Context& ctx, GLuint index, const type* v) {                               \
    return setFloats(ctx, index, normalized(v[0]), normalized(v[1]), normalized(v[2]), normalized(v[3]));         \
  }
MGL_GL_IMPLEMENTS(VertexAttrib4Nbv, VertexAttrib4Nsv, VertexAttrib4Niv, VertexAttrib4Nubv, VertexAttrib4Nusv, VertexAttrib4Nuiv);
MGL_NORMALIZED(b, GLbyte)
MGL_NORMALIZED(s, GLshort)
MGL_NORMALIZED(i, GLint)
MGL_NORMALIZED(ub, GLubyte)
MGL_NORMALIZED(us, GLushort)
MGL_NORMALIZED(ui, GLuint)
#undef MGL_NORMALIZED
MGL_GL(Moved, VertexAttrib4Nub)(Context& ctx, GLuint index, GLubyte x, GLubyte y, GLubyte z, GLubyte w) {
  return setFloats(ctx, index, normalized(x), normalized(y), normalized(z), normalized(w));
}

#define MGL_INTEGERS(suffix, type, cls)                                                                                     \
  Moved api::VertexAttribI1##suffix(Context& ctx, GLuint index, type x) { return setIntegers(ctx, index, cls, u(x), 0, 0, 1); }    \
  Moved api::VertexAttribI2##suffix(Context& ctx, GLuint index, type x, type y) {                                             \
    return setIntegers(ctx, index, cls, u(x), u(y), 0, 1);                                                                    \
  }                                                                                                                           \
  Moved api::VertexAttribI3##suffix(Context& ctx, GLuint index, type x, type y, type z) {                                     \
    return setIntegers(ctx, index, cls, u(x), u(y), u(z), 1);                                                                 \
  }                                                                                                                           \
  Moved api::VertexAttribI4##suffix(Context& ctx, GLuint index, type x, type y, type z, type w) {                             \
    return setIntegers(ctx, index, cls, u(x), u(y), u(z), u(w));                                                              \
  }                                                                                                                           \
  Moved api::VertexAttribI1##suffix##v(Context& ctx, GLuint index, const type* v) {                                           \
    return setIntegers(ctx, index, cls, u(v[0]), 0, 0, 1);                                                                    \
  }                                                                                                                           \
  Moved api::VertexAttribI2##suffix##v(Context& ctx, GLuint index, const type* v) {                                           \
    return setIntegers(ctx, index, cls, u(v[0]), u(v[1]), 0, 1);                                                              \
  }                                                                                                                           \
  Moved api::VertexAttribI3##suffix##v(Context& ctx, GLuint index, const type* v) {                                           \
    return setIntegers(ctx, index, cls, u(v[0]), u(v[1]), u(v[2]), 1);                                                        \
  }
MGL_GL_IMPLEMENTS(VertexAttribI1i, VertexAttribI2i, VertexAttribI3i, VertexAttribI4i, VertexAttribI1iv, VertexAttribI2iv,
                  VertexAttribI3iv);
MGL_INTEGERS(i, GLint, pipe::AttribClass::Int)
MGL_GL_IMPLEMENTS(VertexAttribI1ui, VertexAttribI2ui, VertexAttribI3ui, VertexAttribI4ui, VertexAttribI1uiv, VertexAttribI2uiv,
                  VertexAttribI3uiv);
MGL_INTEGERS(ui, GLuint, pipe::AttribClass::Uint)
#undef MGL_INTEGERS

#define MGL_INTEGERS4(suffix, type, cls)                                              \
  Moved api::VertexAttribI4##suffix##v(Context& ctx, GLuint index, const type* v) {   \
    return setIntegers(ctx, index, cls, u(v[0]), u(v[1]), u(v[2]), u(v[3]));          \
  }
MGL_GL_IMPLEMENTS(VertexAttribI4iv, VertexAttribI4uiv, VertexAttribI4bv, VertexAttribI4sv, VertexAttribI4ubv, VertexAttribI4usv);
MGL_INTEGERS4(i, GLint, pipe::AttribClass::Int)
MGL_INTEGERS4(ui, GLuint, pipe::AttribClass::Uint)
MGL_INTEGERS4(b, GLbyte, pipe::AttribClass::Int)
MGL_INTEGERS4(s, GLshort, pipe::AttribClass::Int)
MGL_INTEGERS4(ub, GLubyte, pipe::AttribClass::Uint)
MGL_INTEGERS4(us, GLushort, pipe::AttribClass::Uint)
#undef MGL_INTEGERS4

MGL_GL(Moved, VertexAttribL1d)(Context& ctx, GLuint index, GLdouble x) { return setDoubles(ctx, index, x, 0, 0, 1); }
MGL_GL(Moved, VertexAttribL2d)(Context& ctx, GLuint index, GLdouble x, GLdouble y) { return setDoubles(ctx, index, x, y, 0, 1); }
MGL_GL(Moved, VertexAttribL3d)(Context& ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z) {
  return setDoubles(ctx, index, x, y, z, 1);
}
MGL_GL(Moved, VertexAttribL4d)(Context& ctx, GLuint index, GLdouble x, GLdouble y, GLdouble z, GLdouble w) {
  return setDoubles(ctx, index, x, y, z, w);
}
MGL_GL(Moved, VertexAttribL1dv)(Context& ctx, GLuint index, const GLdouble* v) { return setDoubles(ctx, index, v[0], 0, 0, 1); }
MGL_GL(Moved, VertexAttribL2dv)(Context& ctx, GLuint index, const GLdouble* v) { return setDoubles(ctx, index, v[0], v[1], 0, 1); }
MGL_GL(Moved, VertexAttribL3dv)(Context& ctx, GLuint index, const GLdouble* v) {
  return setDoubles(ctx, index, v[0], v[1], v[2], 1);
}
MGL_GL(Moved, VertexAttribL4dv)(Context& ctx, GLuint index, const GLdouble* v) {
  return setDoubles(ctx, index, v[0], v[1], v[2], v[3]);
}

// glVertexAttribP*: packed 2_10_10_10 and 10F_11F_11F values.
namespace {

f32 smallFloat(u32 bits, u32 mantissaBits) {
  const u32 exponent = bits >> mantissaBits, mantissa = bits & ((1u << mantissaBits) - 1);
  const f32 fraction = static_cast<f32>(mantissa) / static_cast<f32>(1u << mantissaBits);
  if (exponent == 0) return std::ldexp(fraction, -14);
  if (exponent == 31) return mantissa != 0 ? NAN : INFINITY;
  return std::ldexp(1 + fraction, static_cast<int>(exponent) - 15);
}

Moved setPacked(Context& ctx, GLuint index, GLenum type, bool norm, u32 components, u32 v, const char* command) {
  std::array<f32, 4> value = {0, 0, 0, 1};
  if (type == GL_UNSIGNED_INT_10F_11F_11F_REV && components == 3) {
    value = {smallFloat(v & 0x7ff, 6), smallFloat((v >> 11) & 0x7ff, 6), smallFloat(v >> 22, 5), 1};
  } else if (type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV) {
    const bool isSigned = type == GL_INT_2_10_10_10_REV;
    for (u32 i = 0; i < components; ++i) {
      const u32 bits = i == 3 ? 2 : 10;
      const u32 raw = (v >> (i * 10)) & ((1u << bits) - 1);
      if (isSigned) {
        const i32 s = static_cast<i32>(raw << (32 - bits)) >> (32 - bits);
        value[i] = norm ? std::max(-1.0f, static_cast<f32>(s) / static_cast<f32>((1 << (bits - 1)) - 1)) : static_cast<f32>(s);
      } else {
        value[i] = norm ? static_cast<f32>(raw) / static_cast<f32>((1u << bits) - 1) : static_cast<f32>(raw);
      }
    }
  } else {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a packed type of such a value", command, type);
    return Moved::No;
  }
  return setFloats(ctx, index, value[0], value[1], value[2], value[3]);
}

}  // namespace

#define MGL_PACKED(n)                                                                                                     \
  Moved api::VertexAttribP##n##ui(Context& ctx, GLuint index, GLenum type, GLboolean norm, GLuint value) {                \
    return setPacked(ctx, index, type, norm != GL_FALSE, n, value, "glVertexAttribP" #n "ui");                            \
  }                                                                                                                       \
  Moved api::VertexAttribP##n##uiv(Context& ctx, GLuint index, GLenum type, GLboolean norm, const GLuint* value) {        \
    return setPacked(ctx, index, type, norm != GL_FALSE, n, *value, "glVertexAttribP" #n "uiv");                          \
  }
MGL_GL_IMPLEMENTS(VertexAttribP1ui, VertexAttribP1uiv, VertexAttribP2ui, VertexAttribP2uiv, VertexAttribP3ui,
                  VertexAttribP3uiv, VertexAttribP4ui, VertexAttribP4uiv);
MGL_PACKED(1)
MGL_PACKED(2)
MGL_PACKED(3)
MGL_PACKED(4)
#undef MGL_PACKED

// ---- Queries

namespace {

// An attribute's property of the bound vertex array; false with the error, or for the current value, which the caller has.
bool attribProperty(Context& ctx, GLuint index, GLenum pname, GLint64* out, const char* command) {
  if (!checkIndex(ctx, index, command)) return false;
  const VertexArray* array = ctx.vertexArray;
  if (array == nullptr) {
    ctx.error(GL_INVALID_OPERATION, "%s: no vertex array object is bound", command);
    return false;
  }
  const VertexAttribute& a = array->attributes[index];
  const VertexBufferBinding& b = array->bindings[a.binding];
  switch (pname) {
    case GL_VERTEX_ATTRIB_ARRAY_ENABLED: *out = a.enabled; return true;
    case GL_VERTEX_ATTRIB_ARRAY_SIZE: *out = a.bgra ? GLint64{GL_BGRA} : a.components; return true;
    case GL_VERTEX_ATTRIB_ARRAY_STRIDE: *out = a.pointerStride; return true;
    case GL_VERTEX_ATTRIB_ARRAY_TYPE: *out = gl(a.type); return true;
    case GL_VERTEX_ATTRIB_ARRAY_NORMALIZED: *out = a.normalized; return true;
    case GL_VERTEX_ATTRIB_ARRAY_INTEGER:
      *out = a.cls == pipe::AttribClass::Int || a.cls == pipe::AttribClass::Uint;
      return true;
    case GL_VERTEX_ATTRIB_ARRAY_LONG: *out = a.cls == pipe::AttribClass::Double; return true;
    case GL_VERTEX_ATTRIB_ARRAY_DIVISOR: *out = b.divisor; return true;
    case GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING: *out = b.buffer ? b.buffer->name : 0; return true;
    case GL_VERTEX_ATTRIB_BINDING: *out = a.binding; return true;
    case GL_VERTEX_ATTRIB_RELATIVE_OFFSET: *out = a.relativeOffset; return true;
    default: ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not an attribute property", command, pname); return false;
  }
}

template <class T>
void getAttrib(Context& ctx, GLuint index, GLenum pname, T* params, const char* command) {
  if (pname == GL_CURRENT_VERTEX_ATTRIB) {
    if (!checkIndex(ctx, index, command)) return;
    const AttribValue& value = ctx.attribs[index];
    for (u32 i = 0; i < 4; ++i) {
      switch (value.cls) {
        case pipe::AttribClass::Int: params[i] = static_cast<T>(static_cast<i32>(value.bits[i])); break;
        case pipe::AttribClass::Uint: params[i] = static_cast<T>(value.bits[i]); break;
        case pipe::AttribClass::Double: params[i] = static_cast<T>(value.doubles[i]); break;
        default: params[i] = static_cast<T>(std::bit_cast<f32>(value.bits[i])); break;
      }
    }
    return;
  }
  GLint64 value;
  if (attribProperty(ctx, index, pname, &value, command)) *params = static_cast<T>(value);
}

}  // namespace

MGL_GL(void, GetVertexAttribdv)(Context& ctx, GLuint index, GLenum pname, GLdouble* params) {
  getAttrib(ctx, index, pname, params, "glGetVertexAttribdv");
}
MGL_GL(void, GetVertexAttribfv)(Context& ctx, GLuint index, GLenum pname, GLfloat* params) {
  getAttrib(ctx, index, pname, params, "glGetVertexAttribfv");
}
MGL_GL(void, GetVertexAttribiv)(Context& ctx, GLuint index, GLenum pname, GLint* params) {
  getAttrib(ctx, index, pname, params, "glGetVertexAttribiv");
}
MGL_GL(void, GetVertexAttribIiv)(Context& ctx, GLuint index, GLenum pname, GLint* params) {
  getAttrib(ctx, index, pname, params, "glGetVertexAttribIiv");
}
MGL_GL(void, GetVertexAttribIuiv)(Context& ctx, GLuint index, GLenum pname, GLuint* params) {
  getAttrib(ctx, index, pname, params, "glGetVertexAttribIuiv");
}
MGL_GL(void, GetVertexAttribLdv)(Context& ctx, GLuint index, GLenum pname, GLdouble* params) {
  getAttrib(ctx, index, pname, params, "glGetVertexAttribLdv");
}
MGL_GL(void, GetVertexAttribPointerv)(Context& ctx, GLuint index, GLenum pname, void** out) {
  if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER)
    return ctx.error(GL_INVALID_ENUM, "glGetVertexAttribPointerv: 0x%04x is not GL_VERTEX_ATTRIB_ARRAY_POINTER", pname);
  if (!checkIndex(ctx, index, "glGetVertexAttribPointerv")) return;
  *out = ctx.vertexArray ? const_cast<void*>(ctx.vertexArray->attributes[index].pointer) : nullptr;
}

}  // namespace mgl::gl
