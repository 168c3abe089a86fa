// The draws of our own: pipelines, their shaders, and one quad.
#include <cstring>

#include "backend/magma/blit.h"
#include "backend/magma/query.h"
#include "base/counters.h"
#include "shaders/blit_depth_frag.h"
#include "shaders/blit_float_frag.h"
#include "shaders/blit_int_frag.h"
#include "shaders/blit_ms_depth_frag.h"
#include "shaders/blit_ms_float_frag.h"
#include "shaders/blit_ms_int_frag.h"
#include "shaders/blit_ms_stencil_frag.h"
#include "shaders/blit_ms_uint_frag.h"
#include "shaders/blit_stencil_frag.h"
#include "shaders/blit_uint_frag.h"
#include "shaders/clear_float_frag.h"
#include "shaders/clear_int_frag.h"
#include "shaders/clear_uint_frag.h"
#include "shaders/quad_vert.h"

namespace mgl::magma {

Blitter::~Blitter() {
  const VkDevice device = engine_.device->handle();
  const VolkDeviceTable& vk = engine_.vk();
  for (auto& [key, handle] : pipelines_) vk.vkDestroyPipeline(device, handle, nullptr);
  for (VkShaderModule handle : modules_) vk.vkDestroyShaderModule(device, handle, nullptr);
  vk.vkDestroyShaderModule(device, vertex_, nullptr);
  vk.vkDestroySampler(device, nearest_, nullptr);
  vk.vkDestroySampler(device, linear_, nullptr);
  vk.vkDestroyPipelineLayout(device, layout_, nullptr);
  vk.vkDestroyDescriptorSetLayout(device, setLayout_, nullptr);
}

namespace {

VkShaderModule makeModule(const Engine& engine, std::span<const u32> words) {
  const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size_bytes(),
                                      words.data()};
  VkShaderModule handle = VK_NULL_HANDLE;
  engine.vk().vkCreateShaderModule(engine.device->handle(), &info, nullptr, &handle);
  return handle;
}

VkSampler makeSampler(const Engine& engine, VkFilter filter) {
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.magFilter = info.minFilter = filter;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler handle = VK_NULL_HANDLE;
  engine.vk().vkCreateSampler(engine.device->handle(), &info, nullptr, &handle);
  return handle;
}

}  // namespace

VkShaderModule Blitter::module(Shader shader) {
  VkShaderModule& handle = modules_[indexOf(shader)];
  if (handle != VK_NULL_HANDLE) return handle;
  const std::span<const u32> words[] = {
      k_blit_float_frag,    k_blit_int_frag,    k_blit_uint_frag,    k_blit_depth_frag,    k_blit_stencil_frag,
      k_blit_ms_float_frag, k_blit_ms_int_frag, k_blit_ms_uint_frag, k_blit_ms_depth_frag, k_blit_ms_stencil_frag,
      k_clear_float_frag,   k_clear_int_frag,   k_clear_uint_frag};
  static_assert(std::size(words) == countOf<Shader>());
  return handle = makeModule(engine_, words[indexOf(shader)]);
}

bool Blitter::makeShared() {
  if (layout_ != VK_NULL_HANDLE) return true;
  const VkDevice device = engine_.device->handle();
  vertex_ = makeModule(engine_, k_quad_vert);
  nearest_ = makeSampler(engine_, VK_FILTER_NEAREST);
  linear_ = makeSampler(engine_, VK_FILTER_LINEAR);
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                             VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
  const VkDescriptorSetLayoutCreateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1,
                                                &binding};
  engine_.vk().vkCreateDescriptorSetLayout(device, &setInfo, nullptr, &setLayout_);
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
  const VkPipelineLayoutCreateInfo info{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &setLayout_, 1, &range};
  return engine_.vk().vkCreatePipelineLayout(device, &info, nullptr, &layout_) == VK_SUCCESS;
}

VkPipeline Blitter::pipeline(const Key& key) {
  for (const auto& [known, handle] : pipelines_) {
    if (known == key) return handle;
  }
  VkPipelineShaderStageCreateInfo stages[2] = {};
  for (u32 i = 0; i < 2; ++i) {
    stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[i].module = i == 0 ? vertex_ : module(key.shader);
    stages[i].pName = "main";
  }
  const VkPipelineVertexInputStateCreateInfo vertexInput{
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, nullptr, 0, 0, nullptr, 0, nullptr};
  const VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                        nullptr, 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_FALSE};
  const VkPipelineViewportStateCreateInfo viewport{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, nullptr, 1, nullptr};
  VkPipelineRasterizationStateCreateInfo raster{};
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo multisample{};
  multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  multisample.rasterizationSamples = sampleCount(key.samples);
  VkPipelineDepthStencilStateCreateInfo depthStencil{};
  depthStencil.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depthStencil.depthTestEnable = depthStencil.depthWriteEnable = key.depth != VK_FORMAT_UNDEFINED;
  depthStencil.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  depthStencil.stencilTestEnable = key.stencil != VK_FORMAT_UNDEFINED;
  depthStencil.front = {VK_STENCIL_OP_REPLACE,
                        VK_STENCIL_OP_REPLACE,
                        VK_STENCIL_OP_REPLACE,
                        VK_COMPARE_OP_ALWAYS,
                        0xff,
                        key.stencilMask,
                        0};
  depthStencil.back = depthStencil.front;
  VkPipelineColorBlendAttachmentState attachment{};
  attachment.colorWriteMask = key.writeMask;
  const bool color = key.color != VK_FORMAT_UNDEFINED;
  const VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                  nullptr,
                                                  0,
                                                  VK_FALSE,
                                                  VK_LOGIC_OP_COPY,
                                                  color ? 1u : 0u,
                                                  &attachment,
                                                  {}};
  const VkDynamicState dynamics[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                     VK_DYNAMIC_STATE_STENCIL_REFERENCE};
  const VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0,
                                                 std::size(dynamics), dynamics};
  const VkPipelineRenderingCreateInfoKHR rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO_KHR,
                                                   nullptr,
                                                   0,
                                                   color ? 1u : 0u,
                                                   &key.color,
                                                   key.depth,
                                                   key.stencil};
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  if (RenderPasses* passes = engine_.device->renderPasses(); passes != nullptr) {
    PassFormats formats;
    formats.colorCount = color ? 1 : 0;
    formats.color[0] = static_cast<u32>(key.color);
    formats.depthStencil = static_cast<u32>(key.depth != VK_FORMAT_UNDEFINED ? key.depth : key.stencil);
    formats.samples = key.samples;
    info.renderPass = passes->compatible(formats);
    if (info.renderPass == VK_NULL_HANDLE) return VK_NULL_HANDLE;
  } else {
    info.pNext = &rendering;
  }
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depthStencil;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = layout_;
  VkPipeline handle = VK_NULL_HANDLE;
  if (engine_.vk().vkCreateGraphicsPipelines(engine_.device->handle(), VK_NULL_HANDLE, 1, &info, nullptr, &handle) !=
      VK_SUCCESS) {
    return VK_NULL_HANDLE;
  }
  countHeld(Counter::PipelinesCreated);
  pipelines_.emplace_back(key, handle);
  return handle;
}

void Blitter::drawQuad(const Target& target, const Key& key, VkImageView source, VkImageLayout layout, bool linear,
                       const VkRect2D& viewport, const VkRect2D& clip, const Push& push, u32 stencilReference) {
  if (!makeShared()) return engine_.decline("a blit: its pipeline layout");
  const VkPipeline handle = pipeline(key);
  if (handle == VK_NULL_HANDLE) return engine_.decline("a blit: its pipeline");
  const VolkDeviceTable& vk = engine_.vk();
  // Queries count the program's fragments, not these.
  if (!engine_.passes->open(target)) return;
  engine_.passes->pauseQueries(true);
  const VkCommandBuffer commands = engine_.recorder.main();
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, handle);
  if (source != VK_NULL_HANDLE) {
    const VkDescriptorSet set = engine_.recorder.allocateSet(setLayout_);
    const VkDescriptorImageInfo image{linear ? linear_ : nearest_, source, layout};
    const VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,    nullptr, set,     0,      0, 1,
                                     VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, &image,  nullptr, nullptr};
    vk.vkUpdateDescriptorSets(engine_.device->handle(), 1, &write, 0, nullptr);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set, 0, nullptr);
  }
  vk.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof push,
                        &push);
  const VkViewport area{static_cast<f32>(viewport.offset.x),
                        static_cast<f32>(viewport.offset.y),
                        static_cast<f32>(viewport.extent.width),
                        static_cast<f32>(viewport.extent.height),
                        0,
                        1};
  vk.vkCmdSetViewport(commands, 0, 1, &area);
  vk.vkCmdSetScissor(commands, 0, 1, &clip);
  if (key.stencil != VK_FORMAT_UNDEFINED) {
    vk.vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, stencilReference);
  } else {
    vk.vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
  }
  {
    const Predicate predicate(engine_);
    vk.vkCmdDraw(commands, 3, 1, 0, 0);
  }
  engine_.passes->pauseQueries(false);
  engine_.epoch.move(EpochWriter::OwnDraw);
  ++engine_.commandState;
}

void Blitter::maskedClear(const TargetAttachment& attachment, bool stencil, u32 mask, const VkClearValue& value,
                          pipe::ClearKind kind, u32 stencilReference, const VkRect2D& rect) {
  Key key;
  key.samples = static_cast<u8>(attachment.image->shape().samples);
  key.shader = kind == pipe::ClearKind::Int    ? Shader::ClearInt
               : kind == pipe::ClearKind::Uint ? Shader::ClearUint
                                               : Shader::ClearFloat;
  Push push{};
  if (stencil) {
    key.stencil = attachment.format;
    key.stencilMask = static_cast<u8>(mask);
  } else {
    key.color = attachment.format;
    key.writeMask = static_cast<u8>(mask);
    std::memcpy(push.extra, &value.color, sizeof push.extra);
  }
  for (u32 layer = 0; layer < attachment.layers; ++layer) {
    Target target;
    TargetAttachment one = attachment;
    one.layer += layer;
    one.layers = 1;
    target.width = attachment.image->width(attachment.level);
    target.height = attachment.image->height(attachment.level);
    target.samples = attachment.image->shape().samples;
    if (stencil) {
      target.stencil = one;
    } else {
      target.color[0] = one;
      target.colorCount = 1;
    }
    drawQuad(target, key, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED, false, rect, rect, push, stencilReference);
  }
}

}  // namespace mgl::magma
