#include <cstring>

#include "base/counters.h"
#include "gl/buffer/buffer.h"
#include "gl/vertex/vertex_array.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

namespace {

// A merged record is sent when it has this many ranges, so that the server is never long without work.
constexpr u32 kMaxMergedRanges = 256;

// Adds a range to an open draw record that has only ranges and patches. The patches move up by one range.
bool appendRange(pipe::RecordHeader* record, const pipe::DrawRange& range) {
  auto& head = *reinterpret_cast<pipe::Draw*>(record + 1);
  if (head.rangeCount >= kMaxMergedRanges) return false;
  auto* ranges = reinterpret_cast<pipe::DrawRange*>(&head + 1);
  auto* end = reinterpret_cast<std::byte*>(record) + record->bytes;
  auto* patches = reinterpret_cast<std::byte*>(ranges + head.rangeCount);
  if (patches != end) std::memmove(patches + sizeof range, patches, static_cast<std::size_t>(end - patches));
  ranges[head.rangeCount] = range;
  ++head.rangeCount;
  head.flags |= pipe::kDrawMerged;
  record->bytes += sizeof range;
  return true;
}

}  // namespace

void Tracker::draw(const DrawArguments& arguments, std::span<const pipe::DrawRange> ranges) {
  gl::Context& c = context_;
  client::Group group(*c.session, c.handle);
  if (statePending_) [[unlikely]]
    emitState(group);

  gl::VertexArray& vertexArray = *c.vertexArray;
  if (vertexArray.formatVersion != vertexArray.emittedFormat ||
      vertexArray.bindingsVersion != vertexArray.emittedBindings) [[unlikely]]
    emitVertexArray(group, vertexArray);
  const u32 defaults = attributeMask_ & ~vertexArray.enabledMask;
  if ((defaults & ~emittedDefaults_) != 0) [[unlikely]]
    emitAttribDefaults(group, defaults);

  countHeld(Counter::Draws, ranges.size());
  u32 patchCount = 0, patchBytes = 0;
  if (gl::Executable* executable = drawExecutable_; executable != nullptr && executable->patchCount != 0) {
    for (u32 i = 0; i < executable->patchCount && i < gl::Executable::kPatches; ++i)
      patchBytes += executable->patches[i].bytes;
    if (executable->patchCount > gl::Executable::kPatches || patchBytes > pipe::kMaxInlineUniformBytes) [[unlikely]] {
      emitUniformBlob(group, drawProgram_, *executable);
      patchBytes = 0;
    } else {
      patchCount = executable->patchCount;
    }
  }

  if (patchCount == 0 && ranges.size() == 1 && !usesDrawId_) {
    if (pipe::RecordHeader* open = group.openDraw(); open != nullptr) {
      const auto& head = *reinterpret_cast<const pipe::Draw*>(open + 1);
      if (head.vertexArray == vertexArray.handle && head.program == drawProgram_ && head.mode == arguments.mode &&
          head.indexType == arguments.indexType && head.instanceCount == arguments.instanceCount &&
          head.baseInstance == arguments.baseInstance && appendRange(open, ranges[0])) {
        countHeld(Counter::DrawsMerged);
        return;
      }
    }
  }

  for (std::size_t first = 0; first < ranges.size();) {
    const auto count = static_cast<u32>(std::min<std::size_t>(ranges.size() - first, pipe::kMaxDrawRanges));
    pipe::Draw head;
    head.vertexArray = vertexArray.handle;
    head.program = drawProgram_;
    head.mode = arguments.mode;
    head.indexType = arguments.indexType;
    head.flags = 0;
    head.rangeCount = count;
    head.instanceCount = arguments.instanceCount;
    head.baseInstance = arguments.baseInstance;
    head.patchCount = static_cast<u16>(patchCount);
    head.patchBytes = static_cast<u16>(patchBytes);
    head.clientArrayCount = 0;
    std::byte* to = pipe::beginRecord(group.reserve(pipe::recordBytes(head)), head);
    std::memcpy(to, &ranges[first], count * sizeof(pipe::DrawRange));
    to += count * sizeof(pipe::DrawRange);
    if (patchCount != 0) {
      const gl::Executable& executable = *drawExecutable_;
      std::memcpy(to, executable.patches.data(), patchCount * sizeof(pipe::UniformPatch));
      to += patchCount * sizeof(pipe::UniformPatch);
      for (u32 i = 0; i < patchCount; ++i) {
        const pipe::UniformPatch& patch = executable.patches[i];
        std::memcpy(to, executable.block.data() + patch.offset, patch.bytes);
        to += patch.bytes;
      }
      if (const u32 rest = patchBytes % 8; rest != 0) std::memset(to, 0, 8 - rest);
      drawExecutable_->clean();
      patchCount = patchBytes = 0;
    }
    countHeld(Counter::DrawRecords);
    group.commitDraw();
    first += count;
  }
}

void Tracker::drawIndirect(const DrawArguments& arguments, gl::Buffer& parameters, u64 offset, u32 stride, u32 count,
                           gl::Buffer* countBuffer, u64 countOffset) {
  gl::Context& c = context_;
  client::Group group(*c.session, c.handle);
  if (statePending_) emitState(group);
  gl::VertexArray& vertexArray = *c.vertexArray;
  if (vertexArray.formatVersion != vertexArray.emittedFormat ||
      vertexArray.bindingsVersion != vertexArray.emittedBindings)
    emitVertexArray(group, vertexArray);
  const u32 defaults = attributeMask_ & ~vertexArray.enabledMask;
  if ((defaults & ~emittedDefaults_) != 0) emitAttribDefaults(group, defaults);
  if (drawExecutable_ != nullptr && drawExecutable_->patchCount != 0)
    emitUniformBlob(group, drawProgram_, *drawExecutable_);

  pipe::DrawIndirect head{};
  head.vertexArray = vertexArray.handle;
  head.program = drawProgram_;
  head.mode = arguments.mode;
  head.indexType = arguments.indexType;
  head.flags = pipe::kDrawIndirect;
  head.stride = stride;
  head.buffer = parameters.handle;
  head.offset = offset;
  if (countBuffer != nullptr) head.countBuffer = countBuffer->handle;
  head.countOffset = countOffset;
  head.maxDraws = count;
  countHeld(Counter::Draws, count);
  countHeld(Counter::DrawRecords);
  group.emit(head, std::span<const pipe::UniformPatch>(), std::span<const u8>());
}

}  // namespace mgl::tracker
