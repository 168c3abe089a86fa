// Fixed-function state in Vulkan's terms, and the pipelines made from it. What the device has as dynamic state is no
// part of a pipeline's key: it is set by commands, when it differs from what was set last.
#pragma once

#include <unordered_map>

#include "backend/magma/pass_manager.h"
#include "backend/magma/program.h"

namespace mgl::magma {

// Plain bytes without padding: compared and hashed as memory.
struct BlendAttachment {
  u8 enable = 0, srcColor = 0, dstColor = 0, colorOp = 0, srcAlpha = 0, dstAlpha = 0, alphaOp = 0, writeMask = 0;
};
struct StencilOps {
  u8 fail = 0, pass = 0, depthFail = 0, compare = 0;
};
struct FixedState {
  std::array<BlendAttachment, pipe::kMaxColorTargets> blend{};
  std::array<StencilOps, 2> stencil{};
  u8 topology = 0, cull = 0, frontFace = 0, depthTest = 0;
  u8 depthWrite = 0, depthCompare = 0, depthBounds = 0, stencilTest = 0;
  u8 discard = 0, depthBias = 0, restart = 0, logicOp = 0;
  u8 patchPoints = 0, depthClamp = 0, polygonMode = 0, samples = 1;
  u8 alphaToCoverage = 0, alphaToOne = 0, logicOpEnable = 0, provokingLast = 0;
  u8 negativeOneToOne = 0, lineMode = 0, viewports = 1, sampleShading = 0;
  u32 sampleMask = ~0u;
  f32 minSampleShading = 0;
};
static_assert(sizeof(FixedState) == 64 + 8 + 24 + 8);

// GL's initial state, for a context that bound none.
const pipe::RenderState& defaultRenderState();

inline constexpr u32 kMaxVertexSlots = 32;
struct VertexLayout {
  struct Binding {
    u32 slot = 0, stride = 0, divisor = 0;
  };
  struct Attribute {
    u32 location = 0, slot = 0, format = 0, offset = 0;
  };
  u32 bindingCount = 0, attributeCount = 0;
  std::array<Binding, kMaxVertexSlots> bindings{};
  std::array<Attribute, pipe::kMaxVertexAttribs> attributes{};
  bool same(const VertexLayout& other) const;
  u64 hash() const;
};

struct PipelineKey {
  u64 variant = 0, vertexHash = 0;
  std::array<u32, pipe::kMaxColorTargets> colorFormats{};
  u32 depthFormat = 0, stencilFormat = 0, colorCount = 0, pad = 0;
  FixedState fixed;
};
static_assert(sizeof(PipelineKey) == 16 + 32 + 16 + sizeof(FixedState));

class PipelineCache {
 public:
  explicit PipelineCache(Engine& engine, bool onDisk);
  ~PipelineCache();

  // VK_NULL_HANDLE: the driver refuses it.
  VkPipeline get(const Program& program, const Variant& variant, const FixedState& fixed, const Target& target,
                 const VertexLayout& vertices);
  // The pipelines of a variant that goes.
  void forget(u64 variant);
  // The part of the state that is baked into a pipeline here.
  FixedState staticPart(const FixedState& fixed) const;
  static VkPrimitiveTopology classOf(VkPrimitiveTopology topology);

 private:
  struct Row {
    PipelineKey key;
    VkPipeline handle = VK_NULL_HANDLE;
    u64 lastUse = 0;
  };
  VkPipeline make(const Program& program, const Variant& variant, const FixedState& fixed, const Target& target,
                  const VertexLayout& vertices);

  Engine& engine_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  bool onDisk_;
  std::unordered_multimap<u64, Row> rows_;
  Row* last_ = nullptr;
  std::vector<VkDynamicState> dynamics_;
};

}  // namespace mgl::magma
