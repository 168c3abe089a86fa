#include "backend/espryt/query.h"

#include <algorithm>

#include "backend/espryt/readback.h"
#include "backend/espryt/wait_thread.h"

namespace mgl::espryt {

using pipe::QueryKind;

// 0: OpenGL ES has no such query. Samples are not counted there: whether there were any is all that can be told.
GLenum Queries::targetOf(QueryKind kind) {
  switch (kind) {
    case QueryKind::SamplesPassed:
    case QueryKind::AnySamplesPassed:
      return GL_ANY_SAMPLES_PASSED;
    case QueryKind::AnySamplesPassedConservative:
      return GL_ANY_SAMPLES_PASSED_CONSERVATIVE;
    case QueryKind::PrimitivesGenerated:
      return GL_PRIMITIVES_GENERATED;
    case QueryKind::StreamOutputPrimitivesWritten:
      return GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN;
    default:
      return 0;
  }
}

std::shared_ptr<QueryRun> Queries::newRun(HostContext& host, Query& query) {
  auto run = std::make_shared<QueryRun>();
  run->slot = query.slot;
  run->gen = query.gen;
  run->runSerial = query.runSerial;
  run->kind = query.kind;
  run->contextUid = host.uid;
  run->contextIndex = host.index();
  query.run = run;
  return run;
}

void Queries::begin(HostContext& host, Query& query) {
  const auto run = newRun(host, query);
  const GLenum target = targetOf(query.kind);
  const HostFeatures& f = engine_.features;
  if (query.kind == QueryKind::TimeElapsed && f.timerQuery) {
    // Two times rather than GL_TIME_ELAPSED: nothing else then has to keep from being measured, and llvmpipe answers that with
    // the time since boot.
    engine_.gl.GenQueries(1, &run->beginName);
    engine_.gl.QueryCounterEXT(run->beginName, GL_TIMESTAMP_EXT);
    return;
  }
  if (target == 0 || (target == GL_PRIMITIVES_GENERATED && !f.geometry)) return;
  engine_.gl.GenQueries(1, &run->name);
  engine_.gl.BeginQuery(target, run->name);
}

void Queries::end(HostContext& host, Query& query) {
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr || run->ended) return;
  run->ended = true;
  if (run->beginName != 0 && run->contextUid == host.uid) {
    engine_.gl.GenQueries(1, &run->name);
    engine_.gl.QueryCounterEXT(run->name, GL_TIMESTAMP_EXT);
  } else if (run->name != 0 && run->contextUid == host.uid) {
    engine_.gl.EndQuery(targetOf(run->kind));
  }
  host.pendingQueries.push_back(run);
  pending_.fetch_add(1, std::memory_order_acq_rel);
}

void Queries::timestamp(HostContext& host, Query& query) {
  const auto run = newRun(host, query);
  run->ended = true;
  if (engine_.features.timerQuery) {
    engine_.gl.GenQueries(1, &run->name);
    engine_.gl.QueryCounterEXT(run->name, GL_TIMESTAMP_EXT);
  }
  host.pendingQueries.push_back(run);
  pending_.fetch_add(1, std::memory_order_acq_rel);
}

void Queries::forget(Query& query) {
  if (query.run == nullptr || query.run->ended) return;
  query.run->ended = true;
  HostContext* owner = engine_.owner(query.run->contextIndex, query.run->contextUid);
  if (owner == nullptr || query.run->name == 0) return;
  if (owner->isCurrent()) engine_.gl.EndQuery(targetOf(query.run->kind));
  owner->deadQueries.push_back(query.run->name);
}

void Queries::fenced(HostContext& host, u64 ticket) {
  for (const auto& run : host.pendingQueries) {
    if (run->ticket == 0) run->ticket = ticket;
  }
}

// REQUIRES the run's context current.
void Queries::take(HostContext& host, QueryRun& run) {
  u64 value = 0;
  if (run.name != 0) {
    const bool wide = run.kind == QueryKind::TimeElapsed || run.kind == QueryKind::Timestamp;
    if (wide) {
      GLuint64 told = 0;
      engine_.gl.GetQueryObjectui64vEXT(run.name, GL_QUERY_RESULT, &told);
      value = told;
      if (run.beginName != 0) {
        engine_.gl.GetQueryObjectui64vEXT(run.beginName, GL_QUERY_RESULT, &told);
        value -= std::min<u64>(told, value);
        host.deadQueries.push_back(run.beginName);
      }
    } else {
      GLuint told = 0;
      engine_.gl.GetQueryObjectuiv(run.name, GL_QUERY_RESULT, &told);
      value = told;
    }
    host.deadQueries.push_back(run.name);
    run.name = 0;
  }
  {
    const std::scoped_lock lock(mutex_);
    run.value.store(value, std::memory_order_relaxed);
    run.done.store(true, std::memory_order_release);
  }
  told_.notify_all();
  engine_.sink.queryResult(run.slot, run.gen, run.runSerial, value);
}

void Queries::dropPending(HostContext& host) {
  for (const auto& run : host.pendingQueries) {
    {
      const std::scoped_lock lock(mutex_);
      run->done.store(true, std::memory_order_release);
    }
    engine_.sink.queryResult(run->slot, run->gen, run->runSerial, 0);
    pending_.fetch_sub(1, std::memory_order_acq_rel);
  }
  told_.notify_all();
  host.pendingQueries.clear();
}

void Queries::tell(HostContext& host) {
  const u64 completed = engine_.waiter->completed();
  std::erase_if(host.pendingQueries, [&](const std::shared_ptr<QueryRun>& run) {
    if (!run->done.load(std::memory_order_relaxed)) {
      if (run->ticket == 0 || run->ticket > completed) return false;
      take(host, *run);
    }
    pending_.fetch_sub(1, std::memory_order_acq_rel);
    return true;
  });
}

void Queries::poll(bool alone) {
  HostContext* here = HostContext::current(engine_);
  if (here != nullptr) tell(*here);
  if (alone) {
    bool moved = false;
    for (std::size_t i = 0; i < engine_.contexts.size(); ++i) {
      HostContext* other = engine_.contexts[i];
      if (other == nullptr || other == here || other->pendingQueries.empty()) continue;
      if (!other->makeCurrent()) continue;
      moved = true;
      tell(*other);
    }
    if (moved && here != nullptr) here->makeCurrent();
  } else if (hasPending()) {
    // Another thread's, or not complete: whoever has the context looks.
    engine_.sink.pollWanted();
  }
}

backend::Pending Queries::beginWait(Query& query) {
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr) return engine_.readBacks->afterTicket(0, [] { return u64{0}; });
  if (!run->done.load(std::memory_order_acquire) && run->ticket == 0) {
    HostContext* owner = engine_.owner(run->contextIndex, run->contextUid);
    if (owner != nullptr && owner->isCurrent()) fenced(*owner, engine_.waiter->push(engine_.fence(*owner), {}));
  }
  return engine_.readBacks->afterTicket(run->ticket, [this, run] {
    while (!run->done.load(std::memory_order_acquire) && !engine_.waiter->lost()) {
      poll(false);
      if (run->done.load(std::memory_order_acquire)) break;
      engine_.sink.pollWanted();
      std::unique_lock lock(mutex_);
      told_.wait_for(lock, std::chrono::milliseconds(1), [&] { return run->done.load(std::memory_order_relaxed); });
    }
    return run->value.load(std::memory_order_acquire);
  });
}

void Queries::resultToBuffer(HostContext& host, Query& query, Buffer& buffer, u64 offset, bool wide, bool wait,
                             bool availability) {
  const std::shared_ptr<QueryRun> run = query.run;
  if (run == nullptr) return;
  if (!run->done.load(std::memory_order_acquire) && run->contextUid == host.uid && run->name != 0) {
    GLuint there = 0;
    if (!wait || availability) engine_.gl.GetQueryObjectuiv(run->name, GL_QUERY_RESULT_AVAILABLE, &there);
    if (there != 0) {
      take(host, *run);
    } else if (wait && !availability) {
      const ScopedStall stall(Stall::ApplyGpu);
      take(host, *run);
    }
  }
  const bool done = run->done.load(std::memory_order_acquire);
  if (!done && !availability) return;
  const u64 value = availability ? (done ? 1 : 0) : run->value.load(std::memory_order_relaxed);
  const u32 narrow = static_cast<u32>(std::min<u64>(value, 0xffffffff));
  engine_.buffers->subData(buffer, offset, wide ? std::as_bytes(std::span(&value, 1)) : std::as_bytes(std::span(&narrow, 1)));
}

bool Queries::allows(HostContext& host, const backend::ContextState& context) {
  if (!context.conditionQuery) return true;
  const std::shared_ptr<QueryRun> run = static_cast<const Query&>(*context.conditionQuery).run;
  if (run == nullptr || !run->ended) return true;
  if (!run->done.load(std::memory_order_acquire)) {
    if (run->contextUid != host.uid) return true;
    const bool wait = context.conditionMode == pipe::ConditionMode::Wait || context.conditionMode == pipe::ConditionMode::ByRegionWait;
    GLuint there = 1;
    if (!wait && run->name != 0) engine_.gl.GetQueryObjectuiv(run->name, GL_QUERY_RESULT_AVAILABLE, &there);
    if (there == 0) return true;
    const ScopedStall stall(Stall::ConditionalRender);
    take(host, *run);
  }
  return (run->value.load(std::memory_order_acquire) != 0) != context.conditionInverted;
}

}  // namespace mgl::espryt
