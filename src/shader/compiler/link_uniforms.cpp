#include <algorithm>
#include <cstring>
#include <map>
#include <spirv/unified1/spirv.hpp>

#include "shader/compiler/block_layout.h"
#include "shader/compiler/frontend.h"
#include "shader/compiler/link_program.h"
#include "shader/compiler/opaque_members.h"

namespace mgl::shader {
namespace {

class UniformBuilder {
 public:
  explicit UniformBuilder(LinkProgram& program) : program_(program), archive_(program.archive) {}

  void build() {
    collect();
    describeDefaultBlock();
    describeLoose();
    assignLocations();
    for (const Merged& merged : blocks_) describeBlock(merged);
    storeInitialValues();
    checkLimits();
  }

 private:
  struct Merged {
    const Variable* declared = nullptr;
    StageMask liveStages = 0;
    StageMask stages = 0;
    i32 location = -1;
    i32 binding = -1;
    const std::vector<u32>* initial = nullptr;
    u32 firstUniform = 0, uniformCount = 0;
  };

  void collect() {
    for (const LinkStage& stage : program_.stages) {
      for (const StageVariable& variable : stage.variables) {
        const Variable& declared = variable.declared;
        if (declared.storage != Storage::Uniform && declared.storage != Storage::Buffer) continue;
        if (declared.qualifiers.isBuiltin) continue;
        std::vector<Merged>& list = declared.isBlock ? blocks_ : loose_;
        auto at = std::find_if(list.begin(), list.end(), [&](const Merged& m) {
          return m.declared->storage == declared.storage && m.declared->linkName() == declared.linkName();
        });
        if (at == list.end()) {
          list.push_back({});
          at = list.end() - 1;
          at->declared = &declared;
        }
        at->stages |= stageBit(stage.stage);
        if (variable.live) at->liveStages |= stageBit(stage.stage);
        if (declared.qualifiers.layout.location >= 0) at->location = declared.qualifiers.layout.location;
        if (declared.qualifiers.layout.binding >= 0) at->binding = declared.qualifiers.layout.binding;
        if (!declared.initial.empty()) at->initial = &declared.initial;
      }
    }
  }

  void describeDefaultBlock() {
    for (const LinkStage& stage : program_.stages) {
      const u32 block = findBlock(*stage.module, kDefaultBlockName, false);
      if (!block) continue;
      defaultModule_ = &*stage.module;
      defaultBlock_ = block;
      archive_.defaultBlockBytes = std::max(archive_.defaultBlockBytes, alignUp(blockBytes(*stage.module, block), 16u));
      archive_.defaultBlockStages |= stageBit(stage.stage);
    }
    if (!defaultModule_) return;
    addBuiltin(BuiltinUniformKind::DepthRange, kDepthRangeName);
    addBuiltin(BuiltinUniformKind::NumSamples, kNumSamplesName);
  }

  void addBuiltin(BuiltinUniformKind kind, std::string_view name) {
    const auto place = memberPlace(*defaultModule_, defaultBlock_, name, 0);
    if (!place) return;
    BuiltinUniform uniform;
    uniform.kind = kind;
    uniform.offset = place->offset;
    uniform.matrixStride = place->matrixStride;
    uniform.stages = archive_.defaultBlockStages;
    archive_.builtinUniforms.push_back(uniform);
  }

  Uniform makeUniform(const Leaf& leaf, StageMask stages) const {
    Uniform uniform;
    uniform.isArray = leaf.type.isArray();
    uniform.name = uniform.isArray ? leaf.name + "[0]" : leaf.name;
    uniform.type = leaf.type.data;
    uniform.arraySize = uniform.isArray ? std::max(leaf.type.dims[0], 1u) : 1;
    uniform.stages = stages;
    return uniform;
  }

  void describeLoose() {
    for (Merged& merged : loose_) {
      if (!merged.liveStages) continue;
      merged.firstUniform = static_cast<u32>(archive_.uniforms.size());
      const Type& type = merged.declared->type;
      const bool opaque = !type.isStruct() && uniformTypeInfo(type.data).isOpaque();
      std::optional<Place> place;
      if (!opaque && defaultModule_) place = memberPlace(*defaultModule_, defaultBlock_, merged.declared->name, 0);
      if (!opaque && !place) {
        program_.error("internal: uniform `" + merged.declared->name + "' has no place in the default block");
        return;
      }
      const auto visit = [&](const Leaf& leaf) {
        if (uniformTypeInfo(leaf.type.data).isOpaque()) return addOpaque(merged, leaf);
        Uniform uniform = makeUniform(leaf, merged.liveStages);
        uniform.offset = static_cast<i32>(leaf.place.offset);
        uniform.rowMajor = leaf.place.rowMajor;
        uniform.matrixStride = static_cast<i32>(leaf.place.matrixStride);
        if (uniform.isArray) uniform.arrayStride = static_cast<i32>(arrayStride(*defaultModule_, leaf.place.spirvType));
        archive_.uniforms.push_back(std::move(uniform));
      };
      u32 step = 0;
      forEachLeaf(opaque ? nullptr : defaultModule_, merged.declared->name, type, place.value_or(Place{}), step, false,
                  visit);
      merged.uniformCount = static_cast<u32>(archive_.uniforms.size()) - merged.firstUniform;
    }
  }

  void addOpaque(const Merged& merged, const Leaf& leaf) {
    Uniform uniform = makeUniform(leaf, merged.liveStages);
    const u32 uniformIndex = static_cast<u32>(archive_.uniforms.size());
    const Qualifiers& qualifiers = merged.declared->qualifiers;
    switch (uniformTypeInfo(uniform.type).opaque) {
      case OpaqueKind::Sampler: {
        uniform.samplerIndex =
            static_cast<i32>(findOrAddOpaque(merged, leaf, DescriptorSet::Samplers, uniformIndex, uniform));
        break;
      }
      case OpaqueKind::Image: {
        uniform.imageIndex =
            static_cast<i32>(findOrAddOpaque(merged, leaf, DescriptorSet::Images, uniformIndex, uniform));
        break;
      }
      default: {
        const u32 binding = static_cast<u32>(std::max(merged.binding, 0));
        auto at = std::find_if(archive_.atomicBuffers.begin(), archive_.atomicBuffers.end(),
                               [&](const AtomicBuffer& b) { return b.binding == binding; });
        if (at == archive_.atomicBuffers.end()) {
          archive_.atomicBuffers.push_back({});
          at = archive_.atomicBuffers.end() - 1;
          at->binding = binding;
        }
        uniform.atomicBufferIndex = static_cast<i32>(at - archive_.atomicBuffers.begin());
        uniform.offset = std::max(qualifiers.layout.offset, 0) + static_cast<i32>(leaf.locationStep * 4);
        if (uniform.isArray) uniform.arrayStride = 4;
        at->sizeBytes = std::max(at->sizeBytes, static_cast<u32>(uniform.offset) + 4 * uniform.arraySize);
        at->stages |= merged.liveStages;
        at->members.push_back(uniformIndex);
      }
    }
    archive_.uniforms.push_back(std::move(uniform));
  }

  // The list entry of the variable that the leaf belongs to: one for all elements of its path. Sets
  // uniform.opaqueElement.
  u32 findOrAddOpaque(const Merged& merged, const Leaf& leaf, DescriptorSet set, u32 uniformIndex, Uniform& uniform) {
    const std::string path = pathOf(leaf.name);
    const std::string name = hoistedName(path);
    u32& filled = opaqueElements_[name];
    uniform.opaqueElement = filled;
    filled += uniform.arraySize;
    const auto [slot, added] = program_.opaqueSlots.emplace(name, std::pair(set, 0u));
    if (!added) return slot->second.second;
    u32 elements = uniform.arraySize;
    for (const OpaqueLeaf& candidate : opaqueLeaves(*merged.declared)) {
      if (candidate.path == path) elements = candidate.elements();
    }
    const bool hasBinding = merged.binding >= 0;
    const u32 unit = static_cast<u32>(std::max(merged.binding, 0));
    const Qualifiers& qualifiers = merged.declared->qualifiers;
    u32& index = slot->second.second;
    if (set == DescriptorSet::Samplers) {
      index = static_cast<u32>(archive_.samplers.size());
      archive_.samplers.push_back({uniformIndex, elements, uniform.type, unit, hasBinding, merged.liveStages});
    } else {
      index = static_cast<u32>(archive_.images.size());
      archive_.images.push_back({uniformIndex, elements, uniform.type, qualifiers.layout.format, unit, hasBinding,
                                 qualifiers.readOnly, qualifiers.writeOnly, merged.liveStages});
    }
    return index;
  }

  void assignLocations() {
    const u32 limit = program_.options->limits.maxUniformLocations;
    std::vector<const Merged*> owner;
    const auto isFree = [&](u32 first, u32 count) {
      for (u32 i = first; i < first + count && i < owner.size(); ++i) {
        if (owner[i]) return false;
      }
      return true;
    };
    const auto take = [&](const Merged& merged, u32 first, u32 count) {
      if (owner.size() < first + count) owner.resize(first + count, nullptr);
      std::fill_n(owner.begin() + first, count, &merged);
    };
    const auto setLocations = [&](const Merged& merged, u32 first) {
      for (u32 i = 0; i < merged.uniformCount; ++i) {
        Uniform& uniform = archive_.uniforms[merged.firstUniform + i];
        uniform.location = static_cast<i32>(first);
        first += uniform.arraySize;
      }
    };
    // Explicit ones count whether they are active or not.
    for (const Merged& merged : loose_) {
      if (merged.location < 0) continue;
      const u32 count = uniformLocations(merged.declared->type);
      const u32 first = static_cast<u32>(merged.location);
      if (u64{first} + count > limit) {
        program_.error("uniform `" + merged.declared->name + "' does not fit at location " + std::to_string(first));
        return;
      }
      if (!isFree(first, count)) {
        program_.error("uniform `" + merged.declared->name + "' overlaps another one at location " +
                       std::to_string(first));
        return;
      }
      take(merged, first, count);
      setLocations(merged, first);
    }
    u32 next = 0;
    for (const Merged& merged : loose_) {
      if (merged.location >= 0 || !merged.uniformCount) continue;
      if (archive_.uniforms[merged.firstUniform].atomicBufferIndex >= 0) continue;
      u32 count = 0;
      for (u32 i = 0; i < merged.uniformCount; ++i) count += archive_.uniforms[merged.firstUniform + i].arraySize;
      while (!isFree(next, count)) ++next;
      take(merged, next, count);
      setLocations(merged, next);
      next += count;
    }
    archive_.uniformLocationCount = static_cast<u32>(owner.size());
  }

  void describeBlock(const Merged& merged) {
    const Variable& declared = *merged.declared;
    const bool storage = declared.storage == Storage::Buffer;
    // A packed block that nothing mentions is not active; of the other layouts all are.
    if (!merged.liveStages && declared.qualifiers.layout.packing == Packing::Packed) return;
    const SpirvModule* module = nullptr;
    u32 structType = 0;
    for (const LinkStage& stage : program_.stages) {
      structType = findBlock(*stage.module, declared.blockName, storage);
      if (structType) {
        module = &*stage.module;
        break;
      }
    }
    if (!module) {
      if (merged.liveStages) program_.error("internal: block `" + declared.blockName + "' is not in the code");
      return;
    }
    std::vector<Block>& list = storage ? archive_.storageBlocks : archive_.uniformBlocks;
    const u32 firstBlock = static_cast<u32>(list.size());
    Block block;
    block.stages = merged.liveStages ? merged.liveStages : merged.stages;
    block.sizeBytes = blockBytes(*module, structType);
    if (!storage) block.sizeBytes = alignUp(block.sizeBytes, 16u);
    block.readOnly = declared.qualifiers.readOnly;
    const std::string prefix = declared.name.empty() ? "" : declared.blockName;
    if (storage)
      describeBufferVariables(*module, structType, declared, prefix, firstBlock, block);
    else
      describeBlockUniforms(*module, structType, declared, prefix, firstBlock, block);

    u32 elements = 1;
    for (u32 dim : declared.type.dims) elements *= std::max(dim, 1u);
    const u32 binding = static_cast<u32>(std::max(merged.binding, 0));
    for (u32 i = 0; i < elements; ++i) {
      Block element = block;
      element.name = declared.blockName + elementSuffix(declared.type, i);
      element.binding = merged.binding >= 0 ? binding + i : 0;
      element.arrayIndex = i;
      element.arraySize = declared.type.isArray() ? elements : 0;
      list.push_back(std::move(element));
    }
  }

  static std::string elementSuffix(const Type& type, u32 flat) {
    std::string suffix;
    for (std::size_t d = type.dims.size(); d-- > 0;) {
      const u32 dim = std::max(type.dims[d], 1u);
      suffix = "[" + std::to_string(flat % dim) + "]" + suffix;
      flat /= dim;
    }
    return suffix;
  }

  void describeBlockUniforms(const SpirvModule& module, u32 structType, const Variable& declared,
                             const std::string& prefix, u32 blockIndex, Block& block) {
    const auto visit = [&](const Leaf& leaf) {
      Uniform uniform = makeUniform(leaf, block.stages);
      uniform.blockIndex = static_cast<i32>(blockIndex);
      uniform.offset = static_cast<i32>(leaf.place.offset);
      uniform.rowMajor = leaf.place.rowMajor;
      uniform.matrixStride = static_cast<i32>(leaf.place.matrixStride);
      if (uniform.isArray) uniform.arrayStride = static_cast<i32>(arrayStride(module, leaf.place.spirvType));
      block.members.push_back(static_cast<u32>(archive_.uniforms.size()));
      archive_.uniforms.push_back(std::move(uniform));
    };
    u32 step = 0;
    Type type = declared.type;
    type.dims.clear();
    forEachLeaf(&module, prefix, type, Place{0, structType, 0, false}, step, false, visit);
  }

  void describeBufferVariables(const SpirvModule& module, u32 structType, const Variable& declared,
                               const std::string& prefix, u32 blockIndex, Block& block) {
    for (const Member& member : *declared.type.members) {
      const auto place = memberPlace(module, structType, member.name, 0);
      if (!place) continue;
      const bool topArray = member.type.isArray() && (member.type.isStruct() || member.type.dims.size() > 1);
      const auto visit = [&](const Leaf& leaf) {
        BufferVariable variable;
        variable.isArray = leaf.type.isArray();
        variable.name = variable.isArray ? leaf.name + "[0]" : leaf.name;
        variable.type = leaf.type.data;
        variable.arraySize = variable.isArray ? leaf.type.dims[0] : 1;
        variable.blockIndex = static_cast<i32>(blockIndex);
        variable.offset = static_cast<i32>(leaf.place.offset);
        variable.rowMajor = leaf.place.rowMajor;
        variable.matrixStride = static_cast<i32>(leaf.place.matrixStride);
        if (variable.isArray) variable.arrayStride = static_cast<i32>(arrayStride(module, leaf.place.spirvType));
        if (topArray) {
          variable.topLevelArraySize = member.type.dims[0];
          variable.topLevelArrayStride = static_cast<i32>(arrayStride(module, place->spirvType));
        }
        variable.stages = block.stages;
        block.members.push_back(static_cast<u32>(archive_.bufferVariables.size()));
        archive_.bufferVariables.push_back(std::move(variable));
      };
      u32 step = 0;
      forEachLeaf(&module, prefix.empty() ? member.name : prefix + "." + member.name, member.type, *place, step,
                  topArray, visit);
    }
  }

  void storeInitialValues() {
    const auto write = [&](u32 offset, u32 word) {
      if (archive_.defaultBlockInitial.empty()) archive_.defaultBlockInitial.resize(archive_.defaultBlockBytes);
      if (offset + 4 <= archive_.defaultBlockInitial.size())
        std::memcpy(&archive_.defaultBlockInitial[offset], &word, 4);
    };
    for (const Merged& merged : loose_) {
      if (!merged.initial || !merged.uniformCount) continue;
      std::size_t at = 0;
      for (u32 u = 0; u < merged.uniformCount; ++u) {
        const Uniform& uniform = archive_.uniforms[merged.firstUniform + u];
        if (uniform.offset < 0) continue;
        const UniformTypeInfo& info = uniformTypeInfo(uniform.type);
        const u32 words = info.scalarBytes() / 4;
        for (u32 e = 0; e < uniform.arraySize; ++e) {
          for (u32 c = 0; c < info.columns; ++c) {
            for (u32 r = 0; r < info.rows; ++r) {
              const u32 base = static_cast<u32>(uniform.offset) + e * static_cast<u32>(uniform.arrayStride);
              const u32 stride = static_cast<u32>(uniform.matrixStride);
              const u32 place =
                  uniform.rowMajor ? r * stride + c * info.scalarBytes() : c * stride + r * info.scalarBytes();
              for (u32 w = 0; w < words; ++w, ++at) {
                if (at < merged.initial->size() && (*merged.initial)[at])
                  write(base + place + 4 * w, (*merged.initial)[at]);
              }
            }
          }
        }
      }
    }
  }

  void checkLimits() {
    const Limits& limits = program_.options->limits;
    u32 combinedSamplers = 0, combinedBlocks = 0, combinedStorage = 0, combinedImages = 0;
    for (const LinkStage& stage : program_.stages) {
      const StageMask bit = stageBit(stage.stage);
      u32 components = 0, samplers = 0, blocks = 0, storage = 0, images = 0;
      for (const Merged& merged : loose_) {
        if (merged.liveStages & bit &&
            (merged.declared->type.isStruct() || !uniformTypeInfo(merged.declared->type.data).isOpaque()))
          components += componentCount(merged.declared->type);
      }
      for (const Sampler& sampler : archive_.samplers) samplers += sampler.stages & bit ? sampler.arraySize : 0;
      for (const Image& image : archive_.images) images += image.stages & bit ? image.arraySize : 0;
      for (const Block& block : archive_.uniformBlocks) blocks += block.stages & bit ? 1 : 0;
      for (const Block& block : archive_.storageBlocks) storage += block.stages & bit ? 1 : 0;
      const auto check = [&](u32 used, u32 limit, const char* what) {
        if (used > limit)
          program_.error(std::string("the ") + stageName(stage.stage) + " shader uses too many " + what + ": " +
                         std::to_string(used) + " of " + std::to_string(limit));
      };
      check(components, componentLimit(stage.stage), "uniform components");
      check(samplers, samplerLimit(stage.stage), "samplers");
      check(images, limits.maxImageUniformsPerStage, "images");
      check(blocks, limits.maxUniformBlocksPerStage, "uniform blocks");
      check(storage, limits.maxStorageBlocksPerStage, "shader storage blocks");
      combinedSamplers += samplers;
      combinedBlocks += blocks;
      combinedStorage += storage;
      combinedImages += images;
    }
    const auto check = [&](u32 used, u32 limit, const char* what) {
      if (used > limit)
        program_.error(std::string("the program uses too many ") + what + ": " + std::to_string(used) + " of " +
                       std::to_string(limit));
    };
    check(combinedSamplers, limits.maxCombinedTextureUnits, "samplers");
    check(combinedBlocks, limits.maxCombinedUniformBlocks, "uniform blocks");
    check(combinedStorage, limits.maxCombinedStorageBlocks, "shader storage blocks");
    check(combinedImages, limits.maxCombinedImageUniforms, "images");
    for (const Block& block : archive_.uniformBlocks) {
      if (block.sizeBytes > limits.maxUniformBlockBytes)
        program_.error("uniform block `" + block.name + "' is too large: " + std::to_string(block.sizeBytes) + " of " +
                       std::to_string(limits.maxUniformBlockBytes) + " bytes");
    }
  }

  u32 componentLimit(Stage stage) const {
    const Limits& limits = program_.options->limits;
    switch (stage) {
      case Stage::TessControl:
        return limits.maxTessControlUniformComponents;
      case Stage::TessEval:
        return limits.maxTessEvalUniformComponents;
      case Stage::Geometry:
        return limits.maxGeometryUniformComponents;
      case Stage::Fragment:
        return limits.maxFragmentUniformComponents;
      case Stage::Compute:
        return limits.maxComputeUniformComponents;
      default:
        return limits.maxVertexUniformComponents;
    }
  }

  u32 samplerLimit(Stage stage) const {
    const Limits& limits = program_.options->limits;
    switch (stage) {
      case Stage::TessControl:
        return limits.maxTessControlTextureUnits;
      case Stage::TessEval:
        return limits.maxTessEvalTextureUnits;
      case Stage::Geometry:
        return limits.maxGeometryTextureUnits;
      case Stage::Fragment:
        return limits.maxFragmentTextureUnits;
      case Stage::Compute:
        return limits.maxComputeTextureUnits;
      default:
        return limits.maxVertexTextureUnits;
    }
  }

  LinkProgram& program_;
  Archive& archive_;
  std::vector<Merged> loose_, blocks_;
  std::map<std::string, u32> opaqueElements_;  // how many are described, by the variable's name in SPIR-V
  const SpirvModule* defaultModule_ = nullptr;
  u32 defaultBlock_ = 0;
};

}  // namespace

void describeUniforms(LinkProgram& program) { UniformBuilder(program).build(); }

}  // namespace mgl::shader
