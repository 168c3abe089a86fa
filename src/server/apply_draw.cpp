// Draws and dispatches. The path of a warm draw is the one that is measured: two look-ups, the patches, one call.
#include <algorithm>
#include <cstring>

#include "base/counters.h"
#include "pipe/record_writer.h"
#include "server/image_checks.h"
#include "server/session_tables.h"

namespace mgl::server {

using backend::DrawCall;
using backend::Program;

namespace {

constexpr u32 indexBytes(pipe::IndexType type) { return type == pipe::IndexType::None ? 0 : 1u << (indexOf(type) - 1); }
static_assert(indexBytes(pipe::IndexType::U8) == 1 && indexBytes(pipe::IndexType::U32) == 4);

// Of a pipeline: its programs may have been linked anew, with less or to no effect.
bool canDraw(const Program& program) {
  if (!program.linked) return false;
  for (u32 i = 0; program.pipeline && i < program.stages.size(); ++i) {
    const Program* stage = program.stages[i].get();
    if (stage != nullptr && (!stage->linked || (stage->stageMask >> i & 1) == 0)) return false;
  }
  return true;
}

}  // namespace

// Null: good; else the field of the record that is not.
const char* Session::patchUniforms(Program& program, std::span<const pipe::UniformPatch> patches, Bytes bytes) {
  std::size_t at = 0;
  for (const pipe::UniformPatch& patch : patches) {
    if (u64{patch.offset} + patch.bytes > program.uniforms.size()) return "UniformPatch.offset";
    if (patch.bytes > bytes.size() - at) return "UniformPatch.bytes";
    pipe::detail::copyShort(program.uniforms.data() + patch.offset, bytes.data() + at, patch.bytes);
    at += patch.bytes;
  }
  if (at != bytes.size()) return "UniformPatch.bytes";
  ++program.uniformsSerial;
  return nullptr;
}

// One short patch, as most draws have: true when that was all.
[[gnu::always_inline]] inline bool Session::patchOne(Program& program, std::span<const pipe::UniformPatch> patches,
                                                     Bytes bytes) {
  const pipe::UniformPatch& patch = patches.front();
  const u32 size = patch.bytes;
  if (patches.size() != 1 || size != bytes.size() || size - 8 > 8 || u64{patch.offset} + size > program.uniforms.size())
    return false;
  std::byte* to = program.uniforms.data() + patch.offset;
  std::memcpy(to, bytes.data(), 8);
  std::memcpy(to + size - 8, bytes.data() + size - 8, 8);
  ++program.uniformsSerial;
  return true;
}

bool Session::applyUpdateUniforms(pipe::RecordView<pipe::UpdateUniforms> record) {
  Program* program = programs_.find(record.head.program);
  if (program == nullptr) return corrupt("UpdateUniforms.program");
  bool fits = false;
  const Bytes data = blobBytes(record.head.data, &fits);
  if (!fits) return corrupt("UpdateUniforms.data");
  if (const char* field = patchUniforms(*program, record.tail<0>(), data))
    return corruptField(pipe::Call::UpdateUniforms, field);
  for (const pipe::UniformPatch& patch : record.tail<0>())
    backend_->uniformsChanged(*program, patch.offset, patch.bytes);
  return true;
}

bool Session::checkWindows(const Program& program) {
  u32 window = program.samplerWindow;
  if (program.pipeline) {
    for (const Ref<Program>& stage : program.stages) {
      if (stage) window = std::max(window, stage->samplerWindow);
    }
  }
  if (window > current_->viewCount) return corrupt("SetSamplerViews.count");
  if (window > current_->samplerCount) return corrupt("BindSamplerStates.count");
  return true;
}

Session::Start Session::checkDrawTarget(pipe::Call call) {
  switch (drawTarget(*current_, current_->drawFramebuffer.get())) {
    case Target::Corrupt:
      corruptField(call, "framebuffer");
      return Start::Faulted;
    case Target::Missing:
      return Start::Declined;
    case Target::Drawable:
      break;
  }
  drawCheckedAt_ = moves_;
  return Start::Go;
}

// A program that is not linked, a pipeline, or a window that may be too narrow.
Session::Start Session::lookCloser(const Program& program) {
  if (!canDraw(program)) return Start::Declined;
  return checkWindows(program) ? Start::Go : Start::Faulted;
}

// What all draws have in common. Declined: nothing to draw with or to, which no GL error tells the client.
template <class P>
[[gnu::always_inline]] inline Session::Start Session::startDraw(const P& head,
                                                                std::span<const pipe::UniformPatch> patches,
                                                                Bytes patchBytes, backend::VertexArray** vertexArray,
                                                                Program** program) {
  constexpr pipe::Call kCall = pipe::CallOf<P>::kCall;
  *vertexArray = vertexArrays_.find(head.vertexArray);
  if (*vertexArray == nullptr || !(*vertexArray)->format) [[unlikely]] {
    corruptField(kCall, "vertexArray");
    return Start::Faulted;
  }
  *program = programs_.find(head.program);
  if (*program == nullptr) [[unlikely]] {
    if (head.program.isNull() && patches.empty()) return Start::Declined;
    corruptField(kCall, "program");
    return Start::Faulted;
  }
  // Uniforms of a draw that comes to nothing count all the same.
  if (!patches.empty() && !patchOne(**program, patches, patchBytes)) {
    if (const char* field = patchUniforms(**program, patches, patchBytes)) [[unlikely]] {
      corruptField(kCall, field);
      return Start::Faulted;
    }
  }
  if ((*program)->drawWindow > window_) [[unlikely]] {
    if (const Start start = lookCloser(**program); start != Start::Go) return start;
  }
  if (drawCheckedAt_ != moves_) [[unlikely]]
    return checkDrawTarget(kCall);
  return Start::Go;
}

// Indices beyond the end of the buffer are not read, whatever the host does with them: the ranges end where it does.
std::span<const pipe::DrawRange> Session::trimRanges(std::span<const pipe::DrawRange> ranges, u64 bytes, u32 size) {
  trimmed_.assign(ranges.begin(), ranges.end());
  for (pipe::DrawRange& range : trimmed_) {
    const u64 there = range.first < bytes ? (bytes - range.first) / size : 0;
    range.count = static_cast<u32>(std::min<u64>(range.count, there));
  }
  std::erase_if(trimmed_, [](const pipe::DrawRange& range) { return range.count == 0; });
  return trimmed_;
}

bool Session::applyDraw(pipe::RecordView<pipe::Draw> record) {
  const pipe::Draw& head = record.head;
  backend::VertexArray* vertexArray;
  Program* program;
  const Start start = startDraw(head, record.tail<1>(), std::as_bytes(record.tail<2>()), &vertexArray, &program);
  if (start != Start::Go) [[unlikely]] {
    if (start == Start::Declined) countHeld(Counter::DrawsDeclined);
    return start == Start::Declined;
  }
  DrawCall call{.vertexArray = vertexArray,
                .program = program,
                .mode = head.mode,
                .indexType = head.indexType,
                .flags = head.flags,
                .instanceCount = head.instanceCount,
                .baseInstance = head.baseInstance,
                .ranges = record.tail<0>(),
                .clientArrays = {}};
  if (head.clientArrayCount != 0) [[unlikely]]
    return drawClientArrays(call, record.tail<3>());
  if (head.indexType != pipe::IndexType::None) {
    const backend::Buffer* indices = vertexArray->indexBuffer.get();
    if (indices == nullptr) [[unlikely]]
      return corrupt("Draw.indexType");
    const u32 shift = indexOf(head.indexType) - 1;
    for (const pipe::DrawRange& range : call.ranges) {
      if (!rangeFits(range.first, u64{range.count} << shift, indices->bytes)) [[unlikely]] {
        call.ranges = trimRanges(call.ranges, indices->bytes, 1u << shift);
        break;
      }
    }
  }
  backend_->draw(*current_, call);
  return true;
}

bool Session::drawClientArrays(DrawCall& call, std::span<const pipe::ClientArray> arrays) {
  std::array<backend::ClientArrayData, pipe::kMaxVertexBindings + 1> data;
  bool hasIndices = false;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    bool fits = false;
    data[i] = {arrays[i].binding, arrays[i].stride, arrays[i].first, blobBytes(arrays[i].data, &fits)};
    if (!fits) return corrupt("Draw.ClientArray.data");
    const bool isIndices = arrays[i].binding == pipe::kMaxVertexBindings;
    if (isIndices ? i + 1 != arrays.size() : arrays[i].binding >= call.vertexArray->bindingCount)
      return corrupt("Draw.ClientArray.binding");
    hasIndices |= isIndices;
  }
  if (hasIndices != ((call.flags & pipe::kDrawClientIndices) != 0)) return corrupt("Draw.flags");
  if (call.indexType != pipe::IndexType::None) {
    const backend::Buffer* indices = call.vertexArray->indexBuffer.get();
    if (!hasIndices && indices == nullptr) return corrupt("Draw.indexType");
    call.ranges = trimRanges(call.ranges, hasIndices ? data[arrays.size() - 1].data.size() : indices->bytes,
                             indexBytes(call.indexType));
  }
  call.clientArrays = std::span(data).first(arrays.size());
  backend_->draw(*current_, call);
  return true;
}

bool Session::applyDrawIndirect(pipe::RecordView<pipe::DrawIndirect> record) {
  const pipe::DrawIndirect& head = record.head;
  backend::IndirectDrawCall call;
  call.buffer = buffers_.find(head.buffer);
  if (call.buffer == nullptr) return corrupt("DrawIndirect.buffer");
  if (!lookUp(buffers_, head.countBuffer, &call.countBuffer)) return corrupt("DrawIndirect.countBuffer");
  const bool indexed = head.indexType != pipe::IndexType::None;
  const u32 commandBytes = indexed ? 20 : 16;  // 10.4: DrawElementsIndirectCommand, DrawArraysIndirectCommand
  call.stride = head.stride != 0 ? head.stride : commandBytes;
  if (call.stride % 4 != 0 || head.offset % 4 != 0) return corrupt("DrawIndirect.offset");
  const u64 bytes = head.maxDraws == 0 ? 0 : u64{call.stride} * (head.maxDraws - 1) + commandBytes;
  if (!rangeFits(head.offset, bytes, call.buffer->bytes)) return corrupt("DrawIndirect.offset");
  if (call.countBuffer != nullptr &&
      (head.countOffset % 4 != 0 || !rangeFits(head.countOffset, 4, call.countBuffer->bytes)))
    return corrupt("DrawIndirect.countOffset");
  const Start start =
      startDraw(head, record.tail<0>(), std::as_bytes(record.tail<1>()), &call.draw.vertexArray, &call.draw.program);
  if (start != Start::Go) {
    if (start == Start::Declined) countHeld(Counter::DrawsDeclined);
    return start == Start::Declined;
  }
  call.draw.mode = head.mode;
  call.draw.flags = head.flags;
  if (indexed && !call.draw.vertexArray->indexBuffer) return corrupt("DrawIndirect.indexType");
  call.draw.indexType = head.indexType;
  call.offset = head.offset;
  call.maxDraws = head.maxDraws;
  call.countOffset = head.countOffset;
  backend_->drawIndirect(*current_, call);
  return true;
}

bool Session::applyDrawStreamOutput(pipe::RecordView<pipe::DrawStreamOutput>) {
  return unimplemented(pipe::Call::DrawStreamOutput);
}
bool Session::applyDispatch(pipe::RecordView<pipe::Dispatch>) { return unimplemented(pipe::Call::Dispatch); }
bool Session::applyDispatchIndirect(pipe::RecordView<pipe::DispatchIndirect>) {
  return unimplemented(pipe::Call::DispatchIndirect);
}

bool Session::applyMemoryBarrier(pipe::RecordView<pipe::MemoryBarrier> record) {
  backend_->memoryBarrier(record.head.bits, record.head.byRegion != 0);
  return true;
}
bool Session::applyTextureBarrier(pipe::RecordView<pipe::TextureBarrier>) {
  backend_->textureBarrier(*current_);
  return true;
}

}  // namespace mgl::server
