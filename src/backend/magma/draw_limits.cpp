// State that this device cannot draw with: the draw is skipped and the program told, rather than drawn wrongly.
#include <cstring>

#include "backend/magma/draw.h"

namespace mgl::magma {

namespace {

bool isDual(pipe::BlendFactor factor) { return factor >= pipe::BlendFactor::Src1Color; }

bool blendsDual(const pipe::BlendTarget& b) {
  return b.enable != 0 && (isDual(b.srcColor) || isDual(b.dstColor) || isDual(b.srcAlpha) || isDual(b.dstAlpha));
}

bool isSame(const BlendAttachment& a, const BlendAttachment& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

std::string_view Drawer::lacking(const backend::ContextState& context, const Program& program) const {
  const VkPhysicalDeviceFeatures& has = engine_.features().core;
  const pipe::RenderState& s = context.renderState ? context.renderState->state : defaultRenderState();
  const auto uses = [&](shader::Stage stage) { return (program.archive.stages & shader::stageBit(stage)) != 0; };
  if (!has.geometryShader && uses(shader::Stage::Geometry)) return "a draw: the device has no geometry shaders";
  if (!has.tessellationShader && uses(shader::Stage::TessEval)) return "a draw: the device has no tessellation";
  if (s.rasterizerDiscard != 0) return {};
  if (!has.dualSrcBlend && blendsDual(s.blend[0])) return "a draw: the device has no dual-source blending";
  if (!has.logicOp && s.logicOpEnable != 0 && s.logicOp != pipe::LogicOp::Copy)
    return "a draw: the device has no logic operations";
  if (!has.depthClamp && s.depthClamp != 0) return "a draw: the device cannot clamp depth";
  if (!has.fillModeNonSolid && s.polygonFront != pipe::PolygonMode::Fill)
    return "a draw: the device fills polygons only";
  if (!has.independentBlend) {
    for (u32 i = 1; i < target_.colorCount; ++i)
      if (!isSame(fixed_.blend[0], fixed_.blend[i])) return "a draw: the device blends all targets in the same way";
  }
  return {};
}

}  // namespace mgl::magma
