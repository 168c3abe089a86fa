// State: from the applied state to Vulkan's terms, and from there into the command buffer where it differs.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "backend/magma/draw.h"

namespace mgl::magma {

const pipe::RenderState& defaultRenderState() {
  static const pipe::RenderState state = [] {
    pipe::RenderState s{};
    for (pipe::BlendTarget& target : s.blend) {
      target.srcColor = target.srcAlpha = pipe::BlendFactor::One;
      target.writeMask = 15;
    }
    for (pipe::StencilFace& face : s.stencil) {
      face.func = pipe::CompareOp::Always;
      face.readMask = face.writeMask = 0xff;
    }
    s.depthWrite = 1;
    s.depthFunc = pipe::CompareOp::Less;
    s.logicOp = pipe::LogicOp::Copy;
    s.multisample = 1;
    return s;
  }();
  return state;
}

namespace {

bool isLines(VkPrimitiveTopology topology) {
  return topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST || topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
         topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
         topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
}

u32 coverageMask(const pipe::RenderState& s, const pipe::RasterValues& raster, u32 samples) {
  u32 mask = ~0u;
  if (s.sampleCoverage && samples > 1) {
    const u32 covered =
        static_cast<u32>(std::lround(std::clamp(raster.coverageValue, 0.0f, 1.0f) * static_cast<f32>(samples)));
    mask = covered >= 32 ? ~0u : (1u << covered) - 1;
    if (raster.coverageInvert) mask = ~mask;
  }
  if (s.sampleMask && samples > 1) mask &= raster.sampleMask;
  return mask;
}

}  // namespace

void Drawer::fillFixed(const backend::ContextState& context, const Program& program, VkPrimitiveTopology topology,
                       bool restart) {
  const HostFeatures& f = engine_.features();
  const pipe::RenderState& s = context.renderState ? context.renderState->state : defaultRenderState();
  FixedState& out = fixed_;
  out = {};
  out.topology = static_cast<u8>(topology);
  out.samples = static_cast<u8>(target_.samples);
  out.restart = restart;
  out.patchPoints = static_cast<u8>(std::clamp(context.patch.vertices, 1u, 32u));
  out.cull = static_cast<u8>(cullMode(s.cullMode));
  // Rows are stored from the bottom, so what is counter-clockwise to GL is clockwise to Vulkan; an upper-left clip
  // origin turns the picture, and with it this, over.
  const bool clockwise =
      (s.frontFace == pipe::Winding::CounterClockwise) == (s.clipOrigin == pipe::ClipOrigin::LowerLeft);
  out.frontFace = clockwise ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
  out.depthTest = s.depthTest && target_.depth.image != nullptr;
  out.depthWrite = out.depthTest && s.depthWrite;
  out.depthCompare = static_cast<u8>(compareOp(s.depthFunc));
  out.depthBounds = s.depthBoundsTest && f.core.depthBounds;
  out.stencilTest = s.stencilTest && target_.stencil.image != nullptr;
  for (u32 i = 0; i < 2; ++i) {
    out.stencil[i] = {static_cast<u8>(stencilOp(s.stencil[i].fail)), static_cast<u8>(stencilOp(s.stencil[i].pass)),
                      static_cast<u8>(stencilOp(s.stencil[i].depthFail)),
                      static_cast<u8>(compareOp(s.stencil[i].func))};
  }
  out.discard = s.rasterizerDiscard;
  const bool lines = isLines(topology) || s.polygonFront == pipe::PolygonMode::Line;
  const bool pointed = topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  if (!pointed && !isLines(topology)) {
    out.depthBias = s.polygonFront == pipe::PolygonMode::Fill   ? s.offsetFill
                    : s.polygonFront == pipe::PolygonMode::Line ? s.offsetLine
                                                                : s.offsetPoint;
  }
  out.depthClamp = s.depthClamp && f.core.depthClamp;
  out.polygonMode = static_cast<u8>(f.core.fillModeNonSolid ? polygonMode(s.polygonFront) : VK_POLYGON_MODE_FILL);
  out.sampleMask = coverageMask(s, context.raster, target_.samples);
  out.alphaToCoverage = s.alphaToCoverage && target_.samples > 1;
  out.alphaToOne = s.alphaToOne && f.core.alphaToOne && target_.samples > 1;
  out.sampleShading = s.sampleShading && target_.samples > 1;
  out.minSampleShading = out.sampleShading ? context.raster.minSampleShading : 0.0f;
  if (s.provokingVertex == pipe::ProvokingVertex::Last && !f.provokingVertex)
    engine_.approximate("flat varyings: the device takes them from a primitive's first vertex");
  out.provokingLast = s.provokingVertex == pipe::ProvokingVertex::Last && f.provokingVertex;
  out.negativeOneToOne = s.clipDepth == pipe::ClipDepth::NegativeOneToOne;
  out.lineMode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
  const bool plainCoverage = !out.alphaToCoverage && !out.alphaToOne && !out.sampleShading;
  if (lines && plainCoverage && f.lineRasterization) {
    if (s.lineSmooth && f.smoothLines) {
      out.lineMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT;
    } else if (target_.samples > 1 || (s.lineSmooth && !f.bresenhamLines)) {
      if (f.rectangularLines) out.lineMode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT;
    } else if (f.bresenhamLines) {
      out.lineMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
    }
  }
  out.logicOpEnable = s.logicOpEnable && f.core.logicOp;
  out.logicOp = static_cast<u8>(logicOp(s.logicOp));
  for (u32 i = 0; i < target_.colorCount; ++i) {
    const pipe::BlendTarget& b = s.blend[i];
    const TargetAttachment& attachment = target_.color[i];
    BlendAttachment& to = out.blend[i];
    const format::FormatInfo& info = format::formatInfo(attachment.named);
    const u8 mask = attachment.opaque ? b.writeMask & 7 : b.writeMask;
    to.writeMask = attachment.image == nullptr ? 0 : mask;
    if (!b.enable || info.isInteger() || out.logicOpEnable) continue;
    // A target without alpha has destination alpha 1, whatever the host's wider format holds there.
    const auto factor = [&attachment](pipe::BlendFactor given, bool alpha) {
      if (attachment.opaque && given == pipe::BlendFactor::DstAlpha) given = pipe::BlendFactor::One;
      if (attachment.opaque && given == pipe::BlendFactor::OneMinusDstAlpha) given = pipe::BlendFactor::Zero;
      if (attachment.opaque && !alpha && given == pipe::BlendFactor::SrcAlphaSaturate) given = pipe::BlendFactor::Zero;
      return static_cast<u8>(blendFactor(given));
    };
    to.enable = 1;
    to.srcColor = factor(b.srcColor, false);
    to.dstColor = factor(b.dstColor, false);
    to.colorOp = static_cast<u8>(blendOp(b.colorOp));
    to.srcAlpha = factor(b.srcAlpha, true);
    to.dstAlpha = factor(b.dstAlpha, true);
    to.alphaOp = static_cast<u8>(blendOp(b.alphaOp));
  }
  (void)program;
}

void Drawer::emitState(const backend::ContextState& context, const Program& program, const Variant& variant) {
  if (bound_.commandState != engine_.commandState) {
    bound_ = {};
    bound_.commandState = engine_.commandState;
  }
  const VkPipeline pipeline = engine_.pipelines->get(program, variant, fixed_, target_, vertices_);
  if (pipeline == VK_NULL_HANDLE) {
    bound_.pipeline = VK_NULL_HANDLE;
    return;
  }
  if (bound_.pipeline != pipeline) {
    engine_.vk().vkCmdBindPipeline(engine_.recorder.main(), VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    bound_.pipeline = pipeline;
  }
  emitFixed(fixed_);
  emitValues(context);
  emitVertices();
  bindDescriptors(program);
  if (variant.driverConstants) emitConstants(context, program);
}

void Drawer::emitFixed(const FixedState& next) {
  const HostFeatures& f = engine_.features();
  const VolkDeviceTable& vk = engine_.vk();
  const VkCommandBuffer c = engine_.recorder.main();
  const FixedState& had = bound_.fixed;
  const bool all = !bound_.fixedSet;
  if (!all && std::memcmp(&had, &next, sizeof next) == 0) return;
  const auto differs = [&](auto member) { return all || had.*member != next.*member; };
  using F = FixedState;
  if (f.dynamicState1) {
    if (differs(&F::topology)) vk.vkCmdSetPrimitiveTopologyEXT(c, static_cast<VkPrimitiveTopology>(next.topology));
    if (differs(&F::cull)) vk.vkCmdSetCullModeEXT(c, next.cull);
    if (differs(&F::frontFace)) vk.vkCmdSetFrontFaceEXT(c, static_cast<VkFrontFace>(next.frontFace));
    if (differs(&F::depthTest)) vk.vkCmdSetDepthTestEnableEXT(c, next.depthTest);
    if (differs(&F::depthWrite)) vk.vkCmdSetDepthWriteEnableEXT(c, next.depthWrite);
    if (differs(&F::depthCompare)) vk.vkCmdSetDepthCompareOpEXT(c, static_cast<VkCompareOp>(next.depthCompare));
    if (differs(&F::depthBounds)) vk.vkCmdSetDepthBoundsTestEnableEXT(c, next.depthBounds);
    if (differs(&F::stencilTest)) vk.vkCmdSetStencilTestEnableEXT(c, next.stencilTest);
    for (u32 i = 0; i < 2; ++i) {
      const StencilOps& ops = next.stencil[i];
      if (!all && std::memcmp(&had.stencil[i], &ops, sizeof ops) == 0) continue;
      vk.vkCmdSetStencilOpEXT(c, i == 0 ? VK_STENCIL_FACE_FRONT_BIT : VK_STENCIL_FACE_BACK_BIT,
                              static_cast<VkStencilOp>(ops.fail), static_cast<VkStencilOp>(ops.pass),
                              static_cast<VkStencilOp>(ops.depthFail), static_cast<VkCompareOp>(ops.compare));
    }
  }
  if (f.dynamicState2) {
    if (differs(&F::discard)) vk.vkCmdSetRasterizerDiscardEnableEXT(c, next.discard);
    if (differs(&F::depthBias)) vk.vkCmdSetDepthBiasEnableEXT(c, next.depthBias);
    if (differs(&F::restart)) vk.vkCmdSetPrimitiveRestartEnableEXT(c, next.restart);
  }
  if (f.dynamicLogicOp && differs(&F::logicOp)) vk.vkCmdSetLogicOpEXT(c, static_cast<VkLogicOp>(next.logicOp));
  if (f.dynamicDepthClamp && differs(&F::depthClamp)) vk.vkCmdSetDepthClampEnableEXT(c, next.depthClamp);
  if (f.dynamicPolygonMode && differs(&F::polygonMode)) {
    vk.vkCmdSetPolygonModeEXT(c, static_cast<VkPolygonMode>(next.polygonMode));
  }
  if (f.dynamicSampleMask && (differs(&F::sampleMask) || differs(&F::samples))) {
    vk.vkCmdSetSampleMaskEXT(c, sampleCount(next.samples), &next.sampleMask);
  }
  if (f.dynamicAlphaToCoverage && differs(&F::alphaToCoverage))
    vk.vkCmdSetAlphaToCoverageEnableEXT(c, next.alphaToCoverage);
  if (f.dynamicAlphaToOne && f.core.alphaToOne && differs(&F::alphaToOne))
    vk.vkCmdSetAlphaToOneEnableEXT(c, next.alphaToOne);
  if (f.dynamicLogicOpEnable && differs(&F::logicOpEnable)) vk.vkCmdSetLogicOpEnableEXT(c, next.logicOpEnable);
  if (f.dynamicProvokingVertex && f.provokingVertex && differs(&F::provokingLast)) {
    vk.vkCmdSetProvokingVertexModeEXT(
        c, next.provokingLast ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT);
  }
  if (f.dynamicNegativeOneToOne && f.depthClipControl && differs(&F::negativeOneToOne)) {
    vk.vkCmdSetDepthClipNegativeOneToOneEXT(c, next.negativeOneToOne);
  }
  if (f.dynamicLineMode && f.lineRasterization && differs(&F::lineMode)) {
    vk.vkCmdSetLineRasterizationModeEXT(c, static_cast<VkLineRasterizationModeEXT>(next.lineMode));
  }
  if (f.dynamicWriteMask && (all || std::memcmp(&had.blend, &next.blend, sizeof next.blend) != 0)) {
    VkBool32 enables[pipe::kMaxColorTargets];
    VkColorBlendEquationEXT equations[pipe::kMaxColorTargets];
    VkColorComponentFlags masks[pipe::kMaxColorTargets];
    const u32 count = std::min(pipe::kMaxColorTargets, engine_.device->limits().maxColorAttachments);
    for (u32 i = 0; i < count; ++i) {
      const BlendAttachment& b = next.blend[i];
      enables[i] = b.enable;
      masks[i] = b.writeMask;
      equations[i] = {static_cast<VkBlendFactor>(b.srcColor), static_cast<VkBlendFactor>(b.dstColor),
                      static_cast<VkBlendOp>(b.colorOp),      static_cast<VkBlendFactor>(b.srcAlpha),
                      static_cast<VkBlendFactor>(b.dstAlpha), static_cast<VkBlendOp>(b.alphaOp)};
    }
    vk.vkCmdSetColorBlendEnableEXT(c, 0, count, enables);
    vk.vkCmdSetColorBlendEquationEXT(c, 0, count, equations);
    vk.vkCmdSetColorWriteMaskEXT(c, 0, count, masks);
  }
  bound_.fixed = next;
  bound_.fixedSet = true;
}

void Drawer::emitValues(const backend::ContextState& context) {
  const VolkDeviceTable& vk = engine_.vk();
  const VkCommandBuffer c = engine_.recorder.main();
  const pipe::RenderState& s = context.renderState ? context.renderState->state : defaultRenderState();
  const bool all = !bound_.valuesSet;
  const u32 count = fixed_.viewports;
  std::array<VkViewport, pipe::kMaxViewports> viewports;
  std::array<VkRect2D, pipe::kMaxViewports> scissors;
  const VkPhysicalDeviceLimits& limits = engine_.device->limits();
  for (u32 i = 0; i < count; ++i) {
    const pipe::Viewport& v = context.viewports[i];
    const bool given = i < context.viewportCount;
    VkViewport& to = viewports[i];
    const f32 width = given ? v.width : static_cast<f32>(target_.width),
              height = given ? v.height : static_cast<f32>(target_.height);
    const f32 low = limits.viewportBoundsRange[0], high = limits.viewportBoundsRange[1];
    to.x = std::clamp(given ? v.x : 0.0f, low, high - 1);
    to.y = std::clamp(given ? v.y : 0.0f, low, high - 1);
    // A viewport without area draws nothing: a sliver of it, and an empty scissor below.
    to.width = std::clamp(width, 1.0f / 256, std::min(static_cast<f32>(limits.maxViewportDimensions[0]), high - to.x));
    to.height =
        std::clamp(height, 1.0f / 256, std::min(static_cast<f32>(limits.maxViewportDimensions[1]), high - to.y));
    to.minDepth = given ? std::clamp(v.nearDepth, 0.0f, 1.0f) : 0.0f;
    to.maxDepth = given ? std::clamp(v.farDepth, 0.0f, 1.0f) : 1.0f;
    if (s.clipOrigin == pipe::ClipOrigin::UpperLeft) {
      to.y += to.height;
      to.height = -to.height;
    }
    i64 x0 = 0, y0 = 0, x1 = target_.width, y1 = target_.height;
    if ((context.scissorEnable >> i) & 1) {
      const pipe::Scissor& box = context.scissors[i];
      x0 = std::max<i64>(0, box.x);
      y0 = std::max<i64>(0, box.y);
      x1 = std::min<i64>(x1, i64{box.x} + box.width);
      y1 = std::min<i64>(y1, i64{box.y} + box.height);
    }
    const bool empty = x1 <= x0 || y1 <= y0 || width <= 0 || height <= 0;
    scissors[i] = empty ? VkRect2D{}
                        : VkRect2D{{static_cast<i32>(x0), static_cast<i32>(y0)},
                                   {static_cast<u32>(x1 - x0), static_cast<u32>(y1 - y0)}};
  }
  const bool counted = bound_.viewportCount == count && !all;
  if (!counted || std::memcmp(viewports.data(), bound_.viewports.data(), count * sizeof(VkViewport)) != 0) {
    if (engine_.features().dynamicState1) {
      vk.vkCmdSetViewportWithCountEXT(c, count, viewports.data());
    } else {
      vk.vkCmdSetViewport(c, 0, count, viewports.data());
    }
    std::copy_n(viewports.begin(), count, bound_.viewports.begin());
  }
  if (!counted || std::memcmp(scissors.data(), bound_.scissors.data(), count * sizeof(VkRect2D)) != 0) {
    if (engine_.features().dynamicState1) {
      vk.vkCmdSetScissorWithCountEXT(c, count, scissors.data());
    } else {
      vk.vkCmdSetScissor(c, 0, count, scissors.data());
    }
    std::copy_n(scissors.begin(), count, bound_.scissors.begin());
  }
  bound_.viewportCount = count;

  const pipe::RasterValues& r = context.raster;
  const f32 lineWidth = engine_.features().core.wideLines && r.lineWidth > 0
                            ? std::clamp(r.lineWidth, limits.lineWidthRange[0], limits.lineWidthRange[1])
                            : 1.0f;
  if (all || bound_.lineWidth != lineWidth) vk.vkCmdSetLineWidth(c, bound_.lineWidth = lineWidth);
  const f32 biasClamp = engine_.features().core.depthBiasClamp ? r.offsetClamp : 0.0f;
  if (all || bound_.biasUnits != r.offsetUnits || bound_.biasClamp != biasClamp ||
      bound_.biasFactor != r.offsetFactor) {
    vk.vkCmdSetDepthBias(c, r.offsetUnits, biasClamp, r.offsetFactor);
    bound_.biasUnits = r.offsetUnits;
    bound_.biasClamp = biasClamp;
    bound_.biasFactor = r.offsetFactor;
  }
  if (all || bound_.blendConstants != context.blendColor) {
    vk.vkCmdSetBlendConstants(c, context.blendColor.data());
    bound_.blendConstants = context.blendColor;
  }
  const f32 boundsMin = std::clamp(r.depthBoundsMin, 0.0f, 1.0f), boundsMax = std::clamp(r.depthBoundsMax, 0.0f, 1.0f);
  if (all || bound_.boundsMin != boundsMin || bound_.boundsMax != boundsMax) {
    vk.vkCmdSetDepthBounds(c, bound_.boundsMin = boundsMin, bound_.boundsMax = boundsMax);
  }
  const u32 references[2] = {context.stencilReference.front, context.stencilReference.back};
  for (u32 i = 0; i < 2; ++i) {
    const VkStencilFaceFlags face = i == 0 ? VK_STENCIL_FACE_FRONT_BIT : VK_STENCIL_FACE_BACK_BIT;
    if (all || bound_.stencilReference[i] != references[i]) vk.vkCmdSetStencilReference(c, face, references[i]);
    if (all || bound_.stencilReadMask[i] != s.stencil[i].readMask)
      vk.vkCmdSetStencilCompareMask(c, face, s.stencil[i].readMask);
    if (all || bound_.stencilWriteMask[i] != s.stencil[i].writeMask)
      vk.vkCmdSetStencilWriteMask(c, face, s.stencil[i].writeMask);
    bound_.stencilReference[i] = references[i];
    bound_.stencilReadMask[i] = s.stencil[i].readMask;
    bound_.stencilWriteMask[i] = s.stencil[i].writeMask;
  }
  bound_.valuesSet = true;
}

void Drawer::emitConstants(const backend::ContextState& context, const Program& program) {
  const pipe::RenderState& s = context.renderState ? context.renderState->state : defaultRenderState();
  shader::DriverConstants constants;
  if (program.originUpperLeft) {
    constants.fragYScale = -1;
    constants.fragYOffset = static_cast<f32>(target_.height);
  }
  if (program.pixelCenterInteger) {
    constants.fragXOffset = -0.5f;
    constants.fragYOffset -= 0.5f;
  }
  // Rows go up in our images, and so does Vulkan's gl_PointCoord in them; GL's goes down unless told otherwise.
  if (s.pointOrigin == pipe::PointOrigin::UpperLeft) {
    constants.pointYScale = -1;
    constants.pointYOffset = 1;
  }
  constants.clipMask = s.clipDistances;
  const VkPhysicalDeviceLimits& limits = engine_.device->limits();
  const f32 size = context.raster.pointSize > 0 ? context.raster.pointSize : 1.0f;
  constants.pointSize = s.programPointSize ? 0 : std::clamp(size, engine_.caps.pointSizeMin, limits.pointSizeRange[1]);
  if (bound_.constantsSet && std::memcmp(&bound_.constants, &constants, sizeof constants) == 0) return;
  engine_.vk().vkCmdPushConstants(engine_.recorder.main(), program.layout->handle, VK_SHADER_STAGE_ALL_GRAPHICS, 0,
                                  sizeof constants, &constants);
  bound_.constants = constants;
  bound_.constantsSet = true;
}

}  // namespace mgl::magma
