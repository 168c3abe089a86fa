#include "shader/compiler/interface.h"

#include <algorithm>

namespace mgl::shader {

Type Type::element() const {
  Type type = *this;
  if (!type.dims.empty()) type.dims.erase(type.dims.begin());
  type.sizedByUse = false;
  return type;
}

u32 structureNesting(const Type& type) {
  if (!type.isStruct()) return 0;
  u32 deepest = 0;
  for (const Member& member : *type.members) deepest = std::max(deepest, structureNesting(member.type));
  return deepest + 1;
}

bool sameType(const Type& a, const Type& b) {
  if (a.dims.size() != b.dims.size() || a.isStruct() != b.isStruct()) return false;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    const bool open = i == 0 && (a.sizedByUse || b.sizedByUse);
    if (a.dims[i] != b.dims[i] && a.dims[i] != 0 && b.dims[i] != 0 && !open) return false;
  }
  if (!a.isStruct()) return a.data == b.data;
  if (a.structName != b.structName || a.members->size() != b.members->size()) return false;
  for (std::size_t i = 0; i < a.members->size(); ++i) {
    if ((*a.members)[i].name != (*b.members)[i].name || !sameType((*a.members)[i].type, (*b.members)[i].type))
      return false;
  }
  return true;
}

namespace {

// Counts saturate: a program may declare arrays whose size no integer holds.
constexpr u64 kMost = 1u << 30;

u32 times(u64 count, const Type& type) {
  for (u32 dim : type.dims) count = std::min(count * std::max(dim, 1u), kMost);
  return static_cast<u32>(std::min(count, kMost));
}

}  // namespace

u32 locationSlots(const Type& type, bool vertexInput) {
  u64 slots = 0;
  if (type.isStruct()) {
    for (const Member& member : *type.members) slots += locationSlots(member.type, vertexInput);
  } else {
    const UniformTypeInfo& info = uniformTypeInfo(type.data);
    const bool wide = info.scalar == ScalarKind::Double && info.rows > 2 && !vertexInput;
    slots = info.columns * (wide ? 2 : 1);
  }
  return times(slots, type);
}

u32 uniformLocations(const Type& type) {
  u64 count = 1;
  if (type.isStruct()) {
    count = 0;
    for (const Member& member : *type.members) count += uniformLocations(member.type);
  }
  return times(count, type);
}

u32 componentCount(const Type& type) {
  u64 count = 0;
  if (type.isStruct()) {
    for (const Member& member : *type.members) count += componentCount(member.type);
  } else {
    const UniformTypeInfo& info = uniformTypeInfo(type.data);
    count = info.components() * (info.scalar == ScalarKind::Double ? 2 : 1);
  }
  return times(count, type);
}

std::string spelling(const Type& type) {
  std::string text = type.isStruct() ? type.structName : std::string(uniformTypeInfo(type.data).spelling);
  for (u32 dim : type.dims) text += dim ? "[" + std::to_string(dim) + "]" : "[]";
  return text;
}

}  // namespace mgl::shader
