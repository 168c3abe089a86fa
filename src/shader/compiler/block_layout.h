// Where the parts of a block lie: the offsets and strides of the SPIR-V, followed in step with the declared types.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "shader/compiler/frontend.h"
#include "shader/compiler/spirv_module.h"

namespace mgl::shader {

// Where a variable of some type lies in a block, followed through the SPIR-V types in step with the declared ones.
struct Place {
  u32 offset = 0;
  u32 spirvType = 0;
  u32 matrixStride = 0;
  bool rowMajor = false;
};

struct Leaf {
  std::string name;
  Type type;  // at most one dimension, no structure
  Place place;
  u32 locationStep = 0;  // uniform locations before it in its variable
};

// 0 when the type is no array.
u32 elementType(const SpirvModule& module, u32 arrayType);
u32 arrayStride(const SpirvModule& module, u32 arrayType);

std::optional<Place> memberPlace(const SpirvModule& module, u32 structType, std::string_view name, u32 base);
u32 memberBytes(const SpirvModule& module, u32 structType, u32 index);
// The end of the last member, for structures rounded up to their alignment of 16 as std140 has it.
u32 blockBytes(const SpirvModule& module, u32 type);

// The structure of the block with that name; 0 when the module has none.
u32 findBlock(const SpirvModule& module, std::string_view blockName, bool storage);

bool holdsOpaque(const Type& type);

// `module` may be null, for opaque uniforms, which lie nowhere. `firstOnly` is GL's rule for buffer variables: of an
// array of structures at the top level only element 0 is named.
template <class Visit>
void forEachLeaf(const SpirvModule* module, const std::string& name, const Type& type, const Place& place, u32& step,
                 bool firstOnly, Visit& visit) {
  const bool expand = type.isArray() && (type.isStruct() || type.dims.size() > 1);
  if (expand) {
    const Type element = type.element();
    Place at = place;
    at.spirvType = module ? elementType(*module, place.spirvType) : 0;
    const u32 stride = module ? arrayStride(*module, place.spirvType) : 0;
    const u32 count = firstOnly ? 1 : std::max(type.dims[0], 1u);
    for (u32 i = 0; i < count; ++i) {
      forEachLeaf(module, name + "[" + std::to_string(i) + "]", element, at, step, false, visit);
      at.offset += stride;
    }
    return;
  }
  if (type.isStruct()) {
    for (const Member& member : *type.members) {
      Place at;
      const SpirvModule* inside = module;
      if (module) {
        const auto found = memberPlace(*module, place.spirvType, member.name, place.offset);
        // Opaque members are uniforms of their own in the code.
        if (!found && !holdsOpaque(member.type)) continue;
        if (found)
          at = *found;
        else
          inside = nullptr;
      }
      forEachLeaf(inside, name.empty() ? member.name : name + "." + member.name, member.type, at, step, false, visit);
    }
    return;
  }
  visit(Leaf{name, type, place, step});
  step += type.isArray() ? std::max(type.dims[0], 1u) : 1;
}

}  // namespace mgl::shader
