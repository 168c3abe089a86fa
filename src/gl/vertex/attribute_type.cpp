#include "gl/vertex/attribute_type.h"

#include <array>

#include "gl/context.h"

namespace mgl::gl {

namespace {

struct TypeRow {
  GLenum type;
  u32 bytes;   // of a component, or of the whole attribute when packed
  bool packed, integer, unsignedInteger;
};
// In the order of pipe::VertexType.
constexpr std::array<TypeRow, countOf<pipe::VertexType>()> kTypes = {{
    {GL_BYTE, 1, false, true, false},
    {GL_UNSIGNED_BYTE, 1, false, true, true},
    {GL_SHORT, 2, false, true, false},
    {GL_UNSIGNED_SHORT, 2, false, true, true},
    {GL_INT, 4, false, true, false},
    {GL_UNSIGNED_INT, 4, false, true, true},
    {GL_HALF_FLOAT, 2, false, false, false},
    {GL_FLOAT, 4, false, false, false},
    {GL_DOUBLE, 8, false, false, false},
    {GL_FIXED, 4, false, false, false},
    {GL_INT_2_10_10_10_REV, 4, true, false, false},
    {GL_UNSIGNED_INT_2_10_10_10_REV, 4, true, false, false},
    {GL_UNSIGNED_INT_10F_11F_11F_REV, 4, true, false, false},
}};

}  // namespace

GLenum gl(pipe::VertexType type) { return kTypes[indexOf(type)].type; }

bool attributeFormat(Context& ctx, GLint size, GLenum type, bool normalized, AttributeUse use, AttributeFormat* out,
                     const char* command) {
  const bool bgra = size == GL_BGRA && use == AttributeUse::Float;
  if (!bgra && (size < 1 || size > 4)) {
    ctx.error(GL_INVALID_VALUE, "%s: %d components", command, size);
    return false;
  }
  u32 row = 0;
  while (row < kTypes.size() && kTypes[row].type != type) ++row;
  const bool accepted = row < kTypes.size() && (use == AttributeUse::Float     ? true
                                                : use == AttributeUse::Integer ? kTypes[row].integer
                                                                               : type == GL_DOUBLE);
  if (!accepted) {
    ctx.error(GL_INVALID_ENUM, "%s: 0x%04x is not a type of such an attribute", command, type);
    return false;
  }
  const TypeRow& found = kTypes[row];
  const bool rev2101010 = type == GL_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_2_10_10_10_REV;
  const char* why = nullptr;
  if (bgra && type != GL_UNSIGNED_BYTE && !rev2101010)
    why = "GL_BGRA goes with unsigned bytes and 2_10_10_10 only";
  else if (bgra && !normalized)
    why = "GL_BGRA must be normalized";
  else if (rev2101010 && size != 4 && !bgra)
    why = "a 2_10_10_10 type has four components";
  else if (type == GL_UNSIGNED_INT_10F_11F_11F_REV && size != 3)
    why = "a 10F_11F_11F type has three components";
  if (why != nullptr) {
    ctx.error(GL_INVALID_OPERATION, "%s: %s", command, why);
    return false;
  }
  out->type = static_cast<pipe::VertexType>(row);
  out->components = bgra ? 4 : static_cast<u8>(size);
  out->bgra = bgra;
  out->normalized = normalized && (found.integer || rev2101010);
  out->cls = use == AttributeUse::Double    ? pipe::AttribClass::Double
             : use == AttributeUse::Integer ? (found.unsignedInteger ? pipe::AttribClass::Uint : pipe::AttribClass::Int)
                                            : pipe::AttribClass::Float;
  out->bytes = found.packed ? found.bytes : found.bytes * out->components;
  return true;
}

}  // namespace mgl::gl
