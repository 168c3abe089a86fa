#include "rig.h"

#include <cstdlib>
#include <cstring>

#include "base/counters.h"
#include "base/log.h"
#include "format/transfer.h"
#include "shader/compiler/compiler.h"

namespace mgl::magma::test {

void Sink::completed(u64 serial) {
  const std::lock_guard lock(mutex);
  completions.push_back(serial);
}
void Sink::queryResult(u32, u32, u64 runSerial, u64 value) {
  const std::lock_guard lock(mutex);
  results.push_back({runSerial, value});
}
void Sink::presented(u32, u32, u64 frameSerial) {
  const std::lock_guard lock(mutex);
  frames.push_back(frameSerial);
}
void Sink::glError(pipe::GlError error, pipe::Call, const backend::StoreId&) {
  const std::lock_guard lock(mutex);
  errors.push_back(error);
}
void Sink::log(pipe::DebugSeverity, std::string_view text) {
  const std::lock_guard lock(mutex);
  logs.emplace_back(text);
}

std::array<u8, 4> Texels::at(u32 x, u32 y) const {
  std::array<u8, 4> texel;
  std::memcpy(texel.data(), rgba.data() + 4 * (u64{y} * width + x), 4);
  return texel;
}

OpenOptions Rig::options() {
  setenv("VK_ICD_FILENAMES", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", 0);
  OpenOptions options;
  options.validation = true;
  options.pipelineCache = false;
  return options;
}

void Rig::open(const OpenOptions& wanted) {
  validationBefore = counted(Counter::ValidationMessages);
  backend::OpenResult opened = magma::open(wanted, sink);
  ASSERT_NE(opened.backend, nullptr) << opened.error;
  backend = std::move(opened.backend);
  context = makeRef<backend::ContextState>();
  context->own = backend->makeContext(*context);
  renderState_ = backend->makeRenderState();
  pipe::RenderState& s = renderState_->state;
  for (pipe::BlendTarget& blend : s.blend) {
    blend.srcColor = blend.srcAlpha = pipe::BlendFactor::One;
    blend.writeMask = 15;
  }
  for (pipe::StencilFace& face : s.stencil) {
    face.func = pipe::CompareOp::Always;
    face.readMask = face.writeMask = 0xff;
  }
  s.depthWrite = 1;
  s.depthFunc = pipe::CompareOp::Less;
  s.logicOp = pipe::LogicOp::Copy;
  s.multisample = 1;
  s.seamlessCube = 1;
  stateChanged();
  context->raster.lineWidth = context->raster.pointSize = 1;
}

void Rig::close() {
  context = nullptr;
  renderState_ = nullptr;
  backend = nullptr;
  if (expectValidation) return;
  EXPECT_EQ(counted(Counter::ValidationMessages), validationBefore);
}

void Rig::SetUp() { open(options()); }
void Rig::TearDown() {
  if (backend != nullptr) close();
  if (HasFailure()) {
    for (const std::string& text : sink.logs) std::fprintf(stderr, "log: %s\n", text.c_str());
  }
}

void Rig::openWith(std::vector<std::string> hidden) {
  close();
  OpenOptions wanted = options();
  wanted.hostLimit = std::move(hidden);
  open(wanted);
}

Ref<backend::Buffer> Rig::buffer(Bytes data) {
  Ref<backend::Buffer> made = backend->makeBuffer();
  made->bytes = data.size();
  made->serial = ++nextSerial_;
  backend->bufferStorage(*made, data);
  return made;
}

Ref<backend::Texture> Rig::storage(pipe::TextureTarget target, format::Format format, u32 width, u32 height, u32 depth,
                                   u32 levels, u32 samples) {
  Ref<backend::Texture> made = backend->makeTexture();
  made->target = target;
  made->storage = true;
  made->format = format;
  made->width = width;
  made->height = height;
  made->depth = depth;
  made->levelCount = levels;
  made->samples = samples;
  made->flags = pipe::kTextureImmutable;
  made->serial = ++nextSerial_;
  backend->textureStorage(*made);
  return made;
}

Ref<backend::Texture> Rig::mutableTexture(pipe::TextureTarget target) {
  Ref<backend::Texture> made = backend->makeTexture();
  made->target = target;
  made->serial = ++nextSerial_;
  return made;
}

void Rig::specify(backend::Texture& texture, u32 level, format::Format format, u32 width, u32 height, u32 depth,
                  u32 face) {
  texture.levels[face][level] = {format, width, height, depth};
  texture.serial = ++nextSerial_;
  backend->textureLevel(texture, face, level);
}

namespace {

pipe::TexelLayout tight(format::TransferFormat format, format::TransferType type, u32 width, u32 height) {
  pipe::TexelLayout layout{};
  layout.format = format;
  layout.type = type;
  layout.rowBytes = u64{format::bytesPerPixel(format, type)} * width;
  layout.imageBytes = layout.rowBytes * height;
  return layout;
}

}  // namespace

void Rig::upload(backend::Texture& texture, u32 level, const pipe::TexelBox& box, format::TransferFormat format,
                 format::TransferType type, Bytes data) {
  backend->textureSubData(texture, level, box, tight(format, type, box.width, box.height), data);
}

Ref<backend::Framebuffer> Rig::framebuffer(const Ref<backend::Texture>& color, const Ref<backend::Texture>& depth) {
  Ref<backend::Framebuffer> made = backend->makeFramebuffer();
  made->drawBuffers.fill(pipe::kNoColor);
  if (color) {
    made->color[0].texture = color;
    made->drawBuffers[0] = 0;
  }
  if (depth) {
    const format::FormatInfo& info = format::formatInfo(depth->format);
    if (info.isDepth()) made->depth.texture = depth;
    if (info.isStencil()) made->stencil.texture = depth;
  }
  made->serial = ++nextSerial_;
  backend->framebufferChanged(*made);
  return made;
}

Ref<backend::Program> Rig::program(const char* vertex, const char* fragment, const char* geometry) {
  std::vector<std::shared_ptr<const shader::CompiledShader>> shaders;
  shader::CompileOptions options;
  options.maxGlslVersion = 460;
  options.allExtensions = true;
  const auto add = [&](shader::Stage stage, const char* source) {
    if (source == nullptr) return;
    const std::string_view text = source;
    const shader::CompileResult result = shader::compileShader(stage, {&text, 1}, options);
    EXPECT_TRUE(result.ok) << result.infoLog << source;
    shaders.push_back(result.shader);
  };
  add(shader::Stage::Vertex, vertex);
  add(shader::Stage::Geometry, geometry);
  add(shader::Stage::Fragment, fragment);
  shader::LinkResult linked = shader::linkProgram(shaders, {});
  EXPECT_TRUE(linked.ok) << linked.infoLog;
  Ref<backend::Program> made = backend->makeProgram();
  made->linked = linked.ok;
  made->spirv = linked.spirv;
  made->archive = linked.archive;
  for (u32 i = 0; i < made->spirv.size(); ++i) {
    if (!made->spirv[i].empty()) made->stageMask |= 1u << i;
  }
  made->uniforms = made->archive.defaultBlockInitial;
  made->uniforms.resize(made->archive.defaultBlockBytes);
  made->uniformsSerial = 1;
  made->serial = ++nextSerial_;
  backend->programChanged(*made);
  return made;
}

void Rig::setUniform(backend::Program& program, const char* name, Bytes value) {
  for (const shader::Uniform& uniform : program.archive.uniforms) {
    if (uniform.name != name) continue;
    ASSERT_GE(uniform.offset, 0);
    std::memcpy(program.uniforms.data() + uniform.offset, value.data(), value.size());
    ++program.uniformsSerial;
    backend->uniformsChanged(program, static_cast<u32>(uniform.offset), static_cast<u32>(value.size()));
    return;
  }
  FAIL() << "no uniform " << name;
}

Ref<backend::VertexArray> Rig::vertexArray(const Ref<backend::Buffer>& vertices,
                                           std::vector<pipe::VertexAttrib> attribs, u32 stride,
                                           const Ref<backend::Buffer>& indices) {
  Ref<backend::VertexFormat> format = backend->makeVertexFormat();
  format->attribs = std::move(attribs);
  for (const pipe::VertexAttrib& a : format->attribs) format->locationMask |= 1u << a.location;
  Ref<backend::VertexArray> made = backend->makeVertexArray();
  made->format = format;
  made->indexBuffer = indices;
  made->bindingCount = 1;
  made->bindings[0].buffer = vertices;
  made->bindings[0].stride = stride;
  made->serial = ++nextSerial_;
  backend->vertexArrayChanged(*made);
  return made;
}

Ref<backend::Query> Rig::query(pipe::QueryKind kind) {
  Ref<backend::Query> made = backend->makeQuery();
  made->kind = kind;
  made->slot = 1;
  made->runSerial = ++nextSerial_;
  return made;
}

Ref<backend::Sampler> Rig::sampler(const pipe::SamplerState& wanted) {
  Ref<backend::Sampler> made = backend->makeSampler();
  made->state = wanted;
  backend->initSampler(*made);
  return made;
}

void Rig::target(const Ref<backend::Framebuffer>& framebuffer, u32 width, u32 height) {
  context->drawFramebuffer = framebuffer;
  context->viewportCount = 1;
  context->viewports[0] = {0, 0, static_cast<f32>(width), static_cast<f32>(height), 0, 1};
  ++context->epoch;
}

pipe::RenderState& Rig::state() { return renderState_->state; }

void Rig::stateChanged() {
  // State objects are constant once bound: each change is a new one.
  Ref<backend::RenderState> fresh = backend->makeRenderState();
  fresh->state = renderState_->state;
  backend->initRenderState(*fresh);
  context->renderState = fresh;
  ++context->epoch;
}

void Rig::bindTexture(u32 unit, const Ref<backend::Texture>& texture, const Ref<backend::Sampler>& samplerState) {
  context->viewCount = std::max(context->viewCount, unit + 1);
  context->views[unit] = texture;
  context->samplers[unit] = samplerState;
  ++context->epoch;
}

void Rig::draw(backend::Program& program, backend::VertexArray& array, pipe::Primitive mode, u32 first, u32 count,
               u32 instances) {
  const pipe::DrawRange range{first, count, 0};
  backend::DrawCall call;
  call.vertexArray = &array;
  call.program = &program;
  call.mode = mode;
  call.instanceCount = instances;
  call.ranges = {&range, 1};
  backend->draw(*context, call);
}

void Rig::drawIndexed(backend::Program& program, backend::VertexArray& array, pipe::Primitive mode,
                      pipe::IndexType type, u64 offset, u32 count, i32 baseVertex) {
  const pipe::DrawRange range{offset, count, baseVertex};
  backend::DrawCall call;
  call.vertexArray = &array;
  call.program = &program;
  call.mode = mode;
  call.indexType = type;
  call.ranges = {&range, 1};
  backend->draw(*context, call);
}

pipe::Clear Rig::colorClear(f32 r, f32 g, f32 b, f32 a) {
  pipe::Clear clear{};
  clear.colorOutputs = 1;
  clear.colorMasks = 0xf;
  const f32 color[4] = {r, g, b, a};
  std::memcpy(clear.color.data(), color, sizeof color);
  return clear;
}

void Rig::clearColor(const Ref<backend::Framebuffer>& framebuffer, f32 r, f32 g, f32 b, f32 a) {
  backend->clear(*context, framebuffer.get(), colorClear(r, g, b, a));
}

std::vector<std::byte> Rig::read(const Ref<backend::Framebuffer>& framebuffer, const pipe::Rect& rect,
                                 format::TransferFormat format, format::TransferType type) {
  const pipe::TexelLayout layout = tight(format, type, static_cast<u32>(rect.width), static_cast<u32>(rect.height));
  const backend::Pending pending = backend->beginReadPixels(*context, framebuffer.get(), rect, layout, false);
  std::vector<std::byte> bytes(layout.imageBytes);
  EXPECT_TRUE(backend->finish(pending, bytes));
  return bytes;
}

Texels Rig::readRgba(const Ref<backend::Framebuffer>& framebuffer, u32 width, u32 height) {
  const std::vector<std::byte> bytes = read(framebuffer, {0, 0, static_cast<i32>(width), static_cast<i32>(height)},
                                            format::TransferFormat::RGBA, format::TransferType::UByte);
  Texels texels{width, height, std::vector<u8>(bytes.size())};
  std::memcpy(texels.rgba.data(), bytes.data(), bytes.size());
  return texels;
}

std::vector<std::byte> Rig::readTexture(backend::Texture& texture, u32 level, const pipe::TexelBox& box,
                                        format::TransferFormat format, format::TransferType type) {
  const pipe::TexelLayout layout = tight(format, type, box.width, box.height);
  const backend::Pending pending = backend->beginReadTexture(texture, level, box, layout);
  std::vector<std::byte> bytes(layout.imageBytes * box.depth);
  EXPECT_TRUE(backend->finish(pending, bytes));
  return bytes;
}

void Rig::finish() { EXPECT_TRUE(backend->finish(backend->beginFinish(), {})); }

pipe::VertexAttrib attrib(u32 location, pipe::VertexType type, u32 components, u32 offset, bool normalized,
                          pipe::AttribClass cls) {
  pipe::VertexAttrib made{};
  made.location = static_cast<u8>(location);
  made.type = type;
  made.components = static_cast<u8>(components);
  made.normalized = normalized;
  made.cls = cls;
  made.offset = offset;
  return made;
}

pipe::SamplerState nearestState() {
  pipe::SamplerState made{};
  made.wrapS = made.wrapT = made.wrapR = pipe::Wrap::ClampToEdge;
  made.minLod = -1000;
  made.maxLod = 1000;
  made.maxAnisotropy = 1;
  made.cubeSeamless = 1;
  return made;
}

}  // namespace mgl::magma::test
