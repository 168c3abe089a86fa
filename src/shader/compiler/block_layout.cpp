#include "shader/compiler/block_layout.h"

#include <spirv/unified1/spirv.hpp>

#include "shader/compiler/source.h"

namespace mgl::shader {
namespace {

std::optional<u32> memberIndex(const SpirvModule& module, u32 structType, std::string_view name) {
  const Instruction* definition = module.definition(structType);
  if (!definition || definition->opcode != spv::OpTypeStruct) return std::nullopt;
  for (u32 i = 0; i + 1 < definition->words.size(); ++i) {
    if (originalName(module.memberName(structType, i)) == name) return i;
  }
  return std::nullopt;
}

u32 pointee(const SpirvModule& module, u32 pointerType) {
  const Instruction* pointer = module.definition(pointerType);
  return pointer && pointer->opcode == spv::OpTypePointer ? pointer->words[2] : 0;
}

}  // namespace

u32 elementType(const SpirvModule& module, u32 arrayType) {
  const Instruction* definition = module.definition(arrayType);
  return definition && (definition->opcode == spv::OpTypeArray || definition->opcode == spv::OpTypeRuntimeArray)
             ? definition->words[1]
             : 0;
}

u32 arrayStride(const SpirvModule& module, u32 arrayType) {
  return static_cast<u32>(std::max<i64>(module.decoration(arrayType, spv::DecorationArrayStride), 0));
}

std::optional<Place> memberPlace(const SpirvModule& module, u32 structType, std::string_view name, u32 base) {
  const auto index = memberIndex(module, structType, name);
  if (!index) return std::nullopt;
  Place place;
  place.offset =
      base + static_cast<u32>(std::max<i64>(module.memberDecoration(structType, *index, spv::DecorationOffset), 0));
  place.spirvType = module.definition(structType)->words[*index + 1];
  place.matrixStride =
      static_cast<u32>(std::max<i64>(module.memberDecoration(structType, *index, spv::DecorationMatrixStride), 0));
  place.rowMajor = module.memberDecoration(structType, *index, spv::DecorationRowMajor) >= 0;
  return place;
}

bool holdsOpaque(const Type& type) {
  if (!type.isStruct()) return uniformTypeInfo(type.data).isOpaque();
  return std::any_of(type.members->begin(), type.members->end(), [](const Member& m) { return holdsOpaque(m.type); });
}

u32 memberBytes(const SpirvModule& module, u32 structType, u32 index) {
  const u32 type = module.definition(structType)->words[index + 1];
  const i64 matrixStride = module.memberDecoration(structType, index, spv::DecorationMatrixStride);
  const bool rowMajor = module.memberDecoration(structType, index, spv::DecorationRowMajor) >= 0;
  // The bytes of arrays of matrices come from their strides, of the last element from the matrix itself.
  u32 inner = type, outer = 0;
  while (const u32 element = elementType(module, inner)) {
    const Instruction* definition = module.definition(inner);
    const u32 count = definition->opcode == spv::OpTypeArray ? module.constant(definition->words[2]) : 0;
    if (outer == 0) outer = arrayStride(module, inner) * count;
    inner = element;
    if (definition->opcode == spv::OpTypeRuntimeArray) return 0;
  }
  if (outer) return outer;
  const Instruction* definition = module.definition(type);
  if (definition && definition->opcode == spv::OpTypeMatrix && matrixStride > 0) {
    const Instruction* column = module.definition(definition->words[1]);
    const u32 columns = definition->words[2], rows = column ? column->words[2] : 4;
    return static_cast<u32>(matrixStride) * (rowMajor ? rows : columns);
  }
  return blockBytes(module, type);
}

u32 blockBytes(const SpirvModule& module, u32 type) {
  const Instruction* definition = module.definition(type);
  if (!definition) return 0;
  switch (definition->opcode) {
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      return definition->words[1] / 8;
    case spv::OpTypeVector:
      return blockBytes(module, definition->words[1]) * definition->words[2];
    case spv::OpTypeStruct: {
      u32 end = 0;
      for (u32 i = 0; i + 1 < definition->words.size(); ++i) {
        const u32 offset = static_cast<u32>(std::max<i64>(module.memberDecoration(type, i, spv::DecorationOffset), 0));
        end = std::max(end, offset + memberBytes(module, type, i));
      }
      return end;
    }
    default:
      return 0;
  }
}

u32 findBlock(const SpirvModule& module, std::string_view blockName, bool storage) {
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpFunction) break;
    if (instruction.opcode != spv::OpVariable) continue;
    const u32 storageClass = instruction.words[2];
    u32 type = pointee(module, instruction.words[0]);
    while (const u32 element = elementType(module, type)) type = element;
    const bool isStorage =
        storageClass == spv::StorageClassStorageBuffer || module.decoration(type, spv::DecorationBufferBlock) >= 0;
    if (storageClass != spv::StorageClassUniform && storageClass != spv::StorageClassStorageBuffer) continue;
    if (isStorage == storage && originalName(module.name(type)) == blockName) return type;
  }
  return 0;
}

}  // namespace mgl::shader
