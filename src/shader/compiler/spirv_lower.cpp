#define SPV_ENABLE_UTILITY_CODE
#include <algorithm>
#include <array>
#include <map>
#include <spirv/unified1/spirv.hpp>
#include <unordered_map>
#include <unordered_set>

#include "shader/compiler/link_program.h"

namespace mgl::shader {
namespace {

bool resultType(const Instruction& instruction, u32& result, u32& type) {
  bool hasResult = false, hasType = false;
  spv::HasResultAndType(static_cast<spv::Op>(instruction.opcode), &hasResult, &hasType);
  if (!hasResult || !hasType) return false;
  type = instruction.words[0];
  result = instruction.words[1];
  return true;
}

bool isUniqueType(u16 opcode) {
  return (opcode >= spv::OpTypeVoid && opcode <= spv::OpTypeSampledImage) || opcode == spv::OpTypePointer ||
         opcode == spv::OpTypeFunction;
}

// Two types of which a lowering has made one: SPIR-V allows a non-aggregate type to be declared once only.
void mergeEqualTypes(SpirvModule& module) {
  std::map<std::vector<u32>, u32> seen;
  std::unordered_map<u32, u32> replacement;
  const auto resolve = [&](u32& id) {
    if (const auto found = replacement.find(id); found != replacement.end()) id = found->second;
  };
  for (Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpNop) continue;
    if (instruction.opcode >= spv::OpTypeVoid && instruction.opcode <= spv::OpTypeFunction) {
      if (instruction.opcode != spv::OpTypeInt && instruction.opcode != spv::OpTypeFloat) {
        for (std::size_t i = 1; i < instruction.words.size(); ++i) {
          // Only these positions hold type ids; the rest are literals and lengths.
          const bool isId = instruction.opcode == spv::OpTypeFunction || instruction.opcode == spv::OpTypeStruct ||
                            (instruction.opcode == spv::OpTypePointer ? i == 2 : i == 1);
          if (isId) resolve(instruction.words[i]);
        }
      }
      if (!isUniqueType(instruction.opcode)) continue;
      std::vector<u32> key(instruction.words.begin() + 1, instruction.words.end());
      key.push_back(instruction.opcode);
      const auto [at, added] = seen.emplace(std::move(key), instruction.words[0]);
      if (!added) {
        replacement[instruction.words[0]] = at->second;
        instruction.opcode = spv::OpNop;
      }
      continue;
    }
    if (instruction.opcode == spv::OpFunction) resolve(instruction.words[3]);
    u32 result = 0, type = 0;
    if (resultType(instruction, result, type)) resolve(instruction.words[0]);
  }
  for (Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpFunction) break;
    if ((instruction.opcode == spv::OpName || instruction.opcode == spv::OpDecorate) &&
        replacement.count(instruction.words[0]))
      instruction.opcode = spv::OpNop;
  }
  module.index();
}

bool takesSampledCoordinate(u16 opcode) {
  return (opcode >= spv::OpImageSampleImplicitLod && opcode <= spv::OpImageSampleProjDrefExplicitLod) ||
         opcode == spv::OpImageGather || opcode == spv::OpImageDrefGather;
}

}  // namespace

void lowerRectangles(SpirvModule& module) {
  std::unordered_set<u32> images, storageImages, sampled;
  for (Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpFunction) break;
    if (instruction.opcode == spv::OpTypeImage && instruction.words[2] == spv::DimRect) {
      (instruction.words[6] == 2 ? storageImages : images).insert(instruction.words[0]);
      instruction.words[2] = spv::Dim2D;
    }
    if (instruction.opcode == spv::OpTypeSampledImage && images.count(instruction.words[1]))
      sampled.insert(instruction.words[0]);
  }
  if (images.empty() && storageImages.empty()) return;
  module.removeCapability(spv::CapabilitySampledRect);
  module.removeCapability(spv::CapabilityImageRect);

  const u32 floatType = module.findOrAddType(spv::OpTypeFloat, std::array<u32, 1>{32});
  const u32 intType = module.findOrAddType(spv::OpTypeInt, std::array<u32, 2>{32, 1});
  const u32 vec2 = module.findOrAddType(spv::OpTypeVector, std::array<u32, 2>{floatType, 2});
  const u32 ivec2 = module.findOrAddType(spv::OpTypeVector, std::array<u32, 2>{intType, 2});
  const u32 zero = module.findOrAddConstant(intType, 0);
  std::unordered_map<u32, u32> imageOfSampled;  // sampled-image type → its image type
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpTypeSampledImage) imageOfSampled[instruction.words[0]] = instruction.words[1];
  }

  std::unordered_map<u32, u32> typeOf;
  std::vector<Instruction> lowered;
  lowered.reserve(module.instructions().size() + 64);
  bool queries = false;
  for (Instruction& instruction : module.instructions()) {
    u32 result = 0, type = 0;
    if (resultType(instruction, result, type)) typeOf[result] = type;
    if (takesSampledCoordinate(instruction.opcode) && sampled.count(typeOf[instruction.words[2]])) {
      queries = true;
      const u32 texture = instruction.words[2];
      const u32 coordinate = instruction.words[3];
      const u32 image = module.allocateId(), size = module.allocateId(), scale = module.allocateId();
      lowered.push_back({spv::OpImage, {imageOfSampled[typeOf[texture]], image, texture}});
      lowered.push_back({spv::OpImageQuerySizeLod, {ivec2, size, image, zero}});
      lowered.push_back({spv::OpConvertSToF, {vec2, scale, size}});
      const u32 coordinateType = typeOf[coordinate];
      const u32 scaled = module.allocateId();
      if (coordinateType == vec2) {
        lowered.push_back({spv::OpFDiv, {vec2, scaled, coordinate, scale}});
      } else {
        // Projective and shadow coordinates: only the first two components are texels.
        const u32 texels = module.allocateId(), divided = module.allocateId(), x = module.allocateId(),
                  y = module.allocateId();
        const u32 withX = module.allocateId();
        lowered.push_back({spv::OpVectorShuffle, {vec2, texels, coordinate, coordinate, 0, 1}});
        lowered.push_back({spv::OpFDiv, {vec2, divided, texels, scale}});
        lowered.push_back({spv::OpCompositeExtract, {floatType, x, divided, 0}});
        lowered.push_back({spv::OpCompositeExtract, {floatType, y, divided, 1}});
        lowered.push_back({spv::OpCompositeInsert, {coordinateType, withX, x, coordinate, 0}});
        lowered.push_back({spv::OpCompositeInsert, {coordinateType, scaled, y, withX, 1}});
      }
      instruction.words[3] = scaled;
    } else if (instruction.opcode == spv::OpImageQuerySize && images.count(typeOf[instruction.words[2]])) {
      queries = true;
      instruction.opcode = spv::OpImageQuerySizeLod;
      instruction.words.push_back(zero);
    }
    lowered.push_back(std::move(instruction));
  }
  module.instructions() = std::move(lowered);
  module.index();
  if (queries) module.addCapability(spv::CapabilityImageQuery);
  mergeEqualTypes(module);
}

void lowerInstanceIndex(SpirvModule& module) {
  u32 instanceIndex = 0, baseInstance = 0, pointerType = 0, intType = 0;
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpFunction) break;
    if (instruction.opcode != spv::OpVariable) continue;
    const i64 builtin = module.decoration(instruction.words[1], spv::DecorationBuiltIn);
    if (builtin == spv::BuiltInBaseInstance) baseInstance = instruction.words[1];
    if (builtin != spv::BuiltInInstanceIndex) continue;
    instanceIndex = instruction.words[1];
    pointerType = instruction.words[0];
    intType = module.definition(pointerType)->words[2];
  }
  if (!instanceIndex) return;
  const bool addVariable = baseInstance == 0;
  if (addVariable) {
    baseInstance = module.allocateId();
    module.decorate(baseInstance, spv::DecorationBuiltIn, std::array<u32, 1>{spv::BuiltInBaseInstance});
  }
  std::vector<Instruction> lowered;
  lowered.reserve(module.instructions().size() + 8);
  for (Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpEntryPoint && addVariable) instruction.words.push_back(baseInstance);
    if (instruction.opcode == spv::OpLoad && instruction.words[2] == instanceIndex) {
      const u32 absolute = module.allocateId(), base = module.allocateId();
      lowered.push_back({spv::OpLoad, {intType, absolute, instanceIndex}});
      lowered.push_back({spv::OpLoad, {intType, base, baseInstance}});
      lowered.push_back({spv::OpISub, {intType, instruction.words[1], absolute, base}});
      continue;
    }
    const bool isIndex = instruction.opcode == spv::OpVariable && instruction.words[1] == instanceIndex;
    lowered.push_back(std::move(instruction));
    if (isIndex && addVariable)
      lowered.push_back({spv::OpVariable, {pointerType, baseInstance, spv::StorageClassInput}});
  }
  module.instructions() = std::move(lowered);
  module.index();
  module.addCapability(spv::CapabilityDrawParameters);
}

}  // namespace mgl::shader
