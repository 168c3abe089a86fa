#include <cstring>

#include "gl/buffer/buffer.h"
#include "tracker/tracker.h"

namespace mgl::tracker {

namespace {

// A merged record is sent when it has this many ranges, so that the server is never long without work.
constexpr u32 kMaxMergedRanges = 256;

// A patch of at most so many bytes takes the warm path: a matrix. Longer ones are copied byte by byte.
constexpr u32 kShortPatchBytes = 64;
static_assert(kShortPatchBytes <= gl::Executable::kBlockSlackBytes && kShortPatchBytes <= pipe::kMaxInlineUniformBytes);

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

void Tracker::emitSlices(client::Group& group, gl::VertexArray& vertexArray) {
  if (vertexArray.formatVersion != vertexArray.emittedFormat ||
      vertexArray.bindingsVersion != vertexArray.emittedBindings || isLooking())
    emitVertexArray(group, vertexArray);
  const u32 defaults = attributeMask_ & ~vertexArray.enabledMask;
  if ((defaults & ~emittedDefaults_) != 0 || (defaults != 0 && isLooking())) emitAttribDefaults(group, defaults);
}

bool Tracker::prepareDrawSlow(client::Group& group, gl::VertexArray& vertexArray, const DrawArguments& arguments) {
  for (;;) {
    const u32 interruptions = group.interruptions();
    if (statePending_) emitState(group);
    if (slicesMoved(vertexArray) || isLooking()) emitSlices(group, vertexArray);
    if (verifier_) verifier_->end();
    if (interruptions == group.interruptions()) return true;
    if (!validateDraw(group, arguments)) return false;
  }
}

bool Tracker::sendUniforms(client::Group& group, const DrawArguments& arguments) {
  const u32 interruptions = group.interruptions();
  emitUniformBlob(group, drawProgram_, *drawExecutable_);
  return interruptions == group.interruptions() ||
         (validateDraw(group, arguments) && prepareDraw(group, *context_.vertexArray, arguments));
}

// A draw that differs from the one before in nothing but its range joins its record.
bool Tracker::mergeDraw(client::Group& group, const DrawArguments& arguments, const pipe::DrawRange& range) {
  pipe::RecordHeader* open = group.openDraw();
  if (open == nullptr || usesDrawId_) return false;
  const auto& head = *reinterpret_cast<const pipe::Draw*>(open + 1);
  if (head.vertexArray != context_.vertexArray->handle || head.program != drawProgram_ || head.mode != arguments.mode ||
      head.indexType != arguments.indexType || head.instanceCount != arguments.instanceCount ||
      head.baseInstance != arguments.baseInstance || !appendRange(open, range))
    return false;
  group.countMergedDraw();
  return true;
}

void Tracker::draw(client::Group& group, const DrawArguments& arguments, const pipe::DrawRange& range) {
  gl::VertexArray& vertexArray = *context_.vertexArray;
  if (!prepareDraw(group, vertexArray, arguments)) [[unlikely]]
    return;

  gl::Executable* const executable = drawExecutable_;
  const u32 patchCount = executable != nullptr ? executable->patchCount : 0;
  if (patchCount > 1 || (patchCount == 1 && executable->patches[0].bytes > kShortPatchBytes)) [[unlikely]]
    return drawMany(group, arguments, std::span(&range, 1));
  group.countDraws(1);
  if (patchCount == 0 && mergeDraw(group, arguments, range)) return;

  auto* const header = static_cast<pipe::RecordHeader*>(group.reserve());
  auto& head = *reinterpret_cast<pipe::Draw*>(header + 1);
  head.vertexArray = vertexArray.handle;
  head.program = drawProgram_;
  head.mode = arguments.mode;
  head.indexType = arguments.indexType;
  head.flags = 0;
  head.rangeCount = 1;
  head.instanceCount = arguments.instanceCount;
  head.baseInstance = arguments.baseInstance;
  auto* const to = reinterpret_cast<pipe::DrawRange*>(&head + 1);
  *to = range;
  head.clientArrayCount = 0;
  u32 bytes = sizeof(pipe::RecordHeader) + sizeof(pipe::Draw) + sizeof(pipe::DrawRange);
  if (patchCount != 0) [[likely]] {
    const pipe::UniformPatch patch = executable->patches[0];
    auto* const patchTo = reinterpret_cast<pipe::UniformPatch*>(to + 1);
    *patchTo = patch;
    // A multiple of 4 bytes, whole 16 at a time: the block has that much room behind it, and so has the record.
    auto* const values = reinterpret_cast<std::byte*>(patchTo + 1);
    const std::byte* from = executable->block.data() + patch.offset;
    std::memcpy(values, from, 16);
    if (patch.bytes > 16) {
      std::memcpy(values + 16, from + 16, 16);
      std::memcpy(values + 32, from + 32, 32);
    }
    const u32 padded = alignUp(patch.bytes, 8u);
    std::memset(values + patch.bytes, 0, 4);
    head.patchCount = 1;
    head.patchBytes = static_cast<u16>(patch.bytes);
    bytes += sizeof(pipe::UniformPatch) + padded;
    executable->patchCount = 0;
  } else {
    head.patchCount = 0;
    head.patchBytes = 0;
  }
  *header = {static_cast<u16>(pipe::Call::Draw), 0, bytes};
  group.commitDraw();
}

void Tracker::draw(client::Group& group, const DrawArguments& arguments, std::span<const pipe::DrawRange> ranges) {
  if (prepareDraw(group, *context_.vertexArray, arguments)) drawMany(group, arguments, ranges);
}

void Tracker::drawMany(client::Group& group, const DrawArguments& arguments, std::span<const pipe::DrawRange> ranges) {
  group.countDraws(ranges.size());
  u32 patchCount = 0, patchBytes = 0;
  if (gl::Executable* executable = drawExecutable_; executable != nullptr && executable->patchCount != 0) {
    for (u32 i = 0; i < executable->patchCount && i < gl::Executable::kPatches; ++i)
      patchBytes += executable->patches[i].bytes;
    if (executable->patchCount > gl::Executable::kPatches || patchBytes > pipe::kMaxInlineUniformBytes) {
      if (!sendUniforms(group, arguments)) return;
      patchBytes = 0;
    } else {
      patchCount = executable->patchCount;
    }
  }
  if (patchCount == 0 && ranges.size() == 1 && mergeDraw(group, arguments, ranges[0])) return;

  for (std::size_t first = 0; first < ranges.size();) {
    const auto count = static_cast<u32>(std::min<std::size_t>(ranges.size() - first, pipe::kMaxDrawRanges));
    pipe::Draw head;
    head.vertexArray = context_.vertexArray->handle;
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
    std::byte* to = pipe::beginRecord(group.reserve(), head);
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
    group.commitDraw();
    first += count;
  }
}

void Tracker::drawIndirect(client::Group& group, const DrawArguments& arguments, gl::Buffer& parameters, u64 offset, u32 stride,
                           u32 count, gl::Buffer* countBuffer, u64 countOffset) {
  const u32 interruptions = group.interruptions();
  gl::VertexArray& vertexArray = *context_.vertexArray;
  if (!prepareDraw(group, vertexArray, arguments)) return;
  if (drawExecutable_ != nullptr && drawExecutable_->patchCount != 0 && !sendUniforms(group, arguments)) return;
  const u64 bytes = u64{count - 1} * stride + (arguments.indexType == pipe::IndexType::None ? 16 : 20);
  if (interruptions != group.interruptions() && (bytes > parameters.size || offset > parameters.size - bytes)) return;

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
  group.countDraws(count);
  group.countDrawRecord();
  group.emit(head, std::span<const pipe::UniformPatch>(), std::span<const u8>());
}

}  // namespace mgl::tracker
