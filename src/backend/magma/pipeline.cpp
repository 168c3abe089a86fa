#include "backend/magma/pipeline.h"

#include <cstring>

#include "base/counters.h"
#include "base/hash.h"

namespace mgl::magma {

bool VertexLayout::same(const VertexLayout& other) const {
  return bindingCount == other.bindingCount && attributeCount == other.attributeCount &&
         std::memcmp(bindings.data(), other.bindings.data(), bindingCount * sizeof(Binding)) == 0 &&
         std::memcmp(attributes.data(), other.attributes.data(), attributeCount * sizeof(Attribute)) == 0;
}

u64 VertexLayout::hash() const {
  return hashCombine(hashBytes(bindings.data(), bindingCount * sizeof(Binding)),
                     hashBytes(attributes.data(), attributeCount * sizeof(Attribute)));
}

PipelineCache::PipelineCache(Engine& engine, bool onDisk) : engine_(engine), onDisk_(onDisk) {
  const VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, nullptr, 0, 0, nullptr};
  engine.vk().vkCreatePipelineCache(engine.device->handle(), &info, nullptr, &cache_);
  const HostFeatures& f = engine.features();
  const auto dynamic = [this](VkDynamicState state, bool on = true) {
    if (on) dynamics_.push_back(state);
  };
  dynamic(VK_DYNAMIC_STATE_LINE_WIDTH);
  dynamic(VK_DYNAMIC_STATE_DEPTH_BIAS);
  dynamic(VK_DYNAMIC_STATE_BLEND_CONSTANTS);
  dynamic(VK_DYNAMIC_STATE_DEPTH_BOUNDS);
  dynamic(VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK);
  dynamic(VK_DYNAMIC_STATE_STENCIL_WRITE_MASK);
  dynamic(VK_DYNAMIC_STATE_STENCIL_REFERENCE);
  dynamic(f.dynamicState1 ? VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT_EXT : VK_DYNAMIC_STATE_VIEWPORT);
  dynamic(f.dynamicState1 ? VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT_EXT : VK_DYNAMIC_STATE_SCISSOR);
  dynamic(VK_DYNAMIC_STATE_CULL_MODE_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_FRONT_FACE_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_DEPTH_COMPARE_OP_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_STENCIL_OP_EXT, f.dynamicState1);
  dynamic(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE_EXT, f.dynamicState2);
  dynamic(VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE_EXT, f.dynamicState2);
  dynamic(VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE_EXT, f.dynamicState2);
  dynamic(VK_DYNAMIC_STATE_LOGIC_OP_EXT, f.dynamicLogicOp);
  dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, f.vertexInputDynamic);
  dynamic(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, f.dynamicDepthClamp);
  dynamic(VK_DYNAMIC_STATE_POLYGON_MODE_EXT, f.dynamicPolygonMode);
  dynamic(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, f.dynamicSampleMask);
  dynamic(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, f.dynamicAlphaToCoverage);
  dynamic(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, f.dynamicAlphaToOne && f.core.alphaToOne);
  dynamic(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, f.dynamicLogicOpEnable);
  dynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, f.dynamicBlendEnable);
  dynamic(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, f.dynamicBlendEquation);
  dynamic(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, f.dynamicWriteMask);
  dynamic(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, f.dynamicProvokingVertex && f.provokingVertex);
  dynamic(VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, f.dynamicNegativeOneToOne && f.depthClipControl);
  dynamic(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, f.dynamicLineMode && f.lineRasterization);
}

PipelineCache::~PipelineCache() {
  const VkDevice device = engine_.device->handle();
  for (auto& [hash, row] : rows_) engine_.vk().vkDestroyPipeline(device, row.handle, nullptr);
  engine_.vk().vkDestroyPipelineCache(device, cache_, nullptr);
}

VkPrimitiveTopology PipelineCache::classOf(VkPrimitiveTopology topology) {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    default:
      return topology;
  }
}

FixedState PipelineCache::staticPart(const FixedState& fixed) const {
  const HostFeatures& f = engine_.features();
  FixedState s = fixed;
  if (f.dynamicState1) {
    s.topology = static_cast<u8>(classOf(static_cast<VkPrimitiveTopology>(s.topology)));
    s.cull = s.frontFace = s.depthTest = s.depthWrite = s.depthCompare = s.depthBounds = s.stencilTest = 0;
    s.stencil = {};
    s.viewports = 1;
  }
  if (f.dynamicState2) {
    s.discard = s.depthBias = s.restart = 0;
  }
  if (f.dynamicLogicOp) s.logicOp = 0;
  if (f.dynamicDepthClamp) s.depthClamp = 0;
  if (f.dynamicPolygonMode) s.polygonMode = 0;
  if (f.dynamicSampleMask) s.sampleMask = 0;
  if (f.dynamicAlphaToCoverage) s.alphaToCoverage = 0;
  if (f.dynamicAlphaToOne) s.alphaToOne = 0;
  if (f.dynamicLogicOpEnable) s.logicOpEnable = 0;
  if (f.dynamicWriteMask) s.blend = {};
  if (f.dynamicProvokingVertex) s.provokingLast = 0;
  if (f.dynamicNegativeOneToOne) s.negativeOneToOne = 0;
  if (f.dynamicLineMode) s.lineMode = 0;
  return s;
}

VkPipeline PipelineCache::get(const Program& program, const Variant& variant, const FixedState& fixed,
                              const Target& target, const VertexLayout& vertices) {
  PipelineKey key;
  key.variant = variant.id;
  key.vertexHash = engine_.features().vertexInputDynamic ? 0 : vertices.hash();
  for (u32 i = 0; i < target.colorCount; ++i) key.colorFormats[i] = static_cast<u32>(target.color[i].format);
  key.colorCount = target.colorCount;
  if (target.depth.image != nullptr) key.depthFormat = static_cast<u32>(target.depth.format);
  if (target.stencil.image != nullptr) key.stencilFormat = static_cast<u32>(target.stencil.format);
  key.fixed = staticPart(fixed);
  if (last_ != nullptr && std::memcmp(&last_->key, &key, sizeof key) == 0) {
    countHeld(Counter::PipelineHits);
    last_->lastUse = engine_.recorder.serial();
    return last_->handle;
  }
  const u64 hash = hashBytes(&key, sizeof key);
  const auto [begin, end] = rows_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (std::memcmp(&at->second.key, &key, sizeof key) != 0) continue;
    countHeld(Counter::PipelineHits);
    last_ = &at->second;
    last_->lastUse = engine_.recorder.serial();
    return last_->handle;
  }
  Row row{key, make(program, variant, fixed, target, vertices), engine_.recorder.serial()};
  countHeld(Counter::PipelinesCreated);
  last_ = &rows_.emplace(hash, row)->second;
  return row.handle;
}

void PipelineCache::forget(u64 variant) {
  for (auto at = rows_.begin(); at != rows_.end();) {
    if (at->second.key.variant != variant) {
      ++at;
      continue;
    }
    if (last_ == &at->second) last_ = nullptr;
    engine_.device->retire(at->second.lastUse, at->second.handle);
    at = rows_.erase(at);
  }
}

VkPipeline PipelineCache::make(const Program& program, const Variant& variant, const FixedState& fixed,
                               const Target& target, const VertexLayout& vertices) {
  const HostFeatures& f = engine_.features();
  VkPipelineShaderStageCreateInfo stages[countOf<pipe::Stage>()] = {};
  u32 stageCount = 0;
  for (u32 i = 0; i < countOf<pipe::Stage>(); ++i) {
    if (variant.modules[i] == VK_NULL_HANDLE || i == indexOf(pipe::Stage::Compute)) continue;
    VkPipelineShaderStageCreateInfo& stage = stages[stageCount++];
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.stage = stageBit(static_cast<pipe::Stage>(i));
    stage.module = variant.modules[i];
    stage.pName = "main";
  }
  VkVertexInputBindingDescription bindings[kMaxVertexSlots];
  VkVertexInputBindingDivisorDescriptionEXT divisors[kMaxVertexSlots];
  VkVertexInputAttributeDescription attributes[pipe::kMaxVertexAttribs];
  u32 divisorCount = 0;
  for (u32 i = 0; i < vertices.bindingCount; ++i) {
    const VertexLayout::Binding& b = vertices.bindings[i];
    bindings[i] = {b.slot, b.stride, b.divisor != 0 ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
    if (b.divisor > 1) divisors[divisorCount++] = {b.slot, b.divisor};
  }
  for (u32 i = 0; i < vertices.attributeCount; ++i) {
    const VertexLayout::Attribute& a = vertices.attributes[i];
    attributes[i] = {a.location, a.slot, static_cast<VkFormat>(a.format), a.offset};
  }
  const VkPipelineVertexInputDivisorStateCreateInfoEXT divisorInfo{
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT, nullptr, divisorCount, divisors};
  const VkPipelineVertexInputStateCreateInfo vertexInput{
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      divisorCount != 0 && f.attributeDivisor ? &divisorInfo : nullptr,
      0,
      vertices.bindingCount,
      bindings,
      vertices.attributeCount,
      attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                        nullptr, 0, static_cast<VkPrimitiveTopology>(fixed.topology),
                                                        f.dynamicState2 ? VK_FALSE : VkBool32{fixed.restart}};
  const VkPipelineTessellationStateCreateInfo tessellation{VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                           nullptr, 0, std::max<u32>(fixed.patchPoints, 1)};
  const VkPipelineViewportDepthClipControlCreateInfoEXT clip{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, nullptr, fixed.negativeOneToOne};
  const u32 viewportCount = f.dynamicState1 ? 0 : fixed.viewports;
  const VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                   f.depthClipControl ? &clip : nullptr,
                                                   0,
                                                   viewportCount,
                                                   nullptr,
                                                   viewportCount,
                                                   nullptr};
  VkPipelineRasterizationStateCreateInfo raster{};
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster.depthClampEnable = fixed.depthClamp;
  raster.rasterizerDiscardEnable = f.dynamicState2 ? VK_FALSE : VkBool32{fixed.discard};
  raster.polygonMode = static_cast<VkPolygonMode>(fixed.polygonMode);
  raster.cullMode = fixed.cull;
  raster.frontFace = static_cast<VkFrontFace>(fixed.frontFace);
  raster.depthBiasEnable = fixed.depthBias;
  raster.lineWidth = 1;
  VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking{
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT, nullptr,
      fixed.provokingLast ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT};
  if (f.provokingVertex) {
    provoking.pNext = raster.pNext;
    raster.pNext = &provoking;
  }
  VkPipelineRasterizationLineStateCreateInfoEXT lines{
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
      nullptr,
      static_cast<VkLineRasterizationModeEXT>(fixed.lineMode),
      VK_FALSE,
      1,
      0xffff};
  if (f.lineRasterization) {
    lines.pNext = raster.pNext;
    raster.pNext = &lines;
  }
  VkPipelineMultisampleStateCreateInfo multisample{};
  multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  multisample.rasterizationSamples = sampleCount(fixed.samples);
  multisample.sampleShadingEnable = fixed.sampleShading && f.core.sampleRateShading;
  multisample.minSampleShading = fixed.minSampleShading;
  multisample.pSampleMask = f.dynamicSampleMask ? nullptr : &fixed.sampleMask;
  multisample.alphaToCoverageEnable = fixed.alphaToCoverage;
  multisample.alphaToOneEnable = fixed.alphaToOne && f.core.alphaToOne;
  VkPipelineDepthStencilStateCreateInfo depthStencil{};
  depthStencil.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depthStencil.depthTestEnable = fixed.depthTest;
  depthStencil.depthWriteEnable = fixed.depthWrite;
  depthStencil.depthCompareOp = static_cast<VkCompareOp>(fixed.depthCompare);
  depthStencil.depthBoundsTestEnable = fixed.depthBounds;
  depthStencil.stencilTestEnable = fixed.stencilTest;
  const auto face = [](const StencilOps& ops) {
    return VkStencilOpState{static_cast<VkStencilOp>(ops.fail),
                            static_cast<VkStencilOp>(ops.pass),
                            static_cast<VkStencilOp>(ops.depthFail),
                            static_cast<VkCompareOp>(ops.compare),
                            0,
                            0,
                            0};
  };
  depthStencil.front = face(fixed.stencil[0]);
  depthStencil.back = face(fixed.stencil[1]);
  VkPipelineColorBlendAttachmentState attachments[pipe::kMaxColorTargets] = {};
  VkFormat formats[pipe::kMaxColorTargets] = {};
  for (u32 i = 0; i < target.colorCount; ++i) {
    const BlendAttachment& b = fixed.blend[i];
    attachments[i] = {b.enable,
                      static_cast<VkBlendFactor>(b.srcColor),
                      static_cast<VkBlendFactor>(b.dstColor),
                      static_cast<VkBlendOp>(b.colorOp),
                      static_cast<VkBlendFactor>(b.srcAlpha),
                      static_cast<VkBlendFactor>(b.dstAlpha),
                      static_cast<VkBlendOp>(b.alphaOp),
                      b.writeMask};
    formats[i] = target.color[i].format;
  }
  const VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                  nullptr,
                                                  0,
                                                  fixed.logicOpEnable,
                                                  static_cast<VkLogicOp>(fixed.logicOp),
                                                  target.colorCount,
                                                  attachments,
                                                  {}};
  const VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0,
                                                 static_cast<u32>(dynamics_.size()), dynamics_.data()};
  const VkPipelineRenderingCreateInfoKHR rendering{
      VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO_KHR,
      nullptr,
      0,
      target.colorCount,
      formats,
      target.depth.image != nullptr ? target.depth.format : VK_FORMAT_UNDEFINED,
      target.stencil.image != nullptr ? target.stencil.format : VK_FORMAT_UNDEFINED};
  const bool tessellated = variant.modules[indexOf(pipe::Stage::TessEvaluation)] != VK_NULL_HANDLE;
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  if (RenderPasses* passes = engine_.device->renderPasses(); passes != nullptr) {
    info.renderPass = passes->compatible(target.formats());
    if (info.renderPass == VK_NULL_HANDLE) {
      engine_.decline("a draw: the driver refuses its render pass");
      return VK_NULL_HANDLE;
    }
  } else {
    info.pNext = &rendering;
  }
  info.stageCount = stageCount;
  info.pStages = stages;
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &assembly;
  info.pTessellationState = tessellated ? &tessellation : nullptr;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depthStencil;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = program.layout->handle;
  VkPipeline handle = VK_NULL_HANDLE;
  const VkResult result =
      engine_.vk().vkCreateGraphicsPipelines(engine_.device->handle(), cache_, 1, &info, nullptr, &handle);
  if (result != VK_SUCCESS) {
    engine_.decline(std::string("a draw: the driver refuses its pipeline (") + resultName(result) + ")");
    return VK_NULL_HANDLE;
  }
  return handle;
}

}  // namespace mgl::magma
