// Draws. What a draw needs is gathered in the order target, program, textures and buffers, vertices; barriers that it
// needs end the open pass; then state is set where it differs from what the command buffer has.
#pragma once

#include "backend/index_stream.h"
#include "backend/magma/pipeline.h"
#include "backend/magma/sampler.h"

namespace mgl::magma {

class VertexArray final : public backend::VertexArray {
 public:
  u64 version = 0;  // grows at every change
};
class VertexFormat final : public backend::VertexFormat {};
class Framebuffer final : public backend::Framebuffer {};
class RenderState final : public backend::RenderState {};

class Drawer {
 public:
  explicit Drawer(Engine& engine) : engine_(engine) {}

  void draw(backend::ContextState& context, const backend::DrawCall& call);
  void drawIndirect(backend::ContextState& context, const backend::IndirectDrawCall& call);

 private:
  // The indices that a draw is recorded with.
  struct Indices {
    VkBuffer buffer = VK_NULL_HANDLE;  // VK_NULL_HANDLE: none
    u64 offset = 0;
    VkIndexType type = VK_INDEX_TYPE_UINT16;
    u32 bytes = 0;  // of one
    bool restart = false;
  };
  struct Range {
    u32 first = 0, count = 0;
    i32 baseVertex = 0;
  };
  // What main's command buffer has.
  struct Bound {
    u64 commandState = 0;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    FixedState fixed;
    bool fixedSet = false;
    std::array<VkViewport, pipe::kMaxViewports> viewports{};
    std::array<VkRect2D, pipe::kMaxViewports> scissors{};
    u32 viewportCount = 0;
    std::array<f32, 4> blendConstants{};
    f32 lineWidth = -1, biasUnits = 0, biasClamp = 0, biasFactor = 0, boundsMin = -1, boundsMax = -1;
    std::array<u32, 2> stencilReference{}, stencilReadMask{}, stencilWriteMask{};
    bool valuesSet = false;
    VertexLayout vertices;
    bool verticesSet = false;
    std::array<VkBuffer, kMaxVertexSlots> vertexBuffers{};
    std::array<u64, kMaxVertexSlots> vertexOffsets{};
    VkBuffer indexBuffer = VK_NULL_HANDLE;
    u64 indexOffset = 0;
    VkIndexType indexType = VK_INDEX_TYPE_UINT16;
    std::array<VkDescriptorSet, kSetCount> sets{};
    std::vector<u32> dynamicOffsets;
    shader::DriverConstants constants;
    bool constantsSet = false;
  };

  bool setup(backend::ContextState& context, const backend::DrawCall& call, VkPrimitiveTopology topology, bool points,
             bool restart);
  void resolveTarget(backend::ContextState& context);
  void fillFixed(const backend::ContextState& context, const Program& program, VkPrimitiveTopology topology,
                 bool restart);
  // What the device lacks for the state in fixed_, in words; empty: nothing. (draw_limits.cpp)
  std::string_view lacking(const backend::ContextState& context, const Program& program) const;
  bool gatherUniforms(backend::ContextState& context, Program& program);
  bool gatherSamplers(backend::ContextState& context, Program& program);
  bool gatherStorage(backend::ContextState& context, Program& program);
  bool gatherVertices(backend::ContextState& context, const backend::DrawCall& call, const Program& program);
  bool addAttribute(backend::ContextState& context, const backend::DrawCall& call, const pipe::VertexAttrib& attrib);
  bool addDefaults(backend::ContextState& context, const Program& program, u32 mask);
  bool convertAttribute(Buffer& buffer, const pipe::VertexAttrib& attrib, u64 offset, u32 stride, u32 divisor);
  u32 newSlot(u32 stride, u32 divisor, VkBuffer buffer, u64 offset);
  VkDescriptorSet setFor(SetLayout& layout, const std::vector<VkWriteDescriptorSet>& writes);
  void bindDescriptors(const Program& program);
  void emitState(const backend::ContextState& context, const Program& program, const Variant& variant);
  void emitFixed(const FixedState& next);
  void emitValues(const backend::ContextState& context);
  void emitVertices();
  void emitConstants(const backend::ContextState& context, const Program& program);
  bool takeIndices(const backend::DrawCall& call, Indices* out);
  void drawConverted(backend::ContextState& context, const backend::DrawCall& call);
  void drawConvertedLater(backend::ContextState& context, const backend::DrawCall& call, const backend::IndexSource& source);
  bool drawMade(backend::ContextState& context, const backend::DrawCall& call, const pipe::DrawRange& range,
                const backend::IndexSource& source, VkPrimitiveTopology topology, bool points);
  bool drawLong(backend::ContextState& context, const backend::DrawCall& call, const pipe::DrawRange& range,
                const backend::IndexSource& source, VkPrimitiveTopology topology, bool points);
  void record(const backend::DrawCall& call, const Indices& indices);

  Engine& engine_;
  Bound bound_;
  // Of the draw under way; kept while the epochs stand.
  Target target_;
  FixedState fixed_;
  VertexLayout vertices_;
  std::array<VkBuffer, kMaxVertexSlots> vertexBuffers_{};
  std::array<u64, kMaxVertexSlots> vertexOffsets_{};
  u32 usedSlots_ = 0;
  std::array<VkDescriptorSet, kSetCount> sets_{};
  std::vector<u32> dynamicOffsets_;
  std::vector<u64> contents_;
  std::vector<VkDescriptorBufferInfo> bufferInfos_;
  std::vector<VkDescriptorImageInfo> imageInfos_;
  std::vector<VkBufferView> texelViews_;
  std::vector<VkWriteDescriptorSet> writes_;

  // What the last draw was made from.
  struct Seen {
    const backend::ContextState* context = nullptr;
    u64 contextEpoch = 0, engineEpoch = 0;
    const Program* program = nullptr;
    u64 programSerial = 0, bindingsSerial = 0, uniformsSerial = 0;
    const backend::VertexArray* vertexArray = nullptr;
    u64 vertexVersion = 0;
    VkPrimitiveTopology topology{};
    bool points = false, restart = false, volatileVertices = false;
  };
  Seen seen_;
  bool volatileVertices_ = false;  // gathered of what may change without a record: gathered again for each draw
};

}  // namespace mgl::magma
