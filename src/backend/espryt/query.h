// Queries. Their objects are a context's own on the host: a result is taken by a thread that has that context current, once a
// fence behind the query's end has completed, so that taking it waits for nothing.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>

#include "backend/context_state.h"
#include "backend/espryt/buffer.h"

namespace mgl::espryt {

struct QueryRun {
  u32 slot = 0, gen = 0;
  u64 runSerial = 0;
  pipe::QueryKind kind{};
  GLuint name = 0;  // 0: the host counts nothing of the kind
  GLuint beginName = 0;  // TimeElapsed: of the time at its begin; name is of that at its end
  u64 contextUid = 0;
  u32 contextIndex = 0;
  bool ended = false;
  u64 ticket = 0;  // of the fence behind its end; 0: none yet
  std::atomic<bool> done{false};
  std::atomic<u64> value{0};
};

class Query final : public backend::Query {
 public:
  std::shared_ptr<QueryRun> run;  // the last one begun
};

class Queries {
 public:
  explicit Queries(Engine& engine) : engine_(engine) {}

  void begin(HostContext& host, Query& query);
  void end(HostContext& host, Query& query);
  void timestamp(HostContext& host, Query& query);
  void forget(Query& query);
  backend::Pending beginWait(Query& query);
  void resultToBuffer(HostContext& host, Query& query, Buffer& buffer, u64 offset, bool wide, bool wait, bool availability);
  // Conditional rendering, at the start of a verb. False: it is to be skipped.
  bool allows(HostContext& host, const backend::ContextState& context);

  // A fence of the context has this ticket: what ended before it is told once it completed.
  void fenced(HostContext& host, u64 ticket);
  void dropPending(HostContext& host);  // the context goes: nobody asks any more
  bool hasPending() const { return pending_.load(std::memory_order_acquire) != 0; }
  // Tells what is complete of the context that is current here; alone: of all.
  void poll(bool alone);

 private:
  static GLenum targetOf(pipe::QueryKind kind);
  std::shared_ptr<QueryRun> newRun(HostContext& host, Query& query);
  void tell(HostContext& host);
  void take(HostContext& host, QueryRun& run);

  Engine& engine_;
  std::atomic<u32> pending_{0};
  std::mutex mutex_;
  std::condition_variable told_;
};

}  // namespace mgl::espryt
