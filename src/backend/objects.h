// What the applier knows of each object, and what a backend hangs its own on.
//
// The applier owns these through Ref (non-atomic: one apply thread per session). A backend makes them by Backend::make*,
// usually as a class derived from the one here, and is the only one to read its own members. Fields are written by the applier
// before it calls the backend and are constant between calls. `serial` grows whenever a field or the contents' place changes.
// A destroyed object leaves its table at once and lives on while applied state, a vertex array or a framebuffer holds it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/ref.h"
#include "pipe/calls.h"
#include "shader/archive/archive.h"

namespace mgl::backend {

struct Object : LocalRefCounted {
  u32 slot = 0, gen = 0;
  u64 serial = 0;
  std::string label;
  virtual ~Object() = default;
};

struct RenderState : Object {
  pipe::RenderState state{};
};
struct Sampler : Object {
  pipe::SamplerState state{};
};
struct VertexFormat : Object {
  std::vector<pipe::VertexAttrib> attribs;
  u32 locationMask = 0;
};

struct Buffer : Object {
  u64 bytes = 0;  // 0: no store
  u32 flags = 0;  // pipe::kBuffer*
  bool mapped = false;
  u32 storeSerial = 0;  // the client's count of the stores it gave the buffer
};

struct TextureLevelDesc {
  pipe::Format format = pipe::Format::None;  // None: not specified
  u32 width = 0, height = 0, depth = 0;
};
struct Texture : Object {
  pipe::TextureTarget target = pipe::TextureTarget::Tex2D;
  bool storage = false;  // specified as a whole: format … samples hold; else `levels` does
  pipe::Format format = pipe::Format::None;
  u32 levelCount = 0, width = 0, height = 0, depth = 0, samples = 0, flags = 0;
  std::array<std::array<TextureLevelDesc, pipe::kMaxTextureLevels>, 6> levels{};  // [face][level]; one face unless a cube
  u32 baseLevel = 0, maxLevel = 1000;
  std::array<pipe::Swizzle, 4> swizzle{pipe::Swizzle::Red, pipe::Swizzle::Green, pipe::Swizzle::Blue, pipe::Swizzle::Alpha};
  bool sampleStencil = false;
  Ref<Sampler> sampler;  // its own sampler state; null until the first SetTextureParameters
  Ref<Buffer> buffer;    // buffer textures
  u64 bufferOffset = 0, bufferBytes = 0;
  Ref<Texture> viewOf;  // views: the texture whose store this shares, never itself a view
  u32 minLevel = 0, minLayer = 0;
};

struct VertexBinding {
  Ref<Buffer> buffer;
  u64 offset = 0;
  u32 stride = 0, divisor = 0;
};
struct VertexArray : Object {
  Ref<VertexFormat> format;
  Ref<Buffer> indexBuffer;
  u32 bindingCount = 0;
  std::array<VertexBinding, pipe::kMaxVertexBindings> bindings;
};

struct Attachment {
  Ref<Texture> texture;
  u32 level = 0, layer = 0;
  bool layered = false;
};
struct Framebuffer : Object {
  std::array<Attachment, pipe::kMaxColorTargets> color;
  Attachment depth, stencil;
  std::array<u8, 8> drawBuffers{};  // attachment of each fragment output, or pipe::kNoColor
  u8 readBuffer = 0;
  u32 defaultWidth = 0, defaultHeight = 0, defaultLayers = 0, defaultSamples = 0;
};

struct Program : Object {
  bool linked = false;
  bool pipeline = false;
  u32 stageMask = 0;
  std::array<std::vector<u32>, countOf<pipe::Stage>()> spirv;
  shader::Archive archive;
  std::array<Ref<Program>, countOf<pipe::Stage>()> stages;  // pipelines: the program of each stage
  std::vector<u32> blockBindings, storageBindings, samplerUnits, imageUnits;
  u32 samplerWindow = 0;  // units from 0 on that a draw reads: the applier holds both windows against it
  u32 drawWindow = ~0u;   // the applier's: samplerWindow, or ~0 where a draw takes a closer look (not linked, a pipeline)
  u64 bindingsSerial = 0;
  std::vector<std::byte> uniforms;  // the default block; the applier patches it in apply order
  u64 uniformsSerial = 0;
};

struct Query : Object {
  pipe::QueryKind kind = pipe::QueryKind::SamplesPassed;
  u32 stream = 0;
  bool active = false;
  u64 runSerial = 0;
};
struct BufferRange {
  Ref<Buffer> buffer;
  u64 offset = 0, bytes = pipe::kWholeBuffer;
};
struct StreamOutput : Object {
  std::array<BufferRange, pipe::kMaxStreamOutputBuffers> targets;
  u32 targetCount = 0;
  pipe::Primitive mode = pipe::Primitive::Points;
  bool active = false, paused = false;
};
struct Sync : Object {
  u64 fenceSerial = 0;
};
struct Surface : Object {
  pipe::SurfaceKind kind = pipe::SurfaceKind::Pbuffer;
  pipe::Format colorFormat = pipe::Format::None, depthStencilFormat = pipe::Format::None;
  u32 samples = 0, width = 0, height = 0;
  u64 nativeDisplay = 0, nativeWindow = 0;
  i32 swapInterval = 1;
};

}  // namespace mgl::backend
