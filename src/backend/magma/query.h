// Queries. A GL query may span passes, command buffers and batches; a Vulkan query may not. So an active query is a row
// of segments, each within one pass (or one stretch outside of passes), whose results are added when the last one is
// complete. Results go to the sink from the waiting thread.
#pragma once

#include <memory>
#include <mutex>

#include "backend/context_state.h"
#include "backend/magma/engine.h"

namespace mgl::magma {

// A run of a query: made at begin, shared with the waiting thread from end on.
struct QueryRun {
  u32 slot = 0, gen = 0;
  u64 runSerial = 0;
  pipe::QueryKind kind{};
  std::vector<std::pair<VkQueryPool, u32>> segments;
  std::atomic<bool> done{false};
  std::atomic<u64> value{0};
  bool segmentOpen = false;
  u64 endSerial = 0;  // the batch of its end; 0 while active
};

class Query final : public backend::Query {
 public:
  std::shared_ptr<QueryRun> run;  // the last one begun
};

class Queries {
 public:
  explicit Queries(Engine& engine) : engine_(engine) {}
  ~Queries();

  void begin(Query& query);
  void end(Query& query);
  void timestamp(Query& query);
  // The query goes while it counts: its run ends without a result.
  void forget(Query& query);
  backend::Pending beginWait(Query& query);
  void resultToBuffer(Query& query, class Buffer& buffer, u64 offset, bool wide, bool wait, bool availability);

  // Another context's work follows: what was active stops counting, and goes on when it returns.
  void suspend(const std::vector<Query*>& queries);
  void resume(const std::vector<Query*>& queries);

  // Conditional rendering, at the start of a verb. False: it is to be skipped. A result that is not there yet is taken as
  // "draw" in the modes that do not wait; in the others the verb is recorded under a predicate that a host step fills,
  // until endCondition(). What cannot be predicated (a blit may be a transfer), and a host without conditional
  // rendering, waits: Stall::ConditionalRender.
  bool beginCondition(const backend::ContextState& context, bool canPredicate);
  void endCondition() { predicated_ = false; }
  bool predicated() const { return predicated_; }

  void passBegan();
  void passEnds();

 private:
  enum class Pool : u8 { Occlusion, Timestamp, PrimitivesGenerated, StreamOutput, Statistics, Count };
  struct Slots {
    VkQueryPool pool = VK_NULL_HANDLE;
    u32 next = 0;
  };
  static constexpr u32 kSlots = 256;
  static Pool poolOf(pipe::QueryKind kind);
  std::pair<VkQueryPool, u32> newSlot(Pool kind);
  void beginSegment(QueryRun& run);
  void endSegment(QueryRun& run);
  friend class Predicate;
  void makePredicate();
  void finishLater(std::shared_ptr<QueryRun> run);
  void resolve(QueryRun& run, bool lost);
  static bool isCounter(pipe::QueryKind kind);

  Engine& engine_;
  bool predicated_ = false;  // the verb that is being recorded
  // The last predicate made: draws under one condition share it within a batch.
  std::shared_ptr<QueryRun> predicateRun_;
  StreamSlice predicate_;
  u64 predicateBatch_ = 0;
  bool predicateInverted_ = false;
  std::array<std::vector<Slots>, countOf<Pool>()> pools_;
  std::mutex freeMutex_;
  std::array<std::vector<std::pair<VkQueryPool, u32>>, countOf<Pool>()> free_;
  std::vector<QueryRun*> active_;  // counters: segments open and close with passes
  std::vector<std::shared_ptr<QueryRun>> activeRuns_;
};

// Around each command that draws or clears, where the verb may be predicated.
class Predicate {
 public:
  explicit Predicate(Engine& engine) : engine_(engine) {
    if (engine.queries->predicated()) [[unlikely]]
      begin();
  }
  ~Predicate() {
    if (begun_) [[unlikely]]
      engine_.vk().vkCmdEndConditionalRenderingEXT(engine_.recorder.main());
  }
  Predicate(const Predicate&) = delete;
  Predicate& operator=(const Predicate&) = delete;

 private:
  void begin();
  Engine& engine_;
  bool begun_ = false;
};

}  // namespace mgl::magma
