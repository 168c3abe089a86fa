// The applied state of one client context: what its next verb sees. Written by the applier alone.
//
// Two ways to know what moved, for the backend to choose from:
//   epoch  grows at every record that is not on the whitelist of pipe_calls.def (Still). When it and the backend's own
//          epoch stand where they stood at the last draw, only the draw's vertex array, program and uniforms need a look.
//   dirty  one bit per group, set by the applier, cleared by the backend when it consumed the group.
#pragma once

#include "backend/objects.h"

namespace mgl::backend {

enum class Group : u8 {
  RenderState, RasterValues, BlendColor, StencilReference, Viewports, Scissors, WindowRectangles, PatchParameters,
  AttribDefaults, SamplerViews, Samplers, Images, UniformBuffers, StorageBuffers, AtomicBuffers, StreamOutput, Framebuffer,
  DefaultTargets, RenderCondition, Surfaces, Count
};
constexpr u32 groupBit(Group g) { return 1u << indexOf(g); }

// What a backend keeps per context (twins of containers, open queries); made by Backend::makeContext.
struct BackendContext {
  virtual ~BackendContext() = default;
};

struct ContextState : LocalRefCounted {
  u32 slot = 0, gen = 0;
  u32 flags = 0;
  u64 epoch = 1;
  u32 dirty = ~0u;
  std::unique_ptr<BackendContext> own;

  Ref<Surface> drawSurface, readSurface;
  Ref<RenderState> renderState;  // null until bound: GL's defaults
  pipe::RasterValues raster{};
  std::array<f32, 4> blendColor{};
  pipe::SetStencilReference stencilReference{};
  u32 viewportCount = 0;
  std::array<pipe::Viewport, pipe::kMaxViewports> viewports{};
  u32 scissorCount = 0, scissorEnable = 0;
  std::array<pipe::Scissor, pipe::kMaxViewports> scissors{};
  u32 windowRectangleCount = 0;
  bool windowRectanglesInclusive = false;
  std::array<pipe::Rect, 8> windowRectangles{};
  pipe::SetPatchParameters patch{};
  u32 attribDefaultMask = 0;
  std::array<pipe::AttribDefault, pipe::kMaxVertexAttribs> attribDefaults{};  // by location
  u32 viewCount = 0, samplerCount = 0, imageCount = 0;
  std::array<Ref<Texture>, pipe::kMaxTextureUnits> views;
  std::array<Ref<Sampler>, pipe::kMaxTextureUnits> samplers;
  struct Image {
    Ref<Texture> texture;
    pipe::ImageBinding binding{};
  };
  std::array<Image, pipe::kMaxImageUnits> images;
  std::array<u32, countOf<pipe::BufferClass>()> bufferCount{};
  std::array<std::array<BufferRange, pipe::kMaxBufferBindings>, countOf<pipe::BufferClass>()> buffers;
  Ref<StreamOutput> streamOutput;
  Ref<Framebuffer> drawFramebuffer;  // null: the draw surface
  u32 defaultDrawBuffer = 1, defaultReadBuffer = 1;
  Ref<Query> conditionQuery;
  pipe::ConditionMode conditionMode = pipe::ConditionMode::Wait;
  bool conditionInverted = false;
  std::array<Ref<Query>, countOf<pipe::QueryKind>()> activeQueries;  // stream 0
};

}  // namespace mgl::backend
