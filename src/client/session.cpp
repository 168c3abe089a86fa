#include "client/session.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <thread>
#include <utility>

#include "base/event.h"
#include "base/knobs.h"
#include "base/poison.h"
#include "base/log.h"
#include "base/strings.h"
#include "client/inproc.h"
#include "client/monolith.h"

namespace mgl::client {

namespace {

// The process's live sessions, by what they were opened with.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Session>> live;
  // What the child of a fork walks, where no lock can be taken: slots are filled under the mutex, and never freed.
  std::array<std::atomic<Session*>, 64> forked{};
};
Registry& registry() {
  static Registry* const kRegistry = new Registry;  // outlives static destructors: programs exit in any order
  return *kRegistry;
}

// Where the records of a lost session go.
class Nowhere final : public Transport {
 public:
  const pipe::Caps& caps() const override { return caps_; }
  bool takesHostSpans() const override { return true; }
  std::byte* stage(u32, u64*, u64*) override { return nullptr; }
  bool canStage(u64) const override { return false; }
  void dropStaged(const BlobList&) override {}
  Sent send(const pipe::RecordHeader*, const BlobList*) override { return Sent::Yes; }
  u32 openReply(MutableBytes) override { return 0; }
  Reply finish(u32) override { return {}; }
  void abandon(u32) override {}
  void waitSpace(u32) override {}
  void waitStage(u32) override {}
  bool hasGroupRoom() const override { return true; }
  void waitGroupRoom() override {}
  void waitApplied() override {}
  void waitEvents(u64) override {}
  bool waitCompleted(u64, u64) override { return true; }
  u64 completedSerial() const override { return ~u64{0}; }
  bool drainEvents(EventReceiver&) override { return false; }
  bool isLost() const override { return true; }
  u64 gpuTimestampNs() override { return 0; }
  std::string fault() const override { return "the process is a child that was forked without exec"; }

 private:
  pipe::Caps caps_{};
};
Nowhere& nowhere() {
  static Nowhere* const kNowhere = new Nowhere;
  return *kNowhere;
}

std::string_view knobName(BackendKind kind) {
  switch (kind) {
    case BackendKind::Magma:
      return "magma";
    case BackendKind::Espryt:
      return "espryt";
    default:
      return "null";
  }
}

}  // namespace

std::shared_ptr<Session> Session::open(const OpenOptions& asked, std::string* error) {
  OpenOptions options = asked;
  // A knob that was set to nonsense is no request for its default.
  if (const KnobProblem* problem = options.backend.empty() ? knobProblem(Knob::backend) : nullptr) {
    *error = problem->text;
    return nullptr;
  }
  if (const KnobProblem* problem = options.topology.empty() ? knobProblem(Knob::topology) : nullptr) {
    *error = problem->text;
    return nullptr;
  }
  if (options.backend.empty()) options.backend = knobName(knobs().backend);
  if (options.device.empty()) options.device = knobs().device;
  if (options.topology.empty()) options.topology = knobs().topology;
  if (options.topology != "monolith" && options.topology != "inproc") {
    *error = "topology '" + options.topology +
             "' is not built into this version: set MOBILEGL_TOPOLOGY to monolith or inproc, or leave it unset";
    return nullptr;
  }
  const std::string key = options.backend + '\n' + options.device + '\n' + options.topology;
  const std::scoped_lock lock(registry().mutex);
  if (auto live = registry().live[key].lock(); live && !live->lost()) return live;
  auto transport = options.topology == "inproc"
                       ? openInproc({options.backend, options.device, knobs().pipeLoopback, {}}, error)
                       : openMonolith({options.backend, options.device, knobs().pipeLoopback}, error);
  if (!transport) return nullptr;
  std::shared_ptr<Session> session(new Session(std::move(transport)));
  registry().live[key] = session;
  return session;
}

Session::Session(std::unique_ptr<Transport> transport)
    : opened_(std::move(transport)),
      transport_(opened_.get()),
      hostSpans_(transport_->takesHostSpans()),
      lockstep_(!knobs().ipcRunAhead),
      drawsAtOnce_(transport_->appliesHere() && transport_->caps().threadBound),
      verbLock_(knobs().pipeVerbLock),
      endsPlainly_(!lockstep_ && lock_.isPlain()),
      record_(new u64[pipe::kMaxRecordBytes / 8]) {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, &Session::loseAllInChild); });
  for (std::atomic<Session*>& slot : registry().forked) {
    Session* none = nullptr;
    if (slot.compare_exchange_strong(none, this)) break;
  }
}

Session::~Session() {
  { const SessionGroup last(*this); }
  publishHeld();
  for (std::atomic<Session*>& slot : registry().forked) {
    Session* self = this;
    slot.compare_exchange_strong(self, nullptr);
  }
  // A transport inherited through a fork is the parent's: its threads and its device are not here.
  if (transport_ != opened_.get()) static_cast<void>(opened_.release());
}

void Session::loseAllInChild() {
  new (&registry().mutex) std::mutex;
  new (&registry().live) decltype(registry().live);  // another thread may have been in the middle of it
  for (std::atomic<Session*>& slot : registry().forked) {
    Session* session = slot.load(std::memory_order_relaxed);
    if (session == nullptr) continue;
    session->lost_.store(true, std::memory_order_relaxed);
    session->transport_ = &nowhere();
    session->drawOpen_ = false;
    session->blobs_.clear();
    session->lock_.resetInChild();
    new (&session->retiredMutex_) std::mutex;
    new (&session->eventMutex_) std::mutex;
  }
}

void Session::lose() {
  if (lost_.exchange(true)) return;
  const std::string why = transport_->fault();
  const std::scoped_lock lock(eventMutex_);
  tell("the session is lost: " + (why.empty() ? "the device is gone" : why));
}

void Session::retire(pipe::Kind kind, u32 slot, u32 gen) {
  const std::scoped_lock lock(retiredMutex_);
  retired_.push_back({kind, slot, gen});
  attention_.store(true, std::memory_order_release);
}

void Session::enter(Group& group, const StreamContext& context) {
  if (attention_.load(std::memory_order_acquire)) {
    attention_.store(false, std::memory_order_relaxed);
    if (!transport_->hasGroupRoom()) group.waitForRoom();
    emitRetired(group);
  }
  // A record that belongs to no context leaves the stream's as it is.
  if (context.handle.isNull() || current_ == context.handle) return;
  current_ = context.handle;
  count(Counter::ContextSwitches);
  group.emit(pipe::SwitchContext{context.handle});
}

void Session::emitRetired(Group& group) {
  std::vector<Retired> retired;
  {
    const std::scoped_lock lock(retiredMutex_);
    retired.swap(retired_);
  }
  for (const auto& [kind, slot, gen] : retired) {
    switch (kind) {
      case pipe::Kind::Context:
        group.emit(pipe::DestroyContext{{slot, gen}});
        break;
      case pipe::Kind::Surface:
        group.emit(pipe::DestroySurface{{slot, gen}});
        break;
      case pipe::Kind::RenderState:
        group.emit(pipe::DestroyRenderState{{slot, gen}});
        break;
      case pipe::Kind::Sampler:
        group.emit(pipe::DestroySampler{{slot, gen}});
        break;
      case pipe::Kind::VertexFormat:
        group.emit(pipe::DestroyVertexFormat{{slot, gen}});
        break;
      case pipe::Kind::Buffer:
        group.emit(pipe::DestroyBuffer{{slot, gen}});
        break;
      case pipe::Kind::Texture:
        group.emit(pipe::DestroyTexture{{slot, gen}});
        break;
      case pipe::Kind::VertexArray:
        group.emit(pipe::DestroyVertexArray{{slot, gen}});
        break;
      case pipe::Kind::Framebuffer:
        group.emit(pipe::DestroyFramebuffer{{slot, gen}});
        break;
      case pipe::Kind::Program:
        group.emit(pipe::DestroyProgram{{slot, gen}});
        break;
      case pipe::Kind::Query:
        group.emit(pipe::DestroyQuery{{slot, gen}});
        break;
      case pipe::Kind::StreamOutput:
        group.emit(pipe::DestroyStreamOutput{{slot, gen}});
        break;
      case pipe::Kind::Sync:
        group.emit(pipe::DestroySync{{slot, gen}});
        break;
      case pipe::Kind::Count:
        break;
    }
    if (kind == pipe::Kind::Context && current_.slot == slot) current_ = {};
    handles_[indexOf(kind)].release(slot);
  }
}

void Group::endElsewise() {
  if (session_.lockstep_ && session_.drawOpen_) closeDraw();
  session_.lock_.unlock(context_.owner);
  if (!session_.lockstep_) return;
  const ScopedStall stall(Stall::Lockstep);
  session_.transport_->waitApplied();
}

void Session::letOthersIn(StreamContext& context) {
  handOver(context);
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void Session::publishHeld() {
  const HeldCounts counts = std::exchange(counts_, {});
  count(Counter::Records, counts.records);
  count(Counter::RecordBytes, counts.recordBytes);
  count(Counter::Draws, counts.draws);
  count(Counter::DrawRecords, counts.drawRecords);
  count(Counter::DrawsMerged, counts.drawsMerged);
  count(Counter::Verbs, counts.verbs);
  count(Counter::DeltaHits, counts.deltaHits);
}

// ---- Groups

template <class Wait>
void Group::waitOutside(const Wait& wait) {
  const BlobList blobs = session_.blobs_;
  session_.blobs_.clear();
  session_.lock_.unlock(context_.owner);
  wait();
  ++context_.interruptions;
  const bool stillMine = session_.lock_.lock(context_.owner);
  if (!stillMine || session_.needsEnter()) session_.enter(*this, context_);
  if (session_.drawOpen_) closeDraw();
  session_.blobs_ = blobs;
}

void Group::await(Event& event, Stall stall) {
  waitOutside([&event, stall] {
    const ScopedStall counted(stall);
    event.wait();
  });
}

// So that a verb's records follow its checks at once.
void Group::waitForRoom() {
  waitOutside([this] {
    const ScopedStall stall(Stall::RingSpace);
    session_.transport_->waitGroupRoom();
  });
  if (!session_.lost() && !session_.transport_->hasGroupRoom()) session_.attention_.store(true, std::memory_order_relaxed);
}

void Group::giveBack() {
  if (Group* verb = std::exchange(context_.verb, nullptr)) verb->end();
  end();
}

void Group::dropBlobs() {
  if (session_.blobs_.count != 0) session_.transport_->dropStaged(session_.blobs_);
  session_.blobs_.clear();
}

pipe::BlobRef Group::blob(Bytes bytes) {
  if (session_.drawOpen_) closeDraw();
  if (bytes.empty()) return {};
  MGL_CHECK(bytes.size() <= maxBlobBytes() || session_.hostSpans_);
  countHeld(Counter::Blobs);
  countHeld(Counter::BlobBytes, bytes.size());
  const u32 size = static_cast<u32>(bytes.size());
  MGL_CHECK(session_.blobs_.count < BlobList::kMax);
  if (session_.hostSpans_) {
    session_.blobs_.spans[session_.blobs_.count] = bytes;
    return {session_.blobs_.count++, size, pipe::BlobWhere::Host};
  }
  u64 offset = 0, reservation = 0;
  std::byte* at = session_.transport_->stage(size, &offset, &reservation);
  while (at == nullptr && !session_.lost()) {
    if (!session_.transport_->canStage(session_.blobs_.bytes + size)) {
      session_.lose();
      break;
    }
    waitOutside([this, size] {
      const ScopedStall stall(Stall::StageSpace);
      session_.transport_->waitStage(size);
    });
    at = session_.transport_->stage(size, &offset, &reservation);
  }
  if (at == nullptr) return {};
  session_.blobs_.reservations[session_.blobs_.count++] = reservation;
  session_.blobs_.bytes += size;
  std::memcpy(at, bytes.data(), size);
  return {offset, size, pipe::BlobWhere::Stage};
}

// The next record is written where the last one lay: what it leaves out is not to be the last one's.
constexpr std::size_t kPoisonedRecordBytes = 256;

void Group::send() {
  const auto* record = reinterpret_cast<const pipe::RecordHeader*>(session_.record_.get());
  ++session_.counts_.records;
  session_.counts_.recordBytes += record->bytes;
  const Sent sent = session_.transport_->send(record, session_.blobs_.count != 0 ? &session_.blobs_ : nullptr);
  if (sent == Sent::Full) [[unlikely]]
    return sendWhenThereIsRoom();
  poisonFresh(session_.record_.get(), kPoisonedRecordBytes);
  session_.blobs_.clear();
  if (sent != Sent::Yes) [[unlikely]]
    noteSent(sent);
}

void Group::noteSent(Sent sent) {
  if (sent == Sent::Lost) return session_.lose();
  session_.attention_.store(true, std::memory_order_relaxed);
}

void Group::sendWhenThereIsRoom() {
  const auto* made = reinterpret_cast<const pipe::RecordHeader*>(session_.record_.get());
  // Others make records in the same place meanwhile.
  const u32 bytes = made->bytes;
  const std::vector<u64> copy(session_.record_.get(), session_.record_.get() + (bytes + 7) / 8);
  const auto* record = reinterpret_cast<const pipe::RecordHeader*>(copy.data());
  Sent sent = Sent::Full;
  while (sent == Sent::Full) {
    waitOutside([this, bytes] {
      const ScopedStall stall(Stall::RingSpace);
      session_.transport_->waitSpace(bytes);
    });
    sent = session_.transport_->send(record, session_.blobs_.count != 0 ? &session_.blobs_ : nullptr);
  }
  session_.blobs_.clear();
  if (sent != Sent::Yes) noteSent(sent);
}

Reply Group::askReserved(pipe::Call call, u32 slot, bool dropWait) {
  count(Counter::Replies);
  send();
  session_.publishHeld();
  Transport& transport = *session_.transport_;
  giveBack();
  session_.lock_.handOver(context_.owner);
  if (dropWait) {
    transport.abandon(slot);
    return {true, 0, pipe::MapTier::None, nullptr, false};
  }
  const Reply reply = transport.finish(slot);
  if (!reply.ok) session_.lose();
  if (reply.noMemory) {
    const std::scoped_lock lock(session_.eventMutex_);
    session_.onGlError({context_.handle, pipe::GlError::OutOfMemory, {}, static_cast<u32>(call), 0, 0, 0, 0});
  }
  return reply;
}

// The control of a wait: its answer is not waited for, and so it is nothing.
bool Session::dropsWait(pipe::Call call) {
  static const std::vector<std::string>& dropped = knobs().ipcDropWait;
  if (dropped.empty()) [[likely]]
    return false;
  return std::find(dropped.begin(), dropped.end(), pipe::callInfo(call).name) != dropped.end();
}

// ---- Completion and events

u64 Session::completedSerial() { return transport_->completedSerial(); }

void Session::emitFlush(Group& group) {
  const u64 flush = group.nextSerial();
  group.emit(pipe::Flush{flush});
  publishHeld();
  count(Counter::Flushes);
  lastFlushed_.store(flush, std::memory_order_release);
}

void Session::flushUpTo(u64 serial, StreamContext* context) {
  if (serial <= lastFlushed_.load(std::memory_order_acquire)) return;
  if (context == nullptr) {
    SessionGroup group(*this);
    return emitFlush(group);
  }
  {
    Group group(*this, *context);
    emitFlush(group);
  }
  handOver(*context);
}

bool Session::waitCompleted(u64 serial, u64 timeoutNs, StreamContext* context) {
  if (serial <= transport_->completedSerial()) return true;
  flushUpTo(serial, context);
  if (lost() || dropsWait(pipe::Call::WaitFence)) return true;
  if (transport_->waitCompleted(serial, timeoutNs)) return true;
  if (!transport_->isLost()) return false;
  lose();
  return true;
}

bool Session::queryResult(pipe::QueryHandle query, u64 runSerial, u64* value) {
  drainEvents();
  const std::scoped_lock lock(eventMutex_);
  if (query.slot >= queryValues_.size()) return false;
  const QueryValue& found = queryValues_[query.slot];
  if (found.gen != query.gen || found.serial != runSerial) return false;
  *value = found.value;
  return true;
}

void Session::drainEvents() {
  if (transport_->isLost()) lose();
  const std::scoped_lock lock(eventMutex_);
  transport_->drainEvents(*this);
}

void Session::tell(std::string text) {
  MGL_LOGE("%s", text.c_str());
  if (logs_.size() == kKeptLogs) logs_.pop_front();
  logs_.push_back(std::move(text));
  logCount_.fetch_add(1, std::memory_order_release);
}

std::vector<std::string> Session::serverLogsSince(u64 seen) {
  const std::scoped_lock lock(eventMutex_);
  const u64 fresh = std::min<u64>(logCount_.load(std::memory_order_relaxed) - seen, logs_.size());
  return {logs_.end() - static_cast<std::ptrdiff_t>(fresh), logs_.end()};
}

pipe::OnGlError Session::takeServerError(pipe::ContextHandle context) {
  drainEvents();
  if (!hasServerErrors_.load(std::memory_order_acquire)) return {};
  const std::scoped_lock lock(eventMutex_);
  for (auto it = serverErrors_.begin(); it != serverErrors_.end(); ++it) {
    if (it->context != context) continue;
    const pipe::OnGlError error = *it;
    serverErrors_.erase(it);
    hasServerErrors_.store(!serverErrors_.empty(), std::memory_order_release);
    return error;
  }
  return {};
}

void Session::awaitServerErrors(StreamContext& context) {
  Group group(*this, context);
  static_cast<void>(group.ask(pipe::AckAllocation{}));
}

void Session::forget(StreamContext& context) {
  lock_.forget(context.owner);
  if (context.handle.isNull()) return;
  const std::scoped_lock lock(eventMutex_);
  std::erase_if(serverErrors_, [&context](const pipe::OnGlError& error) { return error.context == context.handle; });
}

u64 Session::presentedSerial(pipe::SurfaceHandle surface) {
  drainEvents();
  const std::scoped_lock lock(eventMutex_);
  return surface.slot < presented_.size() ? presented_[surface.slot] : 0;
}

void Session::waitPresented(pipe::SurfaceHandle surface, u64 frameSerial) {
  const ScopedStall stall(Stall::PresentCredit);
  if (presentedSerial(surface) < frameSerial) transport_->waitEvents(kForever);
}

void Session::onCompleted(u64) {}

void Session::onQueryResult(pipe::QueryHandle query, u64 serial, u64 value) {
  if (query.slot >= queryValues_.size()) queryValues_.resize(query.slot + 16);
  queryValues_[query.slot] = {query.gen, serial, value};
}

void Session::onPresented(pipe::SurfaceHandle surface, u64 frameSerial) {
  if (surface.slot >= presented_.size()) presented_.resize(surface.slot + 4);
  presented_[surface.slot] = frameSerial;
}

void Session::onSurfaceChanged(pipe::SurfaceHandle, u32, u32) {}

void Session::onGlError(const pipe::OnGlError& told) {
  if (told.error == pipe::GlError::None || told.error >= pipe::GlError::Count) return;
  const std::string_view name =
      told.call < countOf<pipe::Call>() ? pipe::callInfo(static_cast<pipe::Call>(told.call)).name : "a record";
  MGL_LOGW("%.*s: the server met an error", static_cast<int>(name.size()), name.data());
  if (told.context.isNull()) return;
  const auto same = [&told](const pipe::OnGlError& other) {
    return other.context == told.context && other.error == told.error && other.slot == told.slot &&
           other.gen == told.gen && other.store == told.store;
  };
  if (std::any_of(serverErrors_.begin(), serverErrors_.end(), same)) return;
  serverErrors_.push_back(told);
  hasServerErrors_.store(true, std::memory_order_release);
}

void Session::onLog(pipe::DebugSeverity severity, std::string_view text) {
  const int length = static_cast<int>(text.size());
  if (severity == pipe::DebugSeverity::High)
    tell(std::string(text));
  else if (severity == pipe::DebugSeverity::Medium)
    MGL_LOGW("%.*s", length, text.data());
  else
    MGL_LOGD("%.*s", length, text.data());
}

}  // namespace mgl::client
