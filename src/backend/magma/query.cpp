#include "backend/magma/query.h"

#include <algorithm>
#include <cstring>

#include "backend/magma/buffer.h"
#include "backend/magma/pass_manager.h"
#include "backend/magma/readback.h"
#include "base/counters.h"
#include "base/event.h"

namespace mgl::magma {

using pipe::QueryKind;

Queries::~Queries() {
  for (auto& kind : pools_) {
    for (const Slots& slots : kind) engine_.vk().vkDestroyQueryPool(engine_.device->handle(), slots.pool, nullptr);
  }
}

Queries::Pool Queries::poolOf(QueryKind kind) {
  switch (kind) {
    case QueryKind::SamplesPassed:
    case QueryKind::AnySamplesPassed:
    case QueryKind::AnySamplesPassedConservative:
      return Pool::Occlusion;
    case QueryKind::TimeElapsed:
    case QueryKind::Timestamp:
      return Pool::Timestamp;
    case QueryKind::PrimitivesGenerated:
      return Pool::PrimitivesGenerated;
    case QueryKind::StreamOutputPrimitivesWritten:
    case QueryKind::StreamOutputOverflow:
    case QueryKind::StreamOutputStreamOverflow:
      return Pool::StreamOutput;
    default:
      return Pool::Statistics;
  }
}

bool Queries::isCounter(QueryKind kind) { return poolOf(kind) != Pool::Timestamp; }

std::pair<VkQueryPool, u32> Queries::newSlot(Pool kind) {
  std::pair<VkQueryPool, u32> slot{VK_NULL_HANDLE, 0};
  {
    const std::lock_guard lock(freeMutex_);
    auto& free = free_[indexOf(kind)];
    if (!free.empty()) {
      slot = free.back();
      free.pop_back();
    }
  }
  if (slot.first == VK_NULL_HANDLE) {
    auto& pools = pools_[indexOf(kind)];
    if (pools.empty() || pools.back().next == kSlots) {
      VkQueryPoolCreateInfo info{
          VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, VK_QUERY_TYPE_OCCLUSION, kSlots, 0};
      if (kind == Pool::Timestamp) info.queryType = VK_QUERY_TYPE_TIMESTAMP;
      if (kind == Pool::StreamOutput) info.queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT;
      if (kind == Pool::PrimitivesGenerated) {
        if (engine_.features().primitivesGenerated) {
          info.queryType = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
        } else {
          info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
          info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT;
        }
      }
      if (kind == Pool::Statistics) return {VK_NULL_HANDLE, 0};
      Slots slots;
      if (engine_.vk().vkCreateQueryPool(engine_.device->handle(), &info, nullptr, &slots.pool) != VK_SUCCESS) {
        return {VK_NULL_HANDLE, 0};
      }
      pools.push_back(slots);
    }
    slot = {pools.back().pool, pools.back().next++};
  }
  // Ahead of everything in the batch: no pass need be left for it.
  engine_.vk().vkCmdResetQueryPool(engine_.recorder.ahead(), slot.first, slot.second, 1);
  return slot;
}

void Queries::beginSegment(QueryRun& run) {
  const auto slot = newSlot(poolOf(run.kind));
  if (slot.first == VK_NULL_HANDLE) return;
  run.segments.push_back(slot);
  run.segmentOpen = true;
  const bool precise = run.kind == QueryKind::SamplesPassed && engine_.features().core.occlusionQueryPrecise;
  engine_.vk().vkCmdBeginQuery(engine_.recorder.main(), slot.first, slot.second,
                               precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
}

void Queries::endSegment(QueryRun& run) {
  if (!run.segmentOpen) return;
  run.segmentOpen = false;
  const auto& [pool, index] = run.segments.back();
  engine_.vk().vkCmdEndQuery(engine_.recorder.main(), pool, index);
}

void Queries::begin(Query& query) {
  auto run = std::make_shared<QueryRun>();
  run->slot = query.slot;
  run->gen = query.gen;
  run->runSerial = query.runSerial;
  run->kind = query.kind;
  query.run = run;
  if (isCounter(query.kind)) {
    activeRuns_.push_back(run);
    active_.push_back(run.get());
    if (engine_.passes->isOpen()) beginSegment(*run);
    return;
  }
  const auto slot = newSlot(Pool::Timestamp);
  if (slot.first == VK_NULL_HANDLE) return;
  run->segments.push_back(slot);
  engine_.vk().vkCmdWriteTimestamp(engine_.recorder.main(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.first,
                                   slot.second);
}

void Queries::end(Query& query) {
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr || run->endSerial != 0) return;
  if (isCounter(run->kind)) {
    const auto at = std::find(active_.begin(), active_.end(), run.get());
    if (at != active_.end()) {
      if (engine_.passes->isOpen()) endSegment(*run);
      active_.erase(at);
    }
    std::erase(activeRuns_, run);
  } else {
    const auto slot = newSlot(Pool::Timestamp);
    if (slot.first != VK_NULL_HANDLE) {
      run->segments.push_back(slot);
      engine_.vk().vkCmdWriteTimestamp(engine_.recorder.main(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.first,
                                       slot.second);
    }
  }
  finishLater(run);
}

void Queries::forget(Query& query) {
  if (query.run == nullptr || query.run->endSerial != 0) return;
  suspend({&query});
  std::erase(activeRuns_, query.run);
}

void Queries::timestamp(Query& query) {
  auto run = std::make_shared<QueryRun>();
  run->slot = query.slot;
  run->gen = query.gen;
  run->runSerial = query.runSerial;
  run->kind = QueryKind::Timestamp;
  query.run = run;
  const auto slot = newSlot(Pool::Timestamp);
  if (slot.first != VK_NULL_HANDLE) {
    run->segments.push_back(slot);
    engine_.vk().vkCmdWriteTimestamp(engine_.recorder.main(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.first,
                                     slot.second);
  }
  finishLater(run);
}

void Queries::finishLater(std::shared_ptr<QueryRun> run) {
  run->endSerial = engine_.recorder.serial();
  engine_.recorder.whenDone([this, run = std::move(run)](bool lost) { resolve(*run, lost); });
}

// On the waiting thread.
void Queries::resolve(QueryRun& run, bool lost) {
  u64 total = 0, first = 0;
  for (std::size_t i = 0; !lost && i < run.segments.size(); ++i) {
    const auto& [pool, index] = run.segments[i];
    u64 values[2] = {};
    const bool pair = poolOf(run.kind) == Pool::StreamOutput;
    engine_.vk().vkGetQueryPoolResults(engine_.device->handle(), pool, index, 1, sizeof values, values, sizeof values,
                                       VK_QUERY_RESULT_64_BIT);
    const bool overflow =
        run.kind == QueryKind::StreamOutputOverflow || run.kind == QueryKind::StreamOutputStreamOverflow;
    if (!isCounter(run.kind)) {
      const u32 bits = engine_.device->adapter().timestampBits();
      const u64 mask = bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1;
      if (i == 0) first = values[0] & mask;
      total = run.kind == QueryKind::TimeElapsed ? ((values[0] & mask) - first) & mask : values[0] & mask;
    } else {
      total += pair && overflow ? values[1] - values[0] : values[0];
    }
  }
  switch (run.kind) {
    case QueryKind::TimeElapsed:
    case QueryKind::Timestamp:
      total = static_cast<u64>(static_cast<f64>(total) * engine_.caps.timestampPeriodNs);
      break;
    case QueryKind::AnySamplesPassed:
    case QueryKind::AnySamplesPassedConservative:
    case QueryKind::StreamOutputOverflow:
    case QueryKind::StreamOutputStreamOverflow:
      total = total != 0 ? 1 : 0;
      break;
    default:
      break;
  }
  {
    const std::lock_guard lock(freeMutex_);
    auto& free = free_[indexOf(poolOf(run.kind))];
    free.insert(free.end(), run.segments.begin(), run.segments.end());
  }
  run.value.store(total, std::memory_order_relaxed);
  run.done.store(true, std::memory_order_release);
  engine_.device->sink().queryResult(run.slot, run.gen, run.runSerial, total);
}

backend::Pending Queries::beginWait(Query& query) {
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr) return engine_.readBacks->afterSerial(0, [] { return u64{0}; });
  u64 serial = run->endSerial;
  if (serial == engine_.recorder.serial()) serial = engine_.submit();
  return engine_.readBacks->afterSerial(serial, [run] { return run->value.load(std::memory_order_acquire); });
}

void Queries::resultToBuffer(Query& query, Buffer& buffer, u64 offset, bool wide, bool wait, bool availability) {
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr || buffer.store == nullptr) return;
  if (!run->done.load(std::memory_order_acquire) && wait && !availability) {
    engine_.openHostStep(run->endSerial);
    const StreamSlice slice = engine_.recorder.stream(sizeof(u64), 8);
    if (slice.buffer == VK_NULL_HANDLE) return;
    engine_.hostStep([run, wide, out = slice.data] {
      const u64 value = run->value.load(std::memory_order_acquire);
      const u64 told = wide ? value : std::min<u64>(value, 0xffffffff);
      std::memcpy(out, &told, sizeof told);
    });
    engine_.buffers->written(buffer, usage::kTransferWrite);
    const VkBufferCopy region{slice.offset, offset, wide ? 8u : 4u};
    engine_.vk().vkCmdCopyBuffer(engine_.outside(), slice.buffer, buffer.store->handle(), 1, &region);
    return;
  }
  const bool done = run->done.load(std::memory_order_acquire);
  if (!done && !availability) return;
  const u64 value = availability ? (done ? 1 : 0) : run->value.load(std::memory_order_relaxed);
  const u32 narrow = static_cast<u32>(std::min<u64>(value, 0xffffffff));
  engine_.buffers->subData(buffer, offset,
                           wide ? Bytes(reinterpret_cast<const std::byte*>(&value), sizeof value)
                                : Bytes(reinterpret_cast<const std::byte*>(&narrow), sizeof narrow));
}

bool Queries::beginCondition(const backend::ContextState& context, bool canPredicate) {
  if (!context.conditionQuery) return true;
  const auto& query = static_cast<const Query&>(*context.conditionQuery);
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr || run->endSerial == 0) return true;
  if (!run->done.load(std::memory_order_acquire)) {
    const bool wait = context.conditionMode == pipe::ConditionMode::Wait ||
                      context.conditionMode == pipe::ConditionMode::ByRegionWait;
    if (!wait) return true;
    if (canPredicate && engine_.features().conditionalRendering && engine_.features().hostSteps) {
      if (predicateRun_ != run || predicateInverted_ != context.conditionInverted) {
        predicateRun_ = run;
        predicateInverted_ = context.conditionInverted;
        predicateBatch_ = 0;
      }
      engine_.openHostStep(run->endSerial);
      predicated_ = true;
      return true;
    }
    engine_.waitForGpu(Stall::ConditionalRender);
  }
  const bool passed = run->value.load(std::memory_order_acquire) != 0;
  return passed != context.conditionInverted;
}

// The batch that ended the run was handed over: what its result decides can be filled in before the open one.
void Queries::makePredicate() {
  if (predicateBatch_ == engine_.recorder.serial()) return;
  predicate_ = engine_.recorder.stream(sizeof(u32), 4);
  if (predicate_.buffer == VK_NULL_HANDLE) return;
  predicateBatch_ = engine_.recorder.serial();
  engine_.hostStep([run = predicateRun_, inverted = predicateInverted_, out = predicate_.data] {
    const u32 draw = (run->value.load(std::memory_order_acquire) != 0) != inverted ? 1 : 0;
    std::memcpy(out, &draw, sizeof draw);
  });
}

void Predicate::begin() {
  engine_.queries->makePredicate();
  const StreamSlice& slice = engine_.queries->predicate_;
  if (slice.buffer == VK_NULL_HANDLE) return;
  const VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, nullptr,
                                                slice.buffer, slice.offset, 0};
  engine_.vk().vkCmdBeginConditionalRenderingEXT(engine_.recorder.main(), &info);
  begun_ = true;
}

void Queries::suspend(const std::vector<Query*>& queries) {
  for (Query* query : queries) {
    if (query->run == nullptr || !isCounter(query->run->kind)) continue;
    const auto at = std::find(active_.begin(), active_.end(), query->run.get());
    if (at == active_.end()) continue;
    if (engine_.passes->isOpen()) endSegment(**at);
    active_.erase(at);
  }
}

void Queries::resume(const std::vector<Query*>& queries) {
  for (Query* query : queries) {
    if (query->run == nullptr || query->run->endSerial != 0 || !isCounter(query->run->kind)) continue;
    if (std::find(active_.begin(), active_.end(), query->run.get()) != active_.end()) continue;
    active_.push_back(query->run.get());
    if (engine_.passes->isOpen()) beginSegment(*query->run);
  }
}

void Queries::passBegan() {
  for (QueryRun* run : active_) beginSegment(*run);
}

void Queries::passEnds() {
  for (QueryRun* run : active_) endSegment(*run);
}

}  // namespace mgl::magma
