#include "server/session.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/counters.h"
#include "base/knobs.h"
#include "pipe/check.h"

namespace mgl::server {

namespace {

// GL has a context for every state and verb; these verbs stand for the session as a whole.
constexpr bool needsContext(pipe::Call call, pipe::CallClass cls) {
  using pipe::Call;
  switch (call) {
    case Call::BindContext:
    case Call::Present:
    case Call::Flush:
    case Call::Finish:
    case Call::CreateFence:
    case Call::WaitFence:
    case Call::ServerWaitFence:
    case Call::ImportSyncFd:
    case Call::ExportSyncFd:
    case Call::WaitQuery:
    case Call::QueryResultToBuffer:
    case Call::MemoryBarrier:
    case Call::DebugMessage:
    case Call::PushDebugGroup:
    case Call::PopDebugGroup:
      return false;
    default:
      return cls == pipe::CallClass::State || cls == pipe::CallClass::Verb || cls == pipe::CallClass::Query;
  }
}

}  // namespace

template <pipe::Call C>
bool Session::applyRow(Session& session, const pipe::RecordHeader* record) {
  constexpr const pipe::CallInfo& kInfo = pipe::callInfo(C);
  if constexpr (needsContext(C, kInfo.cls)) {
    if (session.current_ == nullptr) [[unlikely]]
      return session.corruptField(C, "context");
  }
  if constexpr (kInfo.epoch == pipe::Epoch::Moves) {
    ++session.moves_;
    if (session.current_ != nullptr && !session.heldStill_[indexOf(C)]) [[likely]]
      ++session.current_->epoch;
  }
#define MGL_CALL(Name, cls, flags, wait, epoch, text) \
  if constexpr (C == pipe::Call::Name) return session.apply##Name(pipe::RecordView<pipe::Name>(record));
#include "pipe/pipe_calls.def"
#undef MGL_CALL
}

const std::array<Session::ApplyFn, countOf<pipe::Call>()> Session::kApply = {
#define MGL_CALL(Name, cls, flags, wait, epoch, text) &Session::applyRow<pipe::Call::Name>,
#include "pipe/pipe_calls.def"
#undef MGL_CALL
};

namespace {

template <class P>
constexpr u32 replySlotOffset() {
  if constexpr (requires(P payload) { payload.replySlot; })
    return static_cast<u32>(sizeof(pipe::RecordHeader) + offsetof(P, replySlot));
  else
    return 0;
}
// Where a record that asks has its slot; 0: it does not ask.
constexpr std::array<u32, countOf<pipe::Call>()> kReplySlotAt = {
#define MGL_CALL(Name, cls, flags, wait, epoch, text) replySlotOffset<pipe::Name>(),
#include "pipe/pipe_calls.def"
#undef MGL_CALL
};

}  // namespace

bool Session::noMemory(const pipe::RecordHeader& record) noexcept {
  count(Counter::OutOfMemory);
  const auto call = static_cast<pipe::Call>(record.call);
  // What the record had changed by then, the next draw looks at anew.
  ++moves_;
  if (current_ != nullptr) ++current_->epoch;
  try {
    const std::string what = "no memory for " + std::string(pipe::callInfo(call).name);
    // Records that follow would name an object that is not there.
    if (pipe::callInfo(call).name.starts_with("Create")) {
      faulted_ = true;
      fault_ = {pipe::FaultCode::BackendLost, what};
      return false;
    }
    events_.glError(pipe::GlError::OutOfMemory, call);
    events_.log(pipe::DebugSeverity::High, what + ": skipped");
  } catch (const std::exception&) {
    // Not even for the words: the count has to do.
  }
  if (const u32 at = kReplySlotAt[record.call]; at != 0) {
    u32 slot = 0;
    std::memcpy(&slot, reinterpret_cast<const std::byte*>(&record) + at, sizeof slot);
    reply_ = {};
    reply_.call = call;
    reply_.replySlot = slot;
    reply_.noMemory = true;
  }
  return true;
}

template <class F>
auto Session::withTable(pipe::Kind kind, F&& f) const {
  using pipe::Kind;
  switch (kind) {
    case Kind::Context:
      return f(contexts_);
    case Kind::Surface:
      return f(surfaces_);
    case Kind::RenderState:
      return f(renderStates_);
    case Kind::Sampler:
      return f(samplers_);
    case Kind::VertexFormat:
      return f(vertexFormats_);
    case Kind::Buffer:
      return f(buffers_);
    case Kind::Texture:
      return f(textures_);
    case Kind::VertexArray:
      return f(vertexArrays_);
    case Kind::Framebuffer:
      return f(framebuffers_);
    case Kind::Program:
      return f(programs_);
    case Kind::Query:
      return f(queries_);
    case Kind::StreamOutput:
      return f(streamOutputs_);
    case Kind::Sync:
    case Kind::Count:
      break;
  }
  return f(syncs_);
}

struct Session::Oracle final : pipe::HandleOracle {
  explicit Oracle(const Session& owner) : session(owner) {}
  bool isLive(pipe::Kind kind, u32 slot, u32 gen) const override {
    return session.withTable(kind, [&]<class T, pipe::Kind K>(const Table<T, K>& table) {
      return table.find(pipe::UncheckedHandle<K>{slot, gen}) != nullptr;
    });
  }
  bool isFresh(pipe::Kind kind, u32 slot, u32 gen) const override {
    return session.withTable(kind, [&](const auto& table) { return table.isFresh(slot, gen); });
  }
  const Session& session;
};

std::unique_ptr<Session> Session::open(const OpenOptions& options, std::string* error) {
  return open([&options](backend::EventSink& events) { return openBackend(options, events); }, error);
}

std::unique_ptr<Session> Session::open(const OpenBackend& openBackend, std::string* error) {
  std::unique_ptr<Session> session(new Session(openBackend, error));
  return session->backend_ ? std::move(session) : nullptr;
}

Session::Session(const OpenBackend& openBackend, std::string* error) {
  backend::OpenResult result = openBackend(events_);
  backend_ = std::move(result.backend);
  if (!backend_) *error = result.error;
  if (backend_) events_.onPoll([this](bool alone) { backend_->pollCompleted(alone); });
  for (const std::string& name : knobs().pipeEpochStill)
    for (u32 i = 0; i < pipe::kCalls.size(); ++i)
      if (pipe::kCalls[i].name == name) heldStill_.set(i);
}

Session::~Session() {
  if (!backend_) return;
  publishCounts();
  // The backend hears of every object that leaves its table, whatever else still holds it.
  for (u32 i = 0; i < countOf<pipe::Kind>(); ++i) {
    withTable(static_cast<pipe::Kind>(i), [&]<class T, pipe::Kind K>(const Table<T, K>& table) {
      if constexpr (K != pipe::Kind::Context) {
        for (u32 slot = 0; slot < table.slots(); ++slot) {
          if (T* object = table.inSlot(slot)) backend_->destroyed(*object);
        }
      }
    });
  }
}

ApplyResult Session::applyHostile(Bytes record, Bytes stage, std::span<const pipe::HostSpan> blobs) {
  if (faulted_) return {false, nullptr};
  pipe::RecordHeader header{};
  if (record.size() < sizeof header) return {corrupt("record.bytes"), nullptr};
  std::memcpy(&header, record.data(), sizeof header);
  if (header.bytes > record.size() || header.bytes > pipe::kMaxRecordBytes || header.bytes < sizeof header)
    return {corrupt("record.bytes"), nullptr};
  // The peer may change its memory at any time: nothing below looks at it again.
  try {
    private_.resize(std::max<std::size_t>(private_.size(), (header.bytes + 7) / 8));
  } catch (const std::bad_alloc&) {
    faulted_ = true;
    fault_ = {pipe::FaultCode::BackendLost, "no memory for a record"};
    return {false, nullptr};
  }
  std::memcpy(private_.data(), &header, sizeof header);
  std::memcpy(reinterpret_cast<std::byte*>(private_.data()) + sizeof header, record.data() + sizeof header,
              header.bytes - sizeof header);
  const auto* copy = reinterpret_cast<const pipe::RecordHeader*>(private_.data());
  const Oracle oracle(*this);
  if (!pipe::checkRecord(copy, header.bytes, oracle, {stage.size(), blobs}, &fault_)) {
    faulted_ = true;
    count(Counter::RecordsRefused);
    return {false, nullptr};
  }
  stage_ = stage;
  const ApplyResult result = apply(copy, blobs);
  stage_ = {};
  return result;
}

ReplyResult Session::finishReply(const PendingReply& reply, MutableBytes dst) {
  ReplyResult result;
  if (reply.noMemory || dst.size() < reply.bytes) result.noMemory = true;
  if (reply.noMemory) {
    result.ok = true;
    return result;
  }
  try {
    finishReply(reply, dst.first(std::min<std::size_t>(dst.size(), reply.bytes)), &result);
  } catch (const std::bad_alloc&) {
    count(Counter::OutOfMemory);
    result.ok = result.noMemory = true;
  }
  return result;
}

void Session::finishReply(const PendingReply& reply, MutableBytes dst, ReplyResult* out) {
  ReplyResult& result = *out;
  switch (reply.call) {
    case pipe::Call::MapBuffer:
      result.grant = backend_->finishMapBuffer(reply.pending);
      result.ok = true;
      break;
    case pipe::Call::WaitFence:
      result.value = backend_->waitCompleted(reply.value, reply.timeoutNs) ? 1 : 0;
      result.ok = true;
      break;
    case pipe::Call::GetCaps:
    case pipe::Call::AckAllocation:
      result.value = reply.value;
      result.ok = true;
      break;
    case pipe::Call::WaitQuery:
      result.ok = backend_->finish(reply.pending, std::as_writable_bytes(std::span(&result.value, 1)));
      break;
    case pipe::Call::Finish:
      result.ok = backend_->finish(reply.pending, {});
      break;
    default:
      if (reply.bytes == 0) {
        result.ok = true;
        break;
      }
      result.ok = backend_->finish(reply.pending, dst);
      break;
  }
}

void Session::publishCounts() { count(Counter::RecordsApplied, applied_ - std::exchange(appliedPublished_, applied_)); }

u32 Session::liveObjects(pipe::Kind kind) const {
  return withTable(kind, [](const auto& table) { return table.live(); });
}

bool Session::corrupt(std::string_view where) {
  faulted_ = true;
  fault_ = {pipe::FaultCode::ProtocolCorruption, std::string(where)};
  count(Counter::RecordsRefused);
  return false;
}

bool Session::corruptField(pipe::Call call, std::string_view field) {
  return corrupt(std::string(pipe::callInfo(call).name) + '.' + std::string(field));
}

bool Session::unimplemented(pipe::Call call) {
  faulted_ = true;
  fault_ = {pipe::FaultCode::Unimplemented, std::string(pipe::callInfo(call).name)};
  count(Counter::RecordsRefused);
  return false;
}

bool Session::backendLives() {
  if (!events_.isLost()) return true;
  faulted_ = true;
  fault_ = {pipe::FaultCode::BackendLost, events_.whyLost()};
  return false;
}

bool Session::reply(pipe::Call call, u32 replySlot, backend::Pending pending, u64 bytes) {
  if (!backendLives()) return false;
  reply_ = {call, replySlot, pending, bytes, 0, 0, false};
  return true;
}

Bytes Session::blobBytes(const pipe::BlobRef& ref, bool* fits) const {
  Bytes whole;
  u64 offset = 0;
  switch (ref.where) {
    case pipe::BlobWhere::Host:
      if (ref.offset < blobs_.size()) whole = blobs_[ref.offset];
      break;
    case pipe::BlobWhere::Stage:
      whole = stage_;
      offset = ref.offset;
      break;
    default:
      break;
  }
  *fits = offset <= whole.size() && ref.bytes <= whole.size() - offset;
  return *fits ? whole.subspan(static_cast<std::size_t>(offset), ref.bytes) : Bytes();
}

}  // namespace mgl::server
