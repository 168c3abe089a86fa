#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <unordered_set>

#include "shader/compiler/frontend.h"
#include "shader/compiler/link_program.h"
#include "shader/compiler/source.h"

namespace mgl::shader {
namespace {

struct GlobalVariable {
  u32 id = 0;
  u32 storageClass = 0;
  u32 pointerType = 0;
  u32 type = 0;   // of the variable itself
  u32 inner = 0;  // with all array dimensions taken off
};

std::vector<GlobalVariable> globalVariables(const SpirvModule& module) {
  std::vector<GlobalVariable> variables;
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpFunction) break;
    if (instruction.opcode != spv::OpVariable) continue;
    GlobalVariable variable{instruction.words[1], instruction.words[2], instruction.words[0], 0, 0};
    if (const Instruction* pointer = module.definition(variable.pointerType)) variable.type = pointer->words[2];
    variable.inner = variable.type;
    for (const Instruction* type = module.definition(variable.inner);
         type && (type->opcode == spv::OpTypeArray || type->opcode == spv::OpTypeRuntimeArray);
         type = module.definition(variable.inner))
      variable.inner = type->words[1];
    variables.push_back(variable);
  }
  return variables;
}

u32 memberCount(const SpirvModule& module, u32 type) {
  const Instruction* definition = module.definition(type);
  return definition && definition->opcode == spv::OpTypeStruct ? static_cast<u32>(definition->words.size()) - 1 : 0;
}

bool isBuiltinBlock(const SpirvModule& module, u32 type) {
  for (u32 i = 0; i < memberCount(module, type); ++i) {
    if (module.memberDecoration(type, i, spv::DecorationBuiltIn) >= 0) return true;
  }
  return false;
}

// Every word in a function's body counts as an id: a literal that looks like one keeps a variable that could go, no
// more.
std::unordered_set<u32> wordsInFunctions(const SpirvModule& module) {
  std::unordered_set<u32> words;
  bool inFunction = false;
  for (const Instruction& instruction : module.instructions()) {
    if (instruction.opcode == spv::OpFunction) inFunction = true;
    if (inFunction) words.insert(instruction.words.begin(), instruction.words.end());
  }
  return words;
}

std::string_view blockNameOf(const SpirvModule& module, const GlobalVariable& variable) {
  return originalName(module.name(variable.inner));
}

StageVariable* findInterface(LinkStage& stage, const GlobalVariable& variable) {
  const SpirvModule& module = *stage.module;
  const Storage storage = variable.storageClass == spv::StorageClassInput ? Storage::Input : Storage::Output;
  if (module.decoration(variable.inner, spv::DecorationBlock) >= 0)
    return stage.find(storage, blockNameOf(module, variable));
  return stage.find(storage, originalName(module.name(variable.id)));
}

bool isReadByNext(LinkProgram& program, const LinkStage& stage, const StageVariable& output) {
  if (output.captured) return true;
  for (std::size_t i = 0; i + 1 < program.stages.size(); ++i) {
    if (&program.stages[i] != &stage) continue;
    for (const StageVariable& input : program.stages[i + 1].variables) {
      if (input.declared.storage == Storage::Input && input.live && input.location == output.location) return true;
    }
    return false;
  }
  return stage.stage != Stage::Fragment;  // who reads the outer interface of a separable program is not known
}

template <class List>
i32 indexByName(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view candidate = list[i].name;
    if (candidate == name ||
        (candidate.size() > name.size() && candidate.substr(0, name.size()) == name && candidate[name.size()] == '['))
      return static_cast<i32>(i);
  }
  return -1;
}

// The set and binding of a resource variable; none when it is not in the archive.
std::optional<std::pair<DescriptorSet, u32>> resourceSlot(const LinkProgram& program, const SpirvModule& module,
                                                          const GlobalVariable& variable) {
  const Archive& archive = program.archive;
  const std::string_view block = blockNameOf(module, variable);
  if (variable.storageClass == spv::StorageClassUniformConstant) {
    const auto slot = program.opaqueSlots.find(originalName(module.name(variable.id)));
    if (slot != program.opaqueSlots.end()) return slot->second;
    return std::nullopt;
  }
  if (block == kDefaultBlockName) return std::pair(DescriptorSet::DefaultBlock, 0u);
  const std::string_view atomic = kAtomicBlockName;
  if (block.substr(0, atomic.size()) == atomic) {
    // glslang names them by GL binding: prefix, underscore, number.
    const std::string number(block.substr(std::min(block.size(), atomic.size() + 1)));
    const u32 binding = static_cast<u32>(std::strtoul(number.c_str(), nullptr, 10));
    for (u32 i = 0; i < archive.atomicBuffers.size(); ++i) {
      if (archive.atomicBuffers[i].binding == binding) return std::pair(DescriptorSet::AtomicBuffers, i);
    }
    return std::nullopt;
  }
  const bool storage = variable.storageClass == spv::StorageClassStorageBuffer;
  const i32 index = indexByName(storage ? archive.storageBlocks : archive.uniformBlocks, block);
  if (index < 0) return std::nullopt;
  return std::pair(storage ? DescriptorSet::StorageBlocks : DescriptorSet::UniformBlocks, static_cast<u32>(index));
}

bool membersHaveLocations(const SpirvModule& module, u32 type) {
  for (u32 i = 0; i < memberCount(module, type); ++i) {
    if (module.memberDecoration(type, i, spv::DecorationLocation) >= 0) return true;
  }
  return false;
}

void assignInterface(LinkProgram& program, LinkStage& stage, const GlobalVariable& variable,
                     const StageVariable* linked) {
  SpirvModule& module = *stage.module;
  const auto setLocation = [&](u32 location) {
    module.decorate(variable.id, spv::DecorationLocation, std::array<u32, 1>{location});
  };
  if (!linked || linked->location < 0) {
    const std::string_view name = module.name(variable.id);
    if (name.substr(0, 3) == "gl_" || name == kFragColorName || name == kFragDataName)
      setLocation(0);
    else
      program.error("internal: `" + std::string(originalName(name)) + "' has no location");
    return;
  }
  if (module.decoration(variable.id, spv::DecorationLocation) < 0 && !membersHaveLocations(module, variable.inner))
    setLocation(static_cast<u32>(linked->location));
  if (linked->index > 0)
    module.decorate(variable.id, spv::DecorationIndex, std::array<u32, 1>{static_cast<u32>(linked->index)});
}

// Trailing members of gl_PerVertex that no code mentions: a declared clip distance would otherwise count as written.
void trimBuiltinBlocks(SpirvModule& module, const std::vector<GlobalVariable>& variables) {
  for (const GlobalVariable& variable : variables) {
    if (!isBuiltinBlock(module, variable.inner)) continue;
    const u32 count = memberCount(module, variable.inner);
    std::vector<bool> used(count, false);
    bool inFunction = false;
    for (const Instruction& instruction : module.instructions()) {
      if (instruction.opcode == spv::OpFunction) inFunction = true;
      if (!inFunction) continue;
      for (const GlobalVariable& other : variables) {
        if (other.inner != variable.inner) continue;
        if (std::find(instruction.words.begin(), instruction.words.end(), other.id) == instruction.words.end())
          continue;
        const std::size_t at = other.type == other.inner ? 3 : 4;
        if ((instruction.opcode == spv::OpAccessChain || instruction.opcode == spv::OpInBoundsAccessChain) &&
            instruction.words[2] == other.id && instruction.words.size() > at) {
          const u32 member = module.constant(instruction.words[at]);
          if (member < count) used[member] = true;
        } else {
          std::fill(used.begin(), used.end(), true);
        }
      }
    }
    u32 keep = count;
    while (keep > 1 && !used[keep - 1]) --keep;
    if (keep == count) continue;
    for (Instruction& instruction : module.instructions()) {
      if (instruction.opcode == spv::OpFunction) break;
      if (instruction.opcode == spv::OpTypeStruct && instruction.words[0] == variable.inner)
        instruction.words.resize(keep + 1);
      if ((instruction.opcode == spv::OpMemberName || instruction.opcode == spv::OpMemberDecorate) &&
          instruction.words[0] == variable.inner && instruction.words[1] >= keep)
        instruction.opcode = spv::OpNop;
    }
    module.index();
  }
}

void describeBuiltin(Archive& archive, bool lastVertexStage, u32 builtin, bool output, u32 arrayLength) {
  switch (builtin) {
    case spv::BuiltInPointSize:
      archive.writesPointSize |= lastVertexStage && output;
      break;
    case spv::BuiltInClipDistance:
      if (lastVertexStage && output) archive.clipDistances = static_cast<u8>(std::min(arrayLength, 255u));
      break;
    case spv::BuiltInCullDistance:
      if (lastVertexStage && output) archive.cullDistances = static_cast<u8>(std::min(arrayLength, 255u));
      break;
    case spv::BuiltInLayer:
      archive.writesLayer |= lastVertexStage && output;
      break;
    case spv::BuiltInViewportIndex:
      archive.writesViewportIndex |= lastVertexStage && output;
      break;
    case spv::BuiltInVertexIndex:
      archive.usesVertexId = true;
      break;
    case spv::BuiltInInstanceIndex:
      archive.usesInstanceId = true;
      break;
    case spv::BuiltInDrawIndex:
      archive.usesDrawId = true;
      break;
    case spv::BuiltInBaseVertex:
      archive.usesBaseVertex = true;
      break;
    case spv::BuiltInBaseInstance:
      archive.usesBaseInstance = true;
      break;
    case spv::BuiltInFragCoord:
      archive.usesFragCoord = true;
      break;
    case spv::BuiltInPointCoord:
      archive.usesPointCoord = true;
      break;
    case spv::BuiltInSampleId:
    case spv::BuiltInSamplePosition:
      archive.usesSampleShading = true;
      break;
    case spv::BuiltInFragDepth:
      archive.writesFragDepth = true;
      break;
    case spv::BuiltInSampleMask:
      (output ? archive.writesSampleMask : archive.readsSampleMask) = true;
      break;
    default:
      break;
  }
}

u32 arrayLength(const SpirvModule& module, u32 type) {
  const Instruction* definition = module.definition(type);
  return definition && definition->opcode == spv::OpTypeArray ? module.constant(definition->words[2]) : 1;
}

void describeModule(LinkProgram& program, const LinkStage& stage, bool lastVertexStage) {
  const SpirvModule& module = *stage.module;
  Archive& archive = program.archive;
  std::unordered_set<u32> storagePointers;
  for (const GlobalVariable& variable : globalVariables(module)) {
    const bool output = variable.storageClass == spv::StorageClassOutput;
    if (variable.storageClass == spv::StorageClassStorageBuffer) storagePointers.insert(variable.id);
    if (const i64 builtin = module.decoration(variable.id, spv::DecorationBuiltIn); builtin >= 0)
      describeBuiltin(archive, lastVertexStage, static_cast<u32>(builtin), output, arrayLength(module, variable.type));
    for (u32 i = 0; i < memberCount(module, variable.inner); ++i) {
      const i64 builtin = module.memberDecoration(variable.inner, i, spv::DecorationBuiltIn);
      if (builtin < 0) continue;
      const u32 member = module.definition(variable.inner)->words[i + 1];
      // Members in the middle are declared whether they are written or not; the tree knows.
      const bool mentioned = (builtin != spv::BuiltInPointSize || stage.builtins.count("gl_PointSize")) &&
                             (builtin != spv::BuiltInClipDistance || stage.builtins.count("gl_ClipDistance")) &&
                             (builtin != spv::BuiltInCullDistance || stage.builtins.count("gl_CullDistance"));
      if (mentioned)
        describeBuiltin(archive, lastVertexStage, static_cast<u32>(builtin), output, arrayLength(module, member));
    }
    if (stage.stage == Stage::Fragment && module.decoration(variable.id, spv::DecorationSample) >= 0)
      archive.usesSampleShading = true;
  }
  bool writes = false;
  for (const Instruction& instruction : module.instructions()) {
    const auto& words = instruction.words;
    switch (instruction.opcode) {
      case spv::OpKill:
        archive.usesDiscard = true;
        break;
      case spv::OpDPdx:
      case spv::OpDPdy:
      case spv::OpFwidth:
      case spv::OpDPdxFine:
      case spv::OpDPdyFine:
      case spv::OpFwidthFine:
      case spv::OpDPdxCoarse:
      case spv::OpDPdyCoarse:
      case spv::OpFwidthCoarse:
        archive.usesDerivatives = true;
        break;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        if (storagePointers.count(words[2])) storagePointers.insert(words[1]);
        break;
      case spv::OpStore:
        writes |= storagePointers.count(words[0]) != 0;
        break;
      case spv::OpImageWrite:
        writes = true;
        break;
      default:
        writes |= instruction.opcode >= spv::OpAtomicStore && instruction.opcode <= spv::OpAtomicXor;
        break;
    }
  }
  if (writes) archive.sideEffectStages |= stageBit(stage.stage);
}

}  // namespace

void describeModules(LinkProgram& program) {
  const LinkStage* last = program.lastVertexStage();
  for (const LinkStage& stage : program.stages) describeModule(program, stage, &stage == last);
}

void finishModule(LinkProgram& program, LinkStage& stage) {
  SpirvModule& module = *stage.module;
  const std::unordered_set<u32> used = wordsInFunctions(module);
  std::unordered_set<u32> removed, outputs, outputTypes;
  const std::vector<GlobalVariable> variables = globalVariables(module);
  for (const GlobalVariable& variable : variables) {
    const bool isUsed = used.count(variable.id) != 0;
    switch (variable.storageClass) {
      case spv::StorageClassInput:
      case spv::StorageClassOutput: {
        if (variable.storageClass == spv::StorageClassOutput) {
          outputs.insert(variable.id);
          outputTypes.insert(variable.inner);
        }
        const bool builtin =
            module.decoration(variable.id, spv::DecorationBuiltIn) >= 0 || isBuiltinBlock(module, variable.inner);
        const StageVariable* linked = builtin ? nullptr : findInterface(stage, variable);
        const bool needed =
            linked && variable.storageClass == spv::StorageClassOutput && isReadByNext(program, stage, *linked);
        if (!isUsed && !needed)
          removed.insert(variable.id);
        else if (!builtin)
          assignInterface(program, stage, variable, linked);
        break;
      }
      case spv::StorageClassUniform:
      case spv::StorageClassStorageBuffer:
      case spv::StorageClassUniformConstant: {
        if (!isUsed) {
          removed.insert(variable.id);
          break;
        }
        const auto slot = resourceSlot(program, module, variable);
        if (!slot) {
          // The code mentions it, the declarations say that it is dead: a branch that is never taken. It still needs a
          // binding.
          program.error("internal: `" + std::string(originalName(module.name(variable.id))) + "' has no binding");
          break;
        }
        module.removeDecoration(variable.id, spv::DecorationLocation);
        module.decorate(variable.id, spv::DecorationDescriptorSet, std::array<u32, 1>{indexOf(slot->first)});
        module.decorate(variable.id, spv::DecorationBinding, std::array<u32, 1>{slot->second});
        break;
      }
      default:
        break;
    }
  }
  trimBuiltinBlocks(module, variables);
  bool inFunction = false;
  for (Instruction& instruction : module.instructions()) {
    auto& words = instruction.words;
    switch (instruction.opcode) {
      case spv::OpFunction:
        inFunction = true;
        break;
      case spv::OpName:
      case spv::OpMemberName:
      case spv::OpSource:
      case spv::OpSourceContinued:
      case spv::OpSourceExtension:
      case spv::OpModuleProcessed:
        instruction.opcode = spv::OpNop;
        break;
      case spv::OpVariable:
        if (!inFunction && removed.count(words[1])) instruction.opcode = spv::OpNop;
        break;
      case spv::OpDecorate: {
        const bool xfb = words[1] == spv::DecorationXfbBuffer || words[1] == spv::DecorationXfbStride ||
                         (words[1] == spv::DecorationOffset && outputs.count(words[0]));
        if (removed.count(words[0]) || xfb) instruction.opcode = spv::OpNop;
        break;
      }
      case spv::OpMemberDecorate:
        if (words[2] == spv::DecorationXfbBuffer || words[2] == spv::DecorationXfbStride ||
            (words[2] == spv::DecorationOffset && outputTypes.count(words[0])))
          instruction.opcode = spv::OpNop;
        break;
      case spv::OpExecutionMode:
        if (words[1] == spv::ExecutionModeXfb || words[1] == spv::ExecutionModePixelCenterInteger)
          instruction.opcode = spv::OpNop;
        break;
      case spv::OpCapability:
        if (words[0] == spv::CapabilityTransformFeedback) instruction.opcode = spv::OpNop;
        break;
      case spv::OpEntryPoint: {
        // Execution model, entry point, name, then the interface.
        std::size_t at = 2;
        while (at < words.size() && (words[at] & 0xff000000u) != 0 && (words[at] & 0x00ff0000u) != 0 &&
               (words[at] & 0x0000ff00u) != 0 && (words[at] & 0xffu) != 0)
          ++at;
        words.erase(std::remove_if(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end(),
                                   [&](u32 id) { return removed.count(id) != 0; }),
                    words.end());
        break;
      }
      default:
        break;
    }
  }
  module.index();
}

}  // namespace mgl::shader
