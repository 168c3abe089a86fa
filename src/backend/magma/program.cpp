#include "backend/magma/program.h"

#include <algorithm>

#include "backend/magma/pipeline.h"
#include "base/counters.h"
#include "base/log.h"

namespace mgl::magma {

using shader::DescriptorSet;

namespace {

VkShaderStageFlags stageFlags(u32 mask) {
  VkShaderStageFlags flags = 0;
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    if ((mask >> i) & 1) flags |= stageBit(static_cast<pipe::Stage>(i));
  }
  return flags;
}

VkPipelineStageFlags pipelineStages(u32 mask) {
  constexpr VkPipelineStageFlags kStages[] = {VK_PIPELINE_STAGE_VERTEX_SHADER_BIT,
                                              VK_PIPELINE_STAGE_TESSELLATION_CONTROL_SHADER_BIT,
                                              VK_PIPELINE_STAGE_TESSELLATION_EVALUATION_SHADER_BIT,
                                              VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT,
                                              VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT};
  VkPipelineStageFlags flags = 0;
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    if ((mask >> i) & 1) flags |= kStages[i];
  }
  return flags;
}

// The part of the program's stages that a pipeline uses, and where its resources go.
struct Source {
  Program* program = nullptr;
  u32 stages = 0;
  std::vector<shader::BindingRemap> remaps;
};

std::vector<Source> sourcesOf(Program& program) {
  std::vector<Source> sources;
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    Program* from = program.pipeline ? static_cast<Program*>(program.stages[i].get()) : &program;
    if (from == nullptr || from->spirv[i].empty()) continue;
    auto at = std::find_if(sources.begin(), sources.end(), [from](const Source& s) { return s.program == from; });
    if (at == sources.end()) at = sources.insert(at, {from, 0, {}});
    at->stages |= 1u << i;
  }
  return sources;
}

}  // namespace

// Where each resource of a source goes; in the same order whenever it is asked for.
struct SlotBuilder {
  Program& program;
  std::array<std::vector<VkDescriptorSetLayoutBinding>, kSetCount> bindings;
  std::array<u32, kSetCount> next{};

  u32 add(u32 set, VkDescriptorType type, u32 count, u32 stages) {
    bindings[set].push_back({next[set], type, count, stageFlags(stages), nullptr});
    return next[set]++;
  }

  void uniforms(Source& source) {
    const shader::Archive& a = source.program->archive;
    const auto from = [](DescriptorSet set) { return indexOf(set); };
    if (a.defaultBlockBytes != 0 && (a.defaultBlockStages & source.stages) != 0) {
      const u32 binding = add(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, a.defaultBlockStages & source.stages);
      source.remaps.push_back({from(DescriptorSet::DefaultBlock), 0, 0, binding});
      program.uniformSlots.push_back({source.program, -1, binding, 0});
    }
    for (u32 i = 0; i < a.uniformBlocks.size();) {
      const shader::Block& block = a.uniformBlocks[i];
      const u32 count = std::max(block.arraySize, 1u);
      u32 stages = 0;
      for (u32 e = 0; e < count && i + e < a.uniformBlocks.size(); ++e) stages |= a.uniformBlocks[i + e].stages;
      stages &= source.stages;
      if (stages != 0) {
        const u32 binding = add(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, count, stages);
        source.remaps.push_back({from(DescriptorSet::UniformBlocks), i, 0, binding});
        for (u32 e = 0; e < count; ++e)
          program.uniformSlots.push_back({source.program, static_cast<i32>(i + e), binding, e});
      }
      i += count;
    }
  }

  void samplers(Source& source) {
    const shader::Archive& a = source.program->archive;
    u32 flat = 0;
    for (u32 i = 0; i < a.samplers.size(); ++i) {
      const shader::Sampler& sampler = a.samplers[i];
      const shader::UniformTypeInfo& type = shader::uniformTypeInfo(sampler.type);
      const u32 stages = sampler.stages & source.stages;
      if (stages != 0) {
        const bool texels = type.dim == shader::TextureDim::Buffer;
        const u32 binding =
            add(1, texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                sampler.arraySize, stages);
        source.remaps.push_back({indexOf(DescriptorSet::Samplers), i, 1, binding});
        for (u32 e = 0; e < sampler.arraySize; ++e) {
          program.samplerSlots.push_back({source.program, flat + e, binding, e, type, pipelineStages(stages)});
        }
      }
      flat += sampler.arraySize;
    }
  }

  void storage(Source& source) {
    const shader::Archive& a = source.program->archive;
    for (u32 i = 0; i < a.storageBlocks.size();) {
      const shader::Block& block = a.storageBlocks[i];
      const u32 count = std::max(block.arraySize, 1u);
      u32 stages = 0;
      for (u32 e = 0; e < count && i + e < a.storageBlocks.size(); ++e) stages |= a.storageBlocks[i + e].stages;
      stages &= source.stages;
      if (stages != 0) {
        const u32 binding = add(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count, stages);
        source.remaps.push_back({indexOf(DescriptorSet::StorageBlocks), i, 2, binding});
        for (u32 e = 0; e < count; ++e) {
          program.storageSlots.push_back({StorageSlot::Kind::Block,
                                          source.program,
                                          i + e,
                                          binding,
                                          e,
                                          !block.readOnly,
                                          pipelineStages(stages),
                                          {}});
        }
      }
      i += count;
    }
    for (u32 i = 0; i < a.atomicBuffers.size(); ++i) {
      const u32 stages = a.atomicBuffers[i].stages & source.stages;
      if (stages == 0) continue;
      const u32 binding = add(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages);
      source.remaps.push_back({indexOf(DescriptorSet::AtomicBuffers), i, 2, binding});
      program.storageSlots.push_back(
          {StorageSlot::Kind::Atomic, source.program, i, binding, 0, true, pipelineStages(stages), {}});
    }
    u32 flat = 0;
    for (u32 i = 0; i < a.images.size(); ++i) {
      const shader::Image& image = a.images[i];
      const shader::UniformTypeInfo& type = shader::uniformTypeInfo(image.type);
      const u32 stages = image.stages & source.stages;
      if (stages != 0) {
        const bool texels = type.dim == shader::TextureDim::Buffer;
        const u32 binding = add(2, texels ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                image.arraySize, stages);
        source.remaps.push_back({indexOf(DescriptorSet::Images), i, 2, binding});
        for (u32 e = 0; e < image.arraySize; ++e) {
          program.storageSlots.push_back({StorageSlot::Kind::Image, source.program, flat + e, binding, e,
                                          !image.readOnly, pipelineStages(stages), type});
        }
      }
      flat += image.arraySize;
    }
  }

  std::vector<Source> build() {
    std::vector<Source> sources = sourcesOf(program);
    for (Source& source : sources) {
      uniforms(source);
      samplers(source);
      storage(source);
    }
    return sources;
  }
};

Program::~Program() {
  if (engine == nullptr) return;
  for (const auto& variant : variants) {
    for (VkShaderModule module : variant->modules) {
      engine->vk().vkDestroyShaderModule(engine->device->handle(), module, nullptr);
    }
    engine->pipelines->forget(variant->id);
  }
}

Programs::~Programs() {
  const VkDevice device = engine_.device->handle();
  for (const auto& layout : pipelineLayouts_) engine_.vk().vkDestroyPipelineLayout(device, layout->handle, nullptr);
  for (const auto& layout : setLayouts_) engine_.vk().vkDestroyDescriptorSetLayout(device, layout->handle, nullptr);
}

SetLayout* Programs::setLayout(std::vector<VkDescriptorSetLayoutBinding> bindings) {
  for (const auto& known : setLayouts_) {
    if (std::equal(known->bindings.begin(), known->bindings.end(), bindings.begin(), bindings.end(),
                   [](const VkDescriptorSetLayoutBinding& a, const VkDescriptorSetLayoutBinding& b) {
                     return a.binding == b.binding && a.descriptorType == b.descriptorType &&
                            a.descriptorCount == b.descriptorCount && a.stageFlags == b.stageFlags;
                   })) {
      return known.get();
    }
  }
  auto layout = std::make_unique<SetLayout>();
  layout->bindings = std::move(bindings);
  const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0,
                                             static_cast<u32>(layout->bindings.size()), layout->bindings.data()};
  if (engine_.vk().vkCreateDescriptorSetLayout(engine_.device->handle(), &info, nullptr, &layout->handle) !=
      VK_SUCCESS) {
    return nullptr;
  }
  setLayouts_.push_back(std::move(layout));
  return setLayouts_.back().get();
}

PipelineLayout* Programs::pipelineLayout(const std::array<SetLayout*, kSetCount>& sets) {
  for (const auto& known : pipelineLayouts_) {
    if (known->sets == sets) return known.get();
  }
  auto layout = std::make_unique<PipelineLayout>();
  layout->sets = sets;
  VkDescriptorSetLayout handles[kSetCount];
  for (u32 i = 0; i < kSetCount; ++i) {
    if (sets[i] == nullptr) return nullptr;
    handles[i] = sets[i]->handle;
  }
  const VkPushConstantRange range{VK_SHADER_STAGE_ALL_GRAPHICS, 0, shader::kDriverConstantsBytes};
  const VkPipelineLayoutCreateInfo info{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, kSetCount, handles, 1, &range};
  if (engine_.vk().vkCreatePipelineLayout(engine_.device->handle(), &info, nullptr, &layout->handle) != VK_SUCCESS)
    return nullptr;
  pipelineLayouts_.push_back(std::move(layout));
  return pipelineLayouts_.back().get();
}

void Programs::buildSlots(Program& program) {
  program.uniformSlots.clear();
  program.samplerSlots.clear();
  program.storageSlots.clear();
  SlotBuilder builder{program, {}, {}};
  const std::vector<Source> sources = builder.build();
  std::array<SetLayout*, kSetCount> sets{};
  for (u32 i = 0; i < kSetCount; ++i) sets[i] = setLayout(std::move(builder.bindings[i]));
  program.layout = pipelineLayout(sets);

  program.sources = {};
  program.stagesPresent = 0;
  program.attributeMask = 0;
  program.clipDistances = 0;
  program.usesPointCoord = program.usesFragCoord = program.originUpperLeft = program.pixelCenterInteger = false;
  program.fragColorBroadcast = program.writesViewportIndex = program.dualSource = false;
  program.shaderStages = 0;
  for (const Source& source : sources) {
    const shader::Archive& a = source.program->archive;
    program.stagesPresent |= source.stages;
    program.shaderStages |= pipelineStages(source.stages);
    for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
      if ((source.stages >> i) & 1) program.sources[i] = source.program;
    }
    if ((source.stages & 1) != 0) {
      program.attributeMask = a.attributeMask;
      for (const shader::InterfaceVariable& input : a.inputs) {
        if (input.location < 0) continue;
        const shader::UniformTypeInfo& type = shader::uniformTypeInfo(input.type);
        for (u32 c = 0; c < type.columns * input.arraySize; ++c) {
          const u32 location = static_cast<u32>(input.location) + c;
          if (location < program.attributeKinds.size()) program.attributeKinds[location] = type.scalar;
        }
      }
    }
    if ((source.stages >> indexOf(pipe::Stage::Fragment)) & 1) {
      program.usesPointCoord = a.usesPointCoord;
      program.usesFragCoord = a.usesFragCoord;
      program.originUpperLeft = a.originUpperLeft;
      program.pixelCenterInteger = a.pixelCenterInteger;
      program.fragColorBroadcast = a.fragColorBroadcast;
      program.dualSource = a.dualSource;
    }
    if ((source.stages & ~(1u << indexOf(pipe::Stage::Fragment))) != 0) {
      program.clipDistances = std::max(program.clipDistances, a.clipDistances);
      program.writesViewportIndex |= a.writesViewportIndex;
    }
  }
}

bool Programs::prepare(Program& program) {
  if (program.builtSerial == program.serial) return program.layout != nullptr;
  program.engine = &engine_;
  for (const auto& variant : program.variants) {
    for (VkShaderModule module : variant->modules) {
      engine_.vk().vkDestroyShaderModule(engine_.device->handle(), module, nullptr);
    }
    engine_.pipelines->forget(variant->id);
  }
  program.variants.clear();
  program.uniformBatch = 0;
  buildSlots(program);
  program.builtSerial = program.serial;
  return program.layout != nullptr;
}

Variant* Programs::variant(Program& program, const VariantKey& key) {
  for (const auto& known : program.variants) {
    if (known->key == key) return known->failed ? nullptr : known.get();
  }
  program.variants.push_back(std::make_unique<Variant>());
  Variant& variant = *program.variants.back();
  variant.key = key;
  variant.id = nextId_++;

  // The slots are there already: the builder only says again where things go.
  Program scratch;
  scratch.pipeline = program.pipeline;
  SlotBuilder builder{scratch, {}, {}};
  std::vector<Source> sources = sourcesOf(program);
  for (Source& source : sources) {
    builder.uniforms(source);
    builder.samplers(source);
    builder.storage(source);
  }
  u32 last = indexOf(pipe::Stage::Vertex);
  for (u32 i : {indexOf(pipe::Stage::TessEvaluation), indexOf(pipe::Stage::Geometry)}) {
    if ((program.stagesPresent >> i) & 1) last = i;
  }
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    Program* source = program.sources[i];
    if (source == nullptr) continue;
    const auto at =
        std::find_if(sources.begin(), sources.end(), [source](const Source& s) { return s.program == source; });
    shader::TranslateInput input;
    input.spirv = source->spirv[i];
    input.stage = static_cast<shader::Stage>(i);
    input.bindings = at->remaps;
    if (i == indexOf(pipe::Stage::Fragment)) {
      input.transformWindow = program.usesPointCoord || program.originUpperLeft || program.pixelCenterInteger;
      input.broadcastOutputs = key.broadcast;
    }
    if (i == last) {
      input.convertClipDepth = key.convertClipDepth;
      input.writePointSize = key.points;
      input.maskClipDistances = source->archive.clipDistances != 0;
    }
    shader::TranslateResult result = shader::translate(input);
    countHeld(Counter::Translations);
    if (result.ok()) {
      const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                          result.spirv.size() * sizeof(u32), result.spirv.data()};
      if (engine_.vk().vkCreateShaderModule(engine_.device->handle(), &info, nullptr, &variant.modules[i]) !=
          VK_SUCCESS) {
        result.error = "the driver refuses the module";
      }
    }
    if (!result.ok()) {
      variant.failed = true;
      const std::string text = "a shader cannot be used on this device: " + result.error;
      MGL_LOGW("%s", text.c_str());
      engine_.device->sink().log(pipe::DebugSeverity::High, text);
      return nullptr;
    }
    variant.driverConstants |= result.usesDriverConstants;
  }
  return &variant;
}

}  // namespace mgl::magma
