#include "world.h"

#include <cstring>

#include "pipe/layout.h"
#include "shader/archive/archive.h"

namespace mgl::server {

using namespace pipe;

namespace {

std::vector<std::byte> filled(std::size_t bytes) { return std::vector<std::byte>(bytes, std::byte{0x5a}); }

std::vector<std::byte> archiveBytes() {
  shader::Archive archive;
  archive.stages = 0b10001;  // vertex, fragment
  archive.glslVersion = 330;
  archive.defaultBlockBytes = kUniformBytes;
  archive.defaultBlockStages = archive.stages;
  shader::Uniform colour;
  colour.name = "colour";
  colour.type = shader::UniformType::FloatVec3;
  colour.location = 0;
  colour.offset = 16;
  colour.stages = archive.stages;
  shader::Uniform image;
  image.name = "image";
  image.type = shader::UniformType::Sampler2D;
  image.location = 1;
  image.samplerIndex = 0;
  image.stages = 0b10000;
  archive.uniforms = {colour, image};
  archive.uniformLocationCount = 2;
  shader::Sampler sampler;
  sampler.uniformIndex = 1;
  sampler.stages = 0b10000;
  archive.samplers = {sampler};
  shader::Block block;
  block.name = "Block";
  block.sizeBytes = 64;
  block.stages = archive.stages;
  archive.uniformBlocks = {block};
  return shader::serialize(archive);
}

std::vector<std::byte> moduleBytes() {
  const u32 words[] = {0x07230203, 0x00010300, 0, 1, 0};
  std::vector<std::byte> bytes(sizeof words);
  std::memcpy(bytes.data(), words, sizeof words);
  return bytes;
}

TexelLayout rgba8(u32 width, u32 height) {
  return {u64{width} * 4, u64{width} * 4 * height, TransferFormat::RGBA, TransferType::UByte, 0, 0, 0};
}

std::vector<u8> text(std::string_view words) { return {words.begin(), words.end()}; }

}  // namespace

Emitted staged(const Emitted& emitted, std::vector<std::byte>* stage) {
  Emitted moved{emitted.call, emitted.words, {}};
  const RecordLayout& layout = layoutOf(emitted.call);
  auto move = [&](std::byte* structure, const StructLayout& fields) {
    for (const Leaf& leaf : fields.leaves) {
      if (leaf.type != LeafType::Blob) continue;
      BlobRef ref;
      std::memcpy(&ref, structure + leaf.offset, sizeof ref);
      if (ref.where != BlobWhere::Host) continue;
      const auto& bytes = emitted.blobs[ref.offset];
      ref = {stage->size(), ref.bytes, BlobWhere::Stage};
      stage->insert(stage->end(), bytes.begin(), bytes.end());
      std::memcpy(structure + leaf.offset, &ref, sizeof ref);
    }
  };
  auto* at = reinterpret_cast<std::byte*>(moved.words.data()) + sizeof(RecordHeader);
  const std::byte* head = at;
  move(at, layout.payload);
  at += layout.payload.bytes;
  for (const TailLayout& tail : layout.tails) {
    const u64 count = leafValue(layout.payload.leaves[tail.countLeaf], head);
    for (u64 i = 0; i < count; ++i) move(at + i * tail.element.bytes, tail.element);
    at += alignUp<u64>(count * tail.element.bytes, 8);
  }
  return moved;
}

std::unique_ptr<Session> openNull() {
  std::string error;
  return Session::open([](backend::EventSink& events) { return null::open(events); }, &error);
}

Emitted createProgram(ProgramHandle program) {
  const auto module = moduleBytes(), archive = archiveBytes();
  CreateProgram payload{};
  payload.program = program;
  payload.stages = 0b10001;
  payload.linked = 1;
  payload.spirv[0] = hostBlob(0, module.size());
  payload.spirv[4] = hostBlob(1, module.size());
  payload.archive = hostBlob(2, archive.size());
  return record(payload, {module, module, archive});
}

Draw drawPayload() {
  Draw draw{};
  draw.vertexArray = kVertexArray;
  draw.program = kProgram;
  draw.mode = Primitive::Triangles;
  draw.instanceCount = 1;
  return draw;
}

Emitted drawRecord(const Draw& head, std::span<const DrawRange> ranges, std::span<const UniformPatch> patches,
                   std::span<const u8> bytes) {
  Draw draw = head;
  draw.rangeCount = static_cast<u32>(ranges.size());
  draw.patchCount = static_cast<u16>(patches.size());
  draw.patchBytes = static_cast<u16>(bytes.size());
  return record(draw, ranges, patches, bytes, std::span<const ClientArray>());
}

Emitted warmDraw() {
  Draw draw = drawPayload();
  draw.indexType = IndexType::U16;
  const DrawRange range{0, 36, 0};
  const UniformPatch patch{16, 12};
  const std::array<u8, 12> bytes{};
  return drawRecord(draw, std::span(&range, 1), std::span(&patch, 1), bytes);
}

std::vector<Emitted> setUp() {
  std::vector<Emitted> out;
  out.push_back(record(CreateContext{kContext, 0, 0}));
  out.push_back(
      record(CreateSurface{kSurface, SurfaceKind::Pbuffer, 0, Format::RGBA8, Format::D24_S8, 0, 64, 64, 0, 0}));
  out.push_back(record(SwitchContext{kContext}));
  out.push_back(record(BindContext{kContext, kSurface, kSurface}));
  out.push_back(record(CreateRenderState{kRenderState, RenderState{}}));
  out.push_back(record(CreateSampler{kSampler, SamplerState{}}));
  const VertexAttrib attrib{0, 0, VertexType::Float, 3, 0, AttribClass::Float, 0, 0, 0, 0};
  out.push_back(record(CreateVertexFormat{kFormat, 1, 0}, std::span(&attrib, 1)));
  for (BufferHandle buffer : {kBuffer, kIndices}) {
    out.push_back(record(CreateBuffer{buffer}));
    out.push_back(record(BufferStorage{buffer, kBufferBytes, 0, 0, hostBlob(0, 256)}, {filled(256)}));
  }
  out.push_back(record(CreateVertexArray{kVertexArray}));
  const VertexBinding binding{kBuffer, 0, 12, 0};
  out.push_back(record(UpdateVertexArray{kVertexArray, kFormat, kIndices, 1, 0}, std::span(&binding, 1)));
  for (TextureHandle texture : {kTexture, kMutable})
    out.push_back(record(CreateTexture{texture, TextureTarget::Tex2D, {}}));
  out.push_back(
      record(TextureStorage{kTexture, Format::RGBA8, 3, kTextureSize, kTextureSize, 1, 0, kTextureRenderable}));
  out.push_back(record(CreateTexture{kDepth, TextureTarget::Renderbuffer, {}}));
  out.push_back(
      record(TextureStorage{kDepth, Format::D24_S8, 1, kTextureSize, kTextureSize, 1, 0, kTextureRenderable}));
  out.push_back(record(CreateTexture{kTexels, TextureTarget::Buffer, {}}));
  out.push_back(record(CreateTexture{kCube, TextureTarget::Cube, {}}));
  out.push_back(record(CreateFramebuffer{kFramebuffer}));
  UpdateFramebuffer framebuffer{};
  framebuffer.framebuffer = kFramebuffer;
  framebuffer.color[0].texture = kTexture;
  framebuffer.depth.texture = kDepth;
  framebuffer.stencil.texture = kDepth;
  framebuffer.drawBuffers.fill(kNoColor);
  framebuffer.drawBuffers[0] = 0;
  out.push_back(record(framebuffer));
  out.push_back(createProgram(kProgram));
  out.push_back(record(CreateQuery{kQuery, QueryKind::SamplesPassed, 0, {}}));
  out.push_back(record(CreateQuery{kTimestamp, QueryKind::Timestamp, 0, {}}));
  out.push_back(record(CreateStreamOutput{kStreamOutput}));
  out.push_back(record(CreateFence{kSync, 1}));

  out.push_back(record(BindRenderState{kRenderState}));
  const std::vector<ViewBinding> views(kSamplerUnit + 1, ViewBinding{kTexture});
  const std::vector<SamplerBinding> samplers(kSamplerUnit + 1, SamplerBinding{kSampler});
  out.push_back(record(SetSamplerViews{kSamplerUnit + 1, 0}, views));
  out.push_back(record(BindSamplerStates{kSamplerUnit + 1, 0}, samplers));
  return out;
}

std::vector<Emitted> everything() {
  std::vector<Emitted> out = setUp();
  auto add = [&out](Emitted emitted) { out.push_back(std::move(emitted)); };
  add(record(GetCaps{}));
  add(record(AckAllocation{}));
  add(record(CreateContext{kOtherContext, kContextDebug, 1}));
  add(record(SwitchContext{kOtherContext}));
  add(record(SetBlendColor{}));
  add(record(SwitchContext{kContext}));
  add(record(ReleaseContext{kOtherContext}));
  add(record(ResizeSurface{kSurface, 32, 32}));
  add(record(SetSwapInterval{kSurface, 0, 0}));

  add(record(SetRasterValues{}));
  add(record(SetBlendColor{}));
  add(record(SetStencilReference{1, 2}));
  const Viewport viewport{0, 0, 16, 16, 0, 1};
  add(record(SetViewports{1, 0}, std::span(&viewport, 1)));
  const Scissor scissor{0, 0, 16, 16};
  add(record(SetScissors{1, 1}, std::span(&scissor, 1)));
  const Rect rect{0, 0, 8, 8};
  add(record(SetWindowRectangles{1, 1}, std::span(&rect, 1)));
  SetPatchParameters patch{};
  patch.vertices = 3;
  add(record(patch));
  const AttribDefault attrib{5, AttribClass::Float, {}, {}};
  add(record(SetAttribDefaults{1, 0}, std::span(&attrib, 1)));
  const ImageBinding image{kTexture, 0, 0, Format::RGBA8, ImageAccess::ReadWrite, 0, 0};
  add(record(SetShaderImages{1, 0}, std::span(&image, 1)));
  const BufferRange range{kBuffer, 256, kWholeBuffer};
  add(record(SetShaderBuffers{1, BufferClass::Uniform, {}}, std::span(&range, 1)));
  add(record(SetStreamOutputTargets{kStreamOutput, 1, 0}, std::span(&range, 1)));
  add(record(SetDefaultTargets{1, 1}));

  add(record(BufferSubData{kBuffer, 128, hostBlob(0, 64)}, {filled(64)}));
  add(record(CopyBuffer{kBuffer, kBuffer, 0, 1024, 256}));
  add(record(ClearBuffer{kBuffer, 0, 64, 4, 0, {}}));
  add(record(InvalidateBuffer{kBuffer, 0, kBufferBytes}));
  add(record(ReadBuffer{kBuffer, 16, 100, 0, 0}));
  add(record(MapBuffer{kBuffer, 0, 512, kBufferMapWrite, 0}));
  add(record(FlushMappedRange{kBuffer, 64, hostBlob(0, 32)}, {filled(32)}));
  add(record(UnmapBuffer{kBuffer}));

  const TexelBox box{0, 0, 0, 8, 8, 1};
  const TexelLayout layout = rgba8(8, 8);
  for (u8 level = 0; level < 3; ++level) {
    const u32 size = 8u >> level;
    add(record(TextureLevel{kMutable, Format::RGBA8, level, 0, size, size, 1}));
    for (u8 face = 0; face < 6; ++face) add(record(TextureLevel{kCube, Format::RGBA8, level, face, size, size, 1}));
  }
  add(record(TextureSubData{kMutable, 0, 0, box, layout, hostBlob(0, 256)}, {filled(256)}));
  add(record(TextureSubDataFromBuffer{kMutable, 0, 0, box, layout, kBuffer, 512}));
  add(record(ClearTexture{kTexture, 1, 4, box, {}}));
  add(record(CopyImage{kMutable, kTexture, 0, 0, box, {4, 4, 0}, 0}));
  add(record(GenerateMipmap{kMutable, 0, 2}));
  add(record(GenerateMipmap{kCube, 0, 2}));
  add(record(InvalidateTexture{kTexture, 0, 0, box}));
  add(record(SetTextureParameters{
      kTexture, kSampler, 0, 1000, Swizzle::Red, Swizzle::Green, Swizzle::Blue, Swizzle::One, 0, {}}));
  add(record(SetTextureBuffer{kTexels, kBuffer, 0, kWholeBuffer, Format::RGBA8, {}}));
  add(record(CreateTextureView{kView, kTexture, TextureTarget::Tex2D, 1, Format::RGBA8, 2, 0, 1}));
  add(record(ReadTexture{kTexture, 0, 0, box, layout}));
  add(record(ReadTextureToBuffer{kTexture, 0, 0, box, layout, kBuffer, 64}));

  CreatePipeline pipeline{};
  pipeline.pipeline = kPipeline;
  pipeline.stages[0] = pipeline.stages[4] = kProgram;
  add(record(pipeline));
  const BindingIndex blockBinding{7};
  const SamplerUnit unit{kSamplerUnit};
  add(record(SetProgramBindings{kProgram, 1, 0, 1, 0}, std::span(&blockBinding, 1), std::span<const BindingIndex>(),
             std::span(&unit, 1), std::span<const SamplerUnit>()));
  const UniformPatch patches[] = {{0, 16}, {32, 32}};
  add(record(UpdateUniforms{kProgram, 2, 0, hostBlob(0, 48)}, {filled(48)}, std::span(patches)));
  add(record(Label{LabelKind::Texture, {}, 1, 1, 5}, text("label")));

  add(record(BindFramebuffer{kFramebuffer}));
  add(warmDraw());
  Draw byPipeline = drawPayload();
  byPipeline.program = kPipeline;
  const DrawRange ranges[] = {{0, 3, 0}, {3, 3, 0}};
  add(drawRecord(byPipeline, ranges, {}, {}));
  Draw clientDraw = drawPayload();
  clientDraw.indexType = IndexType::U16;
  clientDraw.flags = kDrawClientIndices;
  clientDraw.rangeCount = 1;
  clientDraw.clientArrayCount = 2;
  const ClientArray arrays[] = {{0, 12, 0, hostBlob(0, 120)}, {kMaxVertexBindings, 2, 0, hostBlob(1, 12)}};
  add(record(clientDraw, {filled(120), filled(12)}, std::span(ranges, 1), std::span<const UniformPatch>(),
             std::span<const u8>(), std::span(arrays)));
  DrawIndirect indirect{};
  indirect.vertexArray = kVertexArray;
  indirect.program = kProgram;
  indirect.buffer = kBuffer;
  indirect.maxDraws = 2;
  add(record(indirect, std::span<const UniformPatch>(), std::span<const u8>()));
  Clear clear{};
  clear.framebuffer = kFramebuffer;
  clear.colorOutputs = 1;
  clear.colorMasks = 15;
  add(record(clear));
  Blit blit{};
  blit.read = kFramebuffer;
  blit.dst = {0, 0, 8, 8};
  blit.src = {0, 0, 8, 8};
  blit.aspects = kBlitColor;
  add(record(blit));
  add(record(ReadPixels{kFramebuffer, {0, 0, 8, 8}, layout, 0, 1}));
  add(record(ReadPixelsToBuffer{{}, {8, 8, 8, 8}, layout, kBuffer, 0, 0, 0}));
  add(record(CopyFramebufferToTexture{kFramebuffer, kMutable, {8, 8, 8, 8}, {0, 0, 0}, 0}));
  add(record(InvalidateFramebuffer{kFramebuffer, 1, kBlitDepth, {0, 0, 16, 16}}));
  add(record(MemoryBarrier{1, 0}));
  add(record(TextureBarrier{}));

  add(record(BeginQuery{kQuery, 1}));
  add(record(EndQuery{kQuery}));
  add(record(WriteTimestamp{kTimestamp, 2}));
  add(record(WaitQuery{kQuery, 0, 0}));
  add(record(QueryResultToBuffer{kQuery, kBuffer, 8, 1, 1, 0, {}}));
  add(record(SetRenderCondition{kQuery, ConditionMode::Wait, 0, 0, 0}));
  add(record(SetRenderCondition{}));
  add(record(BeginStreamOutput{kStreamOutput, Primitive::Triangles, {}}));
  add(record(PauseStreamOutput{kStreamOutput}));
  add(record(ResumeStreamOutput{kStreamOutput}));
  add(record(EndStreamOutput{kStreamOutput}));
  add(record(WaitFence{kSync, 0, 0, 0}));
  add(record(ServerWaitFence{kSync}));
  add(record(DebugMessage{1, DebugSeverity::Low, {}, 2, 0}, text("hi")));
  add(record(PushDebugGroup{1, 5}, text("group")));
  add(record(PopDebugGroup{}));
  add(record(Flush{2}));
  add(record(Finish{}));
  add(record(Present{kSurface, 1, 0, 1}, std::span(&rect, 1)));
  add(record(ReleaseFrame{kSurface, 1}));

  add(record(DestroySync{kSync}));
  add(record(DestroyStreamOutput{kStreamOutput}));
  add(record(DestroyQuery{kQuery}));
  add(record(DestroyQuery{kTimestamp}));
  add(record(DestroyProgram{kPipeline}));
  add(record(DestroyProgram{kProgram}));
  add(record(DestroyFramebuffer{kFramebuffer}));
  for (TextureHandle texture : {kView, kTexture, kMutable, kDepth, kTexels, kCube})
    add(record(DestroyTexture{texture}));
  add(record(DestroyVertexArray{kVertexArray}));
  add(record(DestroyBuffer{kBuffer}));
  add(record(DestroyBuffer{kIndices}));
  add(record(DestroyVertexFormat{kFormat}));
  add(record(DestroySampler{kSampler}));
  add(record(DestroyRenderState{kRenderState}));
  add(record(DestroySurface{kSurface}));
  add(record(DestroyContext{kOtherContext}));
  add(record(DestroyContext{kContext}));
  return out;
}

std::vector<Emitted> refused() {
  std::vector<Emitted> out;
  auto add = [&out](Emitted emitted) { out.push_back(std::move(emitted)); };
  const ImagePlane plane{};
  ImportTexture import{};
  import.texture = {9, 1};
  import.width = import.height = 4;
  import.planeCount = 1;
  add(record(import, std::span(&plane, 1)));
  add(record(ExportTexture{kTexture, 0, 0}));
  add(record(BindSurfaceImage{kTexture, kSurface, Format::RGBA8, {}}));
  DrawStreamOutput draw{};
  draw.vertexArray = kVertexArray;
  draw.program = kProgram;
  draw.streamOutput = kStreamOutput;
  add(record(draw, std::span<const UniformPatch>(), std::span<const u8>()));
  Dispatch dispatch{};
  dispatch.program = kProgram;
  add(record(dispatch, std::span<const UniformPatch>(), std::span<const u8>()));
  DispatchIndirect indirect{};
  indirect.program = kProgram;
  indirect.buffer = kBuffer;
  add(record(indirect, std::span<const UniformPatch>(), std::span<const u8>()));
  add(record(ImportSyncFd{{9, 1}, 0, 0}));
  add(record(ExportSyncFd{kSync, 0, 0}));
  return out;
}

}  // namespace mgl::server
