#include "backend/magma/draw.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/magma/query.h"
#include "base/counters.h"

namespace mgl::magma {

namespace {

// Vertices in a row that indices are made for: a multiple of 4. What pulls it up: gl_PrimitiveID is whole, one draw does it.
// What pulls it down: the memory that a draw of no data takes.
constexpr u32 kMadeAtOnce = 4u << 20;

VkPrimitiveTopology topologyOf(pipe::Primitive mode) {
  constexpr VkPrimitiveTopology kTopologies[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
  static_assert(std::size(kTopologies) == countOf<pipe::Primitive>());
  return kTopologies[indexOf(mode)];
}

bool isList(VkPrimitiveTopology topology) {
  return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST || topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST ||
         topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
         topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
         topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY || topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
}

bool drawsPoints(const backend::DrawCall& call, const pipe::RenderState& state, VkPrimitiveTopology topology) {
  return topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST || state.polygonFront == pipe::PolygonMode::Point ||
         call.program->archive.geometry.output == shader::Primitive::Points;
}

u32 indexBytes(pipe::IndexType type) {
  return type == pipe::IndexType::U8 ? 1 : type == pipe::IndexType::U16 ? 2 : type == pipe::IndexType::U32 ? 4 : 0;
}

}  // namespace

void Drawer::resolveTarget(backend::ContextState& context) {
  const bool srgb = context.renderState && context.renderState->state.framebufferSrgb;
  engine_.passes->resolveDraw(context, context.drawFramebuffer.get(), srgb, &target_);
}

bool Drawer::setup(backend::ContextState& context, const backend::DrawCall& call, VkPrimitiveTopology topology,
                   bool points, bool restart) {
  auto& program = static_cast<Program&>(*call.program);
  auto& vertexArray = static_cast<VertexArray&>(*call.vertexArray);
  if (!engine_.programs->prepare(program)) return false;
  bool still = seen_.context == &context && seen_.contextEpoch == context.epoch && seen_.engineEpoch == engine_.epoch.value() &&
               seen_.topology == topology && seen_.points == points && seen_.restart == restart;
  bool sameProgram = still && seen_.program == &program && seen_.programSerial == program.serial &&
                     seen_.bindingsSerial == program.bindingsSerial && !program.pipeline;
  if (still) countHeld(Counter::ServerEpochHits);
  for (u32 attempt = 0; attempt < 3; ++attempt) {
    const u64 batch = engine_.recorder.serial();
    if (!still) {
      resolveTarget(context);
      fillFixed(context, program, topology, restart);
      if (const std::string_view what = lacking(context, program); !what.empty()) [[unlikely]] {
        seen_ = {};
        engine_.decline(what);
        return false;
      }
    }
    if (target_.width == 0 || target_.height == 0) return false;
    if (!sameProgram || seen_.uniformsSerial != program.uniformsSerial) {
      if (!gatherUniforms(context, program)) return false;
    }
    if (!sameProgram && (!gatherSamplers(context, program) || !gatherStorage(context, program))) return false;
    const bool sameVertices = sameProgram && seen_.vertexArray == &vertexArray &&
                              seen_.vertexVersion == vertexArray.version && !seen_.volatileVertices &&
                              call.clientArrays.empty();
    if (!sameVertices) {
      volatileVertices_ = !call.clientArrays.empty();
      if (!gatherVertices(context, call, program)) return false;
    }
    if (batch == engine_.recorder.serial()) break;
    // Something had to be submitted on the way: what was gathered belongs to the old batch.
    still = sameProgram = false;
    seen_ = {};
  }
  VariantKey key;
  key.points = points;
  key.convertClipDepth = !engine_.features().depthClipControl && fixed_.negativeOneToOne != 0;
  key.broadcast = program.fragColorBroadcast && target_.colorCount > 1 ? static_cast<u8>(target_.colorCount) : 0;
  const Variant* variant = engine_.programs->variant(program, key);
  if (variant == nullptr) {
    countHeld(Counter::DrawsDeclined);
    return false;
  }
  fixed_.viewports = static_cast<u8>(program.writesViewportIndex ? std::max(context.viewportCount, 1u) : 1);
  if (!engine_.passes->open(target_)) return false;
  emitState(context, program, *variant);
  if (bound_.pipeline == VK_NULL_HANDLE) return false;

  seen_ = {&context,
           context.epoch,
           engine_.epoch.value(),
           &program,
           program.serial,
           program.bindingsSerial,
           program.uniformsSerial,
           &vertexArray,
           vertexArray.version,
           topology,
           points,
           restart,
           volatileVertices_};
  return true;
}

bool Drawer::takeIndices(const backend::DrawCall& call, Indices* out) {
  out->bytes = indexBytes(call.indexType);
  out->type = call.indexType == pipe::IndexType::U8    ? VK_INDEX_TYPE_UINT8_EXT
              : call.indexType == pipe::IndexType::U16 ? VK_INDEX_TYPE_UINT16
                                                       : VK_INDEX_TYPE_UINT32;
  if ((call.flags & pipe::kDrawClientIndices) != 0) {
    for (const backend::ClientArrayData& array : call.clientArrays) {
      if (array.binding != pipe::kMaxVertexBindings) continue;
      const StreamSlice slice = engine_.recorder.stream(std::max<u64>(array.data.size(), 4), 4);
      if (slice.buffer == VK_NULL_HANDLE) return false;
      std::copy(array.data.begin(), array.data.end(), slice.data);
      out->buffer = slice.buffer;
      out->offset = slice.offset;
      return true;
    }
    return false;
  }
  auto* buffer = static_cast<Buffer*>(call.vertexArray->indexBuffer.get());
  if (buffer == nullptr || buffer->store == nullptr) return false;
  engine_.buffers->use(*buffer->store, usage::kIndexRead);
  out->buffer = buffer->store->handle();
  return true;
}

void Drawer::draw(backend::ContextState& context, const backend::DrawCall& call) {
  if (call.program == nullptr || !call.program->linked || call.vertexArray == nullptr) return;
  const pipe::RenderState& state = context.renderState ? context.renderState->state : defaultRenderState();
  const VkPrimitiveTopology topology = topologyOf(call.mode);
  const u32 bytes = indexBytes(call.indexType);
  const u32 largest = bytes == 0 || bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1;
  bool restart = false, convert = call.mode == pipe::Primitive::LineLoop || call.mode == pipe::Primitive::Quads;
  if (bytes != 0 && state.restart != pipe::RestartMode::Off) {
    const u32 index = state.restart == pipe::RestartMode::Fixed ? largest : state.restartIndex;
    if (index <= largest) {
      restart = index == largest;
      convert |= index != largest;
      convert |= isList(topology) && !engine_.features().listRestart;
      convert |= topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST && !engine_.features().patchListRestart;
    }
  }
  convert |= bytes == 1 && !engine_.features().indexTypeUint8;
  if (bytes != 0 && !convert) {
    convert = std::any_of(call.ranges.begin(), call.ranges.end(),
                          [bytes](const pipe::DrawRange& range) { return range.first % bytes != 0; });
  }
  if (convert) {
    drawConverted(context, call);
    return;
  }
  Indices indices;
  if (bytes != 0 && !takeIndices(call, &indices)) return;
  const bool points = drawsPoints(call, state, topology);
  const u64 batch = engine_.recorder.serial();
  if (!setup(context, call, topology, points, restart)) return;
  // A submission on the way took the index buffer's use with it.
  if (bytes != 0 && batch != engine_.recorder.serial()) {
    if (!takeIndices(call, &indices)) return;
    if (!engine_.passes->open(target_)) return;
  }
  record(call, indices);
}

void Drawer::record(const backend::DrawCall& call, const Indices& indices) {
  const VolkDeviceTable& vk = engine_.vk();
  const VkCommandBuffer commands = engine_.recorder.main();
  const Predicate predicate(engine_);
  if (indices.buffer == VK_NULL_HANDLE) {
    for (const pipe::DrawRange& range : call.ranges) {
      if (range.count == 0) continue;
      vk.vkCmdDraw(commands, range.count, call.instanceCount, static_cast<u32>(range.first), call.baseInstance);
    }
    return;
  }
  if (bound_.indexBuffer != indices.buffer || bound_.indexOffset != indices.offset ||
      bound_.indexType != indices.type) {
    vk.vkCmdBindIndexBuffer(commands, indices.buffer, indices.offset, indices.type);
    bound_.indexBuffer = indices.buffer;
    bound_.indexOffset = indices.offset;
    bound_.indexType = indices.type;
  }
  u64 available = ~u64{0};
  if (indices.offset == 0 && call.vertexArray->indexBuffer && (call.flags & pipe::kDrawClientIndices) == 0) {
    available = call.vertexArray->indexBuffer->bytes / indices.bytes;
  }
  for (const pipe::DrawRange& range : call.ranges) {
    const u64 first = range.first / indices.bytes;
    if (range.count == 0 || first >= available) continue;
    // Indices beyond the buffer: the host would read what is not the program's.
    const u32 count = static_cast<u32>(std::min<u64>(range.count, available - first));
    vk.vkCmdDrawIndexed(commands, count, call.instanceCount, static_cast<u32>(first), range.baseVertex,
                        call.baseInstance);
  }
}

void Drawer::drawConverted(backend::ContextState& context, const backend::DrawCall& call) {
  const pipe::RenderState& state = context.renderState ? context.renderState->state : defaultRenderState();
  const u32 bytes = indexBytes(call.indexType);
  backend::IndexSource source;
  source.bytesPerIndex = bytes;
  source.mode = call.mode;
  source.restart = bytes != 0 && state.restart != pipe::RestartMode::Off;
  source.restartIndex = state.restart == pipe::RestartMode::Fixed
                            ? (bytes == 4 || bytes == 0 ? ~0u : (1u << (8 * bytes)) - 1)
                            : state.restartIndex;
  source.provokingLast = state.provokingVertex == pipe::ProvokingVertex::Last;
  if (bytes != 0) {
    if ((call.flags & pipe::kDrawClientIndices) != 0) {
      for (const backend::ClientArrayData& array : call.clientArrays) {
        if (array.binding == pipe::kMaxVertexBindings) source.indices = array.data;
      }
    } else if (call.vertexArray->indexBuffer) {
      auto& buffer = static_cast<Buffer&>(*call.vertexArray->indexBuffer);
      if (buffer.store != nullptr && !engine_.buffers->isKnown(buffer) && engine_.features().hostSteps) {
        drawConvertedLater(context, call, source);
        return;
      }
      const Buffers::Readable when = engine_.buffers->openRead(buffer);
      if (when == Buffers::Readable::No) return;
      engine_.buffers->read(buffer, when, [&source](Bytes contents) { source.indices = contents; });
    }
    if (source.indices.empty()) return;
  }
  const VkPrimitiveTopology topology = topologyOf(call.mode);
  const bool points = drawsPoints(call, state, topology);
  for (const pipe::DrawRange& range : call.ranges) {
    if (bytes == 0 && range.count > kMadeAtOnce && (call.mode == pipe::Primitive::LineLoop || call.mode == pipe::Primitive::Quads)) {
      if (!drawLong(context, call, range, source, topology, points)) return;
    } else if (!drawMade(context, call, range, source, topology, points)) {
      return;
    }
  }
}

// A range with indices made for it. False: no more of the draw.
bool Drawer::drawMade(backend::ContextState& context, const backend::DrawCall& call, const pipe::DrawRange& range,
                      const backend::IndexSource& source, VkPrimitiveTopology topology, bool points) {
  const u64 most = backend::mostIndices(source, range.first, range.count);
  if (most == 0) return true;
  pipe::DrawRange made{0, 0, source.bytesPerIndex != 0 ? range.baseVertex : 0};
  backend::DrawCall one = call;
  one.ranges = {&made, 1};
  one.flags |= pipe::kDrawClientIndices;
  if (!setup(context, one, topology, points, backend::needsRestart(source.mode))) return false;
  const StreamSlice slice = engine_.recorder.stream(most * sizeof(u32), 4);
  if (slice.buffer == VK_NULL_HANDLE) return false;
  made.count = static_cast<u32>(backend::convertIndices(source, range.first, range.count, reinterpret_cast<u32*>(slice.data)));
  Indices out;
  out.buffer = slice.buffer;
  out.offset = slice.offset;
  out.type = VK_INDEX_TYPE_UINT32;
  out.bytes = 4;
  record(one, out);
  return true;
}

// More vertices in a row than indices are worth making for: a loop is its strip and the segment that closes it, quads go
// a part at a time. What it takes does not grow with the count. (gl_PrimitiveID begins anew in each part.)
bool Drawer::drawLong(backend::ContextState& context, const backend::DrawCall& call, const pipe::DrawRange& range,
                      const backend::IndexSource& source, VkPrimitiveTopology topology, bool points) {
  if (call.mode == pipe::Primitive::Quads) {
    for (u32 at = 0; at < range.count; at += std::min(kMadeAtOnce, range.count - at)) {
      const pipe::DrawRange part{range.first + at, std::min(kMadeAtOnce, range.count - at), 0};
      if (!drawMade(context, call, part, source, topology, points)) return false;
    }
    return true;
  }
  backend::DrawCall one = call;
  one.ranges = {&range, 1};
  if (!setup(context, one, topology, points, backend::needsRestart(call.mode))) return false;
  const StreamSlice slice = engine_.recorder.stream(2 * sizeof(u32), 4);
  if (slice.buffer == VK_NULL_HANDLE) return false;
  record(one, {});
  const std::array<u32, 2> closing{static_cast<u32>(range.first + range.count - 1), static_cast<u32>(range.first)};
  std::memcpy(slice.data, closing.data(), sizeof closing);
  const pipe::DrawRange last{0, 2, 0};
  one.ranges = {&last, 1};
  one.flags |= pipe::kDrawClientIndices;
  Indices out;
  out.buffer = slice.buffer;
  out.offset = slice.offset;
  out.type = VK_INDEX_TYPE_UINT32;
  out.bytes = 4;
  record(one, out);
  return true;
}

// The indices come to be in a batch before: a host step rewrites them, and how many there are then it says in the
// command that the draw takes its arguments from.
void Drawer::drawConvertedLater(backend::ContextState& context, const backend::DrawCall& call,
                                const backend::IndexSource& source) {
  const pipe::RenderState& state = context.renderState ? context.renderState->state : defaultRenderState();
  const VkPrimitiveTopology topology = topologyOf(call.mode);
  const bool points = drawsPoints(call, state, topology);
  auto& buffer = static_cast<Buffer&>(*call.vertexArray->indexBuffer);
  for (const pipe::DrawRange& range : call.ranges) {
    if (range.count == 0) continue;
    const Buffers::Readable when = engine_.buffers->openRead(buffer);
    if (when == Buffers::Readable::No) return;
    if (!setup(context, call, topology, points, backend::needsRestart(call.mode))) return;
    backend::IndexSource sized = source;
    sized.indices = Bytes(static_cast<const std::byte*>(nullptr), buffer.bytes);
    const u64 most = backend::mostIndices(sized, range.first, range.count);
    if (most == 0) continue;
    const StreamSlice indices = engine_.recorder.stream(most * sizeof(u32), 4);
    const StreamSlice command = engine_.recorder.stream(sizeof(VkDrawIndexedIndirectCommand), 4);
    if (indices.buffer == VK_NULL_HANDLE || command.buffer == VK_NULL_HANDLE) return;
    std::memset(command.data, 0, sizeof(VkDrawIndexedIndirectCommand));
    engine_.buffers->read(
        buffer, when,
        [source, range, instances = call.instanceCount, base = call.baseInstance, out = indices.data,
         arguments = command.data](Bytes contents) {
          backend::IndexSource from = source;
          from.indices = contents;
          const u64 made = backend::convertIndices(from, range.first, range.count, reinterpret_cast<u32*>(out));
          const VkDrawIndexedIndirectCommand draw{static_cast<u32>(made), instances, 0, range.baseVertex, base};
          std::memcpy(arguments, &draw, sizeof draw);
        });
    const VkCommandBuffer commands = engine_.recorder.main();
    engine_.vk().vkCmdBindIndexBuffer(commands, indices.buffer, indices.offset, VK_INDEX_TYPE_UINT32);
    bound_.indexBuffer = VK_NULL_HANDLE;
    const Predicate predicate(engine_);
    engine_.vk().vkCmdDrawIndexedIndirect(commands, command.buffer, command.offset, 1,
                                          sizeof(VkDrawIndexedIndirectCommand));
  }
}

void Drawer::drawIndirect(backend::ContextState& context, const backend::IndirectDrawCall& call) {
  const backend::DrawCall& draw = call.draw;
  if (draw.program == nullptr || !draw.program->linked || draw.vertexArray == nullptr || call.buffer == nullptr) return;
  auto& buffer = static_cast<Buffer&>(*call.buffer);
  if (buffer.store == nullptr) return;
  const pipe::RenderState& state = context.renderState ? context.renderState->state : defaultRenderState();
  const u32 bytes = indexBytes(draw.indexType);
  const u32 largest = bytes == 4 || bytes == 0 ? ~0u : (1u << (8 * bytes)) - 1;
  const VkPrimitiveTopology topology = topologyOf(draw.mode);
  const bool restart = bytes != 0 && state.restart != pipe::RestartMode::Off;
  const bool unlike = draw.mode == pipe::Primitive::LineLoop || draw.mode == pipe::Primitive::Quads ||
                      call.countBuffer != nullptr || (bytes == 1 && !engine_.features().indexTypeUint8) ||
                      (restart && state.restart == pipe::RestartMode::Chosen && state.restartIndex != largest);
  if (unlike) {
    engine_.decline("an indirect draw whose indices would have to be rewritten");
    return;
  }
  Indices indices;
  if (bytes != 0 && !takeIndices(draw, &indices)) return;
  engine_.buffers->use(*buffer.store, usage::kIndirectRead);
  const bool points = topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  if (!setup(context, draw, topology, points, restart)) return;
  const VolkDeviceTable& vk = engine_.vk();
  const VkCommandBuffer commands = engine_.recorder.main();
  const u32 stride = call.stride != 0 ? call.stride : bytes != 0 ? 20u : 16u;
  if (bytes != 0) {
    vk.vkCmdBindIndexBuffer(commands, indices.buffer, indices.offset, indices.type);
    bound_.indexBuffer = VK_NULL_HANDLE;
  }
  const Predicate predicate(engine_);
  for (u32 i = 0; i < call.maxDraws; ++i) {
    const u64 at = call.offset + u64{i} * stride;
    if (bytes != 0) {
      vk.vkCmdDrawIndexedIndirect(commands, buffer.store->handle(), at, 1, stride);
    } else {
      vk.vkCmdDrawIndirect(commands, buffer.store->handle(), at, 1, stride);
    }
  }
}

}  // namespace mgl::magma
