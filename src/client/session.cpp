#include "client/session.h"

#include <chrono>
#include <map>
#include <thread>

#include "base/knobs.h"
#include "base/log.h"
#include "base/strings.h"
#include "client/monolith.h"

namespace mgl::client {

namespace {

// The process's live sessions, by what they were opened with.
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Session>> live;
};
Registry& registry() {
  static Registry* const kRegistry = new Registry;  // outlives static destructors: programs exit in any order
  return *kRegistry;
}

std::string_view knobName(BackendKind kind) {
  switch (kind) {
    case BackendKind::Magma: return "magma";
    case BackendKind::Espryt: return "espryt";
    default: return "null";
  }
}

}  // namespace

void StreamLock::lockSlow() {
  for (u32 spin = 0; spin < 64; ++spin) {
    u32 expected = 0;
    if (state_.load(std::memory_order_relaxed) == 0 &&
        state_.compare_exchange_weak(expected, 1, std::memory_order_acquire))
      return;
  }
  while (state_.exchange(2, std::memory_order_acquire) != 0) state_.wait(2, std::memory_order_relaxed);
}

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
  if (options.topology != "monolith") {
    *error = "topology '" + options.topology +
             "' is not built into this version: set MOBILEGL_TOPOLOGY=monolith, or leave it unset";
    return nullptr;
  }
  const std::string key = options.backend + '\n' + options.device + '\n' + options.topology;
  const std::scoped_lock lock(registry().mutex);
  if (auto live = registry().live[key].lock(); live && !live->lost()) return live;
  auto transport = openMonolith({options.backend, options.device, knobs().pipeLoopback}, error);
  if (!transport) return nullptr;
  std::shared_ptr<Session> session(new Session(std::move(transport)));
  registry().live[key] = session;
  return session;
}

Session::Session(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)),
      hostSpans_(transport_->takesHostSpans()),
      record_(new u64[pipe::kMaxRecordBytes / 8]) {}

Session::~Session() {
  const Group last(*this);
}

void Session::lose() {
  if (lost_.exchange(true)) return;
  const std::string why = transport_->fault();
  MGL_LOGE("the session is lost: %s", why.empty() ? "the device is gone" : why.c_str());
}

void Session::retire(pipe::Kind kind, u32 slot, u32 gen) {
  const std::scoped_lock lock(retiredMutex_);
  retired_.push_back({kind, slot, gen});
  hasRetired_.store(true, std::memory_order_release);
}

void Session::emitRetired() {
  std::vector<Retired> retired;
  {
    const std::scoped_lock lock(retiredMutex_);
    retired.swap(retired_);
    hasRetired_.store(false, std::memory_order_relaxed);
  }
  // Written by hand, not through a Group: this runs inside one.
  const auto emit = [this]<class P>(const P& payload) {
    if (drawOpen_) {
      drawOpen_ = false;
      transport_->send(reinterpret_cast<const pipe::RecordHeader*>(record_.get()), {});
    }
    pipe::writeRecord(record_.get(), payload);
    countHeld(Counter::Records);
    countHeld(Counter::RecordBytes, pipe::recordBytes(payload));
    if (!transport_->send(reinterpret_cast<const pipe::RecordHeader*>(record_.get()), {})) lose();
  };
  for (const auto& [kind, slot, gen] : retired) {
    switch (kind) {
      case pipe::Kind::Context: emit(pipe::DestroyContext{{slot, gen}}); break;
      case pipe::Kind::Surface: emit(pipe::DestroySurface{{slot, gen}}); break;
      case pipe::Kind::RenderState: emit(pipe::DestroyRenderState{{slot, gen}}); break;
      case pipe::Kind::Sampler: emit(pipe::DestroySampler{{slot, gen}}); break;
      case pipe::Kind::VertexFormat: emit(pipe::DestroyVertexFormat{{slot, gen}}); break;
      case pipe::Kind::Buffer: emit(pipe::DestroyBuffer{{slot, gen}}); break;
      case pipe::Kind::Texture: emit(pipe::DestroyTexture{{slot, gen}}); break;
      case pipe::Kind::VertexArray: emit(pipe::DestroyVertexArray{{slot, gen}}); break;
      case pipe::Kind::Framebuffer: emit(pipe::DestroyFramebuffer{{slot, gen}}); break;
      case pipe::Kind::Program: emit(pipe::DestroyProgram{{slot, gen}}); break;
      case pipe::Kind::Query: emit(pipe::DestroyQuery{{slot, gen}}); break;
      case pipe::Kind::StreamOutput: emit(pipe::DestroyStreamOutput{{slot, gen}}); break;
      case pipe::Kind::Sync: emit(pipe::DestroySync{{slot, gen}}); break;
      case pipe::Kind::Count: break;
    }
    if (kind == pipe::Kind::Context && current_.slot == slot) current_ = {};
    handles_[indexOf(kind)].release(slot);
  }
}

void Session::switchTo(pipe::ContextHandle context) {
  if (context.isNull()) return;  // a record that belongs to no context
  if (drawOpen_) {
    drawOpen_ = false;
    if (!transport_->send(reinterpret_cast<const pipe::RecordHeader*>(record_.get()), {})) lose();
  }
  current_ = context;
  pipe::writeRecord(record_.get(), pipe::SwitchContext{context});
  countHeld(Counter::Records);
  countHeld(Counter::ContextSwitches);
  countHeld(Counter::RecordBytes, sizeof(pipe::RecordHeader) + sizeof(pipe::SwitchContext));
  if (!transport_->send(reinterpret_cast<const pipe::RecordHeader*>(record_.get()), {})) lose();
}

// ---- Groups

pipe::BlobRef Group::blob(Bytes bytes) {
  if (session_.drawOpen_) closeDraw();
  if (bytes.empty()) return {};
  MGL_CHECK(bytes.size() <= maxBlobBytes() || session_.hostSpans_);
  countHeld(Counter::Blobs);
  countHeld(Counter::BlobBytes, bytes.size());
  const u32 size = static_cast<u32>(bytes.size());
  if (session_.hostSpans_) {
    MGL_CHECK(session_.blobCount_ < session_.blobs_.size());
    session_.blobs_[session_.blobCount_] = bytes;
    return {session_.blobCount_++, size, pipe::BlobWhere::Host};
  }
  u64 offset = 0;
  std::byte* at = session_.transport_->stage(size, &offset);
  if (at == nullptr) {
    session_.lose();
    return {};
  }
  std::memcpy(at, bytes.data(), size);
  return {offset, size, pipe::BlobWhere::Stage};
}

void Group::closeDraw() {
  session_.drawOpen_ = false;
  send();
}

void Group::send() {
  const auto* record = reinterpret_cast<const pipe::RecordHeader*>(session_.record_.get());
  countHeld(Counter::Records);
  countHeld(Counter::RecordBytes, record->bytes);
  const std::span<const pipe::HostSpan> blobs(session_.blobs_.data(), session_.blobCount_);
  session_.blobCount_ = 0;
  if (!session_.transport_->send(record, blobs)) [[unlikely]]
    session_.lose();
}

Reply Group::askReserved(MutableBytes dst) {
  const auto* record = reinterpret_cast<const pipe::RecordHeader*>(session_.record_.get());
  countHeld(Counter::Records);
  countHeld(Counter::Replies);
  countHeld(Counter::RecordBytes, record->bytes);
  u64 ticket = 0;
  const bool begun = session_.transport_->begin(record, &ticket);
  if (!begun) session_.lose();
  end();
  if (!begun) return {};
  const Reply reply = session_.transport_->finish(ticket, dst);
  if (!reply.ok) session_.lose();
  return reply;
}

// ---- Completion and events

u64 Session::completedSerial() { return transport_->completedSerial(); }

void Session::flushUpTo(u64 serial) {
  if (serial <= lastFlushed_.load(std::memory_order_acquire)) return;
  Group group(*this);
  const u64 flush = group.nextSerial();
  group.emit(pipe::Flush{flush});
  countHeld(Counter::Flushes);
  lastFlushed_.store(flush, std::memory_order_release);
}

bool Session::waitCompleted(u64 serial, u64 timeoutNs) {
  if (serial <= transport_->completedSerial()) return true;
  flushUpTo(serial);
  if (lost()) return true;
  return transport_->waitCompleted(serial, timeoutNs);
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
  const std::scoped_lock lock(eventMutex_);
  transport_->drainEvents(*this);
}

pipe::GlError Session::takeServerError(pipe::ContextHandle context) {
  drainEvents();
  const std::scoped_lock lock(eventMutex_);
  for (auto it = serverErrors_.begin(); it != serverErrors_.end(); ++it) {
    if (it->first != context.slot) continue;
    const pipe::GlError error = it->second;
    serverErrors_.erase(it);
    return error;
  }
  return pipe::GlError::None;
}

u64 Session::presentedSerial(pipe::SurfaceHandle surface) {
  drainEvents();
  const std::scoped_lock lock(eventMutex_);
  return surface.slot < presented_.size() ? presented_[surface.slot] : 0;
}

void Session::waitPresented(pipe::SurfaceHandle surface, u64 frameSerial) {
  const ScopedStall stall(Stall::PresentCredit);
  if (presentedSerial(surface) < frameSerial) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

u64 Session::allocationFailures() {
  Group group(*this);
  return group.ask(pipe::AckAllocation{}).value;
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

void Session::onGlError(u32 contextSlot, pipe::GlError error, pipe::Call call) {
  MGL_LOGW("%.*s: the server met an error", static_cast<int>(pipe::callInfo(call).name.size()),
           pipe::callInfo(call).name.data());
  serverErrors_.emplace_back(contextSlot, error);
}

void Session::onLog(pipe::DebugSeverity severity, std::string_view text) {
  const int length = static_cast<int>(text.size());
  if (severity == pipe::DebugSeverity::High)
    MGL_LOGE("%.*s", length, text.data());
  else if (severity == pipe::DebugSeverity::Medium)
    MGL_LOGW("%.*s", length, text.data());
  else
    MGL_LOGD("%.*s", length, text.data());
}

}  // namespace mgl::client
