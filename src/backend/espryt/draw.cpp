#include "backend/espryt/draw.h"

#include <algorithm>
#include <cstring>

#include "backend/index_stream.h"

namespace mgl::espryt {

namespace {

const pipe::RenderState& stateOf(const backend::ContextState& context) {
  static const pipe::RenderState kDefault = [] {
    pipe::RenderState state{};
    for (pipe::BlendTarget& blend : state.blend) {
      blend.srcColor = blend.srcAlpha = pipe::BlendFactor::One;
      blend.writeMask = 15;
    }
    for (pipe::StencilFace& face : state.stencil) {
      face.func = pipe::CompareOp::Always;
      face.readMask = face.writeMask = 0xff;
    }
    state.depthWrite = 1;
    state.depthFunc = pipe::CompareOp::Less;
    return state;
  }();
  return context.renderState ? context.renderState->state : kDefault;
}

bool drawsPoints(const backend::DrawCall& call) {
  constexpr u32 kGeometry = indexOf(pipe::Stage::Geometry);
  const backend::Program* program = call.program;
  if (program->pipeline && program->stages[kGeometry]) program = program->stages[kGeometry].get();
  if (((program->stageMask >> kGeometry) & 1) != 0) return program->archive.geometry.output == shader::Primitive::Points;
  return call.mode == pipe::Primitive::Points;
}

u32 largestIndex(u32 bytes) { return bytes == 0 || bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1; }

}  // namespace

bool Drawer::setup(HostContext& host, ContextTwin& twin, backend::ContextState& context, const backend::DrawCall& call,
                   bool points, bool restart) {
  auto& program = static_cast<Program&>(*call.program);
  if (!engine_.programs->prepare(program)) return false;
  ContextTwin::Seen& seen = twin.seen;
  const bool still = seen.contextEpoch == context.epoch && seen.engineEpoch == engine_.epoch && seen.foreign == host.foreign;
  const bool sameProgram = still && seen.program == &program && seen.programSerial == program.serial &&
                           seen.bindingsSerial == program.bindingsSerial && seen.points == points && !program.pipeline;
  if (still) {
    countHeld(Counter::ServerEpochHits);
  } else {
    seen = {};
    engine_.framebuffers->resolveDraw(context, context.drawFramebuffer.get(), &twin.target);
  }
  if (twin.target.width == 0 || twin.target.height == 0) return false;
  if (!still) {
    engine_.framebuffers->bind(host, context.drawFramebuffer.get(),
                               context.drawFramebuffer ? nullptr : context.drawSurface.get(), true, twin.target);
  }
  if (!sameProgram) {
    if (!emitState(host, twin, context, program)) return false;
    if (!bindSamplers(host, context, program)) return false;
    VariantKey key;
    key.points = points;
    key.window = (program.usesFragCoord && (program.originUpperLeft || program.pixelCenterInteger)) ||
                 (program.usesPointCoord && stateOf(context).pointOrigin == pipe::PointOrigin::LowerLeft);
    key.broadcast = program.fragColorBroadcast && twin.target.colorCount > 1 ? static_cast<u8>(twin.target.colorCount) : 0;
    // Hosts clip by a distance that is written and not enabled as well when none is.
    key.maskClip = (((1u << program.clipDistances) - 1) & ~u32{stateOf(context).clipDistances}) != 0;
    if (std::any_of(biases_.begin(), biases_.end(), [](f32 bias) { return bias != 0; })) key.lodBiases = biases_;
    Variant* variant = engine_.programs->variant(host, program, key);
    if (variant == nullptr) {
      countHeld(Counter::DrawsDeclined);
      return false;
    }
    host.useProgram(variant->name, variant->id);
    engine_.programs->setConstants(host, *variant, constantsOf(twin, context, program, points));
  }
  host.enable(Cap::Restart, restart);
  if (!sameProgram || seen.uniformsSerial != program.uniformsSerial || program.pipeline ||
      seen.streamed != host.stream->generation()) {
    if (!bindUniforms(host, context, program)) return false;
  }
  if (!bindVertices(host, context, call, program)) return false;
  engine_.framebuffers->drawn(host, twin.target);
  seen = {context.epoch,          engine_.epoch, &program, program.serial, program.bindingsSerial,
          program.uniformsSerial, host.foreign,  host.stream->generation(), points};
  return true;
}

bool Drawer::takeIndices(HostContext& host, const backend::DrawCall& call, Indices* out) {
  out->type = indexType(call.indexType);
  out->bytes = indexBytes(call.indexType);
  if ((call.flags & pipe::kDrawClientIndices) != 0) {
    for (const backend::ClientArrayData& array : call.clientArrays) {
      if (array.binding != pipe::kMaxVertexBindings) continue;
      const StreamSlice slice = host.stream->write(array.data, 4);
      out->buffer = slice.buffer;
      out->offset = slice.offset;
    }
  } else if (call.vertexArray->indexBuffer) {
    auto& buffer = static_cast<Buffer&>(*call.vertexArray->indexBuffer);
    if (buffer.host.name != 0) out->buffer = &buffer.host;
  }
  return out->buffer != nullptr;
}

void Drawer::draw(HostContext& host, ContextTwin& twin, backend::ContextState& context, const backend::DrawCall& call) {
  if (call.instanceCount == 0) return;
  if (call.baseInstance != 0 && !engine_.features.baseInstance)
    return engine_.decline("a draw with a base instance: the host has no GL_EXT_base_instance");
  const pipe::RenderState& state = stateOf(context);
  const u32 bytes = indexBytes(call.indexType), largest = largestIndex(bytes);
  const bool points = drawsPoints(call);
  bool restart = false, convert = call.mode == pipe::Primitive::Quads;
  if (bytes != 0 && state.restart != pipe::RestartMode::Off) {
    const u32 index = state.restart == pipe::RestartMode::Fixed ? largest : state.restartIndex;
    restart = index == largest;
    convert |= index < largest;
  }
  // The host's provoking vertex is the last.
  const bool plain = call.mode >= pipe::Primitive::Lines && call.mode <= pipe::Primitive::TriangleFan;
  const bool geometry = (call.program->stageMask & (1u << indexOf(pipe::Stage::Geometry))) != 0;
  convert |= plain && !geometry && state.provokingVertex == pipe::ProvokingVertex::First;
  if (bytes != 0 && !convert) {
    convert = std::any_of(call.ranges.begin(), call.ranges.end(),
                          [bytes](const pipe::DrawRange& range) { return range.first % bytes != 0; });
  }
  if (convert) return drawConverted(host, twin, context, call, points);
  if (!setup(host, twin, context, call, points, restart)) return;
  Indices indices;
  if (bytes != 0) {
    if (!takeIndices(host, call, &indices)) return;
    bindIndices(host, call, *indices.buffer);
  }
  record(host, call, indices, primitive(call.mode));
}

void Drawer::record(HostContext&, const backend::DrawCall& call, const Indices& indices, GLenum mode) {
  const Gl& gl = engine_.gl;
  const auto instances = static_cast<GLsizei>(call.instanceCount);
  for (const pipe::DrawRange& range : call.ranges) {
    if (range.count == 0) continue;
    const auto count = static_cast<GLsizei>(range.count);
    if (indices.buffer == nullptr) {
      const auto first = static_cast<GLint>(range.first);
      if (call.baseInstance != 0) {
        gl.DrawArraysInstancedBaseInstanceEXT(mode, first, count, instances, call.baseInstance);
      } else if (instances != 1) {
        gl.DrawArraysInstanced(mode, first, count, instances);
      } else {
        gl.DrawArrays(mode, first, count);
      }
      continue;
    }
    const auto* at = reinterpret_cast<const void*>(indices.offset + range.first);
    if (call.baseInstance != 0) {
      gl.DrawElementsInstancedBaseVertexBaseInstanceEXT(mode, count, indices.type, at, instances, range.baseVertex,
                                                        call.baseInstance);
    } else if (range.baseVertex != 0) {
      if (!engine_.features.baseVertex) return engine_.decline("a draw with a base vertex: the host has none");
      gl.DrawElementsInstancedBaseVertex(mode, count, indices.type, at, instances, range.baseVertex);
    } else if (instances != 1) {
      gl.DrawElementsInstanced(mode, count, indices.type, at, instances);
    } else {
      gl.DrawElements(mode, count, indices.type, at);
    }
  }
}

void Drawer::drawConverted(HostContext& host, ContextTwin& twin, backend::ContextState& context,
                           const backend::DrawCall& call, bool points) {
  const pipe::RenderState& state = stateOf(context);
  const u32 bytes = indexBytes(call.indexType);
  backend::IndexSource source;
  source.bytesPerIndex = bytes;
  source.mode = call.mode;
  source.restart = bytes != 0 && state.restart != pipe::RestartMode::Off;
  source.restartIndex = state.restart == pipe::RestartMode::Fixed ? largestIndex(bytes) : state.restartIndex;
  source.provokingLast = state.provokingVertex == pipe::ProvokingVertex::Last;
  source.hostProvokesLast = true;
  const auto run = [&](Bytes held) {
    source.indices = held;
    for (const pipe::DrawRange& range : call.ranges) {
      rewritten_.clear();
      const bool strips = backend::convertIndices(source, range.first, range.count, &rewritten_);
      if (rewritten_.empty()) continue;
      backend::DrawCall one = call;
      const pipe::DrawRange whole{0, static_cast<u32>(rewritten_.size()), bytes != 0 ? range.baseVertex : 0};
      one.ranges = {&whole, 1};
      if (!setup(host, twin, context, one, points, strips)) return;
      const StreamSlice slice = host.stream->write(std::as_bytes(std::span(rewritten_)), 4);
      if (slice.buffer == nullptr) return;
      bindIndices(host, call, *slice.buffer);
      record(host, one, {slice.buffer, slice.offset, GL_UNSIGNED_INT, 4}, primitive(backend::convertedMode(source)));
    }
  };
  if (bytes == 0) return run({});
  if ((call.flags & pipe::kDrawClientIndices) != 0) {
    for (const backend::ClientArrayData& array : call.clientArrays) {
      if (array.binding == pipe::kMaxVertexBindings) run(array.data);
    }
    return;
  }
  if (!call.vertexArray->indexBuffer) return;
  // A mapped buffer may be drawn from by nobody: the contents are copied out first.
  std::vector<std::byte> held;
  if (engine_.buffers->read(host, static_cast<Buffer&>(*call.vertexArray->indexBuffer),
                            [&held](Bytes contents) { held.assign(contents.begin(), contents.end()); }))
    run(held);
}

void Drawer::drawIndirect(HostContext& host, ContextTwin& twin, backend::ContextState& context,
                          const backend::IndirectDrawCall& call) {
  const backend::DrawCall& draw = call.draw;
  auto& buffer = static_cast<Buffer&>(*call.buffer);
  if (buffer.host.name == 0) return;
  const pipe::RenderState& state = stateOf(context);
  const u32 bytes = indexBytes(draw.indexType);
  const bool restart = bytes != 0 && state.restart != pipe::RestartMode::Off;
  const bool unlike = draw.mode == pipe::Primitive::Quads || call.countBuffer != nullptr ||
                      (restart && state.restart == pipe::RestartMode::Chosen && state.restartIndex != largestIndex(bytes));
  if (unlike) return engine_.decline("an indirect draw whose indices would have to be rewritten");
  if (!setup(host, twin, context, draw, drawsPoints(draw), restart)) return;
  Indices indices;
  if (bytes != 0) {
    if (!takeIndices(host, draw, &indices)) return;
    bindIndices(host, draw, *indices.buffer);
  }
  host.bindBuffer(BufferTarget::DrawIndirect, buffer.host);
  const GLenum mode = primitive(draw.mode);
  for (u32 i = 0; i < call.maxDraws; ++i) {
    const auto* at = reinterpret_cast<const void*>(call.offset + u64{i} * call.stride);
    if (bytes != 0) {
      engine_.gl.DrawElementsIndirect(mode, indices.type, at);
    } else {
      engine_.gl.DrawArraysIndirect(mode, at);
    }
  }
}

// ---- State

bool Drawer::emitState(HostContext& host, const ContextTwin& twin, const backend::ContextState& context,
                       const Program& program) {
  const pipe::RenderState& s = stateOf(context);
  const HostFeatures& f = engine_.features;
  const Target& target = twin.target;
  if (s.polygonFront != pipe::PolygonMode::Fill || s.polygonBack != pipe::PolygonMode::Fill)
    return engine_.decline("a draw of polygons as lines or points: OpenGL ES has none"), false;
  if (s.logicOpEnable != 0 && s.logicOp != pipe::LogicOp::Copy)
    return engine_.decline("a draw with a logical operation: OpenGL ES has none"), false;
  const u32 outputs = f.independentBlend ? target.colorCount : std::min(target.colorCount, 1u);
  for (u32 i = 0; i < outputs; ++i) {
    const pipe::BlendTarget& b = s.blend[i];
    const auto cap = static_cast<Cap>(i);
    host.enable(cap, b.enable != 0);
    if (b.enable != 0) {
      host.setBlendFunc(i, blendFactor(b.srcColor), blendFactor(b.dstColor), blendFactor(b.srcAlpha), blendFactor(b.dstAlpha));
      host.setBlendEquation(i, blendOp(b.colorOp), blendOp(b.alphaOp));
    }
    host.setColorMask(i, target.color[i].opaque ? b.writeMask & 7 : b.writeMask);
  }
  host.setBlendColor(context.blendColor);
  host.enable(Cap::DepthTest, s.depthTest != 0 && target.depth.image != nullptr);
  if (s.depthTest != 0) host.setDepth(s.depthWrite != 0, compareOp(s.depthFunc));
  const bool stencil = s.stencilTest != 0 && target.stencil.image != nullptr;
  host.enable(Cap::StencilTest, stencil);
  for (u32 face = 0; face < 2 && stencil; ++face) {
    const pipe::StencilFace& sf = s.stencil[face];
    const u32 reference = face == 0 ? context.stencilReference.front : context.stencilReference.back;
    host.setStencil(face, compareOp(sf.func), static_cast<i32>(reference), sf.readMask);
    host.setStencilOp(face, stencilOp(sf.fail), stencilOp(sf.depthFail), stencilOp(sf.pass));
    host.setStencilMask(face, sf.writeMask);
  }
  host.enable(Cap::Cull, s.cullMode != pipe::CullMode::None);
  if (s.cullMode != pipe::CullMode::None) {
    host.setCullFace(s.cullMode == pipe::CullMode::Front ? GL_FRONT : s.cullMode == pipe::CullMode::Back ? GL_BACK : GL_FRONT_AND_BACK);
  }
  host.setFrontFace(s.frontFace == pipe::Winding::CounterClockwise ? GL_CCW : GL_CW);
  host.enable(Cap::OffsetFill, s.offsetFill != 0);
  const pipe::RasterValues& r = context.raster;
  if (s.offsetFill != 0) host.setPolygonOffset(r.offsetFactor, r.offsetUnits, r.offsetClamp);
  if (r.lineWidth > 0) host.setLineWidth(std::min(r.lineWidth, engine_.caps.lineWidthMax));
  const bool many = target.samples > 1;
  host.enable(Cap::AlphaToCoverage, many && s.alphaToCoverage != 0);
  host.enable(Cap::SampleCoverage, many && s.sampleCoverage != 0);
  host.enable(Cap::SampleMask, many && s.sampleMask != 0);
  if (many && s.sampleCoverage != 0) host.setSampleCoverage(r.coverageValue, r.coverageInvert != 0);
  if (many && s.sampleMask != 0) host.setSampleMask(r.sampleMask);
  if (f.sampleShading) {
    host.enable(Cap::SampleShading, many && s.sampleShading != 0);
    if (many && s.sampleShading != 0) host.setMinSampleShading(r.minSampleShading);
  }
  host.enable(Cap::Discard, s.rasterizerDiscard != 0);
  if (f.depthClamp) host.enable(Cap::DepthClamp, s.depthClamp != 0);
  if (f.srgbWriteControl) host.enable(Cap::FramebufferSrgb, s.framebufferSrgb != 0);
  if (f.clipControl) {
    host.setClipControl(s.clipOrigin == pipe::ClipOrigin::UpperLeft ? GL_UPPER_LEFT_EXT : GL_LOWER_LEFT_EXT,
                        s.clipDepth == pipe::ClipDepth::ZeroToOne ? GL_ZERO_TO_ONE_EXT : GL_NEGATIVE_ONE_TO_ONE_EXT);
  }
  if (f.clipCullDistance) {
    for (u32 i = 0; i < 8; ++i) {
      const bool on = i < program.clipDistances && ((s.clipDistances >> i) & 1) != 0;
      host.enable(static_cast<Cap>(indexOf(Cap::Clip0) + i), on);
    }
  }
  if (context.viewportCount != 0) {
    const pipe::Viewport& v = context.viewports[0];
    host.setViewport(static_cast<i32>(v.x), static_cast<i32>(v.y), static_cast<i32>(v.width), static_cast<i32>(v.height));
    host.setDepthRange(v.nearDepth, v.farDepth);
  }
  const bool scissor = context.scissorCount != 0 && (context.scissorEnable & 1) != 0;
  host.enable(Cap::ScissorTest, scissor);
  if (scissor) {
    const pipe::Scissor& box = context.scissors[0];
    host.setScissor(box.x, box.y, static_cast<i32>(std::min(box.width, 0x7fffffffu)),
                    static_cast<i32>(std::min(box.height, 0x7fffffffu)));
  }
  return true;
}

shader::DriverConstants Drawer::constantsOf(const ContextTwin& twin, const backend::ContextState& context,
                                            const Program& program, bool points) const {
  const pipe::RenderState& s = stateOf(context);
  shader::DriverConstants c;
  if (program.originUpperLeft) {
    c.fragYScale = -1;
    c.fragYOffset = static_cast<f32>(twin.target.height);
  }
  if (program.pixelCenterInteger) {
    c.fragXOffset -= 0.5f;
    c.fragYOffset -= 0.5f;
  }
  // The host's gl_PointCoord begins at the upper left.
  if (s.pointOrigin == pipe::PointOrigin::LowerLeft) {
    c.pointYScale = -1;
    c.pointYOffset = 1;
  }
  c.clipMask = s.clipDistances;
  const bool own = s.programPointSize != 0;
  c.pointSize = points && !own ? std::clamp(context.raster.pointSize, engine_.caps.pointSizeMin, engine_.caps.pointSizeMax) : 0;
  return c;
}

}  // namespace mgl::espryt
